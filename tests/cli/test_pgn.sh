#!/bin/bash
# SPDX-License-Identifier: MIT
#
# `luft pgn` from the outside: what each of its commands prints for small files that
# are written here, and what they do with bad files. Compressed files, threads
# and large files are test_pgn_files.sh's. Argument: the path of the program.
# shellcheck source=tests/cli/support.sh disable=SC2016,SC2317
. "$(dirname "$0")/support.sh"
cd "$work" || exit 2

# shows NAME: the last run ended well and printed exactly what is on standard input
shows() {
    cat >"$work/expected"
    judge "$1" same_output "$work/expected"
}

# prints NAME STATUS: the last run had this status and printed what is on standard input
prints() {
    cat >"$work/expected"
    judge "$1" [ "$status" -eq "$2" -a -z "$(cmp "$work/expected" "$work/out" 2>&1)" ]
}

cat >good.pgn <<'END'
[Event "First"]
[Site "?"]
[Date "2019.05.04"]
[Round "1"]
[White "Adams, Michael"]
[Black "Bird, Henry"]
[Result "1-0"]
[WhiteElo "2700"]
[BlackElo "2500"]

1. e4 {best by test} e5 2. Nf3 (2. f4 exf4 (2... d5)) 2... Nc6 $1 3. Bb5! a6 1-0

[Event "Second"]
[Site "?"]
[Date "2020.??.??"]
[Round "2"]
[White "Bird, Henry"]
[Black "Carlsen, Magnus"]
[Result "1/2-1/2"]
[ECO "B90"]

1.e4 c5 2.Nf3 d6 3.d4 cxd4 4.Nxd4 Nf6 5.Nc3 a6 1/2-1/2

[Event "Third"]
[Site "?"]
[Date "????.??.??"]
[Round "3"]
[White "Carlsen, Magnus"]
[Black "Adams, Michael"]
[Result "0-1"]
[SetUp "1"]
[FEN "4k3/8/8/8/8/8/4r3/R3K2r w Q - 0 1"]

1. Kxe2 Rxa1 0-1

END
cat >bad.pgn <<'END'
[Event "Illegal"]
[White "A"]
[Black "B"]
[Result "1-0"]

1. e4 e5
2. Ke5 Nc6 1-0

[Event "Fine"]
[White "C"]
[Black "D"]
[Result "*"]

1. d4 *

[Event "Unreadable"]

1. e4 e5 2. Bxfv Nc6 *
END

# --- check ----------------------------------------------------------------------

run pgn check good.pgn
shows 'check: good games' <<<'games=3 errors=0'
run pgn check bad.pgn
prints 'check: mistakes' 1 <<<'games=3 errors=2'
judge 'check: the place and the token' grep -Eqx "bad\.pgn:7:4: game 1: [a-z ]+ \('Ke5'\)" err
judge 'check: a second mistake' grep -Eqx "bad\.pgn:18:13: game 3: [a-z ]+ \('Bxfv'\)" err
judge 'check: a line for each' [ "$(wc -l <err)" -eq 2 ]
run pgn check good.pgn bad.pgn good.pgn
prints 'check: several files' 1 <<<'games=9 errors=2'
judge 'check: places count from the start of each file' grep -q '^bad\.pgn:7:4: game 1:' err
status=0
"$luft" pgn check <bad.pgn >out 2>err || status=$?
prints 'check: standard input' 1 <<<'games=3 errors=2'
judge 'check: standard input has a name' grep -q '^<stdin>:7:4: game 1:' err
status=0
"$luft" pgn check good.pgn - <bad.pgn >out 2>err || status=$?
prints 'check: standard input among files' 1 <<<'games=6 errors=2'
: >empty.pgn
run pgn check empty.pgn
shows 'check: an empty file' <<<'games=0 errors=0'
for name in convert stats filter dedup; do
    run pgn $name --quiet empty.pgn
    judge "$name: an empty file" [ "$status" -eq 0 -a ! -s err ]
done
printf '[Event "\033[2J"]\n\n1. e4 \033[2J *\n' >escape.pgn
run pgn check escape.pgn
prints 'check: hostile bytes' 1 <<<'games=1 errors=1'
judge 'check: hostile bytes are escaped' [ "$(tr -d '\n -~' <err | wc -c)" -eq 0 ]
run pgn check -o report good.pgn
judge 'check: -o' [ "$status" -eq 0 -a ! -s out -a "$(cat report)" = 'games=3 errors=0' ]
run pgn check --json bad.pgn
judge 'check: json' [ "$status" -eq 1 -a ! -s err ]
judge 'check: json counts' grep -Eq '"games": 3,$' out
judge 'check: json mistakes' grep -Fq '"line": 7, "column": 4, "game": 1,' out
printf '[Event "x"]\n\n1. e4 K\366nig *\n' >latin.pgn
run pgn check --json latin.pgn
judge 'check: json is UTF-8' grep -Fq "$(printf 'K\303\266nig')" out
for name in lf cr crlf; do
    case $name in
    lf) cat bad.pgn ;;
    cr) tr '\n' '\r' <bad.pgn ;;
    crlf) sed 's/$/\r/' bad.pgn ;;
    esac >"$name.pgn"
    run pgn check "$name.pgn"
    judge "check: lines end with $name" grep -q "^$name\.pgn:18:13: game 3:" err
done

# --- convert ----------------------------------------------------------------------

run pgn convert good.pgn
cp out converted.pgn
judge 'convert: the moves' printed '1\. e4 \{best by test\} 1\.\.\. e5 2\. Nf3 \(2\. f4 exf4 \(2\.\.\. d5\)\) 2\.\.\. Nc6 \$1 3\. Bb5'
judge 'convert: the next line' printed '\$1 a6 1-0'
judge 'convert: numbers apart' printed '1\. e4 c5 2\. Nf3 d6 3\. d4 cxd4 4\. Nxd4 Nf6 5\. Nc3 a6 1/2-1/2'
run pgn convert converted.pgn
judge 'convert: stable' same_output converted.pgn
run pgn convert --no-comments --no-variations --no-nags good.pgn
judge 'convert: moves alone' printed '1\. e4 e5 2\. Nf3 Nc6 3\. Bb5 a6 1-0'
run pgn convert --no-variations good.pgn
judge 'convert: without variations' printed '1\. e4 \{best by test\} 1\.\.\. e5 2\. Nf3 Nc6 \$1 3\. Bb5 \$1 a6 1-0'
run pgn convert bad.pgn
judge 'convert: an error is reported' grep -q '^bad\.pgn:7:4: game 1:' err
judge 'convert: and the game is cut there' [ "$status" -eq 1 -a "$(grep -c '^1\. e4 e5 1-0$' out)" -eq 1 ]
run pgn convert --no-errors bad.pgn
judge 'convert: without games with mistakes' [ "$(grep -c '^\[Event "Fine"' out) $(grep -c '^\[Event' out)" = '1 1' ]
printf '1. e4 e5 (1... c5 2. Nf3 (2. f4 Ke7) 2... d6) 2. Nc3 1-0\n' >inside.pgn
run pgn convert inside.pgn
judge 'convert: cut in a variation, which is closed' [ "$status" -eq 1 -a "$(tail -n 2 out | head -n 1)" = '1. e4 e5 (1... c5 2. Nf3 (2. f4)) 1-0' ]
cp out inside.pgn
run pgn convert inside.pgn
judge 'convert: and read again' same_output inside.pgn
printf '1. e4 e5 1-0\n' >bare.pgn
run pgn convert bare.pgn
judge 'convert: the tags know the result' printed '\[Result "1-0"\]'
printf '[Event "x"]\n[Result "0-1"]\n\n1. e4\n' >unmarked.pgn
run pgn convert unmarked.pgn
judge 'convert: the moves know the result' printed '1\. e4 0-1'

# A tag that comes twice: the first counts, for the marker and for all that asks, and nothing is lost.
printf '[Event "a"]\n[Result "1-0"]\n[Result "0-1"]\n[White "first"]\n[White "second"]\n\n1. e4 *\n' >repeated.pgn
run pgn check repeated.pgn
shows 'check: a tag that comes twice is not an error' <<<'games=1 errors=0'
run pgn convert repeated.pgn
sed '/^\[\(Site\|Date\|Round\|Black\)/d' out >kept
cat >"$work/expected" <<'END'
[Event "a"]
[White "first"]
[Result "1-0"]
[Result "0-1"]
[White "second"]

1. e4 1-0

END
judge 'convert: a tag that comes twice' [ "$status" -eq 0 -a -z "$(cmp "$work/expected" kept 2>&1)" ]
for arguments in 'white first:1' 'white second:0' 'result 1-0:1' 'result 0-1:0'; do
    # shellcheck disable=SC2086 # words
    run pgn filter --count --${arguments%:*} repeated.pgn
    shows "filter: a tag that comes twice, --${arguments%:*}" <<<"${arguments#*:}"
done

# Beyond the limits a game is left out and reported: without its FEN its moves would be those of another game.
# tagged TAGS LENGTH: a game with so many tags of so many bytes before its FEN, and one behind it
tagged() {
    awk -v tags="$1" -v size="$2" 'BEGIN {
        value = "x" # without sprintf, which some have only for a few kilobytes
        while (length(value) < size) value = value value
        value = substr(value, 1, size)
        print "[Event \"Large\"]"
        for (i = 0; i < tags; i++) print "[T" i " \"" value "\"]"
        print "[SetUp \"1\"]\n[FEN \"4k3/8/8/8/8/8/8/4K2R w K - 0 1\"]\n\n1. O-O *\n\n[Event \"Next\"]\n\n1. d4 *"
    }'
}
tagged 4100 1 >tags.pgn
run pgn convert tags.pgn
judge 'convert: more than 4,096 tags' [ "$status" -eq 1 -a "$(grep '^\[Event' out)" = '[Event "Next"]' ]
judge 'convert: too many are reported' [ "$(cat err)" = 'tags.pgn:1:1: game 1: the game is left out: it has more than 4,096 tags' ]
tagged 4093 1 >tags.pgn
run pgn convert tags.pgn
judge 'convert: 4,096 tags' [ "$status" -eq 0 -a "$(grep -c '^\[T\|^\[FEN' out)" -eq 4094 ]
tagged 18 60000 >tags.pgn
run pgn convert tags.pgn
judge 'convert: more than 1 MiB of tags' [ "$status" -eq 1 -a "$(grep '^\[Event' out)" = '[Event "Next"]' ]
judge 'convert: too long is reported' [ "$(cat err)" = 'tags.pgn:1:1: game 1: the game is left out: its tags are longer than 1 MiB' ]
run pgn convert --to uci tags.pgn
judge 'convert: other forms need no tags' [ "$(head -n 1 out)" = 'fen 4k3/8/8/8/8/8/8/4K2R w K - 0 1 moves e1g1' -a "$status" -eq 0 ]
tagged 17 60000 >tags.pgn
run pgn convert tags.pgn
judge 'convert: nearly 1 MiB of tags' [ "$status" -eq 0 -a "$(grep -c '^\[T\|^\[FEN' out)" -eq 18 ]

run pgn convert --to uci good.pgn
shows 'convert: uci' <<'END'
e2e4 e7e5 g1f3 b8c6 f1b5 a7a6
e2e4 c7c5 g1f3 d7d6 d2d4 c5d4 f3d4 g8f6 b1c3 a7a6
fen 4k3/8/8/8/8/8/4r3/R3K2r w Q - 0 1 moves e1e2 h1a1
END
run pgn convert --to fen --positions last good.pgn
shows 'convert: the last positions' <<'END'
r1bqkbnr/1ppp1ppp/p1n5/1B2p3/4P3/5N2/PPPP1PPP/RNBQK2R w KQkq - 0 4
rnbqkb1r/1p2pppp/p2p1n2/8/3NP3/2N5/PPP2PPP/R1BQKB1R w KQkq - 0 6
4k3/8/8/8/8/8/4K3/r7 w - - 0 2
END
run pgn convert --to epd bare.pgn
shows 'convert: all positions' <<'END'
rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -
rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq -
rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq -
END
run pgn convert --to epd --ep-always bare.pgn
shows 'convert: the en passant square after every double push' <<'END'
rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -
rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3
rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq e6
END
run pgn convert --to fen --positions last --ep-always bare.pgn
shows 'convert: the same for the last position' <<'END'
rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq e6 0 2
END
# The first game begins after d2d4, says its tag; the second is without that square.
cat >passed.pgn <<'END'
[Event "?"]
[SetUp "1"]
[FEN "4k3/8/8/8/3P4/8/8/4K3 b - d3 0 1"]

1... Kd7 *

[Event "?"]
[SetUp "1"]
[FEN "4k3/8/8/8/3P4/8/8/4K3 b - - 0 1"]

1... Kd7 *
END
run pgn convert --to fen --ep-always passed.pgn
shows 'convert: the en passant square of the tag FEN' <<'END'
4k3/8/8/8/3P4/8/8/4K3 b - d3 0 1
8/3k4/8/8/3P4/8/8/4K3 w - - 1 2
4k3/8/8/8/3P4/8/8/4K3 b - - 0 1
8/3k4/8/8/3P4/8/8/4K3 w - - 1 2
END
run pgn convert --to fen passed.pgn
[ "$(head -n 1 "$work/out")" = '4k3/8/8/8/3P4/8/8/4K3 b - - 0 1' ]
report 'convert: not without the option' $?

# --- stats ------------------------------------------------------------------------

run pgn stats good.pgn
judge 'stats: games' printed 'Games: 3'
judge 'stats: results' printed ' +White won +1 +33\.3 %'
judge 'stats: lengths' printed 'Lengths: 6\.0 plies on average'
judge 'stats: the longest' printed ' +longest: 10 plies, game 2 of good\.pgn: Bird, Henry - Carlsen, Magnus'
judge 'stats: Elo' printed 'Elo: 2500 to 2700, 2600 on average'
judge 'stats: years' printed 'Years: 2019 to 2020; games without a year: 1'
judge 'stats: openings' printed ' +1 +0 +1 +0 +50\.0 %  B90 Sicilian Defense: Najdorf Variation'
judge 'stats: players' printed ' +2 +2 +0 +0 +100\.0 %  Adams, Michael'
run pgn stats --json --top 1 good.pgn latin.pgn
judge 'stats: json' printed ' +\{"name": "Adams, Michael", "games": 2, "won": 2, "drawn": 0, "lost": 0, "score_percent": 100\.00\}'
if command -v python3 >/dev/null; then
    python3 -c 'import json, sys; d = json.load(open(sys.argv[1], encoding="utf-8")); sys.exit(d["games"] != 4)' out
    report 'stats: json is JSON' $?
    "$luft" pgn check --json bad.pgn latin.pgn 2>err | python3 -c 'import json, sys; sys.exit(len(json.load(sys.stdin)["mistakes"]) != 3)'
    report 'check: json is JSON' $?
fi
printf '[White "M\374ller \303\251\033[2J\302\233\233"]\n[Black "\200"]\n\n1. e4 *\n' >names.pgn
run pgn stats names.pgn
printf '  M\303\274ller \303\251\\x1b[2J\\xc2\\x9b\\x9b\n' >name
judge 'stats: names in UTF-8, without what a terminal would obey' grep -Fq -f name out
run pgn stats bad.pgn
judge 'stats: mistakes' printed ' +with errors +2 +66\.7 % .*'

# --- filter -----------------------------------------------------------------------

# keeps NAME GAMES ARGUMENTS...: filter keeps these games of good.pgn, by the words in their Event
keeps() {
    local name=$1 games=$2
    shift 2
    run pgn filter "$@" good.pgn
    judge "filter: $name" [ "$(sed -n 's/^\[Event "\(.*\)"\]/\1/p' out | tr '\n' ' ')" = "${games:+$games }" -a "$status" -eq 0 ]
}
run pgn filter good.pgn
judge 'filter: nothing asked for, nothing changed' same_output good.pgn
keeps 'player' 'First Third' --player adams
keeps 'white' 'First' --white Adams
keeps 'black' 'Third' --black 'ADAMS, M'
keeps 'both' 'First' --player adams --black bird
keeps 'result' 'Second' --result 1/2-1/2
keeps 'eco by the tag' 'Second' --eco B90
keeps 'eco by its beginning' 'Second' --eco B
keeps 'eco by the moves' 'First' --eco C60-C99
keeps 'eco of none' '' --eco E
keeps 'least elo' 'First' --elo-min 2500
keeps 'least elo of both' '' --elo-min 2501
keeps 'most elo' 'First' --elo-max 2700
keeps 'any elo' 'First' --elo-min 0
keeps 'year' 'First' --date 2019
keeps 'month' 'First' --date 2019.05
keeps 'a year that is all that is known' 'Second' --date 2020
keeps 'from' 'First Second' --date 2019..
keeps 'to' 'First' --date ..2019.05.04
keeps 'before' '' --date ..2019.05.03
keeps 'a month that may or may not be' '' --date 2020.01..2020.06
keeps 'least plies' 'Second' --ply-min 7
keeps 'most plies' 'Third' --ply-max 2
keeps 'exactly so many plies' 'First' --ply-min 6 --ply-max 6
keeps 'position' 'Second' --position 'rnbqkb1r/1p2pppp/p2p1n2/8/3NP3/2N5/PPP2PPP/R1BQKB1R w KQkq - 7 40'
keeps 'position with other rights' '' --position 'rnbqkb1r/1p2pppp/p2p1n2/8/3NP3/2N5/PPP2PPP/R1BQKB1R w KQq - 0 6'
keeps 'position of a variation only' '' --position 'rnbqkbnr/pppp1ppp/8/8/4Pp2/8/PPPP2PP/RNBQKBNR w KQkq - 0 3'
keeps 'position at the start' 'First Second' --position "$startpos"
keeps 'material' 'Third' --material KvKR
keeps 'material of the other side' 'Third' --material KRvK
keeps 'material at the start of a game' 'Third' --material KRvKRR
keeps 'invert' 'Second Third' --invert --white Adams
# A query gives the answers of the options.
keeps 'query: player' 'First Third' --query 'player adams'
keeps 'query: black' 'Third' --query 'black "ADAMS, M"'
keeps 'query: result' 'Second' --query 'result 1/2-1/2'
keeps 'query: eco by the tag' 'Second' --query 'eco B90'
keeps 'query: eco by the moves' 'First' --query 'eco C60..C99'
keeps 'query: both elo' 'First' --query 'elo 2500..'
keeps 'query: dates' 'First Second' --query 'date 2019..'
keeps 'query: plies' 'First' --query 'plies 6'
keeps 'query: position' 'Second' --query 'position "rnbqkb1r/1p2pppp/p2p1n2/8/3NP3/2N5/PPP2PPP/R1BQKB1R w KQkq -"'
keeps 'query: position of a variation only' '' --query 'position "rnbqkbnr/pppp1ppp/8/8/4Pp2/8/PPPP2PP/RNBQKBNR w KQkq -"'
keeps 'query: material of either side' 'Third' --query 'flip material KRk'
keeps 'query: event' 'Second' --query 'event second'
keeps 'query: the last position' 'First Second Third' --query 'end'
keeps 'query: facts or positions' 'First Third' --query 'white adams or flip material KRk'
keeps 'query and options' 'First' --query 'player adams' --ply-min 6
keeps 'query: invert' 'Second' --invert --query 'player adams'
printf '[Event "%s"]\n[Date "%s"]\n\n1. e4 *\n\n' A 2017.5.7 B '2016.11.17`' C 2017.??.05 D 7.5.2017 E 2017.13.01 >dates.pgn
# dated DATES GAMES: these games of dates.pgn are of these dates
dated() {
    run pgn filter --date "$1" dates.pgn
    judge "filter: odd dates, $1" [ "$(sed -n 's/^\[Event "\(.*\)"\]/\1/p' out | tr -d '\n')" = "$2" -a "$status" -eq 0 ]
}
dated 2017 ACE
dated 2017.05.07 A
dated 2017.5.01..2017.5.10 A
dated 2016.11 B
dated ..2017.06 AB
run pgn stats dates.pgn
judge 'stats: odd dates' printed 'Years: 2016 to 2017; games without a year: 1'
run pgn filter --count --player adams good.pgn
shows 'filter: count' <<<2
run pgn filter --no-errors bad.pgn
judge 'filter: games without mistakes' [ "$(grep '^\[Event' out)" = '[Event "Fine"]' ]
run pgn filter --invert --no-errors bad.pgn
judge 'filter: games with mistakes, as they stand' [ "$(grep -c 'Ke5\|Bxfv' out)" -eq 2 -a "$status" -eq 0 ]
printf '\357\273\277[Event "x"]\r\n[White "M\374ller"]\r\n\r\n1. e4 1-0' >mixed.pgn
run pgn filter --white "$(printf 'm\374ller')" mixed.pgn mixed.pgn
{ printf '\357\273\277' && printf '[Event "x"]\r\n[White "M\374ller"]\r\n\r\n1. e4 1-0\r\n\r\n%.0s' 1 2; } >"$work/expected"
judge 'filter: Latin-1, CRLF, no line end at the end' same_output "$work/expected"

printf '1. e4 1-0\n\n %%x\n1. d4 1-0\n\n\t%%\n{c} * %%y 1-0' >percent.pgn
run pgn check percent.pgn
cp out counts
for arguments in filter 'dedup --quiet'; do
    # shellcheck disable=SC2086 # words
    run pgn $arguments percent.pgn
    cp out kept.pgn
    run pgn check kept.pgn
    prints "$arguments: what begins with % within a line does not begin one" 1 <counts
done
# What is written reads as what was read, whatever that was: games of random pieces, cut where the reader cuts them.
awk 'BEGIN {
    srand(1)
    count = split("e4|e5|Nf3|1.|1-0|*|1/2-1/2|{c}|{|}|(|)|;|%x|%|[Event \"a\"]|[Event \"|[White \"w\"]|[x|$1|!|--|00|\"|]", word, "|")
    split(" |\n||\n\n|\r\n|\r|\t| |\n| ", gap, "|")
    for (i = 0; i < 20000; i++) printf "%s%s", word[int(rand() * count) + 1], gap[int(rand() * 10) + 1]
}' >pieces.pgn
run pgn check pieces.pgn
cp out counts
run pgn filter --ply-min 0 pieces.pgn
cp out kept.pgn
run pgn check kept.pgn
prints 'filter: random pieces stay the same games' 1 <counts

# --- dedup ------------------------------------------------------------------------

cat good.pgn good.pgn >twice.pgn
run pgn dedup twice.pgn
judge 'dedup: as many as before' cmp -s good.pgn out
judge 'dedup: how many' [ "$(cat err)" = '6 games, 3 duplicates left out' ]
sed 's/Adams, Michael/Adams,M/; s/\[Round.*/[Round "9"]/' good.pgn >respelled.pgn
run pgn dedup --quiet good.pgn respelled.pgn
judge 'dedup: names in another spelling' same_output good.pgn
sed 's/Adams/Someone/; s/2020/2021/' good.pgn >others.pgn
run pgn dedup good.pgn others.pgn
judge 'dedup: short games of other people or dates stay' [ "$(cat err)" = '6 games, 0 duplicates left out' ]
run pgn dedup --short 0 good.pgn others.pgn
judge 'dedup: unless only moves count' [ "$(cat err)" = '6 games, 3 duplicates left out' ]
sed 's/w Q - 0 1/w - - 0 1/' good.pgn >rights.pgn
run pgn dedup --short 0 good.pgn rights.pgn
judge 'dedup: another start is another game' [ "$(cat err)" = '6 games, 2 duplicates left out' ]
run pgn dedup bad.pgn bad.pgn
judge 'dedup: games with mistakes stay' [ "$(cat err)" = '6 games, 1 duplicates left out' ]

# --- What cannot be done ------------------------------------------------------------

run pgn
judge 'help without a command' printed ' +check +.*'
run pgn --help
judge 'help' printed ' +dedup +.*'
for name in check convert stats filter dedup; do
    run pgn "$name" --help
    judge "help of $name" printed "Usage: luft pgn $name .*"
    run help pgn "$name"
    judge "luft help pgn $name" printed "Usage: luft pgn $name .*"
done

# one_line STATUS: like one_error_line, for the names of commands that are two words
one_line() {
    [ "$status" -eq "$1" ] && [ ! -s out ] && [ "$(wc -l <err)" -eq 1 ] && grep -Eqx 'luft pgn( [a-z]+)?: [ -~]{1,200}' err
}

# refused NAME ARGUMENTS...: bad arguments get one line and status 2
refused() {
    local name=$1
    shift
    run pgn "$@"
    judge "refused: $name" one_line 2
}
refused 'unknown command' frobnicate
refused 'unknown option' check --frobnicate good.pgn
refused 'unknown letter' check -x good.pgn
refused 'no thread' check --threads 0 good.pgn
refused 'unknown form' convert --to xml good.pgn
for form in pgn uci; do
    refused "options for positions with --to $form" convert --to $form --ep-always good.pgn
    refused "options for positions with --to $form: all" convert --to $form --positions all good.pgn
done
for form in uci epd fen; do
    for flag in --no-comments --no-variations --no-nags; do
        refused "$flag with --to $form" convert --to $form $flag good.pgn
    done
done
refused 'unknown result' filter --result 2-0 good.pgn
refused 'code' filter --eco F00 good.pgn
refused 'codes in the wrong order' filter --eco B99-B90 good.pgn
refused 'date' filter --date yesterday good.pgn
refused 'date without a year' filter --date '????.05' good.pgn
refused 'date that ends oddly' filter --date 2017.05.077 good.pgn
refused 'no date at all' filter --date .. good.pgn
refused 'position' filter --position blah good.pgn
refused 'material' filter --material RvK good.pgn
refused 'query' filter --query 'player adams (' good.pgn
judge 'query: the error names the place' says '^luft pgn filter: --query: expected a condition, at the end$'
refused 'query with an unknown word' filter --query 'check knight' good.pgn
judge 'query: the error quotes the text' says '^luft pgn filter: --query: unknown condition, at "knight"$'
refused 'elo' filter --elo-min many good.pgn
cp good.pgn same.pgn
refused 'output over an input' convert -o ./same.pgn good.pgn same.pgn
judge 'the input is still there' cmp -s good.pgn same.pgn
status=0
# shellcheck disable=SC2094 # that is what is tested
"$luft" pgn convert same.pgn >>same.pgn 2>err || status=$?
judge 'refused: standard output is an input' [ "$status" -eq 2 -a "$(cat err)" = 'luft pgn convert: standard output is also a file to read' ]
judge 'the input is as it was' cmp -s good.pgn same.pgn
long=$(printf '/%060d' 0 0 0 0)
run pgn check "$long"
judge 'a long path: the reason is reported' [ "$status" -eq 1 -a "$(grep -c '^luft pgn check: "/0.*\.\.\.": No such file' err)" -eq 1 ]
refused 'output that cannot be made' convert -o no/such/folder good.pgn
run pgn convert bad.pgn
"$luft" pgn convert -o unheard.pgn bad.pgn 2>&-
judge 'standard error closed: messages do not go into the output' [ "$status $?" = '1 1' -a -z "$(cmp out unheard.pgn 2>&1)" ]
"$luft" pgn check good.pgn >&- 2>err
judge 'standard output closed' [ "$?" -eq 1 -a "$(grep -c 'cannot write the output' err)" -eq 1 ]
"$luft" pgn check <&- >out 2>err
judge 'standard input closed' [ "$?" -eq 1 -a "$(grep -c '<stdin>: ' err)" -eq 1 ]
if command -v python3 >/dev/null; then
    # The pipe is set non-blocking, and the games come later.
    status=0
    python3 -c 'import os, subprocess, sys, time
ends = os.pipe()
os.set_blocking(ends[0], False)
program = subprocess.Popen(sys.argv[1:], stdin=ends[0])
for part in open("good.pgn", "rb").read().partition(b"Second"):
    time.sleep(0.2)
    os.write(ends[1], part)
os.close(ends[1])
sys.exit(program.wait())' "$luft" pgn check >out 2>err || status=$?
    shows 'standard input that does not block is waited for' <<<'games=3 errors=0'
fi
for arguments in 'check --json' 'convert' 'filter' 'dedup'; do
    # shellcheck disable=SC2086 # words
    yes "$(cat good.pgn bad.pgn)" | (
        timeout 120 "$luft" pgn $arguments --quiet 2>err
        echo $? >left
    ) | head -n 1 >out
    judge "an endless file ends when nobody reads on: $arguments" [ "$(cat left)" -eq 1 -a "$(grep -c 'cannot write' err)" -eq 1 ]
done
if [ -e /dev/full ]; then
    for arguments in 'check' 'convert' 'convert --to fen' 'stats' 'filter' 'dedup --quiet'; do
        status=0
        # shellcheck disable=SC2086 # words
        "$luft" pgn $arguments good.pgn >/dev/full 2>err || status=$?
        : >out
        judge "full disk: $arguments" one_line 1
        # shellcheck disable=SC2086 # words
        run pgn $arguments -o /dev/full good.pgn
        judge "full disk: $arguments -o" one_line 1
    done
fi

finish
