#!/bin/bash
# SPDX-License-Identifier: MIT
#
# `luft-train` from the outside: games in shards, which survive being cut off; records made of them, and what is fitted
# to these. Argument: the path of the program luft; luft-train lies beside it.
# shellcheck source=tests/cli/support.sh
. "$(dirname "$0")/support.sh"

luft=$(dirname "$luft")/luft-train
if [ ! -x "$luft" ]; then
    echo 'not ok - luft-train is not built'
    exit 1
fi
self=$(cd "$(dirname "$0")" && pwd)/test_train.sh
cd "$work" || exit 1

# failed_with STATUS PATTERN: that status, nothing on standard output, one line that says this on standard error
# shellcheck disable=SC2317 # called by judge
failed_with() {
    [ "$status" -eq "$1" ] && [ ! -s out ] && [ "$(wc -l <err)" -eq 1 ] && says "$2"
}

# differ FILE FILE: in more than their headers
# shellcheck disable=SC2317 # called by judge
differ() {
    ! cmp -s <(tail -c +65 "$1") <(tail -c +65 "$2")
}

# nothing_is_left: no temporary file, also where a run was killed
# shellcheck disable=SC2317 # called by judge
nothing_is_left() {
    [ -z "$(find . -name '*.??????' -o -name '*bucket*')" ]
}

# generate DIR OPTIONS...: quick games with one thread
generate() {
    run generate --out "$1" --nodes 60 --threads 1 --shard-games 3 "${@:2}"
}

# --- Games -------------------------------------------------------------------

generate games --games 12 --seed 3
judge 'generate ends well' test "$status" -eq 0
judge 'it says how many games there are' grep -q '^12 games, [0-9]* positions' err
judge 'four shards and a log' test "$(echo games/*)" = 'games/000001.games games/000002.games games/000003.games games/000004.games games/log'
generate again --games 12 --seed 3
judge 'the same seed gives the same bytes' diff -rq -x log games again
generate other --games 3 --seed 4
judge 'another seed gives other games' differ games/000001.games other/000001.games
run generate --out threads --nodes 60 --threads 2 --shard-games 3 --games 60 --seed 3
judge 'the first shards do not depend on the threads' cmp -s games/000001.games threads/000001.games

generate games --games 12 --seed 3
judge 'nothing is added to what is enough' test "$status" -eq 0 -a ! -e games/000005.games
cp -r games more
generate more --games 15 --seed 3
judge 'a further run adds shards' test -e more/000005.games -a ! -e more/000006.games
judge 'and leaves the others' cmp -s games/000004.games more/000004.games

run check games
judge 'check finds no fault' printed 'files=4 positions=[0-9]+ errors=0'
judge 'check ends well' ended_well
positions=$(sed -n 's/.*positions=\([0-9]*\) .*/\1/p' out)

# --- Detours -----------------------------------------------------------------

# values FILE WHERE SIZE: a number of each record, all that occur
values() {
    tail -c +65 "$1" | od -An -v -tu"$3" -w32 | awk -v place=$(($2 / $3 + 1)) '{print $place}' | sort -un
}

generate beside --games 50 --seed 3 --detours 1
generate beside2 --games 50 --seed 3 --detours 1
judge 'with detours too the same seed gives the same bytes' diff -rq -x log beside beside2
run check beside
judge 'check finds no fault with detours' ended_well
run info beside
judge 'info reports detours' printed '[0-9]+ games, [1-9][0-9]* detours, .*'
judge 'their result is not known' printed ' *not known +[1-9].*'
run convert --out beside.rec beside
judge 'records with a result and without' test "$(values beside.rec 26 1 | grep -c 3)" -eq 1 -a "$(values beside.rec 26 1 | wc -l)" -gt 1
judge 'a detour has the number of its game' test "$(values beside.rec 28 4 | tail -n 1)" -le 1

# --- Cut off -----------------------------------------------------------------

# await FILE: until it is there, for 20 seconds at most
await() {
    for _ in $(seq 200); do
        [ -e "$1" ] && return 0
        sleep 0.1
    done
    return 1
}

"$luft" generate --out killed --nodes 60 --threads 1 --shard-games 3 --games 100000 --seed 3 2>/dev/null &
pid=$!
await killed/000002.games
run generate --out killed --games 1
judge 'a second process is refused' failed_with 2 'another process'
kill -9 "$pid"
wait "$pid" 2>/dev/null
run check killed
judge 'what was written before a kill is whole' test "$status" -eq 0
find killed -name '*.games' ! -name 000002.games -delete
generate killed --games 12 --seed 3
judge 'missing shards are played again' cmp -s games/000001.games killed/000001.games

"$luft" generate --out ended --nodes 60 --threads 2 --shard-games 100000 2>ended.err &
pid=$!
await ended/log
sleep 1
kill -TERM "$pid"
result=0
wait "$pid" || result=$?
judge 'a signal to end lets it finish' test "$result" -eq 0 -a -e ended/000001.games
run check ended
judge 'with whole shards' test "$status" -eq 0

cp -r games damaged
head -c 200 games/000002.games >damaged/000002.games
printf 'x' | dd of=damaged/000003.games bs=1 seek=150 conv=notrunc 2>/dev/null
run check damaged
judge 'check reports damage' test "$status" -eq 1 -a "$(grep -c 'damaged/00000[23]' out)" -eq 2
judge 'and counts it' grep -q 'errors=2$' out
run convert --out damaged.rec damaged
judge 'convert skips damaged shards, and its status says so' test "$status" -eq 1 -a "$(grep -c skipped: err)" -eq 2
generate damaged --games 7 --seed 3
judge 'generate does not count damaged shards' test "$status" -eq 0 -a -e damaged/000005.games
judge 'and does not touch them' test "$(wc -c <damaged/000002.games)" -eq 200

# --- Starts ------------------------------------------------------------------

printf '%s\n' "$kiwipete" 'no position' '4k3/8/8/8/8/8/4P3/4K3 w - - 0 1' >book.epd
generate epd --games 2 --book book.epd --book-share 100 --book-plies 0
judge 'games from an EPD' test "$status" -eq 0 -a "$(grep -c '1 entries' err)" -eq 1
printf '[Event "?"]\n\n1. e4 e5 (1... c5) 2. Nf3 *\n\n[Event "?"]\n\n1. d4 d5 *\n' >book.pgn
generate pgn --games 2 --book book.pgn --book-share 100 --book-plies 0 --chess960 0
judge 'games from a PGN' test "$status" -eq 0
run info epd pgn
judge 'they are games' printed '4 games, .*'
tables=${self%/cli/*}/data/syzygy
echo '8/3p1k2/8/2P5/8/8/3K4/8 w - - 0 1' >pawns.epd
pawns=(--games 12 --seed 5 --book pawns.epd --book-share 100 --book-plies 0)
generate solved "${pawns[@]}" --syzygy "$tables"
run info solved
judge 'games end where the tables know the result' printed ' *tablebases +[1-9].*'
mkdir tables.bad
cp "$tables"/K[QRPBN]vK.rtb[wz] tables.bad
head -c 80 "$tables/KPvK.rtbw" >tables.bad/KPvK.rtbw
generate partly "${pawns[@]}" --syzygy tables.bad
judge 'a damaged table is reported once' test "$status" -eq 0 -a "$(grep -c 'ignored KPvK.rtbw: ' err)" -eq 1
mkdir empty
generate none --games 1 --syzygy empty
judge 'a directory without tables' failed_with 2 'no tables in empty'
generate none --games 1 --syzygy missing
judge 'a directory that is not there' failed_with 2 'cannot read the tables in missing'
generate none --games 2 --book missing.epd
judge 'a book that is not there' failed_with 2 'missing.epd'
printf '4k3/8/8/8/8/8/QQQ5/4K3 w - - 0 1\n' >unfair.epd
generate none --games 1 --book unfair.epd --book-share 100 --book-plies 0
judge 'a book without a fair start' test "$status" -eq 1

# --- Records -----------------------------------------------------------------

run convert --out all.rec games
judge 'convert makes a record of 32 bytes of each position' test "$status" -eq 0 -a "$(wc -c <all.rec)" -eq $((64 + 32 * positions))
run convert games --out between.rec -- games
run convert --out behind.rec games games
judge 'files may stand before, between and behind options' test "$(wc -c <between.rec)" -eq $((64 + 64 * positions)) -a \
    "$(cmp between.rec behind.rec && echo same)" = same
run convert --out twice.rec --dedup games games
run convert --out once.rec --dedup games
judge 'no board is there twice' cmp -s <(tail -c +65 once.rec) <(tail -c +65 twice.rec)
run check all.rec once.rec
judge 'the records are sound' ended_well

# records FILE: each record on a line, without the number of its game, which shuffle changes
records() {
    tail -c +65 "$1" | od -An -v -tx1 -w32 | cut -c 1-84
}

run shuffle --out shuffled.rec --seed 7 all.rec
judge 'shuffle ends well' test "$status" -eq 0
judge 'it changes the order' differ all.rec shuffled.rec
judge 'and nothing else' cmp -s <(records all.rec | sort) <(records shuffled.rec | sort)
run shuffle --out again.rec --seed 7 all.rec
judge 'the same seed gives the same order' cmp -s shuffled.rec again.rec
run shuffle --out other.rec --seed 8 all.rec
judge 'another seed another' differ shuffled.rec other.rec
copies=()
while [ "${#copies[@]}" -lt $((70000 / positions)) ]; do
    copies+=(all.rec)
done
printf 'precious\n' >large.rec.bucket-0
run shuffle --out large.rec --memory 1 "${copies[@]}"
judge 'more than fits in memory' test "$status" -eq 0 -a "$(grep -c ' [3-9] buckets' err)" -eq 1
judge 'is shuffled as well' cmp -s <(records all.rec | sort -u) <(records large.rec | sort -u)
judge 'and whole' test "$(wc -c <large.rec)" -eq $((64 + 32 * positions * ${#copies[@]}))
judge 'a file beside it is left alone' test "$(cat large.rec.bucket-0)" = precious
rm large.rec.bucket-0
judge 'no bucket is left behind' nothing_is_left
run info --svg info.svg shuffled.rec
judge 'info counts records' printed ".* $positions positions"
judge 'info draws' grep -q '</svg>' info.svg
head -c 1000 all.rec >cut.rec
run shuffle --out none.rec cut.rec
judge 'shuffle refuses a file that is cut' failed_with 2 'truncated'
run check cut.rec "$self"
judge 'check refuses files that are not data' test "$status" -eq 1 -a "$(grep -c 'errors=2' out)" -eq 1

# --- Files that are written --------------------------------------------------

# "$luft", not run: with standard error closed, complaints must not get into the file that is open in its place
status=0
"$luft" convert --out silent.rec damaged/000002.games games 2>&- >out || status=$?
judge 'standard error is closed: the records are the same' test "$status" -eq 1 -a "$(cmp silent.rec all.rec && echo same)" = same
cp all.rec kept.rec
run convert --out kept.rec damaged/000002.games damaged/000003.games
judge 'nothing but damaged shards: an error' test "$status" -eq 1 -a "$(grep -c skipped: err)" -eq 2 -a "$(wc -l <err)" -eq 3
judge 'and what was there stays' cmp -s kept.rec all.rec

ln -s real.rec link.rec
for _ in new old; do
    run convert --out link.rec games
    judge 'a symbolic link stays one' test "$status" -eq 0 -a -h link.rec -a "$(cmp real.rec all.rec && echo same)" = same
done
mkfifo pipe
timeout 20 cat pipe >piped.svg &
run info --svg pipe shuffled.rec
wait $!
judge 'a pipe stays one' test "$status" -eq 0 -a -p pipe
judge 'and all goes through it' cmp -s piped.svg info.svg
timeout 20 cat pipe >piped &
run convert --out pipe games
wait $!
judge 'records cannot go through a pipe' failed_with 2 'cannot be written'
judge 'which stays one, too' test -p pipe -a ! -s piped
mkdir folder
run convert --out folder games
judge 'a folder cannot be written' failed_with 2 'cannot be written'
printf 'precious\n' >own.rec.part
printf 'precious\n' >own.rec
chmod 604 own.rec
run convert --out own.rec games
judge 'a file keeps its rights' test "$status" -eq 0 -a "$(stat -c %a own.rec)" = 604
judge 'and one beside it is left alone' test "$(cat own.rec.part)" = precious
cp info.svg kept.svg
status=0
(ulimit -f 1 && exec "$luft" info --svg kept.svg all.rec) >/dev/null 2>err || status=$?
judge 'a picture on a full disk: an error' test "$status" -eq 1 -a "$(wc -l <err)" -eq 1
judge 'and the old one stays' cmp -s kept.svg info.svg
judge 'nothing is left behind' nothing_is_left

# --- Fitting -----------------------------------------------------------------

run wdl all.rec
judge 'wdl prints both polynomials' test "$(grep -cE '^static const double (half_won|spread)\[\] = \{(-?[0-9.]+, ){3}-?[0-9.]+\};$' out)" -eq 2
judge 'wdl compares with what happened' grep -q 'happened: win  draw  loss' out
run wdl cut.rec
judge 'wdl: damaged data' failed_with 2 'cut.rec: it is truncated'
run wdl games/000001.games
judge 'wdl: games' failed_with 2 'expected a file of records, got one of games'
run wdl
judge 'wdl without data' test "$status" -eq 2

# --- Tuning ------------------------------------------------------------------

run spsa --only no_such_parameter --out state --pairs 6
if grep -q 'make TUNE=1' err; then
    judge 'spsa: a build without parameters is refused' failed_with 2 'this program has no parameters to tune'
else
    judge 'spsa: an unknown parameter' failed_with 2 'there is no parameter "no_such_parameter"'
    tune() {
        run spsa --out "$1" --nodes 40 --threads 1 --pairs 6 --only lmr_base,null_base "${@:2}"
    }
    tune state
    judge 'spsa ends well and prints the parameters' test "$status" -eq 0 -a "$(grep -c '  from ' out)" -eq 2
    judge 'the state has them too' grep -qE '^lmr_base 600 [0-9.]+$' state
    tune second
    judge 'the same seed gives the same values' cmp -s state second
    tune state --seed 2
    judge 'spsa: a state of another run stays as it is' failed_with 2 'belongs to another run'
    judge 'and is not changed' cmp -s state second
    sed -i 's/^lmr_base 600 .*/lmr_base 600 99999/' second
    tune second
    judge 'spsa: a value beyond the limits' failed_with 2 'belongs to another run'
fi
nothing_is_left || echo 'not ok - spsa leaves a temporary file'

# --- Arguments ---------------------------------------------------------------

for command in generate info check convert shuffle wdl; do
    run "$command" --help
    judge "$command --help" printed "Usage: luft-train $command .*"
done
run generate --games 5
judge 'generate without --out' failed_with 2 '--out'
run generate --out x --games 0
judge 'no games' failed_with 2 'expected an integer from 1'
run generate --out x --bad
judge 'an unknown option' failed_with 2 'unknown option'
run convert --out x.rec missing
judge 'games that are not there' failed_with 2 'missing'
run check $'\e[31mred'
judge 'a name that would colour the terminal' grep -Fqx 'luft-train check: \x1b[31mred: No such file or directory' err
run check "$(printf 'long/%.0s' {1..100})"
judge 'a long name: the reason is there all the same' grep -Eqx 'luft-train check: long/[ -~]{1,190}\.\.\.[ -~]*/: No such file or directory' err
for arguments in '--out= games' "--out '' games"; do
    eval "run convert $arguments"
    judge "an empty name: $arguments" failed_with 2 '--out FILE is empty'
done
cp all.rec own.rec
ln -f own.rec other.rec
for out in own.rec ./own.rec other.rec; do
    run shuffle --out $out own.rec
    judge "shuffle does not write what it reads: $out" failed_with 2 "--out: $out is also a file to read"
done
run info --svg own.rec own.rec
judge 'nor does info' failed_with 2 '--svg: own.rec is also a file to read'
run convert --out games/000001.games games
judge 'nor does convert' failed_with 2 '--out: games/000001.games is also a file to read'
judge 'which is as it was' cmp -s own.rec all.rec
run shuffle --out none.rec games/000001.games
judge 'games are not records' failed_with 2 'expected a file of records, got one of games'
run shuffle --out none.rec "$self"
judge 'a script is not records' failed_with 2 'expected a file of records$'
run convert --out none.rec own.rec
judge 'records are not games' says 'own.rec is skipped: expected a file of games, got one of records'
run
judge 'no command' failed_with 2 'expected a command'
run polish
judge 'an unknown command' failed_with 2 'unknown command "polish"'
run --help
judge 'help' printed 'Usage: luft-train COMMAND .*'
run --version
judge 'version' printed 'luft-train [0-9]+\.[0-9]+\.[0-9]+'

finish
