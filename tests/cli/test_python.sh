#!/bin/bash
# SPDX-License-Identifier: MIT
#
# The Python package: its own tests, tests/python/test_*.py, one line for each; its types, checked by mypy; the wheel,
# installed in a fresh virtual environment without a network and tested there; and `make install-python`.
#
# Argument 1: the path of the program; `make python` has put the package beside it.
# shellcheck source=tests/cli/support.sh
. "$(dirname "$0")/support.sh"
root=$(cd "$(dirname "$0")/../.." && pwd)
cd "$root" || exit 2
package=$(dirname "$luft")/python
# Make must not write into the build directory while other tests read from it: only the wheel and objects are made there.
make=(make --no-print-directory)
unset MAKEFLAGS MAKELEVEL
export PYTHONDONTWRITEBYTECODE=1 MYPY_CACHE_DIR="$work/mypy" PIP_DISABLE_PIP_VERSION_CHECK=1 PIP_NO_INDEX=1 PIP_CONFIG_FILE=/dev/null

if ! command -v python3 >/dev/null; then
    skip 'the Python package' 'python3 is not installed'
    finish
fi
if [ ! -e "$package/luft/_core.abi3.so" ]; then
    skip 'the Python package' 'it is not beside the program; make python builds it, and needs python3-dev'
    finish
fi

# python_tests PYTHON: runs the unit tests; leaves their output in $work/tests
python_tests() {
    local result=0
    : >"$work/tests"
    for file in tests/python/test_*.py; do
        "$1" "$file" -v >>"$work/tests" 2>&1 || result=1
    done
    return "$result"
}

export PYTHONPATH=$package
status=0
python_tests python3 || status=$?
sed -nE -e 's/^(.*) \.\.\. ok$/ok - \1/p' -e "s/^(.*) \.\.\. skipped '(.*)'$/ok - \1: skipped: \2/p" -e 's/^(.*) \.\.\. (FAIL|ERROR)$/not ok - \1/p' "$work/tests"
if [ "$status" -ne 0 ]; then
    sed 's/^/# /' "$work/tests"
fi
report 'the tests of the Python package' "$status"

# The module is built for Python 3.11 and must run in every later version.
for other in python3.12 python3.13 python3.14; do
    if "$other" -c '' 2>/dev/null; then
        python_tests "$other"
        status=$?
        cp "$work/tests" "$work/out"
        judge "the same package in $other" test "$status" -eq 0
    fi
done

# --- Types ---------------------------------------------------------------------------------

if command -v mypy >/dev/null; then
    status=0
    mypy --config-file bindings/python/pyproject.toml bindings/python/luft bindings/python/backend.py \
        >"$work/out" 2>"$work/err" || status=$?
    judge 'mypy in strict mode finds nothing in the package' printed 'Success: no issues found in [0-9]+ source files'
    MYPYPATH=$package mypy --strict tests/python/check_types.py >"$work/out" 2>"$work/err" || status=$?
    judge 'mypy knows the types that users see' printed 'Success: .*'
    # mypy belongs to the Python that its first line names, which is not always python3.
    interpreter=$(sed -n '1s/^#! *//p' "$(command -v mypy)")
    if [ -x "$interpreter" ] && "$interpreter" -c 'import sys, mypy.stubtest; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then
        store=()
        if [ -e "$package/luft/_store.abi3.so" ]; then
            store=(luft._store)
        fi
        # It leaves its cache where it runs.
        (cd "$work" && MYPYPATH=$package "$interpreter" -m mypy.stubtest luft._core "${store[@]}") >"$work/out" 2>"$work/err" || status=$?
        judge 'the stubs of the compiled modules say what the modules have' printed 'Success: .*'
    else
        skip 'the stub of the compiled module' 'mypy has no stubtest for Python 3.11 here'
    fi
else
    skip 'the types of the Python package' 'mypy is not installed'
fi
unset PYTHONPATH

# --- The wheel -----------------------------------------------------------------------------

# wheel DIRECTORY MODULE...: packs modules that are built already, and leaves the wheel alone in the directory
wheel() {
    mkdir -p "$1" && python3 bindings/python/backend.py "$("${make[@]}" -s print-VERSION)" "$@"
}

status=0
wheel "$work/wheel" "$package"/luft/*.abi3.so >"$work/out" 2>"$work/err" || status=$?
wheel "$work/again" "$package"/luft/*.abi3.so >>"$work/out" 2>>"$work/err" || status=$?
judge 'the wheel is packed' printed '.*/luft-[0-9.]+-cp311-abi3-[a-z0-9_]+\.whl'
judge 'the same files give the same wheel' cmp -s "$work"/wheel/*.whl "$work"/again/*.whl
# The other module may lie there since a build with SQLite.
mkdir "$work/modules"
touch "$work/modules/_core.abi3.so" "$work/modules/_store.abi3.so"
wheel "$work/alone" "$work/modules/_core.abi3.so" >"$work/out" 2>"$work/err" || status=$?
judge 'it has the modules that are named, and no other' test "$(python3 -m zipfile -l "$work"/alone/*.whl | grep -o '_[a-z]*\.abi3\.so')" = _core.abi3.so
# A checkout in small: what git does not track is not part of the sources.
mkdir -p "$work/checkout/bindings/python" "$work/checkout/src"
cp bindings/python/backend.py bindings/python/pyproject.toml "$work/checkout/bindings/python"
touch "$work/checkout/src/tracked.c"
git init --quiet "$work/checkout" && git -C "$work/checkout" add .
touch "$work/checkout/src/stray.c"
python3 "$work/checkout/bindings/python/backend.py" --sdist 1.2.3 "$work" >"$work/out" 2>"$work/err" || status=$?
judge 'the source distribution has what git tracks' test "$(tar -tzf "$work/luft-1.2.3.tar.gz" | grep -o 'src/.*')" = src/tracked.c
rm -rf "$work/checkout/.git"
python3 "$work/checkout/bindings/python/backend.py" --sdist 1.2.3 "$work" >"$work/out" 2>"$work/err" || status=$?
judge 'without git, every file' test "$(tar -tzf "$work/luft-1.2.3.tar.gz" | grep -o 'src/.*' | xargs)" = 'src/stray.c src/tracked.c'
if python3 -c 'import ensurepip, venv' 2>/dev/null; then
    status=0
    # pip calls the build backend, which calls make: with the objects that are there already.
    { python3 -m venv "$work/venv" && MAKEFLAGS=ARCH=native "$work/venv/bin/pip" install --quiet --no-compile ./bindings/python; } \
        >"$work/out" 2>"$work/err" || status=$?
    judge 'pip builds and installs the package in a fresh environment' ended_well
    "$work/venv/bin/python" -c 'import luft; print(luft.__file__, luft.__version__)' >"$work/out" 2>"$work/err" || status=$?
    judge 'the package comes from there' printed "$work/venv/lib/.*/luft/__init__.py [0-9.]+"
    "$work/venv/bin/python" -c 'import luft; print(luft.Engine().analyse(luft.Position(), nodes=10000))' >"$work/out" 2>"$work/err" || status=$?
    judge 'its engine searches' printed '<Analysis: [a-hN][^,]*, score [-+0-9.]+, depth [0-9]+, 10000 nodes, [0-9.]+ s>'
    if [ -e "$package/luft/_store.abi3.so" ]; then
        "$work/venv/bin/python" -c 'import luft, sys; print(len(luft.Database.create(sys.argv[1], b"1. e4 *")))' "$work/db" >"$work/out" 2>"$work/err" || status=$?
        judge 'its database has games' printed 1
    fi
    if [ -n "${LUFT_TEST_LONG:-}" ]; then
        python_tests "$work/venv/bin/python"
        status=$?
        cp "$work/tests" "$work/out"
        judge 'its tests pass there' test "$status" -eq 0
    fi
    "$work/venv/bin/pip" uninstall --quiet --yes luft >"$work/out" 2>"$work/err" || status=$?
    judge 'pip removes it again' test -z "$(find "$work/venv" -name '*luft*')"
else
    skip 'the wheel in a fresh environment' 'python3-venv is not installed'
fi

# --- Installing without pip ------------------------------------------------------------------

status=0
"${make[@]}" install-python DESTDIR="$work/root" PREFIX=/opt/luft >"$work/out" 2>"$work/err" || status=$?
directory=$(dirname "$(find "$work/root/opt/luft/lib" -name luft -type d)")
PYTHONPATH=$directory python3 -c 'import luft; print(luft.__file__, luft.version)' >"$work/out" 2>"$work/err" || status=$?
judge 'make install-python obeys PREFIX' printed "$work/root/opt/luft/lib/python3[.0-9]*/(site|dist)-packages/luft/__init__.py [0-9.]+"
"${make[@]}" uninstall-python DESTDIR="$work/root" PREFIX=/opt/luft >"$work/out" 2>"$work/err" || status=$?
judge 'make uninstall-python leaves nothing' test -z "$(find "$work/root" -name '*luft*' ! -path '*/opt/luft')"

finish
