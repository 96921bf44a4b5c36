#!/bin/bash
# SPDX-License-Identifier: MIT
#
# Sessions that other engines stumbled over, by their numbers (U), and rules that every
# session keeps (R). What is about time is given more of it than Luft needs, so that a busy
# machine does not fail the tests; scripts/latency measures it. Argument: the path of the program.
# shellcheck source=tests/cli/support.sh
. "$(dirname "$0")/support.sh"
# shellcheck source=tests/cli/uci_support.sh
. "$(dirname "$0")/uci_support.sh"

move='[a-h][1-8][a-h][1-8][nbrq]?'

# --- Sessions -----------------------------------------------------------------------------

: >"$work/out"
session
tell 'go infinite'
longest=0
answers=0
for _ in $(seq 1000); do
    begin=${EPOCHREALTIME/./}
    tell isready
    hear 5 readyok && answers=$((answers + 1))
    time=$((${EPOCHREALTIME/./} - begin))
    longest=$((time > longest ? time : longest))
done
judge 'U2: isready 1,000 times while searching' test "$answers" -eq 1000 -a "$longest" -lt 1000000
judge 'U2: the search goes on' test "$(grep -c '^bestmove' "$work/out")" -eq 0
tell stop
judge 'U2: and can be stopped' hear 5 "bestmove $move.*"
leave

uci "$(for _ in $(seq 50); do printf 'go infinite\\nstop\\n'; done)"
judge 'U3: go infinite and stop without a gap' test "$(count "bestmove $move.*")" -eq 50

: >"$work/out"
session
tell 'go ponder movetime 500'
sleep 0.8
tell isready
hear 5 readyok
judge 'U4: no best move before ponderhit' test "$(grep -c '^bestmove' "$work/out")" -eq 0
begin=${EPOCHREALTIME/./}
tell ponderhit
judge 'U4: a best move after it' hear 5 "bestmove $move.*"
judge 'U4: the clock starts at ponderhit' test $((${EPOCHREALTIME/./} - begin)) -ge 400000
leave

begin=${EPOCHREALTIME/./}
uci 'go ponder wtime 2000 btime 2000\nponderhit\n'
judge 'U5: ponder and ponderhit in one write: one best move, in time' test \
    "$(count "bestmove $move.*")" -eq 1 -a $((${EPOCHREALTIME/./} - begin)) -lt 3000000

for other in ucinewgame 'setoption name Clear Hash' 'position startpos moves d2d4' 'setoption name Hash value 4' \
    'setoption name Threads value 2' 'setoption name UCI_Chess960 value true' flip; do
    uci "go infinite\n$other\nposition fen 6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 1\ngo depth 4\n"
    judge "U6: $other while searching" test "$(count "bestmove $move.*")" -eq 2 -a "$status" -eq 0
    judge "U6: $other: the next search is right" printed 'bestmove a1a8'
done

fastchess=${FASTCHESS:-$(command -v fastchess)}
if [ -n "$fastchess" ]; then
    (cd "$work" && timeout 60 "$fastchess" --compliance "$luft") >"$work/out" 2>"$work/err"
    status=$?
    judge 'U9: fastchess --compliance' grep -q 'passed all compliance checks' "$work/out"
else
    echo 'ok - U9: skipped: fastchess is not installed'
fi

# --- The end (R1), and answers that nobody reads --------------------------------------------

for end in quit 'go infinite\nquit' 'go depth 3\nquit' 'go perft 9\nquit' 'position fen x\nquit' ''; do
    uci "$end\n"
    judge "R1: ${end:-the end of the input}: status 0" test "$status" -eq 0
done
printf 'uci\nisready\ngo depth 5\n' | timeout 20 "$luft" 2>/dev/null | head -n 1 >"$work/out"
judge 'R1: a reader that goes away: no signal' test "${PIPESTATUS[1]}" -le 1

# --- An input that does not block --------------------------------------------------------------

if command -v python3 >/dev/null; then
    timeout 20 python3 - "$luft" >"$work/out" 2>"$work/err" <<'END'
import os, subprocess, sys, time
end, start = os.pipe()
os.set_blocking(end, False)
luft = subprocess.Popen([sys.argv[1]], stdin=end)
for text in b"isr", b"eady\n", b"isready\n":
    time.sleep(0.1)  # there is nothing to read yet
    os.write(start, text)
os.close(start)
sys.exit(luft.wait())
END
    status=$?
    judge 'an input that does not block is waited for' test "$status" -eq 0 -a "$(count readyok)" -eq 2
else
    echo 'ok - skipped: there is no python3 here'
fi

# --- Bad words (R2, R6) ----------------------------------------------------------------------

uci 'go \x80\xff\x1b[2J\nposition fen \x01\x02\xfe w - -\nsetoption name \xe2\x99\x9e value \x7f\n\xc3\xa4\nposition startpos moves \xff\n'
judge 'R2: one printable line for each' errors 5
for limit in wtime btime winc movestogo nodes depth movetime mate; do
    uci "go $limit x\n"
    judge "R6: go $limit x: an error" errors 1
    judge "R6: go $limit x: a move of depth 1" test "$(sed -n 's/^info depth \([0-9]*\) .*/\1/p' "$work/out" | sort -n | tail -n 1)" = 1
done

# --- Mate and stalemate (R4) -------------------------------------------------------------------

for fen in '7k/5KQ1/8/8/8/8/8/8 b - - 0 1' '7k/5K2/6Q1/8/8/8/8/8 b - - 0 1'; do
    uci "position fen $fen\ngo depth 5\n"
    judge "R4: no legal move: $fen" test "$(grep '^bestmove' "$work/out")" = 'bestmove 0000'
done

silent '7k/5KQ1/8/8/8/8/8/8 b - - 0 1' R4
silent '7k/5K2/6Q1/8/8/8/8/8 b - - 0 1' R4

finish
