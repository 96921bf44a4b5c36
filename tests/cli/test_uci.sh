#!/bin/bash
# SPDX-License-Identifier: MIT
#
# The UCI protocol from the outside: what a GUI relies on, and what happens with
# input that nobody should send. Argument: the path of the program.
# shellcheck source=tests/cli/support.sh
. "$(dirname "$0")/support.sh"
# shellcheck source=tests/cli/uci_support.sh
. "$(dirname "$0")/uci_support.sh"

# --- The protocol --------------------------------------------------------------

uci 'uci\nisready\nquit\n'
judge 'id name' printed 'id name Luft [0-9.]+'
judge 'uciok' printed 'uciok'
judge 'readyok' printed 'readyok'
uci 'position startpos moves e2e4 e7e5\ngo depth 8\n'
judge 'a finite search completes at the end of the input' printed 'bestmove [a-h][1-8][a-h][1-8]( ponder [a-h][1-8][a-h][1-8])?'
judge 'an info line for each depth' test "$(grep -c '^info depth 8 seldepth [0-9]* multipv 1 score ' "$work/out")" -ge 1
judge 'exactly one bestmove' test "$(grep -c '^bestmove' "$work/out")" -eq 1

uci 'go infinite\nisready\nstop\nisready\nquit\n'
judge 'stop answers with a move' test "$(count 'bestmove [a-h][1-8][a-h][1-8].*')" -eq 1
judge 'isready is answered while searching' test "$(count readyok)" -eq 2

uci 'go infinite\n'
judge 'an infinite search is stopped at the end of the input' test "$(grep -c '^bestmove' "$work/out")" -eq 1

uci 'go ponder wtime 1000 btime 1000\nponderhit\n'
judge 'ponderhit makes the search finite' test "$(grep -c '^bestmove' "$work/out")" -eq 1

uci 'go infinite\nponderhit\n'
judge 'ponderhit without ponder leaves an infinite search as it is' test "$status" -eq 0 -a "$(grep -c '^bestmove' "$work/out")" -eq 1
uci 'go ponder\nponderhit\n'
judge 'a ponder search without limits is stopped at the end of the input' test "$status" -eq 0 -a "$(grep -c '^bestmove' "$work/out")" -eq 1
uci 'stop\nponderhit\nstop\nisready\n'
judge 'stop and ponderhit without a search' test "$(cat "$work/out")" = readyok

# early LIMIT: with this limit no best move comes before stop (R4)
early() {
    {
        printf 'go %s\n' "$1"
        sleep 0.3
        printf 'isready\n'
        sleep 0.1
        printf 'stop\n'
    } | timeout 60 "$luft" >"$work/out" 2>"$work/err"
    status=$?
    judge "go $1: no best move before stop" test "$(grep -E '^(readyok|bestmove)' "$work/out" | cut -d ' ' -f 1 | tr '\n' ' ')" = 'readyok bestmove '
}
early 'ponder nodes 100'
early 'ponder movetime 0'
early 'ponder depth 2'
early 'infinite nodes 100'
early 'infinite depth 2'

uci 'setoption name MultiPV value 3\ngo depth 5\n'
judge 'three lines with MultiPV 3' test "$(grep -c '^info depth 5 .* multipv [123] ' "$work/out")" -eq 3

uci 'go depth 5 searchmoves a2a3 h2h3\n'
judge 'searchmoves' printed 'bestmove (a2a3|h2h3).*'

uci 'go mate 1\nposition fen 6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 1\ngo mate 1\n'
judge 'go mate finds it' printed 'bestmove a1a8'
judge 'score mate' grep -q ' score mate 1 ' "$work/out"

uci 'position fen 7k/5Q2/8/8/8/8/8/6K1 b - - 0 1\ngo depth 5\n'
judge 'no legal move' printed 'bestmove 0000'

# --- Castling by mode (U10) ------------------------------------------------------

castle='position fen 4k3/8/8/8/8/8/5PPP/4K2R w K - 0 1 moves'
uci "$castle e1g1\nd\nsetoption name UCI_Chess960 value true\n$castle e1h1\nd\n"
judge 'e1g1 and e1h1 both castle' test "$(count 'Fen: 4k3/8/8/8/8/8/5PPP/5RK1 b - - 1 1')" -eq 2
uci "${castle% moves}\ngo depth 2 searchmoves e1g1\n"
judge 'castling is e1g1 in standard chess' printed 'bestmove e1g1.*'
uci "setoption name UCI_Chess960 value true\n${castle% moves}\ngo depth 2 searchmoves e1g1\n"
judge 'castling is e1h1 in Chess960' printed 'bestmove e1h1.*'

# --- Limits (L1, R6) ---------------------------------------------------------------

for limit in 'movetime 0' 'wtime 0' 'wtime -120 btime -120' 'wtime 0 btime 0 winc 0 binc 0' 'depth 0' 'depth -5' 'nodes 0' \
    'nodes 1' 'movetime -1' 'wtime 1 btime 1' 'movestogo 1 wtime 1' 'wtime 10 movestogo 99999999999999999999'; do
    begin=${EPOCHREALTIME/./}
    uci "go $limit\n"
    end=${EPOCHREALTIME/./}
    judge "go $limit: a move" printed 'bestmove [a-h][1-8][a-h][1-8].*'
    judge "go $limit: at once" test $((end - begin)) -lt 1500000
done
uci 'go depth x\n'
judge 'a limit that is no number: an error and a move' errors 1
judge 'a limit that is no number: the move' printed 'bestmove [a-h][1-8][a-h][1-8].*'
uci 'go wtime\n'
judge 'a limit without its number' errors 1
uci 'go nodes 20000 movetime 99999999999999999999\n'
judge 'a time that is too large is clamped' errors 0

# ends LIMIT [POSITION]: a search with this limit ends by itself, without stop and before the end of the input
ends() {
    : >"$work/out"
    session
    tell "position ${2:-startpos}"
    tell "go $1"
    judge "go $1 ends by itself${2:+: $2}" hear 10 'bestmove [a-h][1-8][a-h][1-8].*'
    leave
}
for limit in 'mate 0' 'mate -1' 'btime 60000' 'movestogo 5' 'winc 100' 'deph 5' 'fly' 'searchmoves e2e4 deph 5' 'winc 100 mate 0'; do
    ends "$limit"
    judge "go $limit: one of depth 1" test "$(sed -n 's/^info depth \([0-9]*\) .*/\1/p' "$work/out" | sort -n | tail -n 1)" = 1
done
ends 'wtime 60000' 'startpos moves e2e4'
ends 'btime 1 winc 100' 'startpos moves e2e4'
ends 'depth 250' 'fen 4k3/8/8/8/8/8/8/4K3 w - - 0 1'
judge 'go depth 250: clamped to the greatest depth' grep -q '^info depth 245 ' "$work/out"
early 'infinite mate 0'
early 'ponder winc 100'
early 'searchmoves e2e4 d2d4'

# One line for a command, whatever is wrong in it: the first of it.
for words in 'fly me' 'depth x nodes y' 'searchmoves e2e5 e2e6 depth 2' 'searchmoves e2e5 me up' 'fly perft x' 'fly perft 31' 'fly perft 1'; do
    uci "go $words\n"
    judge "go $words: one error" errors 1
    judge "go $words: of what is wrong first" grep -Eq '^info string error: .*(fly|go depth|e2e5)' "$work/out"
done
uci 'go searchmoves e2e5 h2h3 depth 2\n'
judge 'searchmoves: what is not legal is left out' printed 'bestmove h2h3.*'

# --- Positions (F1 to F9, R3) --------------------------------------------------------

while IFS= read -r line; do
    uci "position startpos\nposition $line\ngo depth 3\n"
    judge "refused: position ${line:0:40}" errors 1
    judge "refused: position ${line:0:40}: nothing is searched" printed 'bestmove 0000'
done <<'END'

fen
fen startpos
fen blah
fen position fen rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1
fen rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w
fen 4k3/8/8/8/8/8/8/8 w - - 0 1
fen 2P5/8/8/3p4/4bK2/8/4k1p1/2Q5 w - - 12 81
fen 5k1r/2q3p1/p3p2p/1B3p1Q/n4P2/6P1/bbP2N1P/1K1RR3 b - - 0 1
fen knNnNnNn/nNnNnNnN/NnNnNnNn/nNnNnNnN/NnNnNnNn/nNnNnNnN/NnNnNnNn/KNnNnNnN w - - 0 0
startpos moves e2e5
startpos moves e2e4 e7e5 e1e3
startpos moves e2e4 hello
startpos e2e4
middle
END
uci 'position fen 2k5/8/3K4/1p6/p7/P7/1B6/8 b KQkq - 0 1\ngo perft 2\nposition fen q6k/8/8/3pP3/8/8/8/7K w - d6 0 1\ngo perft 2\n'
judge 'rights without a rook are dropped' printed 'Nodes searched: 57'
judge 'en passant into check is dropped' printed 'Nodes searched: 76'
uci 'position fen R6R/3Q4/1Q4Q1/4Q3/2Q4Q/Q4Q2/pp1Q4/kBNN1KB1 w - - 0 1\ngo perft 1\ngo depth 6\n'
judge '218 moves: perft' printed 'Nodes searched: 218'
judge '218 moves: a legal move' printed 'bestmove [a-h][1-8][a-h][1-8].*'
uci 'go perft 4\nd\n'
judge 'go perft' printed 'Nodes searched: 197281'
judge 'd' printed "Fen: $startpos"

# --- Hostile input (U1, U6, R9) ------------------------------------------------------

# Every tenth line is one of go, and is stopped.
head -c 3000000 /dev/urandom | tr -dc '[:print:]\n' | sed 's/^\(quit\|bench\)\b.*//; 0~10s/^/go /' | head -n 10000 >"$work/noise"
{
    sed -E 's/^go( .*)?$/&\nstop/' "$work/noise"
    printf '\nisready\n'
} >"$work/in"
status=0
timeout 60 "$luft" <"$work/in" >"$work/out" 2>"$work/err" || status=$?
judge 'noise: still there' printed readyok
judge 'noise: at most one error for each line' test "$(grep -c '^info string error' "$work/out")" -le "$(wc -l <"$work/noise")"
judge 'noise: a best move for each go' test "$(grep -c '^bestmove' "$work/out")" -eq "$(grep -Ec '^go( |$)' "$work/noise")"

head -c 100000 /dev/urandom >"$work/in"
printf '\nisready\nquit\n' >>"$work/in"
status=0
timeout 60 "$luft" <"$work/in" >"$work/out" 2>"$work/err" || status=$?
judge 'random bytes: still there' printed readyok

{
    printf 'position startpos moves '
    head -c 1000000 /dev/zero | tr '\0' x
    printf '\nisready\n'
} >"$work/in"
status=0
timeout 60 "$luft" <"$work/in" >"$work/out" 2>"$work/err" || status=$?
judge 'a line of 1 MB' errors 1
judge 'a line of 1 MB: still there' printed readyok

uci '\xef\xbb\xbfisready\r\n\t isready \r\n'
judge 'a byte order mark, CR LF, blanks' test "$(count readyok)" -eq 2
uci 'go infinite\nucinewgame\ngo infinite\nposition startpos moves d2d4\ngo infinite\nsetoption name Clear Hash\ngo depth 4\n'
judge 'commands while searching' errors 0
judge 'commands while searching: one bestmove for each go' test "$(grep -c '^bestmove' "$work/out")" -eq 4
moves=$(for _ in $(seq 150); do printf 'g1f3 g8f6 f3g1 f6g8 '; done)
uci "position startpos moves $moves\ngo depth 4\n"
judge 'a game of 600 plies' printed 'bestmove [a-h][1-8][a-h][1-8].*'

# --- bench ---------------------------------------------------------------------------

uci 'bench 4\n'
judge 'bench ends in nodes and nps' test "$(tail -n 1 "$work/out" | grep -Ecx '[0-9]+ nodes [0-9]+ nps')" -eq 1
first=$(tail -n 1 "$work/out" | cut -d ' ' -f 1)
uci 'bench 4\n'
judge 'bench is the same each time' test "$(tail -n 1 "$work/out" | cut -d ' ' -f 1)" = "$first"

finish
