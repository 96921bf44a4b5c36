#!/bin/bash
# SPDX-License-Identifier: MIT
#
# `luft` alone at a terminal: moves and plain words beside UCI; and in a pipe, nothing but UCI.
# Argument: the path of the program.
# shellcheck source=tests/cli/support.sh
. "$(dirname "$0")/support.sh"
root=$(cd "$(dirname "$0")/../.." && pwd)
mkdir "$work/games"

# --- In a pipe ---------------------------------------------------------------------------

# piped INPUT: what luft prints for these lines
piped() {
    status=0
    # shellcheck disable=SC2059
    printf "$1" | "$luft" >"$work/out" 2>"$work/err" || status=$?
}

: >"$work/expected"
piped ''
judge 'a pipe is not greeted' same_output "$work/expected"
echo readyok >"$work/expected"
piped 'isready\n'
judge 'there is no prompt in a pipe' same_output "$work/expected"
echo 'info string error: unknown command "e4"' >"$work/expected"
for word in hint undo play; do
    echo "info string error: unknown command \"$word\"" >>"$work/expected"
done
piped 'e4\nhint\nundo\nplay\n'
judge 'a pipe has no plain words' same_output "$work/expected"

# --- make run ------------------------------------------------------------------------------

# White wins by distant opposition: 1. Kb1 is the only move.
status=0
(cd "$root" && scripts/run "$luft" </dev/null >"$work/out" 2>"$work/err") || status=$?
judge 'make run without a terminal analyses a position' printed 'Best move: +1\. Kb1'

# --- At a terminal -----------------------------------------------------------------------

if ! command -v python3 >/dev/null; then
    skip 'a session in a terminal' 'python3 is not installed'
    finish
fi

# at_terminal SCRIPT: follows the script of drive_terminal.py
at_terminal() {
    status=0
    # shellcheck disable=SC2059
    (cd "$work/games" && printf "$1" | TERM=dumb python3 "$root/tests/cli/drive_terminal.py" "$luft" \
        >"$work/out" 2>"$work/err") || status=$?
}

at_terminal 'expect Luft\nexpect R  N  B  Q  K  B  N  R\nexpect luft> \nsend quit'
judge 'a person is greeted with a board' ended_well
status=0
printf 'expect Your move: \nsend quit' | python3 "$root/tests/cli/drive_terminal.py" "$root/scripts/run" "$luft" \
    >"$work/out" 2>"$work/err" || status=$?
judge 'make run at a terminal plays a game' ended_well
at_terminal 'expect luft> \nkey D'
judge 'the end of the input ends it' ended_well
at_terminal 'expect luft> \nsend e4\nexpect 1. e4\nexpect Opening: B00\nexpect luft> \nsend d\nexpect Fen: rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b\nsend quit'
judge 'a move, which UCI knows of' ended_well
at_terminal 'expect luft> \nsend position startpos moves e2e4 e7e5\nexpect luft> \nsend nf3\nexpect Nf3\nexpect C40\nexpect luft> \nsend undo\nexpect luft> \nsend fen\nexpect /4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq\nsend undo\nexpect luft> \nsend game\nexpect 1. e4\nsend undo\nexpect luft> \nsend undo\nexpect no move to take back\nsend quit'
judge 'a move after what UCI has set up, whose moves are part of the game' ended_well
at_terminal 'expect luft> \nsend position fen k7/8/8/8/8/8/1R6/5B1K w - - 0 1 moves h1h2 a8a7 h2h1 a7a8 h1h2 a8a7 h2h1\nexpect luft> \nsend board\nexpect luft> \nsend Ka8\nexpect occurred three times\nexpect luft> \nsend flip\nexpect luft> \nsend fen\nexpect 5b1k/1r6/8/8/8/8/8/K7 b\nsend quit'
judge 'repetitions are known from what UCI has set up' ended_well
at_terminal 'expect luft> \nsend d4\nexpect luft> \nsend d5\nexpect luft> \nsend undo\nexpect luft> \nsend redo\nexpect luft> \nsend game\nexpect 1. d4 d5\nsend new\nexpect luft> \nsend moves\nexpect Nf3\nsend EXIT'
judge 'undo, redo, game, new, moves' ended_well
at_terminal 'expect luft> \nsend position fen 7k/5Q2/6K1/8/8/8/8/8 w - - 0 1\nsend hint\nexpect Try Q\nsend analyse\nexpect #1\nexpect White mates in 1 move\nsend Qg7\nexpect Checkmate: White wins.\nsend hint\nexpect over\nsend quit'
judge 'hint, analyse, and the end of a game' ended_well
at_terminal 'expect luft> \nsend xyzzy\nexpect "xyzzy" is neither\nsend Nf6\nexpect not legal\nsend help\nexpect analyse\nexpect setoption\nsend quit'
judge 'any other text gets one line' ended_well
! grep -q 'info string' "$work/out"
report 'and in plain words' $?
at_terminal 'expect luft> \nsend position fen nonsense\nexpect info string error\nsend e4\nexpect There is no position\nsend new\nexpect R  N  B\nsend e4\nexpect 1. e4\nsend quit'
judge 'a refused position is not played on' ended_well
at_terminal 'expect luft> \nsend uci\nexpect uciok\nsend isready\nexpect readyok\nsend quit'
judge 'a program at a terminal' ended_well
judge 'a program is not prompted after uci' [ "$(grep -c 'luft>' "$work/out")" -eq 1 ]
at_terminal 'expect luft> \nsend go infinite\nexpect info depth\nsend e4\nexpect bestmove\nexpect 1. e4\nexpect luft> \nsend go depth 2\nexpect bestmove\nsend isready\nexpect readyok\nsend quit'
judge 'a word ends a search' ended_well
at_terminal 'expect luft> \nsend position fen k7/8/8/8/8/8/1R6/5B1K w - - 0 1\nsend play white 3\nexpect (level 3)\nexpect move: \nsend Kh2\nexpect plays 1... Ka7\nexpect move: \nsend quit\nexpect Save\nsend mine.pgn\nexpect saved\nexpect luft> \nsend d\nexpect Fen: 8/k7/8/8/8/8/1R5K/5B2 w - - 2 2\nsend play purple\nexpect play takes\nsend quit'
judge 'a game, and back' ended_well
"$luft" pgn check "$work/games/mine.pgn" >/dev/null && grep -q '1. Kh2 Ka7 \*' "$work/games/mine.pgn"
report 'the game is saved' $?
at_terminal 'expect luft> \nsend position fen k7/8/8/8/8/8/1R6/5B1K w - - 0 1\nsend play\nexpect move: \nsend Kh2\nexpect Ka7\nexpect move: \nkey C\nexpect ^C again\nkey C\nexpect saved in\nexpect luft> \nsend play\nexpect move: \nsend Kh1\nexpect Ka8\nexpect move: \nsignal SIGTERM\nexpect saved'
judge '^C leaves the game alone; the system ends the program' ended_well
at_terminal 'expect luft> \nsend e4\nexpect luft> \nsend hint\nexpect (^C: move now)\nkey C\nexpect Try \nexpect luft> \nsend analyse\nexpect (^C: move now)\nkey C\nexpect luft> \nsend fen\nexpect 4P3\nsend quit'
judge '^C ends a look at the position and leaves the board alone' ended_well

finish
