#!/bin/bash
# SPDX-License-Identifier: MIT
#
# Limits of a search that other engines stumbled over, by their numbers (L). What is about
# time is given more of it than Luft needs, or the best of three tries, so that a busy machine does not
# fail the tests. Argument: the path of the program.
# shellcheck source=tests/cli/support.sh
. "$(dirname "$0")/support.sh"
# shellcheck source=tests/cli/uci_support.sh
. "$(dirname "$0")/uci_support.sh"

move='[a-h][1-8][a-h][1-8][nbrq]?'

# quickest COMMAND...: the least time of three, in milliseconds, from go to bestmove in a session of its own
quickest() {
    local begin time least=999999
    for _ in 1 2 3; do
        : >"$work/out"
        session
        for command in "${@:1:$#-1}"; do
            tell "$command"
        done
        tell isready
        hear 10 readyok
        begin=${EPOCHREALTIME/./}
        tell "${*: -1}"
        hear 10 'bestmove .*' || break
        time=$(((${EPOCHREALTIME/./} - begin) / 1000))
        least=$((time < least ? time : least))
        leave
    done
    milliseconds=$least
}

for limit in 'movetime 0' 'wtime 0' 'wtime -120 btime -120' 'depth 0' 'nodes 0'; do
    quickest "go $limit"
    judge "L1: go $limit: at once ($milliseconds ms)" test "$milliseconds" -le 50
done

for limit in 'movetime 0' 'wtime 0 btime 0' 'wtime 1 winc 0'; do
    uci "position fen 4k3/8/8/3q4/4P3/8/8/4K3 w - - 0 1\ngo $limit\n"
    judge "L1: go $limit: takes a queen all the same" printed 'bestmove e4d5.*'
done

for nodes in 2147483648 4294967297 200000000000; do
    {
        printf 'go nodes %s\n' "$nodes"
        sleep 0.3
        printf 'isready\nstop\n'
    } | timeout 60 "$luft" >"$work/out" 2>"$work/err"
    judge "L2: go nodes $nodes is not cut to 32 bits" test "$(grep -Eo '^(readyok|bestmove)' "$work/out" | tr '\n' ' ')" = 'readyok bestmove '
done

# With nine moves to go, 100 ms are to be kept for each of them: less than 200 ms are left for this one.
quickest 'setoption name Move Overhead value 100' 'go wtime 1000 btime 1000 movestogo 9'
judge "L3: the overhead of all moves to come is kept ($milliseconds ms)" test "$milliseconds" -le 200

silent '8/8/8/8/4k3/8/1R6/K7 w - - 0 1' L4
silent '4k3/8/8/8/8/8/8/4K3 w - - 0 1' L4
judge 'L4: the greatest depth was reached' grep -q '^info depth 245 ' "$work/out"

# Searches that exploded or got stuck in other engines.
while IFS= read -r fen; do
    for threads in 1 2 8; do
        begin=${EPOCHREALTIME/./}
        uci "setoption name Threads value $threads\nposition fen $fen\ngo movetime 300\n"
        judge "L5: movetime, $threads threads: $fen" test "$(count "bestmove $move.*")" -eq 1 -a $((${EPOCHREALTIME/./} - begin)) -lt 1500000
    done
done <<'FENS'
5R2/2K5/1pP5/4k2p/3pp3/2p4N/B4N1b/n1R1B2b w - -
7k/7P/8/8/4B3/3B4/2B5/KB6 w - - 0 1
8/Pk6/8/1p6/8/P1K5/8/6B1 w - - 37 130
FENS

{
    printf 'position fen 8/8/6k1/3p4/3P4/3K4/8/8 w - - 0 1\ngo depth 250\n'
    sleep 1.5
    printf 'stop\n'
} | (ulimit -s 512 && exec timeout 60 "$luft") >"$work/out" 2>"$work/err"
status=$?
judge 'L6: go depth 250 with a small stack' test "$status" -eq 0 -a "$(count "bestmove $move.*")" -eq 1
judge 'L6: it went deep' grep -Eq '^info depth [3-9][0-9] |^info depth [12][0-9][0-9] ' "$work/out"

while read -r lines fen; do
    uci "setoption name MultiPV value 256\nposition fen $fen\ngo depth 5\n"
    judge "L7: MultiPV 256 with $lines legal moves" test "$(grep -c '^info depth 5 .* multipv [0-9]* score ' "$work/out")" -eq "$lines"
    judge "L7: MultiPV 256 with $lines legal moves: one best move" test "$(grep -c '^bestmove' "$work/out")" -eq 1
done <<'FENS'
0 7k/5KQ1/8/8/8/8/8/8 b - - 0 1
1 7k/8/5K2/6Q1/8/8/8/8 b - - 0 1
6 4k3/8/8/8/8/8/4P3/4K3 w - - 0 1
20 rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1
FENS

# Weak play is play all the same: 100 searches by each measure of strength, every move one of the legal ones.
fen='8/8/8/8/8/4k3/7p/4K2N w - - 0 1'
uci "position fen $fen\ngo perft 1\n"
legal=$(sed -n 's/^\([a-h][1-8][a-h][1-8]\): 1$/\1/p' "$work/out" | paste -sd '|')
for weak in 'Skill Level value 0' 'UCI_LimitStrength value true\nsetoption name UCI_Elo value 800'; do
    : >"$work/out"
    session
    tell "setoption name ${weak%%\\n*}"
    [[ $weak != *'\n'* ]] || tell "${weak##*\\n}"
    tell "position fen $fen"
    for _ in $(seq 100); do
        tell 'go nodes 200'
        hear 5 'bestmove .*'
    done
    leave
    judge "L8: $weak: 100 legal moves" test -n "$legal" -a "$(grep -Ec "^bestmove ($legal)( |\$)" "$work/out")" -eq 100
done

uci 'position fen 1q2B2q/2q1B1q1/3qkq2/qrr1rRRQ/3QKQ2/2Q3Q1/1Q2n2Q/Q3n3 w - - 10\ngo nodes 1000\n'
judge 'L9: many queens: a line with a score' grep -Eq '^info .* score (cp|mate) ' "$work/out"
judge 'L9: many queens: the limit of nodes is kept' test "$(sed -n 's/.* nodes \([0-9]*\) .*/\1/p' "$work/out" | tail -n 1)" -le 1100

finish
