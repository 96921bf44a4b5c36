#!/bin/bash
# SPDX-License-Identifier: MIT
#
# `luft perft` from the outside: published counts, the forms of its output, suites
# that are right, wrong and unreadable, and every way to misuse its arguments.
# Argument: the path of the program.
# shellcheck source=tests/cli/support.sh
. "$(dirname "$0")/support.sh"

# --- Published counts ---------------------------------------------------------

# counts NAME FEN COUNT...: the counts of depth 1, 2, …, by both methods
counts() {
    local name=$1 fen=$2 depth=0 nodes
    shift 2
    for nodes in "$@"; do
        depth=$((depth + 1))
        for method in two-ply one-ply plain; do
            run perft --fen "$fen" --method "$method" "$depth"
            judge "$name, depth $depth, $method: $nodes" printed "Nodes searched: $nodes"
        done
    done
}

counts 'start' "$startpos" 20 400 8902 197281 4865609
counts 'Kiwipete' "$kiwipete" 48 2039 97862 4085603
counts 'rook endgame' '8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1' 14 191 2812 43238 674624
counts 'position 4' 'r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1' 6 264 9467 422333
counts 'position 5' 'rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8' 44 1486 62379 2103487
counts 'position 6' 'r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10' 46 2079 89890 3894594

run perft 6
judge 'start, depth 6, cut into pieces: 119060324' printed 'Nodes searched: 119060324'

run perft 0
judge 'depth 0 is one way' printed 'Nodes searched: 1'
run perft --fen 'k7/8/1Q6/8/8/8/8/K7 b - - 0 1' 5
judge 'from stalemate there is no way' printed 'Nodes searched: 0'
run perft --fen "${kiwipete% 0 1}" 2
judge 'a FEN of four fields' printed 'Nodes searched: 2039'

# --- The forms of the output --------------------------------------------------

run perft 3
judge 'the last line but one is the count' [ "$(tail -n 2 "$work/out" | head -n 1)" = 'Nodes searched: 8902' ]
tail -n 1 "$work/out" | grep -Eqx 'Time: [0-9]+\.[0-9]+ s, [0-9]+\.[0-9]+ Mnps'
report 'the last line is the time' $?
judge 'a summary in plain English' printed \
    'From the start position there are 8,902 ways to play the first 3 moves \(plies\)\.'
judge 'the method is named' printed 'Method: two-ply \(.*\)'
run perft --method plain 2
judge 'the other method is named' printed 'Method: plain \(.*\)'

run perft --moves 'e2e4 e7e5' 1
judge '--moves plays moves first' printed 'Nodes searched: 29'
run perft --moves '  ' 1
judge '--moves may be empty' printed 'Nodes searched: 20'
run perft --fen="$kiwipete" --method=plain -- 1
judge 'options with = and --' printed 'Nodes searched: 48'

# The counts of the first moves add up to the whole, and each is the perft of the position after it.
run perft --divide --fen "$kiwipete" 3
judge 'divide ends in the count' printed 'Nodes searched: 97862'
awk -F ': ' '/^[a-h][1-8][a-h][1-8]/ { sum += $2; n++ } END { exit !(n == 48 && sum == 97862) }' "$work/out"
report 'divide: 48 moves that add up' $?
grep -E '^[a-h][1-8]' "$work/out" >"$work/moves" && sort -c "$work/moves"
report 'divide is in alphabetical order' $?
[ -n "$(sed -n 48p "$work/out")" ] && [ -z "$(sed -n 49p "$work/out")" ] && [ -n "$(sed -n 50p "$work/out")" ]
report 'a blank line follows the moves' $?
after=$(sed -n 's/^e1g1: //p' "$work/out")
run perft --fen "$kiwipete" --moves e1g1 2
judge 'divide: e1g1 is the perft after e1g1' printed "Nodes searched: ${after:-none}"

# Castling is written as king takes rook only where the position is not one of standard chess.
run perft --divide --fen 'bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9' 1
judge 'Chess960: 21 moves' printed 'Nodes searched: 21'
run perft --divide --fen '4k3/8/8/8/8/8/8/R3K1R1 w GA - 0 1' 1
judge 'Chess960: king takes rook' printed 'e1g1: 1'
judge 'Chess960: king takes rook on the other side' printed 'e1a1: 1'
run perft --divide --fen '4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1' 1
judge 'standard chess: e1g1' printed 'e1g1: 1'
judge 'standard chess: e1c1' printed 'e1c1: 1'

# The published details of Kiwipete and of the start position.
run perft --detail --fen "$kiwipete" 3
judge 'details: titles' printed \
    'depth +nodes +captures +e\.p\. +castles +promotions +checks +discovered +double +mates'
judge 'details: Kiwipete 1' printed ' +1 +48 +8 +0 +2 +0 +0 +0 +0 +0'
judge 'details: Kiwipete 2' printed ' +2 +2039 +351 +1 +91 +0 +3 +0 +0 +0'
judge 'details: Kiwipete 3' printed ' +3 +97862 +17102 +45 +3162 +0 +993 +0 +0 +1'
run perft --detail 5
judge 'details: start 5' printed ' +5 +4865609 +82719 +258 +0 +0 +27351 +6 +0 +347'

# --- Progress -----------------------------------------------------------------

# Seven plies take longer than the time they get here, and longer than the second without progress.
status=0
timeout 2.5 "$luft" perft 7 >"$work/out" 2>"$work/err" || status=$?
if [ "$status" -eq 124 ]; then
    judge 'no progress in a pipe' [ ! -s "$work/err" ]
fi
if command -v script >/dev/null; then
    for seconds in 2.5 10 40; do # a busy machine needs longer
        script -qec "timeout $seconds '$luft' perft --method plain 7" /dev/null </dev/null >"$work/terminal" 2>&1
        tr '\r' '\n' <"$work/terminal" | grep -Eq '^perft 7: [0-9.]+ %, [0-9,]+ nodes, [0-9.]+ Mnps' && break
    done
    report 'progress on a terminal' $?
    # The end of work of a second or two: what is left on the line must be blanks.
    script -qec "'$luft' perft --method plain 6" /dev/null </dev/null >"$work/terminal" 2>&1
    tr '\r' '\n' <"$work/terminal" | grep -B 1 '^From the start position' >"$work/after" &&
        { [ "$(wc -l <"$work/after")" -eq 1 ] || head -n 1 "$work/after" | grep -Eqx ' +'; }
    report 'progress is cleared before the result' $?
fi

# --- Threads and hash ---------------------------------------------------------

run perft --divide --fen "$kiwipete" 4
cp "$work/out" "$work/alone"
for how in '--threads 3' '--hash 1' '--hash 16 --threads 4'; do
    # shellcheck disable=SC2086
    run perft $how --divide --fen "$kiwipete" 4
    judge "Kiwipete depth 4 with $how" printed 'Nodes searched: 4085603'
    diff <(grep ': ' "$work/alone" | grep -v Time) <(grep ': ' "$work/out" | grep -Ev '^(Time|Hash|Threads)') >/dev/null
    report "every first move counts the same with $how" $?
done
run perft --hash 64 7
judge 'the start position to depth 7 with a hash table' printed 'Nodes searched: 3195901860'
judge 'the hash table is named' printed 'Hash: 64 MB \(.*\)'
# Beyond 64 bits: two bare kings, counted by a few lines of Python, whose integers have any size.
run perft --hash 16 --threads 2 --fen '8/8/4k3/8/8/4K3/8/8 w - - 0 1' 42
judge 'counts of more than 64 bits' printed 'Nodes searched: 200836412893133946373080317417362447'
run perft --hash 16 --fen '8/8/4k3/8/8/4K3/8/8 w - - 0 1' 64
judge 'a count of more than 128 bits is refused' one_error_line 1
printf '%s ;D1 20 ;D5 4865609\n' "$startpos" >"$work/suite"
run perft --suite "$work/suite" --hash 4 --threads 2
judge 'suite: with threads and a hash table' printed 'suite: 1 positions, 2 counts, 0 wrong'
refuses 'a hash table of 16 exabytes' perft --hash 17592186044415 3
judge 'the error says how much was asked for' says 'cannot allocate 17592186044415 MB'
refuses 'a hash table beyond what a size can say' perft --hash 17592186044416 3
run perft --hash 16 3
judge 'no rate for counts that a table remembers' printed 'Time: [0-9]+\.[0-9]+ s'
run perft --hash 16 --json 3
judge 'no rate for them in JSON' printed ' +"mnps": null'
refuses 'threads 0' perft --threads 0 3
refuses 'threads 257' perft --threads 257 3
refuses 'hash with the plain method' perft --hash 1 --method plain 3

# --- JSON ---------------------------------------------------------------------

run perft --json --divide --detail --fen "$kiwipete" 3
judge 'JSON: nothing else is printed' ended_well
if command -v python3 >/dev/null; then
    python3 - "$work/out" "$kiwipete" <<'EOF'
import json, sys
answer = json.load(open(sys.argv[1]))
assert answer["fen"] == sys.argv[2] and answer["depth"] == 3 and answer["method"] == "two-ply"
assert answer["nodes"] == 97862 == sum(answer["divide"].values()) and len(answer["divide"]) == 48
assert answer["seconds"] >= 0 and answer["mnps"] >= 0
third = answer["details"][2]
keys = ("depth", "nodes", "captures", "en_passant", "castles", "promotions", "checks", "mates")
assert [third[key] for key in keys] == [3, 97862, 17102, 45, 3162, 0, 993, 1]
EOF
    report 'JSON: it parses and says what it should' $?
    run perft --json --divide --detail 0
    python3 -m json.tool "$work/out" >/dev/null
    report 'JSON: it parses at depth 0 too' $?
else
    [ "$(sed -n '1p;$p' "$work/out" | tr -d '\n')" = '{}' ] && grep -Eq '"nodes": 97862,' "$work/out"
    report 'JSON: it has braces and the count' $?
fi

# --- Suites -------------------------------------------------------------------

# check_suite NAME STATUS LAST-LINE [ARGUMENTS...]: runs $work/suite
check_suite() {
    local name=$1 wanted=$2 last=$3
    shift 3
    run perft --suite "$work/suite" "$@"
    [ "$status" -eq "$wanted" ] && [ ! -s "$work/err" ] && [ "$(tail -n 1 "$work/out")" = "$last" ]
    local result=$?
    [ "$result" -eq 0 ] || show_run
    report "suite: $name" "$result"
}

bare=${startpos% 0 1}
printf '%s ;D1 20 ;D2 400\n%s ;D1 48 ;D2 2039\n' "$startpos" "$kiwipete" >"$work/suite"
check_suite 'right' 0 'suite: 2 positions, 4 counts, 0 wrong'
check_suite 'right, plain' 0 'suite: 2 positions, 4 counts, 0 wrong' --method plain
check_suite 'a greatest depth' 0 'suite: 2 positions, 2 counts, 0 wrong' --max-depth 1
check_suite 'a greatest count' 0 'suite: 2 positions, 3 counts, 0 wrong' --max-nodes 400
refuses 'a suite with nothing within the limits' perft --suite "$work/suite" --max-nodes 0

printf '\xef\xbb\xbf# a comment\r\n\r\n  \t\r\n%s;D1 20;D2 400;\r\n%s ; D1 20 ; D2 400' "$bare" "$bare" >"$work/suite"
check_suite 'BOM, comment, blank lines, CRLF, four fields, no line feed at the end' 0 \
    'suite: 2 positions, 4 counts, 0 wrong'

printf '%s ;D1 20 ;D2 401\n%s ;D1 48 ;D3 97861\n' "$startpos" "$kiwipete" >"$work/suite"
check_suite 'wrong counts' 1 'suite: 2 positions, 4 counts, 2 wrong'
grep -qx 'line 1, depth 2: expected 401, got 400' "$work/out" &&
    grep -qx 'line 2, depth 3: expected 97861, got 97862' "$work/out"
report 'suite: line, depth, expected, got' $?

# unreadable NAME LINE: a line that is not a position with counts, between two good ones
unreadable() {
    printf '%s ;D1 20\n%s\n%s ;D1 20\n' "$startpos" "$2" "$startpos" >"$work/suite"
    check_suite "unreadable: $1" 1 'suite: 2 positions, 2 counts, 1 wrong'
    grep -Eqx 'line 2: cannot be read: [ -~]+' "$work/out"
    report "suite: line 2 is named: $1" $?
}
unreadable 'no position' 'hello ;D1 20'
unreadable 'no FEN' ';D1 20'
unreadable 'no counts' "$startpos"
unreadable 'no counts after the semicolon' "$startpos ;"
unreadable 'no white king' '4k3/8/8/8/8/8/8/8 w - - 0 1 ;D1 5'
unreadable 'depth without a number' "$startpos ;D 20"
unreadable 'depth out of range' "$startpos ;D65 20"
unreadable 'depth without a count' "$startpos ;D1"
unreadable 'count with a sign' "$startpos ;D1 -20"
unreadable 'count with a point' "$startpos ;D1 20.5"
unreadable 'count beyond 64 bits' "$startpos ;D1 18446744073709551636"
unreadable 'two counts' "$startpos ;D1 20 400"
unreadable 'another word' "$startpos ;id 20"
unreadable 'bytes that are not ASCII' "$startpos ;"$'D1 \xff\xfe\xe9'
# Control bytes near the start mean that the file is not text; so these come far behind.
{
    for _ in $(seq 400); do printf '%s ;D1 20\n' "$startpos"; done
    printf '%s ;D1 \033[2J\000\n' "$startpos"
} >"$work/suite"
check_suite 'control bytes far into the file' 1 'suite: 400 positions, 400 counts, 1 wrong'
[ -s "$work/out" ] && ! grep -q '[^ -~]' "$work/out"
report 'suite: control bytes are not passed on' $?

blanks=$(head -c 1000000 /dev/zero | tr '\0' ' ')
printf '%s%s;D1 20%s\n# %s\n' "$startpos" "$blanks" "$blanks" "$blanks" >"$work/suite"
check_suite 'lines of 2 MB' 0 'suite: 1 positions, 1 counts, 0 wrong'
letters=$(head -c 1000000 /dev/zero | tr '\0' 'k')
printf '%s ;D1 20\n%s\n%s;%s\n' "$startpos" "$letters" "$startpos" "$letters" >"$work/suite"
check_suite 'lines of 1 MB that are garbage' 1 'suite: 1 positions, 1 counts, 2 wrong'
[ -s "$work/out" ] && [ "$(wc -c <"$work/out")" -lt 1000 ]
report 'suite: a long line is not repeated whole' $?

printf '%s ;D1 20\n' "$startpos" | "$luft" perft --suite - | tail -n 1 >"$work/out"
[ "$(cat "$work/out")" = 'suite: 1 positions, 1 counts, 0 wrong' ]
report 'suite: from standard input' $?

# --- Bad arguments ------------------------------------------------------------

refuses 'depth missing' perft
refuses 'depth missing after options' perft --divide
refuses 'depth -1' perft -1
refuses 'depth 1e3' perft 1e3
refuses 'depth 3.0' perft 3.0
refuses 'depth +3' perft +3
refuses 'depth with a blank' perft ' 3'
refuses 'depth empty' perft ''
refuses 'depth 65' perft 65
refuses 'depth 99999999999999999999' perft 99999999999999999999
refuses 'depth 2^64 + 3' perft 18446744073709551619
refuses 'two depths' perft 3 4
refuses 'unknown option' perft --depth 3
refuses 'unknown short option' perft -d 3
refuses 'unknown method' perft --method three-ply 3
refuses 'value for a flag' perft --divide=yes 3
for name in fen moves method threads hash suite max-depth max-nodes; do
    refuses "--$name without a value" perft 3 "--$name"
    refuses "--$name followed by an option" perft "--$name" --divide 3
done
refuses 'max-depth -1' perft --suite "$work/suite" --max-depth -1
refuses 'max-nodes 1e6' perft --suite "$work/suite" --max-nodes 1e6
refuses 'max-depth without a suite' perft --max-depth 3 3
refuses 'a suite and a depth' perft --suite "$work/suite" 3

refuses 'FEN empty' perft --fen '' 3
refuses 'FEN with two fields' perft --fen 'rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w' 3
refuses 'FEN with a bad piece' perft --fen 'rnbqkbnr/ppppxppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1' 3
judge 'the board field is named' says 'board'
refuses 'FEN with a bad side' perft --fen 'rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR x KQkq - 0 1' 3
judge 'the side field is named' says 'side'
refuses 'FEN with bad castling' perft --fen 'rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkz - 0 1' 3
judge 'the castling field is named' says 'castling'
refuses 'FEN with a bad en passant square' perft --fen 'rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq e9 0 1' 3
judge 'the en passant field is named' says 'en passant'
refuses 'FEN with no kings' perft --fen '8/8/8/8/8/8/8/8 w - - 0 1' 3
judge 'all that is wrong is named' says 'White has no king.*Black has no king'
refuses 'FEN with the opponent in check' perft \
    --fen '5k1r/2q3p1/p3p2p/1B3p1Q/n4P2/6P1/bbP2N1P/1K1RR3 b - - 0 1' 3
refuses 'FEN of 100 KB' perft --fen "${letters:0:100000}" 3
refuses 'FEN of hostile bytes' perft --fen $'\e[2J\a\n\xff\xfe' 3
refuses 'illegal move' perft --moves 'e2e4 e7e5 e4e5' 3
judge 'the illegal move is named' says 'e4e5.* 3 '
refuses 'no move' perft --moves 'e2e4 hello' 3
refuses 'moves of hostile bytes' perft --moves $'\e[2J\xff' 3
refuses 'moves of 100 KB' perft --moves "${letters:0:100000}" 3
refuses 'option of hostile bytes' perft $'--\e]0;title\a\n\xff' 3
refuses 'option of 100 KB' perft "--${letters:0:100000}" 3

refuses 'suite: missing file' perft --suite "$work/none"
refuses 'suite: directory' perft --suite "$work"
head -c 20000 "$luft" >"$work/binary"
refuses 'suite: a program' perft --suite "$work/binary"
head -c 4096 /dev/urandom >"$work/binary"
printf '\0' >>"$work/binary"
refuses 'suite: random bytes' perft --suite "$work/binary"
: >"$work/empty"
refuses 'suite: empty file' perft --suite "$work/empty"

# --- Output that cannot be written --------------------------------------------

if [ -e /dev/full ]; then
    for arguments in 'perft 2' 'perft --divide --json 2' "perft --suite $work/suite" 'perft --help' --help --version; do
        status=0
        # shellcheck disable=SC2086 # the words of the arguments
        "$luft" $arguments >/dev/full 2>"$work/err" || status=$?
        : >"$work/out"
        judge "full disk: luft ${arguments/$work\//}" one_error_line 1
    done
fi
status=0
"$luft" perft 1 >&- 2>"$work/err" || status=$?
judge 'closed standard output' one_error_line 1
mkfifo "$work/pipe"
{ : <"$work/pipe"; } &
{
    wait "$!"
    status=0
    "$luft" perft 1 2>"$work/err" || status=$?
} >"$work/pipe"
: >"$work/out"
judge 'closed pipe' one_error_line 1

# --- Help and other commands --------------------------------------------------

run
judge 'luft alone waits for UCI commands, and ends with its input' test "$status" -eq 0 -a ! -s "$work/out" -a ! -s "$work/err"
for arguments in --help -h help; do
    run "$arguments"
    judge "luft $arguments names perft" printed ' +perft +[ -~]+'
    judge "luft $arguments names show" printed ' +show +[ -~]+'
done
for arguments in 'perft --help' 'perft 3 -h' 'help perft'; do
    # shellcheck disable=SC2086 # the words of the arguments
    run $arguments
    for name in fen moves method divide detail json suite max-depth max-nodes; do
        grep -Eq -- "^ +--$name " "$work/out" || status=1
    done
    judge "luft $arguments names every option" ended_well
done
refuses 'unknown command' nonsense
refuses 'unknown command of hostile bytes' $'\e[2J\n\xff'
refuses 'empty command' ''
refuses 'help for an unknown command' help nonsense

finish
