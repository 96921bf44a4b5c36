#!/bin/bash
# SPDX-License-Identifier: MIT
#
# The command `eval`: a board with all men in their places, and below each what is missing without it. That is asked for
# once more by setting up the position without the man. Argument: the path of the program.
# shellcheck source=tests/cli/support.sh
. "$(dirname "$0")/support.sh"
# shellcheck source=tests/cli/uci_support.sh
. "$(dirname "$0")/uci_support.sh"

# board: the men of the board in $work/out as in the first word of a FEN, without the numbers
board() {
    sed -n 's/^[1-8] |//p' "$work/out" | tr -d ' |' | tr '\n' '/'
}

# total: the evaluation in $work/out, in centipawns
total() {
    sed -n 's/^evaluation: +\?\([-0-9.]*\) (for White)$/\1/p' "$work/out" | tr -d .
}

# below SQUARE: what stands below the man on the square, in centipawns
below() {
    local file
    file=$(printf '%d' "'${1:0:1}")
    sed -n "/^${1:1:1} |/{n;p}" "$work/out" | cut -d '|' -f $((file - 95)) | tr -d ' +.'
}

# plain NUMBER: without leading zeros, which the shell would take for octal
plain() {
    printf '%s' "$1" | sed 's/^\(-\?\)0*\([0-9]\)/\1\2/'
}

while read -r square fen without; do
    fen=${fen//_/ } without=${without//_/ }
    uci "position fen $fen\neval\n"
    judge "eval $fen: the men" test "$(board)" = "$(tr -d '1-8' <<<"${fen%% *}")/"
    whole=$(plain "$(total)") man=$(plain "$(below "$square")")
    uci "position fen $without\neval\n"
    judge "eval $fen: what the man on $square adds" test $((whole - man)) -eq "$(plain "$(total)")"
done <<END
d1 rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR_w_KQkq_-_0_1 rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNB1KBNR_w_KQkq_-_0_1
c4 r1bqkbnr/pppp1ppp/2n5/4p2Q/2B1P3/8/PPPP1PPP/RNB1K1NR_b_KQkq_-_3_3 r1bqkbnr/pppp1ppp/2n5/4p2Q/4P3/8/PPPP1PPP/RNB1K1NR_b_KQkq_-_3_3
h5 8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8_w_-_-_0_1 8/2p5/3p4/KP6/1R3p1k/8/4P1P1/8_w_-_-_0_1
a7 8/P7/5k2/8/8/2K2p2/8/8_b_-_-_0_1 8/8/5k2/8/8/2K2p2/8/8_b_-_-_0_1
END

uci "position fen $kiwipete\neval\nflip\neval\n"
judge 'the twin has the opposite evaluation' test \
    "$(sed -n 's/^evaluation: .\(.*\)/\1/p' "$work/out" | uniq | wc -l)" -eq 1 -a "$(sed -n 's/^evaluation: \(.\).*/\1/p' "$work/out" | sort -u | wc -l)" -eq 2
uci 'position startpos\neval\n'
judge 'nothing stands below the kings' test -z "$(below e1)$(below e8)"
uci 'position fen x\neval\n'
judge 'no position, no evaluation' errors 2

finish
