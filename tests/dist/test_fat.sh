#!/bin/bash
# SPDX-License-Identifier: MIT
#
# The program for distribution (`make fat`): every variant gives the counts of the program for this CPU, and no CPU from
# the first x86-64 on meets an instruction that it does not know. Run by `make test-fat`.
# Arguments: the path of the program luft, and that of the program for distribution.
# shellcheck source=tests/cli/support.sh
. "$(dirname "$0")/../cli/support.sh"
root=$(cd "$(dirname "$0")/../.." && pwd)
fat=$(cd "$(dirname "$2")" && pwd)/$(basename "$2")
suite=$root/tests/data/perft/own-standard.epd
depth=${LUFT_TEST_DEPTH:-4}

# bench_of COMMAND...: the node count
bench_of() {
    echo "bench $depth" | "$@" 2>/dev/null | sed -n '$s/ nodes.*//p'
}

# variant_of COMMAND...
variant_of() {
    "$@" --version 2>/dev/null | sed -n 's/^Variant: //p'
}

expected=$(bench_of "$luft")
judge 'a node count' test "${expected:-0}" -gt 0
judge 'UCI tells the variant' test "$(echo uci | "$fat" | sed -n 's/^info string variant //p')" = "$(variant_of "$fat")"
readelf -V "$fat" | grep -o 'GLIBC_[0-9.]*' | sort -uV | tail -n 1 | sed 's/^/# newest symbol: /'
judge 'only the C library is needed' test -z "$(readelf -d "$fat" | sed -n 's/.*NEEDED.*\[\(.*\)\]/\1/p' | grep -v '^lib[cm]\.so\.6$\|^ld-linux')"

for variant in $("$fat" --version | sed -n 's/^Variant: //p') x86-64-v3-magic x86-64-v2 x86-64; do
    judge "bench of $variant" test "$(LUFT_CPU=$variant bench_of "$fat")" = "$expected"
done
if ! command -v qemu-x86_64 >/dev/null; then
    skip 'other CPUs' 'qemu-user is not installed'
    finish
fi
for pair in Opteron_G1:x86-64 Conroe:x86-64 Nehalem:x86-64-v2 Haswell:x86-64-v3 EPYC:x86-64-v3-magic EPYC-Milan:x86-64-v3; do
    model=${pair%%:*} variant=${pair#*:}
    judge "$model runs $variant" test "$(variant_of qemu-x86_64 -cpu "$model" "$fat")" = "$variant"
    judge "$model: bench" test "$(bench_of qemu-x86_64 -cpu "$model" "$fat")" = "$expected"
    status=0
    head -n 40 "$suite" >"$work/suite.epd"
    qemu-x86_64 -cpu "$model" "$fat" perft --max-nodes 20000 --suite "$work/suite.epd" >"$work/out" 2>"$work/err" || status=$?
    judge "$model: perft" test "$status" -eq 0
done
finish
