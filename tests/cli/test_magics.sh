#!/bin/bash
# SPDX-License-Identifier: MIT
#
# tools/find_magics finds the numbers of tools/magics.h again, with the seed and the
# attempts that the header names. Without LUFT_TEST_LONG it does so for a few squares:
# corner, edge of the inner board and centre, with and without a smaller n. With it the
# tool writes the whole header, which must be the same file; that takes two minutes.
#
# Argument: the path of the program, beside which the tool was built.
# shellcheck source=tests/cli/support.sh
. "$(dirname "$0")/support.sh"
tool=$(dirname "$luft")/find_magics
root=$(cd "$(dirname "$0")/../.." && pwd)
header=$root/tools/magics.h

if [ ! -x "$tool" ]; then
    echo "not ok - $tool is not built"
    exit 1
fi
read -ra settings < <(sed -n 's/.*find_magics \(--seed [0-9]* --attempts [0-9]*\) .*/\1/p' "$header")

# find_again ARGUMENTS...: runs the tool with the settings of the header
find_again() {
    status=0
    "$tool" "${settings[@]}" "$@" >"$work/out" 2>"$work/err" || status=$?
}

# entries SQUARE: what the header says of it, in the form of the tool: 64 rooks from a8 to h1, then 64 bishops
entries() {
    grep -o '{0x[0-9a-f]*, *[0-9]*}' "$header" | awk -v square="$1" '
    BEGIN {
        number = (8 - substr(square, 2, 1)) * 8 + index("abcdefgh", substr(square, 1, 1))
    }
    NR == number {
        print "rook " square ": " $0
    }
    NR == number + 64 {
        print "bishop " square ": " $0
    }'
}

report "the header names the seed and the attempts" $((${#settings[@]} == 4 ? 0 : 1))
for square in a8 b2 d4; do
    entries "$square" >"$work/expected"
    find_again --square "$square"
    judge "the magics of $square are found again" same_output "$work/expected"
done

if [ -n "${LUFT_TEST_LONG:-}" ]; then
    find_again --output "$work/magics.h"
    report "all magics are found again" "$(cmp -s "$header" "$work/magics.h" && echo 0 || echo 1)"
fi

for bad in '--square i9' '--square' '--seed x' '--wrong' '--square a1 --output x'; do
    status=0
    # shellcheck disable=SC2086 # words
    "$tool" $bad >"$work/out" 2>"$work/err" || status=$?
    report "bad arguments are refused: $bad" $((status == 2 && $(wc -l <"$work/err") == 1 && $(wc -c <"$work/out") == 0 ? 0 : 1))
done

finish
