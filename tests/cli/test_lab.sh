#!/bin/bash
# SPDX-License-Identifier: MIT
#
# The design lab: every variant of its generator, whatever its board form, bit scan,
# slider method, en passant slot, test of legality or way of making moves, must find
# the published perft counts. docs/design-lab.md must have a row for every variant,
# and results that follow from its table; the check of that must find what is wrong.
# Nothing is measured. Compiling takes about 20 s of CPU time for each compiler, so only with
# LUFT_TEST_LONG are the variants compiled, by gcc and by clang.
#
# Argument 1: the path of the program; the variants are built in the same build directory.
# shellcheck source=tests/cli/support.sh
. "$(dirname "$0")/support.sh"
root=$(cd "$(dirname "$0")/../.." && pwd)
page=$root/docs/design-lab.md

# The directory above the program that has the generated tables, or the usual one.
build=$(dirname "$luft")
while [ "$build" != / ] && [ ! -e "$build/gen/attack_tables.c" ]; do
    build=$(dirname "$build")
done
if [ "$build" = / ]; then
    build=$root/build
fi

# run_lab ARGUMENTS...: leaves $status, and the output in $work/out and $work/err
run_lab() {
    status=0
    BUILD=$build "$root/bench/lab/run" "$@" >"$work/out" 2>"$work/err" || status=$?
}

# count_right NAME: runs all variants and takes over their lines
count_right() {
    run_lab --quick
    sed "s/^\(not \)\{0,1\}ok - /&$1: /" "$work/out"
    failures=$((failures + $(grep -c '^not ok' "$work/out")))
    judge "$1: the design lab compiles and its variants count right" ended_well
}

if [ -z "${LUFT_TEST_LONG:-}" ]; then
    echo "ok - the variants count right: skipped: only in make test-long"
else
    count_right "${CC:-gcc}"
    if [ -n "$(command -v clang)" ]; then
        CC=clang count_right clang
    fi
fi

run_lab --check "$page"
judge "every result in docs/design-lab.md follows from its table" ended_well

# finds_fault NAME SED-COMMAND: a page changed like this is refused
finds_fault() {
    sed "$2" "$page" >"$work/page.md"
    run_lab --check "$work/page.md"
    report "the check finds $1" $((status == 1 && $(wc -c <"$work/err") > 0 ? 0 : 1))
    if cmp -s "$page" "$work/page.md"; then
        report "the page was changed: $1" 1
    fi
}

finds_fault "a figure in a result that is not that of the table" '/^- slower:/s/(0[.][0-9]*)/(0.01)/'
finds_fault "a figure in the table that is not that of a result" \
    's/^\(|  | Kogge-Stone fill |.*| \)0[.][0-9]*\( | [0-9.]* to .*\)/\10.01\2/'
finds_fault "a verdict that is wrong" 's/^- slower: make on a copy/- faster: make on a copy/'
finds_fault "a variant without a row" '/^|  | loop over the bits |/d'
finds_fault "a result without its marker" '/^<!-- lab:result 5 -->$/d'
finds_fault "a statement about speed" 's/^Luft uses$/& masks, which are twice as fast./; s/^Luft derives:/Luft derives, which is faster:/'

finish
