#!/bin/bash
# SPDX-License-Identifier: MIT
#
# A search by nodes is the same again: in another process, another locale, another place in memory, a poor
# environment, and after other searches and ucinewgame. Argument: the path of the program.
# shellcheck source=tests/cli/support.sh
. "$(dirname "$0")/support.sh"
# shellcheck source=tests/cli/uci_support.sh
. "$(dirname "$0")/uci_support.sh"
status=0

positions=(
    'startpos'
    'startpos moves e2e4 c7c5 g1f3 d7d6 d2d4 c5d4 f3d4 g8f6'
    "fen $kiwipete"
    'fen 8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1'
    'fen 8/8/8/8/8/4k3/4p3/R3K3 b - - 0 1'
)

# ask NODES POSITION: the lines of a session that searches it, from a new game on
ask() {
    printf 'ucinewgame\nposition %s\ngo nodes %s\n' "$2" "$1"
}

# essence: best moves, and the last line of each search without what depends on time
essence() {
    sed -nE -e '/^info depth .* pv /{s/ nps [0-9]+//; s/ time [0-9]+//; h;}' -e '/^bestmove/{x;p;x;p;}'
}

# Each on its own, in a fresh process; the end of the input lets a search by nodes come to its end.
for position in "${positions[@]}"; do
    ask 20000 "$position" | "$luft" | essence
done >"$work/expected"
judge 'each search gave a line and a move' test "$(grep -c '^bestmove' "$work/expected")" -eq 5 -a "$(grep -c ' nodes ' "$work/expected")" -eq 5

# same NAME: what is in $work/got is what was expected
same() {
    status=0
    cp "$work/got" "$work/out" || : >"$work/out"
    judge "$1" cmp -s "$work/got" "$work/expected"
}

# again COMMAND...: the same searches with the program run in this way. What was got before is no answer.
again() {
    rm -f "$work/got"
    for position in "${positions[@]}"; do
        ask 20000 "$position" | "$@" | essence
    done >"$work/got"
}

again "$luft"
same 'the same in another process'
again env LC_ALL=tr_TR.UTF-8 LANG=de_DE.UTF-8 TZ=Asia/Tokyo "$luft"
same 'the same in another locale'
# Few machines have these locales. What makes the run above certain is that the program never asks for one, so that it stays in C's.
nm -D "$luft" >"$work/symbols" 2>"$work/err"
judge 'no call can set a locale' test "$(grep -c ' __libc_start_main' "$work/symbols")" -ge 1 -a "$(grep -Ec ' (set|new|use)locale(@|$)' "$work/symbols")" -eq 0
again env -i "$luft"
same 'the same in an empty environment'
if command -v setarch >/dev/null && setarch -R true 2>/dev/null; then
    again setarch -R "$luft"
    same 'the same without address randomisation'
else
    echo 'ok - skipped: addresses cannot be fixed here'
fi
if (ulimit -s 1024) 2>"$work/err"; then
    (ulimit -s 1024 && again "$luft")
    same 'the same with a small stack'
else
    echo 'ok - skipped: the stack cannot be bounded here'
fi

# All in one session, which has searched other things before.
: >"$work/out"
session
for position in "${positions[@]}"; do
    tell 'position fen 4k3/8/8/8/8/8/4P3/4K3 w - - 0 1'
    tell 'go nodes 3000'
    hear 30 'bestmove .*'
    tell 'setoption name Hash value 8'
    tell 'setoption name Hash value 16'
    tell 'setoption name MultiPV value 3'
    tell 'go depth 5'
    hear 30 'bestmove .*'
    tell 'setoption name MultiPV value 1'
    tell "$(ask 20000 "$position")"
    hear 30 'bestmove .*'
done
leave
essence <"$work/out" | awk '(NR - 1) % 6 >= 4' >"$work/got"
same 'the same after other searches and ucinewgame'

finish
