#!/bin/bash
# SPDX-License-Identifier: MIT
#
# Batch analysis: lists of positions and games, formats, jobs, journals, parts that are merged, and reports. The same
# limits must give the same bytes, however the work is done. Argument: the path of the program.
# shellcheck source=tests/cli/support.sh
. "$(dirname "$0")/support.sh"

cat >"$work/list.fen" <<'END'
# plain FENs, EPD with and without operations, twice the same
rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1
6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 7 33
kbK5/pp6/1P6/8/8/8/8/R7 w - - id "Morphy"; bm Ra6; ce 1; acd 1; c0 "a; b";

rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1
7k/5Q2/6K1/8/8/8/8/8 b - - 0 1
rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3
r1bqkbnr/pppp1ppp/2n5/4p3/2B1P3/5Q2/PPPP1PPP/RNB1K1NR b KQkq - 3 3
END
cat >"$work/games.pgn" <<'END'
[Event "fool's mate"]
[White "One, <b>Some</b>"]
[Black "Two"]
[Result "0-1"]
[TimeControl "300"]

1. f3 {[%clk 0:05:00]} e5 {[%clk 0:05:00]} 2. g4 {[%clk 0:00:09]} Qh4# {[%clk 0:04:59]} 0-1

[White "Two"]
[Black "One, <b>Some</b>"]
[Result "1-0"]

1. e4 e5 2. Bc4 Nc6 3. Qh5 Nf6 4. Qxf7# 1-0

[White "Two"]
[Black "Three"]
[Result "*"]

1. e4 e5 2. Nf3 Nc6 3. Ng1 Nb8 4. Nf3 Nc6 5. Ng1 Nb8 6. d4 *
END

# --- Lists --------------------------------------------------------------------------------------

run analyse "$work/list.fen" --nodes 3000
cp "$work/out" "$work/list.epd"
judge 'list: EPD' ended_well
[ "$(wc -l <"$work/list.epd")" -eq 7 ] &&
    grep -Eqx '6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - hmvc 7; fmvn 33; ce 32766; acd [0-9]+; acn [0-9]+; pv Rd8#;' "$work/list.epd" &&
    grep -Eqx 'kbK5/pp6/1P6/8/8/8/8/R7 w - - id "Morphy"; bm Ra6; c0 "a; b"; ce 32764; acd [0-9]+; acn [0-9]+; pv Ra6 bxa6 b7#;' "$work/list.epd" &&
    grep -Fqx '7k/5Q2/6K1/8/8/8/8/8 b - - ce 0;' "$work/list.epd" &&
    grep -Fqx 'rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - hmvc 1; fmvn 3; ce -32767;' "$work/list.epd"
judge 'list: mates, stalemate, operations that were there' [ $? -eq 0 ]
[ "$("$luft" epd check "$work/list.epd" 2>&1 | tail -n 1 | grep -c 'errors=0')" -eq 1 ] || "$luft" epd check "$work/list.epd" >"$work/out" 2>&1
judge 'list: the result is good EPD' [ $? -eq 0 ]
for jobs in 2 5; do
    run analyse "$work/list.fen" --nodes 3000 --jobs "$jobs"
    judge "list: the same bytes with $jobs jobs" same_output "$work/list.epd"
done
status=0
"$luft" analyse --epd - --to epd --nodes 3000 <"$work/list.fen" >"$work/out" 2>"$work/err" || status=$?
judge 'list: from a pipe' same_output "$work/list.epd"
run analyse --epd "$work/list.epd" --to epd --nodes 3000
judge 'list: to analyse it again changes nothing' same_output "$work/list.epd"
run analyse "$work/list.fen" "$work/list.epd" --nodes 3000 -o "$work/both.epd"
ended_well && cat "$work/list.epd" "$work/list.epd" | cmp -s - "$work/both.epd"
judge 'list: two files, to a file' [ $? -eq 0 ]
if command -v gzip >"$work/gzip" 2>&1 && "$luft" pgn --help | grep -q gzip; then
    gzip -c "$work/list.fen" >"$work/list.fen.gz"
    run analyse "$work/list.fen.gz" --nodes 3000
    judge 'list: compressed' same_output "$work/list.epd"
fi
run analyse "$work/list.fen" --nodes 3000 --to json
ended_well && [ "$(wc -l <"$work/out")" -eq 7 ] && python3 -c 'import json, sys
rows = [json.loads(line) for line in open(sys.argv[1])]
assert rows[1]["score"] == {"mate": 1} and rows[1]["pv"] == ["d1d8"] and rows[1]["line"] == 3
assert rows[4]["best"] is None and rows[4]["outcome"] == "stalemate"
assert {k: v for k, v in rows[0].items() if k != "line"} == {k: v for k, v in rows[3].items() if k != "line"}
assert all(row["nodes"] <= 3100 for row in rows if row["best"])' "$work/out"
judge 'list: JSON' [ $? -eq 0 ]
run analyse "$work/list.fen" --nodes 3000 --to csv
ended_well && python3 -c 'import csv, sys
rows = list(csv.DictReader(open(sys.argv[1])))
assert len(rows) == 7 and rows[1]["mate"] == "1" and rows[1]["cp"] == "" and rows[1]["best"] == "Rd8#"
assert rows[0]["fen"] == rows[3]["fen"] and rows[0]["cp"] == rows[3]["cp"] and int(rows[0]["cp"]) > -100' "$work/out"
judge 'list: CSV' [ $? -eq 0 ]

# --- Journals -------------------------------------------------------------------------------------

run analyse "$work/list.fen" --nodes 3000 --journal "$work/journal"
judge 'journal: the same bytes' same_output "$work/list.epd"
[ "$(grep -ac '^unit ' "$work/journal")" -eq 4 ]
judge 'journal: positions that come again are searched once' [ $? -eq 0 ]
cp "$work/journal" "$work/whole"
run analyse "$work/list.fen" --nodes 3000 --journal "$work/journal"
same_output "$work/list.epd" && cmp -s "$work/journal" "$work/whole"
judge 'journal: a second run searches nothing' [ $? -eq 0 ]
size=$(stat -c %s "$work/whole")
for cut in 0 10 200 $((size / 2)) $((size - 1)); do
    head -c "$cut" "$work/whole" >"$work/journal"
    run analyse "$work/list.fen" --nodes 3000 --journal "$work/journal"
    cmp -s "$work/out" "$work/list.epd" && [ "$status" -eq 0 ] && [ "$(stat -c %s "$work/journal")" -eq "$size" ]
    judge "journal: cut after $cut bytes" [ $? -eq 0 ]
done
run analyse "$work/list.fen" --nodes 3000 --journal "$work/journal" --hash 2
one_error_line 2 && says 'it belongs to other work: it has "hash 1", and this is "hash 2"'
judge 'journal: of other work' [ $? -eq 0 ]
for i in $(seq 1 60); do
    echo "4k3/8/8/8/8/8/4P3/4K3 w - - 0 $i"
    echo "r1bqkbnr/pppp1ppp/2n5/4p3/2B1P3/5Q2/PPPP1PPP/RNB1K1NR b KQkq - $((i % 90)) 30"
done >"$work/many.fen"
run analyse "$work/many.fen" --nodes 20000
cp "$work/out" "$work/many.epd"
killed=0
for signal in KILL KILL INT KILL; do
    "$luft" analyse "$work/many.fen" --nodes 20000 --jobs 2 --journal "$work/killed" >"$work/out" 2>"$work/err" &
    sleep 0.3
    kill -s "$signal" $! 2>"$work/kill" && killed=$((killed + 1))
    wait $! 2>"$work/kill"
done
run analyse "$work/many.fen" --nodes 20000 --journal "$work/killed"
cmp -s "$work/out" "$work/many.epd" && [ "$(grep -ac '^unit ' "$work/killed")" -eq "$(grep -a '^unit ' "$work/killed" | cut -d ' ' -f 2 | sort -u | wc -l)" ]
judge "journal: killed $killed times, the same bytes, no unit twice" [ $? -eq 0 ]
status=0
(ulimit -f 1 && exec "$luft" analyse "$work/many.fen" --nodes 100 --journal "$work/full") >/dev/null 2>"$work/err" </dev/null || status=$?
[ "$status" -eq 1 ] && [ "$(wc -l <"$work/err")" -eq 1 ] && says 'journal: cannot be written'
judge 'journal: a full disk' [ $? -eq 0 ]
run analyse "$work/many.fen" --nodes 100 --journal "$work/full"
ended_well && [ "$(wc -l <"$work/out")" -eq 120 ]
judge 'journal: after a full disk' [ $? -eq 0 ]

# --- Games -----------------------------------------------------------------------------------------

run analyse "$work/games.pgn" --nodes 3000
cp "$work/out" "$work/annotated.pgn"
judge 'games: PGN' ended_well
run analyse "$work/games.pgn" --nodes 3000 --jobs 3 --journal "$work/games.journal"
judge 'games: the same bytes with jobs and a journal' same_output "$work/annotated.pgn"
run analyse "$work/games.pgn" --nodes 3000 --to csv
ended_well && [ "$(wc -l <"$work/out")" -eq $((1 + 4 + 7 + 11)) ] && grep -Eqx '1,3,2,white,g4,,-1,[0-9]+,Blunder,[^,]+' "$work/out"
judge 'games: CSV' [ $? -eq 0 ]
run analyse "$work/games.pgn" --nodes 3000 --report "$work/report.json"
python3 - "$work/report.json" <<'END' 2>"$work/err"
import json, sys
report = json.load(open(sys.argv[1]))
assert [game["result"] for game in report["games"]] == ["0-1", "1-0", "*"]
players = {player["name"]: player for player in report["players"]}
one, two = players["One, <b>Some</b>"], players["Two"]
assert one["games"] == 2 and two["games"] == 3 and one["moves"] == 5 and one["blunders"] >= 2
assert one["time_trouble"] == {"moves": 1, "mistakes": 1} and two["time_trouble"]["moves"] == 0
assert one["phases"]["opening"]["moves"] == 5 and one["phases"]["endgame"]["moves"] == 0
assert report["all"]["games"] == 3 and report["all"]["moves"] == 4 + 7 + 11
assert two["accuracy"] > one["accuracy"] and 0 <= one["accuracy"] <= 100
END
judge 'games: a report as JSON' [ $? -eq 0 ]
run analyse "$work/games.pgn" --nodes 3000 --report "$work/report.html"
grep -Fq 'One, &lt;b&gt;Some&lt;/b&gt;' "$work/report.html" && ! grep -Eq '<b>|<script|https?:' "$work/report.html" &&
    [ "$(grep -c 'aria-label="Winning chances"' "$work/report.html")" -eq 3 ]
judge 'games: a report as one HTML page, with names escaped' [ $? -eq 0 ]
run analyse "$work/games.pgn" --nodes 3000 --report "$work/report.txt"
grep -Eq ' \(all\)$' "$work/report.txt" && [ "$(wc -l <"$work/report.txt")" -eq 5 ]
judge 'games: a report as text' [ $? -eq 0 ]

# --- Parts --------------------------------------------------------------------------------------------

# parts NAME EXPECTED OPTIONS...: the work in three parts, in any order, merges to the expected file
parts() {
    local name=$1 expected=$2 part
    shift 2
    rm -rf "$work/parts"
    for part in 3 1 2; do
        run "$@" --unit "$part/3" --out "$work/parts"
        ended_well && [ ! -s "$work/out" ]
        judge "$name: part $part prints nothing" [ $? -eq 0 ]
    done
    run merge "$work/parts"
    judge "$name: merged" same_output "$expected"
}

parts 'parts of a list' "$work/list.epd" analyse "$work/list.fen" --nodes 3000
run merge "$work/parts" -o "$work/merged.epd"
ended_well && cmp -s "$work/merged.epd" "$work/list.epd"
judge 'parts: merged into a file' [ $? -eq 0 ]
mv "$work/parts/part-2-of-3.journal" "$work/kept"
run merge "$work/parts"
one_error_line 1 && says 'part 2 of 3 is missing'
judge 'parts: one is missing' [ $? -eq 0 ]
head -c -60 "$work/kept" >"$work/parts/part-2-of-3.journal"
run merge "$work/parts"
one_error_line 1 && says 'this part is not finished'
judge 'parts: one is not finished' [ $? -eq 0 ]
cp "$work/kept" "$work/parts/part-2-of-3.journal"
cp "$work/kept" "$work/parts/again.journal"
run merge "$work/parts"
one_error_line 1 && says 'a second journal of the same part'
judge 'parts: one is there twice' [ $? -eq 0 ]
parts 'parts of games' "$work/annotated.pgn" analyse "$work/games.pgn" --nodes 3000 --jobs 2
echo "4k3/8/8/8/8/8/4P3/4K3 w - - 3 1" >>"$work/list.fen"
rm -rf "$work/parts"
run analyse "$work/list.fen" --nodes 3000 --unit 1/1 --out "$work/parts"
echo "4k3/8/8/8/8/8/4P3/4K3 w - - 4 1" >>"$work/list.fen"
run merge "$work/parts"
[ "$status" -eq 1 ] && says 'a unit is missing: the input or the program has changed'
judge 'parts: the input has changed' [ $? -eq 0 ]

# --- What is refused --------------------------------------------------------------------------------------

refuses 'merge: no such directory' merge "$work/nowhere"
refuses 'a part without a directory' analyse "$work/list.fen" --unit 1/2
refuses 'a part that does not exist' analyse "$work/list.fen" --unit 3/2 --out "$work/x"
refuses 'a part and a journal' analyse "$work/list.fen" --unit 1/2 --out "$work/x" --journal "$work/y"
refuses 'PGN of positions' analyse "$work/list.fen" --to pgn
refuses 'EPD of games' analyse "$work/games.pgn" --to epd
refuses 'games and positions' analyse "$work/games.pgn" "$work/list.fen"
refuses 'a report of positions' analyse "$work/list.fen" --report "$work/x.html"
refuses 'a journal for one position' analyse --journal "$work/x"
refuses 'a list that is not there' analyse "$work/missing.epd"
refuses 'a journal that is a directory' analyse "$work/list.fen" --journal "$work"

finish
