#!/bin/bash
# SPDX-License-Identifier: MIT
#
# `luft analyse` from the outside: positions whose answer is certain (mates that are proven,
# a queen that hangs), a suite of them, games with famous blunders, and what cannot be
# analysed. Argument: the path of the program.
# shellcheck source=tests/cli/support.sh disable=SC2016 # the dollars in patterns are marks of PGN
. "$(dirname "$0")/support.sh"

back_rank='6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1'
morphy='kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1' # Paul Morphy's problem: 1. Ra6 and mate in two
philidor='5rk1/5Npp/8/8/8/1Q6/8/6K1 w - - 0 1' # Philidor's legacy: the queen is given, a knight mates
fools='rnbqkbnr/pppp1ppp/8/4p3/6P1/5P2/PPPPP2P/RNBQKBNR b KQkq - 0 2'
hanging='4k3/8/8/3q4/8/2N5/8/4K3 w - - 0 1'

# shellcheck disable=SC2317 # called by judge
# is_json: every line of the last output is an object, by the word of another program
is_json() {
    if command -v python3 >"$work/python" 2>&1; then
        python3 -c 'import json, sys
for line in sys.stdin: assert isinstance(json.loads(line), dict)' <"$work/out" 2>"$work/err"
    fi
}

# --- A position -------------------------------------------------------------------------

# mates NAME FEN SCORE WORDS LINE OPTIONS...: the verdict and the line of the mate
mates() {
    local name=$1 score=$3 words=$4 line=$5 fen=$2
    shift 5
    run analyse "$fen" --nodes 200000 "$@"
    judge "$name" mates_so "$score" "$words" "$line"
}

# shellcheck disable=SC2317 # called by judge
mates_so() {
    ended_well && grep -E "^ +[0-9]+ +$1  " "$work/out" | grep -Fq "  $3" && grep -Fqx "Verdict:    $2." "$work/out" &&
        grep -Fqx "Mate:       $3" "$work/out"
}

mates 'mate in 1' "$back_rank" '#1' 'White mates in 1 move' '1. Rd8#'
mates 'mate in 2' "$morphy" '#2' 'White mates in 2 moves' '1. Ra6 bxa6 2. b7#'
mates 'mate in 3' "$philidor" '#3' 'White mates in 3 moves' '1. Nh6+ Kh8 2. Qg8+ Rxg8 3. Nf7#'
mates 'Black mates: the score is White'"'"'s, the line begins with dots' "$fools" '#-1' 'Black mates in 1 move' '2... Qh4#'
mates 'two threads' "$morphy" '#2' 'White mates in 2 moves' '1. Ra6 bxa6 2. b7#' --threads 2 --hash 4
run analyse startpos --moves 'f3 e5 g2g4' --depth 6
judge 'moves to play first' mates_so '#-1' 'Black mates in 1 move' '2... Qh4#'
run analyse 'k7/8/8/8/8/8/q7/7K w - - 0 1' --moves 'Kg1 Kb8 Kh1 Ka8 Kg1 Kb8 Kh1 Ka8' --nodes 2000
judge 'moves to play first count as repetitions' printed 'Verdict:    The position is about equal.*'

run analyse "$hanging" --nodes 20000
judge 'a queen that hangs' printed 'Best move:  1\. Nxd5'
judge 'the board is shown' printed '5 \. \. \. ♛ \. \. \. \.'
run analyse '7k/5Q2/6K1/8/8/8/8/8 b - - 0 1'
judge 'stalemate' printed 'Stalemate: Black has no legal move .*'
run analyse startpos --moves 'f3 e5 g4 Qh4'
judge 'checkmate' printed 'Checkmate: Black has won\.'
run analyse '8/8/8/4k3/8/4K3/8/8 w - - 0 1'
judge 'a dead position' printed 'Dead position: .*'
run analyse '4k3/8/8/8/8/8/8/QQ2K3 b - - 0 1' --depth 8
judge 'the words name who is better' printed 'Verdict:    White (is winning|mates in [0-9]+ moves).*'

run analyse --lines 3 --depth 5
[ "$(grep -c '^ *5  ' "$work/out")" -eq 1 ] && [ "$(grep -A 2 '^ *5  ' "$work/out" | grep -c '1\. ')" -eq 3 ] &&
    [ "$(grep -A 2 '^Best move' "$work/out" | grep -c '1\. ')" -eq 3 ]
judge 'three lines' [ $? -eq 0 ]
run analyse "$back_rank" --lines 256 --depth 2
judge 'more lines than moves' printed 'Best move:  1\. Rd8#'

run analyse --nodes 10000
cut -c 1-32 "$work/out" | grep -v '^Searched' >"$work/once"
sed 's/…/./' "$work/out" | awk '/^depth/ { inside = 1 } inside && length > 80 { exit 1 }'
judge 'no row is wider than a terminal' [ $? -eq 0 ]
run analyse --nodes 10000
cut -c 1-32 "$work/out" | grep -v '^Searched' | cmp -s - "$work/once"
judge 'the same nodes, the same result' [ $? -eq 0 ]
start=$SECONDS
run analyse --time 0.5
[ $((SECONDS - start)) -le 60 ] # not 500
judge 'a time in parts of a second' [ $? -eq 0 ]
start=$SECONDS
status=0
timeout --foreground --preserve-status -s INT 1 "$luft" analyse --time 6000 >"$work/out" 2>"$work/err" || status=$?
[ $((SECONDS - start)) -le 50 ] && printed 'Best move: .*'
judge '^C ends the search, and the result is printed' [ $? -eq 0 ]

run analyse "$morphy" --json --depth 8
judge 'JSON: objects' is_json
grep -Fq '"score": {"mate": 2}, "nodes": ' "$work/out" && grep -Fq '"pv": ["a1a6", "b7a6", "b6b7"]' "$work/out" &&
    tail -n 1 "$work/out" | grep -Fq "{\"fen\": \"$morphy\", \"best\": \"a1a6\", \"san\": \"Ra6\", \"score\": {\"mate\": 2}"
judge 'JSON: the lines and the result' [ $? -eq 0 ]
castling='5k2/8/8/8/8/8/8/4K2R w K - 0 1'
run analyse "$castling" --json --lines 64 --depth 2
grep -Fq '["e1g1"' "$work/out" && ! grep -Fq '["e1h1"' "$work/out"
judge 'JSON: castling in the standard way' [ $? -eq 0 ]
run analyse "$castling" --json --lines 64 --depth 2 --chess960
grep -Fq '["e1h1"' "$work/out" && ! grep -Fq '["e1g1"' "$work/out"
judge 'JSON: castling in the Chess960 way' [ $? -eq 0 ]
run analyse --json --moves 'f3 e5 g4 Qh4'
grep -Fq '"best": null, "outcome": "checkmate"' "$work/out"
judge 'JSON: a game that is over' [ $? -eq 0 ]

# --- A suite ----------------------------------------------------------------------------

four() { # the four fields of a FEN
    cut -d ' ' -f 1-4 <<<"$1"
}
{
    echo '# certain answers'
    echo "$(four "$back_rank") bm Rd8#; id \"back rank\";"
    echo "$(four "$morphy") bm Ra6; dm 2; id \"Morphy\";"
    echo "$(four "$hanging") bm Nxd5; id \"hanging\";"
    echo "$(four "$fools") dm 1; id \"fool\";"
    echo
    echo "7k/8/4Q1K1/8/8/8/8/8 w - - am Qf7; id \"no stalemate\";"
    echo "$(four "$philidor") bm #3; id \"Philidor\";"
    echo "$(four "$hanging") bm Kf2 Ke2; id \"wrong\";"
    echo "$(four "$hanging") am Nxd5; bm Nxd5; id \"never\";"
    echo "$(four "$morphy") bm Ra6; dm 1; id \"too short\";"
} >"$work/suite.epd"

# solved A B: the last line says so
# shellcheck disable=SC2317 # called by judge
solved() {
    [ "$(tail -n 1 "$work/out")" = "solved $1 of $2" ]
}

# answers: the last output without times
answers() {
    sed -E 's/ +[0-9.]+ s$//' "$work/out"
}

run analyse --epd "$work/suite.epd" --nodes 100000
judge 'suite: the count' solved 6 9
judge 'suite: nothing to complain of' ended_well
grep -Eqx 'yes +Morphy +Ra6 +[0-9,]+ nodes +[0-9.]+ s' "$work/out" &&
    grep -Eqx 'no +wrong +Nxd5 +wanted: bm Kf2 Ke2' "$work/out" &&
    grep -Eqx 'no +too short +Ra6 +wanted: bm Ra6, dm 1' "$work/out"
judge 'suite: each position' [ $? -eq 0 ]
answers >"$work/one"
run analyse --epd "$work/suite.epd" --nodes 100000 --jobs 3
answers | cmp -s - "$work/one"
judge 'suite: the same with several jobs' [ $? -eq 0 ]
tac "$work/suite.epd" >"$work/reversed.epd"
run analyse --epd "$work/reversed.epd" --nodes 100000
answers | sort | cmp -s - <(sort "$work/one")
judge 'suite: the same in another order' [ $? -eq 0 ]
status=0
"$luft" analyse --epd - --depth 18 <"$work/suite.epd" >"$work/out" 2>"$work/err" || status=$?
judge 'suite: standard input, to a depth' solved 6 9
if command -v gzip >"$work/gzip" 2>&1 && "$luft" pgn --help | grep -q gzip; then
    gzip -c "$work/suite.epd" >"$work/suite.epd.gz"
    run analyse --epd "$work/suite.epd.gz" --nodes 100000
    judge 'suite: packed with gzip' solved 6 9
fi
printf '%s bm Rd8#; id "R\xc3\xa9ti 1";\n%s bm Rd8#; id "R\xe9ti 2";\n' "${back_rank% 0 1}" "${back_rank% 0 1}" >"$work/foreign.epd"
run analyse --epd "$work/foreign.epd" --depth 2
ended_well && [ "$(grep -Ec $'^yes  R\xc3\xa9ti [12] {16}Rd8#  ' "$work/out")" -eq 2 ]
judge 'suite: a name in UTF-8 or Latin-1 is readable' [ $? -eq 0 ]
run analyse --epd "$work/foreign.epd" --depth 2 --json
ended_well && is_json && grep -Fq $'"id": "R\xc3\xa9ti 1"' "$work/out" && grep -Fq $'"id": "R\xc3\xa9ti 2"' "$work/out"
judge 'suite: JSON, a name in UTF-8 or Latin-1' [ $? -eq 0 ]
run analyse --epd "$work/suite.epd" --nodes 100000 --json
judge 'suite: JSON' is_json
grep -Fq '"id": "Morphy"' "$work/out" && grep -Fq '"wanted": "bm Ra6, dm 2", "solved": true, "san": "Ra6"' "$work/out" &&
    tail -n 1 "$work/out" | grep -Fq '{"solved": 6, "of": 9, '
judge 'suite: JSON, a position and the count' [ $? -eq 0 ]
{
    head -n 3 "$work/suite.epd"
    echo "$(four "$startpos") bm e5;"
    echo "$(four "$startpos") id \"nothing to find\";"
    echo 'no position'
} >"$work/bad.epd"
run analyse --epd "$work/bad.epd" --nodes 1000
[ "$status" -eq 1 ] && [ "$(wc -l <"$work/err")" -eq 2 ] && solved 2 2 &&
    grep -Fq "$work/bad.epd:4:57: bm: \"e5\" is not legal here" "$work/err" &&
    grep -Eqx -- '-    nothing to find       [^ ]+ +[-+0-9.]+' "$work/out"
judge 'suite: bad lines are reported and skipped, a line without a goal is analysed and does not count' [ $? -eq 0 ]
for _ in 1 2 3 4; do
    echo "$(four "$startpos") bm e4;"
done >"$work/slow.epd"
start=$SECONDS
status=0
timeout --foreground --preserve-status -s INT 1 "$luft" analyse --epd "$work/slow.epd" --time 6000 --jobs 2 \
    >"$work/out" 2>"$work/err" || status=$?
[ $((SECONDS - start)) -le 25 ] && [ "$status" -eq 1 ] && solved 0 0
judge 'suite: ^C' [ $? -eq 0 ]

if data_file tactics/wac.epd; then
    run analyse --epd "$path" --nodes 2000 --hash 1
    judge 'suite: Win at Chess, with few nodes' [ "$(tail -n 1 "$work/out" | sed -E 's/solved 1[0-9][0-9]|solved 2[0-9][0-9]/N/')" = 'N of 300' ]
else
    skip 'suite: Win at Chess' "$reason"
fi

# --- Games ------------------------------------------------------------------------------

cat >"$work/games.pgn" <<'END'
[Event "a fool's mate"]
[White "One, Some"]
[Black "Two, Any"]
[Result "0-1"]
[Own "kept"]

{before} 1. f3 {[%eval 9.99] [%clk 0:01:00] why not} (1. e4 e5 {a main line} (1... c5 $5)) 1... e5
2. g4 {[%eval 1.11]} Qh4# $3 {the end} 0-1

[Event "a scholar's mate"]

1. e4 e5 2. Bc4 Nc6 3. Qh5 Nf6 $1 4. Qxf7# 1-0
END

run analyse --pgn "$work/games.pgn" --nodes 20000
cp "$work/out" "$work/annotated.pgn"
judge 'games: nothing but games comes out' ended_well
tr '\n' ' ' <"$work/annotated.pgn" >"$work/flat"
grep -Eq '2\. g4 \$4 \{\[%eval #-1\] Blunder: allows mate in 1\. Better is [^ ]+ \([^ ]+\)\. \[%luft [0-9a-f]{8},nag:4\]\} \(2\. [^ ]+ \{\[%luft moves:[0-9]+\]\}[^)]*\) 2\.\.\. Qh4# \$3 \{the end\} 0-1' "$work/flat"
judge 'games: the blunder is marked, with a better line' [ $? -eq 0 ]
grep -Eq '3\.\.\. Nf6 \$1 \{\[%eval #1\] Blunder: allows mate in 1\. [^}]*\} \(3\.\.\. [^)]*\) 4\. Qxf7# 1-0' "$work/flat"
judge 'games: a mark that was there stays, and ours is left out' [ $? -eq 0 ]
grep -Eq '^\[Event "a fool.*\{before\} 1\. f3 (\$[26] )?\{\[%eval -[0-9.]+\][^}]*\} \{\[%clk 0:01:00\] why not\}.*\(1\. e4 e5 \{a main line\} \(1\.\.\. c5 \$5\)\) 1\.\.\. e5 \{' "$work/flat" &&
    ! grep -Fq -e '9.99' -e '1.11' "$work/flat" && grep -Fq '[Own "kept"]' "$work/flat" &&
    [ "$(grep -c '^\[Annotator "Luft ' "$work/annotated.pgn")" -eq 2 ] && grep -Fqx '[Result "1-0"]' "$work/annotated.pgn"
judge 'games: what was there is kept, evaluations are replaced' [ $? -eq 0 ]
run pgn check "$work/annotated.pgn"
judge 'games: the result is good PGN' printed 'games=2 errors=0'
"$luft" pgn convert --to uci "$work/games.pgn" >"$work/before.uci"
run pgn convert --to uci "$work/annotated.pgn"
judge 'games: the moves are the same' same_output "$work/before.uci"
run analyse --pgn "$work/games.pgn" --nodes 20000 --game 2
[ "$(cat "$work/out")" = "$(sed -n '/scholar/,$p' "$work/annotated.pgn")" ]
judge 'games: one alone gives the same' [ $? -eq 0 ]
run analyse --pgn "$work/annotated.pgn" --nodes 20000
judge 'games: to annotate twice changes nothing' same_output "$work/annotated.pgn"
"$luft" analyse --pgn "$work/games.pgn" --nodes 300 >"$work/quick.pgn"
run analyse --pgn "$work/annotated.pgn" --nodes 300
judge 'games: to annotate otherwise replaces what we said before' same_output "$work/quick.pgn"
sed 's/Blunder:/Blunder, alas:/; s/\[%luft moves:[0-9]*\]}/& {my idea}/' "$work/annotated.pgn" >"$work/mine.pgn"
run analyse --pgn "$work/mine.pgn" --nodes 300
[ "$(grep -c 'Blunder, alas:' "$work/mine.pgn")" -ge 2 ] &&
    [ "$(grep -o 'alas:' "$work/out" | wc -l)" -eq "$(grep -o 'alas:' "$work/mine.pgn" | wc -l)" ] &&
    [ "$(tr '\n' ' ' <"$work/out" | grep -o 'my idea' | wc -l)" -eq "$(grep -c 'my idea' "$work/mine.pgn")" ]
judge 'games: what a person adds to our words and lines stays' [ $? -eq 0 ]
printf '1. f3 e5 2. g4 $4 {[%%eval #-1] Blunder: allows mate in 1. Better is e4 (+0.35). Indeed!} (2. e4 {best}) Qh4# *' >"$work/talk.pgn"
run analyse --pgn "$work/talk.pgn" --nodes 300
tr '\n' ' ' <"$work/out" | grep -Eq '\{Blunder: .* Indeed!\} .*\(2\. e4 \{best\}\)'
judge 'games: words of others that look like ours stay' [ $? -eq 0 ]
{
    printf '1. e4 {'
    head -c 40000000 /dev/zero | tr '\0' x
    printf '} *\n\n1. d4 *\n'
} >"$work/huge.pgn"
run analyse --pgn "$work/huge.pgn" --nodes 100
[ "$status" -eq 1 ] && says 'game 1 is left out: it is too long' && [ "$(grep -c '^\[Result' "$work/out")" -eq 1 ] &&
    [ "$(stat -c %s "$work/out")" -lt 1000 ]
judge 'games: a comment without end' [ $? -eq 0 ]
rm -f "$work/huge.pgn"

echo 'was here before' >"$work/result.pgn"
chmod 640 "$work/result.pgn"
run analyse --pgn "$work/games.pgn" --nodes 20000 --output "$work/result.pgn"
ended_well && cmp -s "$work/result.pgn" "$work/annotated.pgn" && [ "$(stat -c %a "$work/result.pgn")" = 640 ] &&
    [ "$(find "$work" -name 'result.pgn*' | wc -l)" -eq 1 ]
judge 'games: the file is replaced whole' [ $? -eq 0 ]
grep -Fqx 'Game 1: One, Some - Two, Any, 0-1' "$work/out" && grep -Fqx 'Game 2: ? - ?, 1-0' "$work/out" &&
    grep -Eqx 'White      2  .* 1  One, Some' "$work/out" && grep -Eqx 'Black      3  .* 1  \?' "$work/out"
judge 'games: the summary counts the blunders' [ $? -eq 0 ]
awk '/^Game/ { game++ } /^White.*█$/ { above = above game } /^Black.*█$/ { below = below game }
    END { exit !(above == "2" && below == "1") }' "$work/out"
judge 'games: the graph goes down for Black, up for White' [ $? -eq 0 ]
run analyse --pgn "$work/games.pgn" --nodes 20000 --output "$work/new.pgn"
ended_well && cmp -s "$work/new.pgn" "$work/annotated.pgn"
judge 'games: a new file' [ $? -eq 0 ]
cp "$work/games.pgn" "$work/same.pgn"
run analyse --pgn "$work/same.pgn" --nodes 20000 --output "$work/same.pgn"
ended_well && cmp -s "$work/same.pgn" "$work/annotated.pgn"
judge 'games: the file that is read can be replaced' [ $? -eq 0 ]
cp "$work/games.pgn" "$work/same.pgn"
ln -sf same.pgn "$work/link.pgn"
run analyse --pgn "$work/same.pgn" --nodes 100 --game 2 --output "$work/link.pgn"
[ "$status" -eq 2 ] && says 'would be lost' && cmp -s "$work/same.pgn" "$work/games.pgn"
judge 'games: one game does not replace the file of all' [ $? -eq 0 ]
if command -v gzip >"$work/gzip" 2>&1 && "$luft" pgn --help | grep -q gzip; then
    gzip -c "$work/games.pgn" >"$work/same.pgn.gz"
    cp "$work/same.pgn.gz" "$work/kept.gz"
    run analyse --pgn "$work/same.pgn.gz" --nodes 100 --output "$work/same.pgn.gz"
    one_error_line 2 && says 'which is compressed' && cmp -s "$work/same.pgn.gz" "$work/kept.gz"
    judge 'games: a compressed file is not replaced by plain text' [ $? -eq 0 ]
    rm "$work/same.pgn.gz"
fi
printf '1. e4 e5 2. Ke5 Nc6 *\n\n[FEN "none"]\n\n1. e4 *\n' >"$work/faulty.pgn"
cp "$work/faulty.pgn" "$work/same.pgn"
run analyse --pgn "$work/same.pgn" --nodes 100 --output "$work/same.pgn"
[ "$status" -eq 1 ] && says 'not written' && cmp -s "$work/same.pgn" "$work/faulty.pgn" &&
    [ "$(find "$work" -name 'same.pgn*' | wc -l)" -eq 1 ]
judge 'games: a file with mistakes is not replaced by what could be read of it' [ $? -eq 0 ]
# Text that the reader skips must not be lost either; a comment that only looks like it does not count.
for lost in '%% kept by hand\n[Event "x"]\n\n1. e4 *\n' '{of the file}\n[Event "x"]\n\n1. e4 *\n' \
    '; of the file\r\n[Event "x"]\r\n\r\n1. e4 *\r\n' '[Event "x"]\n\n1. e4\n%%eval\ne5 {a\n%%b} *\n'; do
    # shellcheck disable=SC2059 # that is what it is
    printf "$lost" >"$work/lines.pgn"
    cp "$work/lines.pgn" "$work/same.pgn"
    run analyse --pgn "$work/same.pgn" --nodes 100 --output "$work/same.pgn"
    one_error_line 1 && says 'and lines that begin with %' && cmp -s "$work/same.pgn" "$work/lines.pgn" &&
        [ "$(find "$work" -name 'same.pgn*' | wc -l)" -eq 1 ]
    judge "games: lines that are in no game are not lost: $lost" [ $? -eq 0 ]
done
run analyse --pgn "$work/lines.pgn" --nodes 100 --output "$work/other.pgn"
judge 'games: another file need not have them' ended_well
printf '{kept} [White "x"]\n\n{100\n%%} 1. e4 {a\r\n%%b} * {c}\n\n{kept}\n' >"$work/same.pgn"
status=0
# shellcheck disable=SC2094 # that is what is tested
"$luft" analyse --pgn - --nodes 100 --output "$work/same.pgn" <"$work/same.pgn" >"$work/out" 2>"$work/err" || status=$?
ended_well && [ "$(tr '\n' ' ' <"$work/same.pgn" | grep -o '{[^[}]*}' | tr '\n' ' ')" = '{kept} {100 %} {a %b} {c} {kept} ' ]
judge 'games: comments that belong to a game do not count' [ $? -eq 0 ]
if [ -c /dev/full ]; then
    run analyse --pgn "$work/games.pgn" --nodes 100 --output /dev/full
    [ "$status" -eq 1 ] && says '--output: '
    judge 'games: output that cannot be written is reported' [ $? -eq 0 ]
fi
run analyse --pgn "$work/games.pgn" --nodes 100 --output /dev/null
[ -c /dev/null ] && ended_well
judge 'games: a device is not replaced' [ $? -eq 0 ]

run analyse --pgn "$work/games.pgn" --depth 5 --json
judge 'games: JSON' is_json
grep -Fq '"game": 1, "ply": 3, "number": 2, "move": "g2g4", "san": "g4", "score": {"mate": -1}, ' "$work/out" &&
    grep -Fq '"white": {"name": "One, Some", "moves": 2, ' "$work/out" && [ "$(wc -l <"$work/out")" -eq $((4 + 1 + 7 + 1)) ]
judge 'games: JSON, a move and the players' [ $? -eq 0 ]

printf '1. e4 -- 2. d4 e5 *\n\n[FEN "%s"]\n\n1. Rd8# *\n\n[FEN "8/8/8/4k3/8/4K3/8/8 b - - 0 50"]\n\n50... Ke6 51. Ke4 *\n\n[Event "none"]\n\n*\n' \
    "$back_rank" >"$work/odd.pgn"
run analyse --pgn "$work/odd.pgn" --nodes 500 --output "$work/odd-out.pgn"
ended_well && [ "$("$luft" pgn check "$work/odd-out.pgn")" = 'games=4 errors=0' ] && grep -Fq '51. Ke4 {[%eval 0.00] [%luft]}' "$work/odd-out.pgn"
judge 'games: a null move, a FEN, a dead position, no moves' [ $? -eq 0 ]
printf '[Event "x"]\n\n1. e4 (1. d4 d5 2. Ke5) 1... e5 *\n\n[Event "y"]\n\n1. d4 *\n' >"$work/mistake.pgn"
run analyse --pgn "$work/mistake.pgn" --nodes 500
[ "$status" -eq 1 ] && [ "$(wc -l <"$work/err")" -eq 1 ] && says 'mistake.pgn:3:20: game 1: the move is not legal' &&
    [ "$(grep -c '^\[Event' "$work/out")" -eq 2 ] && cp "$work/out" "$work/cut.pgn" &&
    [ "$("$luft" pgn check "$work/cut.pgn")" = 'games=2 errors=0' ]
judge 'games: an error cuts its game and is reported' [ $? -eq 0 ]
echo 'was here before' >"$work/kept.pgn"
status=0
timeout --foreground --preserve-status -s INT 1 "$luft" analyse --pgn "$work/games.pgn" --time 6000 -o "$work/kept.pgn" \
    >"$work/out" 2>"$work/err" || status=$?
[ "$status" -eq 1 ] && says 'interrupted in game 1' && [ "$(cat "$work/kept.pgn")" = 'was here before' ] &&
    [ "$(find "$work" -name 'kept.pgn*' | wc -l)" -eq 1 ]
judge 'games: after ^C the file is as it was' [ $? -eq 0 ]
# ended_by SIGNALS...: a long analysis with --output gets these, half a second apart
ended_by() {
    local signal
    "$luft" analyse --pgn "$work/games.pgn" --time 6000 -o "$work/kept.pgn" >"$work/out" 2>"$work/err" &
    for signal in "$@"; do
        sleep 0.5
        kill -s "$signal" $!
    done
    status=0
    wait $! || status=$?
}

# shellcheck disable=SC2317 # called by judge
nothing_left() {
    [ "$status" -eq "$1" ] && [ "$(cat "$work/kept.pgn")" = 'was here before' ] &&
        [ "$(find "$work" -name 'kept.pgn*' | wc -l)" -eq 1 ]
}
ended_by TERM
judge 'games: SIGTERM leaves no file behind' nothing_left $((128 + 15))
ended_by HUP
judge 'games: SIGHUP leaves no file behind' nothing_left $((128 + 1))

# --- What cannot be analysed --------------------------------------------------------------

refuses 'a bad FEN' analyse 'rnbqkbnr/8/8 w - - 0 1'
refuses 'an invalid position' analyse '4k3/8/8/8/8/8/8/8 w - - 0 1'
refuses 'an illegal move' analyse --moves 'e2e5'
refuses 'no depth' analyse --depth 0
refuses 'too deep' analyse --depth 246
refuses 'no time' analyse --time 0
refuses 'a time that is not a number' analyse --time soon
refuses 'a negative time' analyse --time=-1
refuses 'a time with two points' analyse --time 1.2.3
refuses 'a time that ends in a point' analyse --time 1.
refuses 'a time that begins with a point' analyse --time .5
refuses 'a time finer than the clock' analyse --time 0.0001
refuses 'too much memory' analyse --hash 33554432
refuses '--epd and --pgn' analyse --epd "$work/suite.epd" --pgn "$work/games.pgn"
refuses 'a position and a file' analyse "$back_rank" --epd "$work/suite.epd"
refuses '--lines with a file' analyse --lines 2 --epd "$work/suite.epd"
refuses '--jobs without files' analyse --jobs 2
refuses '--game without games' analyse --game 1
refuses '--output without games' analyse --output "$work/x"
refuses '--chess960 without JSON' analyse --chess960 --depth 1
refuses 'a suite that is not there' analyse --epd "$work/missing"
refuses 'games that are not there' analyse --pgn "$work/missing"
refuses 'a game that is not there' analyse --pgn "$work/games.pgn" --game 3 --nodes 1
refuses 'a folder that is not there' analyse --pgn "$work/games.pgn" --output "$work/no/folder"
refuses 'a binary suite' analyse --epd "$luft"
refuses 'binary games' analyse --pgn "$luft"
: >"$work/empty.pgn"
refuses 'a file without games' analyse --pgn "$work/empty.pgn"
status=0
# shellcheck disable=SC2094 # that is what is tested
"$luft" analyse --pgn "$work/games.pgn" >>"$work/games.pgn" 2>"$work/err" || status=$?
[ "$status" -eq 2 ] && says 'standard output is also a file to read'
report 'standard output is an input' $?
if [ -e /dev/full ]; then
    status=0
    "$luft" analyse --depth 5 >/dev/full 2>"$work/err" || status=$?
    [ "$status" -eq 1 ] && says 'cannot write the output'
    report 'an output that is full' $?
fi

finish
