#!/bin/bash
# SPDX-License-Identifier: MIT
#
# Several threads: every command while they search, more threads than processors, and the most that can be asked
# for in little memory. Also run under the sanitizer of data races (make test-threads).
# Argument: the path of the program.
# shellcheck source=tests/cli/support.sh
. "$(dirname "$0")/support.sh"
# shellcheck source=tests/cli/uci_support.sh
. "$(dirname "$0")/uci_support.sh"

: >"$work/out"
session
tell 'setoption name Threads value 4'
for command in 'isready' 'stop' 'ucinewgame' 'setoption name Hash value 8' 'setoption name Clear Hash' 'position startpos moves e2e4' \
    'setoption name Threads value 3' 'setoption name MultiPV value 4' 'setoption name EvalFile value <empty>' 'd' 'eval' 'flip' 'uci' \
    'setoption name UCI_ShowWDL value true' 'go movetime 20' 'go ponder wtime 100 btime 100' 'ponderhit' 'nonsense'; do
    tell 'position startpos'
    tell 'go infinite'
    tell "$command"
    tell stop
    tell ucinewgame # waits for the best move
    tell isready
    judge "four threads search: $command" hear 20 readyok
done
tell compiler
judge 'four threads: all is answered' hear 20 'compiled with .*'
leave
judge 'four threads: ends well' test "$status" -eq 0 -a ! -s "$work/err"
judge 'four threads: one best move for each go' test "$(count 'bestmove [a-h].*')" -eq 20

# timed THREADS MILLISECONDS: how long go movetime takes, in milliseconds
timed() {
    local begin
    : >"$work/out"
    session
    tell "setoption name Threads value $1"
    tell isready
    hear 60 readyok
    begin=${EPOCHREALTIME/./}
    tell "go movetime $2"
    hear 60 'bestmove .*'
    taken=$(((${EPOCHREALTIME/./} - begin) / 1000))
    leave
}

# Far more than there are processors. The machine may be busy with other tests: ten times as long as usual is allowed.
for threads in 16 64 256; do
    timed "$threads" 200
    echo "# $threads threads, movetime 200: $taken ms"
    judge "$threads threads keep the time" test "$taken" -lt 2500 -a "$(count 'bestmove [a-h].*')" -eq 1
done

# The most of everything, in a gigabyte of address space. A program with a sanitizer needs more even to start.
if ! (ulimit -v 1000000 && exec "$luft" --version) >"$work/out" 2>&1; then
    echo 'ok - skipped: the program does not start in bounded address space'
else
    status=0
    printf 'setoption name Hash value 33554432\nsetoption name Threads value 256\nisready\ngo depth 4\n' |
        (ulimit -v 1000000 && exec timeout 60 "$luft") >"$work/out" 2>"$work/err" || status=$?
    judge 'the largest table and all threads in little memory: ends well' test "$status" -eq 0 -a ! -s "$work/err"
    judge 'the largest table: refused, the old one stays' grep -q '^info string error: option Hash: out of memory for a table of 33554432 MB; the old one stays' "$work/out"
    judge 'one move all the same' test "$(count 'bestmove [a-h].*')" -eq 1
fi

finish
