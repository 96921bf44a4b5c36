#!/bin/bash
# SPDX-License-Identifier: MIT
#
# luft db search: the same games as luft pgn filter --query, whatever the threads and the format, with the ply of the match.
# shellcheck source=tests/cli/support.sh
. "$(dirname "$0")/support.sh"
games=$(cd "$(dirname "$0")/../data/pgn" && pwd)/classics.pgn
cd "$work" || exit 2

if "$luft" db search --help 2>&1 | grep -q 'compiled without'; then
    skip 'luft db search' 'built without SQLite'
    finish
fi

# More games than a thread takes at once: the two classics many times, and an ending at both ends.
ending() {
    printf '[Event "%s"]\n[White "Weiss"]\n[Black "Schwarz"]\n[WhiteElo "2500"]\n[BlackElo "2400"]\n[Date "2020.02.0%s"]\n' "$1" "$2"
    printf '[SetUp "1"]\n[FEN "8/8/4k3/8/3R4/3PK3/8/6r1 w - - 0 1"]\n[Result "1-0"]\n\n1. Re4+ Kd5 2. Rf4 1-0\n\n'
}
{
    ending First 1
    for _ in $(seq 1200); do cat "$games"; done
    ending Last 2
} >many.pgn
run db create --quiet --keep-duplicates many.luftdb many.pgn
judge 'a database of 2,402 games' ended_well

for query in 'material KRPkr' 'flip material KRkrp' 'board ////2B?P???///' 'pawns 8/p4ppp/8/4p3/4P3/8/PPP2PPP/8' \
    'white morphy checkmate' 'balance ..-10 for 3' 'check then within 2 checkmate' 'elo 2400..' 'date 2020.02' \
    'event first or event last' 'site paris' 'eco C' 'plies ..10' 'result 0-1' 'end check' 'not player adolf ply 1'; do
    run pgn filter --count --query "$query" many.pgn
    cp "$work/out" expected
    run db search --format count --threads 3 many.luftdb "$query"
    judge "as pgn filter: $query" same_output expected
done

run db search --threads 1 many.luftdb 'material KRPkr'
judge 'list: the games, with the ply' [ "$(sed 's/^.*\[game/[game/' "$work/out" | tr '\n' ';')" = '[game 1]  ply 0;[game 2402]  ply 0;' ]
run db search --threads 1 --limit 1500 many.luftdb 'turn white check'
cp "$work/out" one
run db search --threads 4 --limit 1500 many.luftdb 'turn white check'
judge 'a list does not depend on the threads' same_output "$work/one"
# Anderssen's king is in check after 3... Qh4+, White's third move being over.
run db search --limit 1 many.luftdb 'turn white check'
judge 'the ply of the first match' printed '.*\[game 2\]  ply 6'
run db search --limit 3 --format count many.luftdb 'ply 0'
judge 'count: all games' printed 2402
run db search --format pgn --limit 1 many.luftdb 'white morphy checkmate'
judge 'pgn: the ply in a tag' printed '\[MatchPly "33"\]'
"$luft" pgn check "$work/out" >checked
judge 'pgn: what is written can be read' grep -q 'games=1 errors=0' checked
run db search --format json --limit 1 many.luftdb 'event last'
python3 -c 'import json, sys; game = json.load(open(sys.argv[1])); sys.exit(game["id"] != 2402 or game["ply"] != 0 or game["white"] != "Weiss" or game["white_elo"] != 2500)' "$work/out"
report 'json: the facts of a game' $?
run db search many.luftdb 'stalemate'
judge 'no match, no output' same_output /dev/null

refuses 'no query' db search many.luftdb
refuses 'a bad query' db search many.luftdb 'knight'
judge 'a bad query: the reason' says 'QUERY: unknown condition, at "knight"'
refuses 'no database' db search nothing.luftdb check
printf 'This is not a database, but a text of more than a hundred bytes, so that SQLite reads a header that is not one of its own.' >text.luftdb
refuses 'not a database' db search text.luftdb check
finish
