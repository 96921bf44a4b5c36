#!/bin/bash
# SPDX-License-Identifier: MIT
#
# What the engine says while it searches (U7): every line of some hundred searches is
# checked by tests/python/check_lines.py; moves are announced one by one after three seconds.
#
# Argument 1: the path of the program; libluft.so is expected beside it.
# shellcheck source=tests/cli/support.sh
. "$(dirname "$0")/support.sh"
# shellcheck source=tests/cli/uci_support.sh
. "$(dirname "$0")/uci_support.sh"
root=$(cd "$(dirname "$0")/../.." && pwd)
LUFT_LIBRARY=$(dirname "$luft")/libluft.so
export LUFT_LIBRARY PYTHONDONTWRITEBYTECODE=1

# --- Current moves: meanwhile the lines are checked ----------------------------------------

session
tell 'setoption name MultiPV value 3'
tell 'position fen 8/k7/3p4/p2P1p2/P2P1P2/8/8/K7 w - - 0 1'
tell 'go infinite'
status=0
if [ ! -e "$LUFT_LIBRARY" ] || ! command -v python3 >/dev/null; then
    echo 'ok - skipped: there is no python3 here, or no libluft.so beside the program'
else
    python3 "$root/tests/python/check_lines.py" "$luft" 2000 >"$work/out" 2>"$work/err" || status=$?
    judge 'every line is legal and ends where the game does, mates are of full length' printed 'lines=[0-9]+ bounds=[0-9]+ ponder=[0-9]+ errors=0'
    judge 'some scores are bounds, most best moves have an answer' printed 'lines=[0-9]{4,} bounds=[1-9][0-9]+ ponder=[1-9][0-9]{2} .*'
    python3 "$root/tests/python/check_lines.py" "$luft" 2000 7 1000 >"$work/out" 2>"$work/err" || status=$?
    judge 'the same with limited strength: the last line is that of the move played' printed 'lines=[0-9]{3,} bounds=[0-9]+ ponder=[1-9][0-9]{2} errors=0'
fi

# The first one comes after the last line of the first three seconds; on a busy machine much later.
: >"$work/out"
hear 30 '.* currmove .*'
tell stop
hear 10 'bestmove .*'
judge 'a current move after three seconds' grep -Eq '^info depth [0-9]+ currmove [a-h][1-8][a-h][1-8] currmovenumber [0-9]+$' "$work/out"
sed '/ currmove /q' "$work/out" | sed -n 's/.* time \([0-9]*\) .*/\1/p' >"$work/before"
sed -n '/ currmove /,$p' "$work/out" | sed -n 's/.* time \([0-9]*\) .*/\1/p' >"$work/after"
judge 'no current move before three seconds' test "$(tail -n 1 "$work/before")" -gt 0 -a "$(head -n 1 "$work/after")" -ge 3000
leave
judge 'it ended well' test "$status" -eq 0

finish
