#!/bin/bash
# SPDX-License-Identifier: MIT
#
# The wheel of the Python package: its tag promises no older glibc than its symbols need, every variant in it works in a fresh
# environment, and its own tests pass there. The source distribution: built by pip and used. Run by `make test-wheel`.
# Arguments: the path of the program luft, which is not used, and the folder of the wheel and the source distribution.
# shellcheck source=tests/cli/support.sh
. "$(dirname "$0")/../cli/support.sh"
root=$(cd "$(dirname "$0")/../.." && pwd)
folder=$(cd "$2" && pwd)
wheel=$(find "$folder" -maxdepth 1 -name 'luft-*.whl')
sdist=$(find "$folder" -maxdepth 1 -name 'luft-*.tar.gz')
version=$(make -s -C "$root" print-VERSION)
status=0

# --- The tag ---------------------------------------------------------------------------

tag=$(basename "$wheel" .whl | sed 's/.*-//')
judge "one wheel: $(basename "$wheel")" test "$(wc -w <<<"$wheel")" -eq 1
python3 -m zipfile -e "$wheel" "$work/unpacked"
modules=("$work"/unpacked/luft/_core.abi3.so "$work"/unpacked/luft/_store.abi3.so)
# By another tool than the one that made the tag, and compared as numbers.
needed=$(objdump -T "${modules[@]}" | grep -o 'GLIBC_[0-9.]*' | sed 's/GLIBC_//' | sort -V | tail -n 1)
judge "the tag has the newest symbol: glibc $needed" test "$tag" = "manylinux_$(cut -d . -f 1-2 <<<"$needed" | tr . _)_$(uname -m)"
judge 'libraries that every such system has' test -z "$(objdump -p "${modules[@]}" | sed -n 's/.*NEEDED *//p' | grep -vE '^(lib[cm]\.so\.6|ld-linux.*)$')"
judge 'the tag is in the wheel' grep -qx "Tag: cp311-abi3-$tag" "$work"/unpacked/luft-*.dist-info/WHEEL

# --- Used --------------------------------------------------------------------------------

cat >"$work/use.py" <<'END'
import sys, luft
assert luft.__file__.startswith(sys.prefix), luft.__file__
assert luft.Position().perft(5) == 4865609
with luft.Engine() as engine:
    assert str(engine.play(luft.Position("6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 1"), depth=5)) == "a1a8"
    analysis = engine.analyse(luft.Position(), depth=8)
with luft.Database.create("games.luftdb", b"1. e4 e5 2. Nf3 *\n\n1. d4 *\n") as database:
    assert len(database) == 2
print(luft.__version__, analysis.nodes, analysis.best)
END
# use PYTHON: what the script prints; the folder is not one that has the package
use() {
    (cd "$work" && "$1" use.py >"$work/out" 2>"$work/err")
    status=$?
}
python3 -m venv "$work/clean" && "$work/clean/bin/pip" install --quiet --no-index "$wheel" >"$work/out" 2>&1
report 'pip installs the wheel in a fresh environment' $?
use "$work/clean/bin/python"
judge 'perft, a mate in one, a search' printed "$version [0-9]+ [a-h][1-8].*"
cp "$work/out" "$work/expected"
judged=0
for variant in $(make -s -C "$root" print-VARIANTS); do
    LUFT_CPU=$variant use "$work/clean/bin/python"
    if says "ImportError: LUFT_CPU: this CPU cannot run that variant: $variant"; then
        skip "variant $variant" 'this CPU cannot run it'
    else
        judge "variant $variant: the same" same_output "$work/expected"
        judged=$((judged + 1))
    fi
done
judge 'the CPU has run a variant' test "$judged" -ge 1
LUFT_CPU=z80 use "$work/clean/bin/python"
judge 'an unknown variant is refused' says 'ImportError: LUFT_CPU: the package has no such variant: z80'
for file in "$root"/tests/python/test_*.py; do
    (cd "$root" && LUFT_TEST_DATA=$root/tests/data "$work/clean/bin/python" "$file" >"$work/out" 2>"$work/err")
    status=$?
    judge "$(basename "$file"): $(sed -n 's/^Ran \([0-9]*\) tests.*/\1 tests/p' "$work/err")" test "$status" -eq 0
done

# --- The sources -----------------------------------------------------------------------

judge 'the source distribution has what PEP 517 asks for' test "$(tar -tzf "$sdist" | grep -cx "luft-$version/\(pyproject.toml\|PKG-INFO\)")" -eq 2
# For this CPU alone: the variants have been tested.
python3 -m venv "$work/built" && MAKEFLAGS=ARCH=native "$work/built/bin/pip" install --quiet --no-index "$sdist" >"$work/out" 2>&1
report 'pip builds and installs it' $?
use "$work/built/bin/python"
judge 'it gives the same' same_output "$work/expected"
finish
