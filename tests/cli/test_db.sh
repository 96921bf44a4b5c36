#!/bin/bash
# SPDX-License-Identifier: MIT
#
# `luft db` from outside: making, extending, merging, exploring, exporting and checking databases, bad games, and what is
# left after kill -9 and a full disk. Answers are compared with `luft pgn` and with counts by hand.
# Argument: the path of the program.
# shellcheck source=tests/cli/support.sh
. "$(dirname "$0")/support.sh"

run db check /nonexistent.luftdb
if grep -q 'compiled without SQLite' "$work/err"; then
    report 'luft db: skipped: this build has no database' 0
    finish
fi
judge 'a database that is not there is an error of one line' test "$status" -eq 2

games=$work/games.pgn
cat >"$games" <<'END'
[Event "Test"]
[Site "https://example.org/1"]
[Date "2020.01.02"]
[Round "1"]
[White "Alpha, A"]
[Black "Beta, B"]
[Result "1-0"]
[WhiteElo "2500"]
[BlackElo "2400"]
[ECO "C20"]

1. e4 e5 {a comment} 2. Nf3 $1 (2. f4 exf4) Nc6 1-0

[Event "Test"]
[Site "?"]
[Date "2021.??.??"]
[Round "2"]
[White "Beta, B"]
[Black "Alpha, A"]
[Result "1/2-1/2"]

1. e4 c5 2. Nf3 1/2-1/2

[Event "Test"]
[Site "?"]
[Date "2022.03.04"]
[Round "3"]
[White "Gamma, C"]
[Black "Beta, B"]
[Result "0-1"]

1. d4 d5 2. Kd5 0-1

[Event "Test"]
[Site "https://example.org/1"]
[Date "2020.01.02"]
[Round "1"]
[White "Alpha, A"]
[Black "Beta, B"]
[Result "1-0"]

1. e4 e5 2. Nf3 Nc6 1-0
END

run db create "$work/a.luftdb" "$games"
judge 'the summary counts games, duplicates and errors' grep -q '^2 games added, 1 duplicates left out, 1 games with errors left out' "$work/err"
judge 'an error is named with file, line and move' grep -Fq "games.pgn:$(grep -n Kd5 "$games" | cut -d: -f1):13: game 3: the move is not legal ('Kd5')" "$work/err"
run db create "$work/a.luftdb" "$games"
judge 'create does not replace a file' test "$status" -eq 2
run db create --force --keep-broken --keep-duplicates --quiet "$work/b.luftdb" "$games"
run db stats --json "$work/b.luftdb"
judge 'all four games are kept if asked for' grep -q '"games": 4' "$work/out"

run db explore --json "$work/a.luftdb"
judge 'explore counts the first move' grep -q '"san": "e4", "uci": "e2e4", "games": 2, "white": 1, "draws": 1, "black": 0' "$work/out"
run db explore --json --moves 'e4 e5' "$work/a.luftdb"
judge 'explore follows moves' grep -q '"san": "Nf3", .*"games": 1, "white": 1' "$work/out"
run db explore --json --player beta --color white "$work/a.luftdb"
judge 'a filter by player and colour' grep -q '"games": 1, *$\|"games": 1,' "$work/out"
run db explore "$work/a.luftdb" 'not a FEN'
judge 'a bad FEN is refused' test "$status" -eq 2
run db explore --from tomorrow "$work/a.luftdb"
judge 'a bad date is refused' test "$status" -eq 2

"$luft" db export "$work/a.luftdb" >"$work/export.pgn"
"$luft" pgn convert "$games" --quiet 2>/dev/null | head -13 >"$work/expected.pgn"
head -13 "$work/export.pgn" | cmp -s - "$work/expected.pgn"
report 'export gives the first game back as luft pgn convert writes it' $?
run db export --format csv --columns id,white,result,san "$work/a.luftdb"
judge 'CSV quotes names with commas' grep -Fqx '1,"Alpha, A",1-0,e4 e5 Nf3 Nc6' "$work/out"
run db export --format csv --columns nothing "$work/a.luftdb"
judge 'an unknown column is refused' test "$status" -eq 2

run db append --quiet "$work/a.luftdb" "$games"
run db merge "$work/a.luftdb" "$work/b.luftdb"
judge 'merge adds what is new' grep -q '^1 games added, 3 duplicates left out' "$work/err"
run db check "$work/a.luftdb"
judge 'check finds nothing wrong' grep -qx '3 games, [0-9]* positions: 0 faults' "$work/out"
run db vacuum --quiet "$work/a.luftdb"
judge 'vacuum ends well' ended_well
run db players --json "$work/a.luftdb"
judge 'players has the scores of both colours' grep -q '{"player": "Alpha, A", "all": {"games": 2, "won": 1, "drawn": 1, "lost": 0' "$work/out"

# --- Interrupted runs -----------------------------------------------------------------

# Many short games that differ in a player, so that a run takes a while.
awk 'BEGIN { for (i = 0; i < 3000; i++) printf "[Event \"E\"]\n[White \"P%d\"]\n[Black \"Q\"]\n[Date \"20%02d.01.01\"]\n\n1. e4 e5 2. Nf3 Nc6 *\n\n", i, i % 100 }' >"$work/many.pgn"
for delay in 0.01 0.03 0.06 0.1; do
    "$luft" db append --quiet "$work/a.luftdb" "$work/many.pgn" 2>/dev/null &
    job=$!
    sleep "$delay"
    kill -9 "$job" 2>/dev/null
    wait "$job" 2>/dev/null
done
run db check "$work/a.luftdb"
judge 'after kill -9 the database is sound' test "$status" -eq 0
games_now=$("$luft" db stats --json "$work/a.luftdb" | sed -n 's/.*"games": \([0-9]*\).*/\1/p')
[ "$games_now" = 3 ] || [ "$games_now" = 3003 ]
report 'after kill -9 all or nothing of a run is there' $?
"$luft" db create --quiet "$work/new.luftdb" "$work/many.pgn" &
job=$!
sleep 0.02
kill -9 "$job" 2>/dev/null
wait "$job" 2>/dev/null
[ ! -e "$work/new.luftdb" ] || "$luft" db check --quiet "$work/new.luftdb"
report 'after kill -9 a new database is complete or not there' $?

# Files of at most 64 kB: the log of the transaction cannot be written, as on a full disk.
sed 's/Black "Q"/Black "R"/' "$work/many.pgn" >"$work/more.pgn"
(
    trap '' XFSZ
    ulimit -f 64
    exec "$luft" db append --quiet "$work/a.luftdb" "$work/more.pgn"
) >/dev/null 2>"$work/full"
[ $? -ne 0 ] && [ "$(wc -l <"$work/full")" -ge 1 ]
report 'a file that cannot grow is an error' $?
run db check "$work/a.luftdb"
judge 'and leaves the database as it was' grep -q "^$("$luft" db stats --json "$work/a.luftdb" | sed -n 's/.*"games": \([0-9]*\).*/\1/p' | sed 's/^\([0-9]\)\([0-9]\{3\}\)$/\1,\2/') games, .* 0 faults" "$work/out"

finish
