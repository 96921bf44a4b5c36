#!/bin/bash
# SPDX-License-Identifier: MIT
#
# The choice of a variant at the start of a program for distribution: programs/dispatch/main.c with variants that print
# their names. On this CPU, with LUFT_CPU, and on six CPUs in qemu. `make test-fat` tests the real program.
# Argument: the path of the program luft, which is not used.
# shellcheck source=tests/cli/support.sh
. "$(dirname "$0")/support.sh"
root=$(cd "$(dirname "$0")/../.." && pwd)

if [ "$(uname -m)" != x86_64 ]; then
    skip 'dispatch' 'the variants are those of x86-64'
    finish
fi
for variant in x86-64-v4-vnni x86-64-v3 x86-64-v3-magic x86-64-v2 x86-64; do
    function=main_${variant//-/_}
    echo "VARIANT(\"$variant\", $function)" >>"$work/variants.inc"
    echo "int $function(int argc, char **argv) { return argc < 2 ? 3 : puts(argv[1][0] == 'n' ? \"$variant\" : argv[1]) < 0; }" >>"$work/all.c"
done
sed -i '1i #include <stdio.h>' "$work/all.c"
cc -std=c17 -O1 -march=x86-64 -I"$root/src" -DLUFT_VARIANTS="\"$work/variants.inc\"" -o "$work/fat" "$root/programs/dispatch/main.c" "$root/src/util/cpu.c" "$work/all.c"
report 'it compiles' $?
luft=$work/fat

run name
judge 'one variant runs' printed 'x86-64(-v4-vnni|-v3|-v3-magic|-v2)?'
run argument
judge 'it gets the arguments' printed 'argument'
run
judge 'its exit status is that of the program' test "$status" -eq 3
export LUFT_CPU
for LUFT_CPU in x86-64 x86-64-v2; do
    run name
    judge "LUFT_CPU=$LUFT_CPU" printed "$LUFT_CPU"
done
LUFT_CPU=
run name
judge 'an empty LUFT_CPU is none' printed 'x86-64.*'
LUFT_CPU=pentium
run name
judge 'an unknown name is refused' one_error_line 2
judge 'the names that can be used are listed' says 'expected .*x86-64-v2, x86-64$'

if ! command -v qemu-x86_64 >/dev/null; then
    skip 'other CPUs' 'qemu-user is not installed'
    finish
fi
# chooses MODEL VARIANT: qemu says that it cannot emulate all of some models; only the choice counts
chooses() {
    judge "$1 gets $2" test "$(qemu-x86_64 -cpu "$1" "$work/fat" name 2>/dev/null)" = "$2"
}
LUFT_CPU=
chooses Opteron_G1 x86-64
chooses Conroe x86-64
chooses Nehalem x86-64-v2
chooses SandyBridge x86-64-v2
chooses Haswell x86-64-v3
chooses EPYC x86-64-v3-magic
chooses EPYC-Rome x86-64-v3-magic
chooses EPYC-Milan x86-64-v3
LUFT_CPU=x86-64-v3
qemu-x86_64 -cpu Nehalem "$work/fat" name >"$work/out" 2>"$work/err"
status=$?
judge 'a variant that the CPU cannot run is refused' one_error_line 2
finish
