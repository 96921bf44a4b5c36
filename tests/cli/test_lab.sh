#!/bin/bash
# SPDX-License-Identifier: MIT
#
# The design lab: every variant of its generator must find the published perft counts, whatever its board form, slider
# method or way of making moves. The speed is not checked. Compiling all of them takes most of a minute: without
# LUFT_TEST_LONG only those of one question, the board forms.
#
# Argument 1: the path of the program; the variants are built in the same build directory.
# shellcheck source=tests/cli/support.sh
. "$(dirname "$0")/support.sh"
root=$(cd "$(dirname "$0")/../.." && pwd)

# The directory above the program that has the generated tables, or the usual one.
build=$(dirname "$luft")
while [ "$build" != / ] && [ ! -e "$build/gen/attack_tables.c" ]; do
    build=$(dirname "$build")
done
if [ "$build" = / ]; then
    build=$root/build
fi

some=(--question 7)
if [ -n "${LUFT_TEST_LONG:-}" ]; then
    some=()
fi
BUILD=$build "$root/bench/lab/run" --quick "${some[@]}" >"$work/out" 2>"$work/err"
status=$?
cat "$work/out"
failures=$((failures + $(grep -c '^not ok' "$work/out")))
judge "the design lab compiles and its variants count right" ended_well

finish
