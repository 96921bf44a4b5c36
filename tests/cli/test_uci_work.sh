#!/bin/bash
# SPDX-License-Identifier: MIT
#
# `go perft` and `bench` in a UCI session do not hold it up (R5): isready is answered
# while they run, stop and quit end them (but not the quit at the end of a script), other commands wait for their end. And
# `luft bench`. Argument: the path of the program.
# shellcheck source=tests/cli/support.sh
. "$(dirname "$0")/support.sh"
# shellcheck source=tests/cli/uci_support.sh
. "$(dirname "$0")/uci_support.sh"

for long in 'go perft 12' 'bench 60'; do
    : >"$work/out"
    session
    tell "$long"
    tell isready
    judge "$long: isready is answered meanwhile" hear 5 readyok
    tell 'position startpos moves e2e4'
    tell isready
    judge "$long: isready is answered with another command waiting" hear 5 readyok
    tell d
    tell stop
    judge "$long: stop ends it" hear 5 'info string (perft|bench) was stopped'
    judge "$long: the commands that waited run then" hear 5 'Fen: .* b KQkq - 0 1'
    tell "$long"
    begin=${EPOCHREALTIME/./}
    leave
    judge "$long: quit ends it" test "$status" -eq 0 -a $((${EPOCHREALTIME/./} - begin)) -lt 5000000
    judge "$long: no number that was not counted to the end" test "$(grep -Ec '^Nodes searched|nps$' "$work/out")" -eq 0
done

# Counts are known from the literature; each command works on the position that came before it.
printf 'go perft 5\nposition fen %s\ngo perft 4\nposition fen 8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - -\ngo perft 5\ngo perft 0\n' "$kiwipete" >"$work/in"
status=0
timeout 60 "$luft" <"$work/in" >"$work/out" 2>"$work/err" || status=$?
judge 'perft after perft, all sent at once' test "$(grep '^Nodes' "$work/out" | tr '\n' ' ')" = \
    'Nodes searched: 4865609 Nodes searched: 4085603 Nodes searched: 674624 Nodes searched: 1 '
judge 'the count of each first move' printed 'a2a3: 181046'

# At the end of a script quit waits, as it does with other engines; where more could come it does not, see above.
printf 'go perft 4\nposition startpos moves e2e4\ngo perft 3\ngo depth 3\nquit\n' >"$work/in"
timeout 60 "$luft" <"$work/in" >"$work/out" 2>"$work/err"
judge 'a script that ends in quit gets all its answers' test "$(grep -E '^(Nodes|bestmove)' "$work/out" | sed 's/\(bestmove\).*/\1/' | tr '\n' ' ')" = \
    'Nodes searched: 197281 Nodes searched: 13160 bestmove '
printf 'bench 3\nquit' | timeout 60 "$luft" >"$work/out" 2>"$work/err"
judge 'and so through a pipe' test "$(grep -c 'nps$' "$work/out")" -eq 1
for pause in 0 0.02 0.3; do # in one read, in several, and long after
    begin=${EPOCHREALTIME/./}
    { printf 'go perft 12\n' && sleep "$pause" && printf 'quit\n' && sleep "$pause" && printf 'isready\n' && sleep 0.2; } |
        timeout 60 "$luft" >"$work/out" 2>"$work/err"
    judge "quit before the end does not wait, $pause s apart" test $((${EPOCHREALTIME/./} - begin)) -lt 5000000 -a \
        "$(grep -c 'error\|readyok' "$work/out")" -eq 0
done
begin=${EPOCHREALTIME/./}
printf 'go perft 5\ngo depth 245\nquit\n' | timeout 60 "$luft" >"$work/out" 2>"$work/err"
judge 'a search between perft and quit is cut' test $((${EPOCHREALTIME/./} - begin)) -lt 5000000 -a \
    "$(grep -Eo '^(Nodes searched|bestmove)' "$work/out" | tr '\n' ' ')" = 'Nodes searched bestmove '

printf 'bench 3\ngo depth 4\n' >"$work/in"
timeout 60 "$luft" <"$work/in" >"$work/out" 2>"$work/err"
judge 'go waits for the end of bench' test "$(grep -Eo 'nps$|^bestmove' "$work/out" | tr '\n' ' ')" = 'nps bestmove '

# --- luft bench -------------------------------------------------------------------------

run bench 4
judge 'luft bench ends in nodes and nps' test "$status" -eq 0 -a "$(tail -n 1 "$work/out" | grep -Ecx '[0-9]+ nodes [0-9]+ nps')" -eq 1
sed -n 's/^ *[0-9]*: *\([0-9]*\) nodes .*/\1/p' "$work/out" >"$work/counts"
judge 'luft bench: the counts sum to the last line' test "$(($(paste -sd + "$work/counts")))" = "$(tail -n 1 "$work/out" | cut -d ' ' -f 1)"
own=$(tail -n 1 "$work/out" | cut -d ' ' -f 1)
printf 'bench 4\n' | "$luft" >"$work/out"
judge 'luft bench counts what bench counts' test "$(tail -n 1 "$work/out" | cut -d ' ' -f 1)" = "$own"
refuses 'luft bench 0' bench 0
refuses 'luft bench x' bench x
refuses 'luft bench 4 5' bench 4 5

# --- No thread for a search ----------------------------------------------------------------

# bounded KILOBYTES ARGUMENTS...: runs luft in so much address space
bounded() {
    status=0
    (ulimit -v "$1" && exec "$luft" "${@:2}") >"$work/out" 2>"$work/err" </dev/null || status=$?
}

# With a little less than what is enough, all is there but the stack of the thread, 512 KB. A build with sanitizers needs far more.
enough=200000
bounded "$enough" bench 1
if [ "$status" -ne 0 ]; then
    echo 'ok - skipped: address space cannot be bounded here'
else
    little=0
    while [ $((enough - little)) -gt 50 ]; do
        middle=$(((enough + little) / 2))
        bounded "$middle" bench 1
        if [ "$status" -eq 0 ]; then enough=$middle; else little=$middle; fi
    done
    bounded $((enough - 250)) bench 1
    judge 'luft bench without a thread: an error, and no total' one_error_line 1
    judge 'luft bench without a thread: the error says so' says 'out of memory or threads'
    printf 'go depth 3\nisready\n' | (ulimit -v $((enough - 250)) && exec "$luft") >"$work/out" 2>"$work/err"
    status=$?
    judge 'go without a thread: an error' grep -Eq '^info string error: cannot start the search: out of memory or threads$' "$work/out"
    judge 'go without a thread: a move, and the session goes on' test "$(grep -Eo '^(bestmove [a-h][1-8]|readyok)' "$work/out" | cut -d ' ' -f 1 | tr '\n' ' ')" = 'bestmove readyok '

    # many_threads KILOBYTES: a search by eight threads in so much address space; is nothing missing?
    many_threads() {
        printf 'setoption name Threads value 8\ngo depth 3\nisready\n' | (ulimit -v "$1" && exec "$luft") >"$work/out" 2>"$work/err"
        status=$?
        [ "$status" -eq 0 ] && grep -q '^bestmove' "$work/out" && ! grep -q '^info string' "$work/out"
    }
    enough=2000000 little=0
    while [ $((enough - little)) -gt 50 ]; do
        middle=$(((enough + little) / 2))
        if many_threads "$middle"; then enough=$middle; else little=$middle; fi
    done
    many_threads $((enough - 250))
    judge 'fewer threads than wanted: it says so' grep -q '^info string searching with 7 of 8 threads: cannot start more$' "$work/out"
    judge 'fewer threads than wanted: one best move, and the session goes on' test \
        "$(grep -Eo '^(bestmove [a-h][1-8]|readyok)' "$work/out" | cut -d ' ' -f 1 | sort | tr '\n' ' ')" = 'bestmove readyok '

    printf 'go infinite\nsetoption name Hash value 4096\nisready\nstop\n' | (ulimit -v 1000000 && exec "$luft") >"$work/out" 2>"$work/err"
    judge 'no memory for a table: an error, and the search goes on' test \
        "$(grep -Eo '^(bestmove [a-h]|readyok|info string error)' "$work/out" | cut -d ' ' -f 1 | tr '\n' ' ')" = 'info readyok bestmove '
fi

finish
