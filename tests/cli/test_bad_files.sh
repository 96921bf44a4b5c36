#!/bin/bash
# SPDX-License-Identifier: MIT
#
# Files that are not what they should be, wherever one is read: cut off, with a bit flipped, empty, a directory, a pipe
# that nobody writes into, a device without an end. Each is answered with an error, soon, and what was in
# force stays. And outputs that cannot be written: closed, full, too large; nothing that was there is lost.
# Argument: the path of the program luft; luft-train lies beside it.
# shellcheck source=tests/cli/support.sh
. "$(dirname "$0")/support.sh"
# shellcheck source=tests/cli/uci_support.sh
. "$(dirname "$0")/uci_support.sh"

luft_train=$(dirname "$luft")/luft-train
cd "$work" || exit 1

# --- What can be wrong with a file ----------------------------------------------------------

# spoil FILE: makes bad/ with what can be wrong with it; a flipped bit only where every bit counts
spoil() {
    local size
    size=$(wc -c <"$1")
    rm -rf bad && mkdir bad bad/directory
    : >bad/empty
    mkfifo bad/pipe
    ln -s /dev/zero bad/zero
    ln -s nowhere bad/missing
    head -c $((size / 2)) "$1" >bad/half
    head -c $((size - 1)) "$1" >bad/short
    head -c 7 "$1" >bad/stub
    cat "$1" "$1" >bad/double
    flip "$1" bad/flipped $((size / 2))
    flip "$1" bad/flipped-head 9
}

# flip FROM TO PLACE: a copy with one byte changed
flip() {
    cp "$1" "$2"
    printf '%b' "\\$(printf '%03o' $(($(od -An -tu1 -j "$3" -N 1 "$1") ^ 16)))" | dd of="$2" bs=1 seek="$3" conv=notrunc 2>/dev/null
}

# refused NAME COMMAND...: ends within 20 seconds with status 1 or 2 and an error line
refused() {
    local name=$1
    shift
    status=0
    timeout 20 "$@" >out 2>err </dev/null || status=$?
    judge "refused: $name" test "$status" -ge 1 -a "$status" -le 2 -a "$(grep -Ec '^luft(-train)?( [a-z]+)*: [ -~]+$' err)" -ge 1
}

# faulty NAME COMMAND...: a file is looked at and found faulty
faulty() {
    local name=$1
    shift
    status=0
    timeout 20 "$@" >out 2>err </dev/null || status=$?
    judge "faulty: $name" test "$status" -ge 1 -a "$status" -le 2 -a "$(grep -Ec 'errors=1$|^luft-train check: ' out err | cut -d : -f 2 | paste -sd +)" != 0+0
}

# lives NAME COMMAND...: the text may well be one that can be read: no signal, and it ends
lives() {
    local name=$1
    shift
    status=0
    timeout 20 "$@" >out 2>err </dev/null || status=$?
    judge "no harm: $name" test "$status" -le 2
}

# --- A network ------------------------------------------------------------------------------

cat >games.pgn <<'END'
[Event "one"]
[White "A"]
[Black "B"]
[Result "1-0"]

1. e4 e5 2. Bc4 {a comment} Nc6 (2... Nf6 3. d3) 3. Qh5 $6 Nf6 4. Qxf7# 1-0

[Event "two"]
[White "C"]
[Black "D"]
[Result "*"]

1. d4 d5 *
END
printf '%s bm e4; id "one";\n%s am a4;\n' "${startpos% 0 1}" "${kiwipete% 0 1}" >suite.epd
"$luft_train" generate --out games --games 30 --nodes 10 --threads 1 --seed 3 2>err &&
    "$luft_train" convert --out all.rec games >out 2>err &&
    "$luft_train" train --out net --hidden 16 --epochs 1 --batch 64 --threads 1 all.rec >out 2>err &&
    "$luft_train" quantise --out net.luft net.checkpoint >out 2>err
report 'games, records, a checkpoint and a network' $?

spoil net.luft
: >out
session
tell "setoption name EvalFile value $work/net.luft"
tell eval
for file in bad/*; do
    tell "setoption name EvalFile value $work/$file"
    judge "a network that is $file: refused" hear 5 'info string error: EvalFile: .*'
    tell isready
    judge "a network that is $file: the session goes on" hear 5 'readyok'
done
tell eval
tell 'go depth 2'
judge 'bad networks: there is still a move' hear 5 'bestmove .*'
leave
judge 'bad networks: what was in force stays' test "$(grep -c '^evaluation: ' out)" -eq 2 -a "$(grep '^evaluation: ' out | sort -u | wc -l)" -eq 1

# --- Text -----------------------------------------------------------------------------------

mkfifo resumed # a game can come from a pipe, but is not saved into it
spoil games.pgn
rm bad/pipe # a pipe is read as any stream is
for file in bad/directory bad/zero bad/missing; do
    refused "pgn check $file" "$luft" pgn check --quiet "$file"
    refused "pgn filter $file" "$luft" pgn filter --quiet "$file"
    refused "analyse --pgn $file" "$luft" analyse --nodes 1 --pgn "$file"
    refused "epd check $file" "$luft" epd check "$file"
    refused "analyse --epd $file" "$luft" analyse --nodes 1 --epd "$file"
    refused "perft --suite $file" "$luft" perft --suite "$file"
    refused "play --resume $file" "$luft" play --nodes 1 --resume "$file"
done
for file in bad/empty bad/half bad/short bad/stub bad/double bad/flipped bad/flipped-head; do
    lives "pgn check $file" "$luft" pgn check --quiet "$file"
    lives "analyse --pgn $file" "$luft" analyse --nodes 1 --pgn "$file"
    lives "play --resume $file" "$luft" play --nodes 1 --resume "$file"
done
spoil suite.epd
for file in bad/empty bad/half bad/short bad/stub bad/double bad/flipped bad/flipped-head; do
    lives "epd check $file" "$luft" epd check "$file"
    lives "analyse --epd $file" "$luft" analyse --nodes 1 --epd "$file"
    lives "perft --suite $file" "$luft" perft --suite "$file"
done
cp games.pgn kept.pgn
cat games.pgn >resumed &
lives 'play --resume from a pipe' "$luft" play --nodes 1 --resume resumed
wait
printf 'e4\n' | timeout 20 "$luft" play --nodes 1 --resume games.pgn >out 2>err
judge 'a game that is resumed is still in its file' grep -q '^1. d4 d5 2. e4' games.pgn
judge 'and so is the one before' test "$(head -n 7 games.pgn)" = "$(head -n 7 kept.pgn)"
cp kept.pgn games.pgn

# --- Training data --------------------------------------------------------------------------

shard=$(find games -name '*.games' | head -n 1)
spoil "$shard"
for file in bad/*; do
    faulty "luft-train check: games: $file" "$luft_train" check "$file"
    lives "luft-train convert: $file" "$luft_train" convert --out none.rec "$file" # a bad shard among many is skipped
    judge "luft-train convert: $file: it says so" grep -Eq 'skipped: |: ' err
done
spoil all.rec
flip all.rec bad/flipped-score $((64 + 24)) # a record that could be
for file in bad/*; do
    faulty "luft-train check: records: $file" "$luft_train" check "$file"
    refused "luft-train shuffle: $file" "$luft_train" shuffle --out made.rec --seed 1 "$file"
    refused "luft-train train: $file" "$luft_train" train --out made --hidden 16 --epochs 1 --batch 64 --threads 1 "$file"
done
spoil net.checkpoint
for file in bad/*; do
    refused "luft-train quantise: $file" "$luft_train" quantise --out made.luft "$file"
done
for file in bad/directory bad/pipe bad/zero bad/half bad/flipped; do
    rm -rf made.checkpoint
    cp -r -P "$file" made.checkpoint
    case $file in bad/pipe) rm -f made.checkpoint && mkfifo made.checkpoint ;; esac
    refused "luft-train train goes on from $file" "$luft_train" train --out made --hidden 16 --epochs 1 --batch 64 --threads 1 all.rec
done
for file in bad/directory bad/zero bad/empty; do
    refused "luft-train generate --book $file" "$luft_train" generate --out made --games 1 --nodes 1 --book "$file"
done
judge 'nothing is made of what was refused' test ! -e made.rec -a ! -e made.luft

# --- Standard input and output --------------------------------------------------------------

for command in 'perft 2' 'show' 'analyse --nodes 1' 'pgn check --quiet games.pgn' 'epd check suite.epd' 'bench 1' '--version' '--help'; do
    # shellcheck disable=SC2086 # words
    for where in '&-' /dev/full; do
        status=0
        case $where in
        '&-') timeout 20 "$luft" $command </dev/null >&- 2>err || status=$? ;;
        *) timeout 20 "$luft" $command </dev/null >"$where" 2>err || status=$? ;;
        esac
        judge "luft $command >$where: one error" test "$status" -eq 1 -a "$(wc -l <err)" -eq 1
    done
    # shellcheck disable=SC2086
    status=$({ timeout 20 "$luft" $command </dev/null 2>err || echo $? >&3; } 3>&1 | true)
    judge "luft $command | true: no signal" test "${status:-0}" -le 1
done
# In every state of a session: waiting, searching, pondering, counting.
for state in '' 'go depth 3' 'go infinite' 'go ponder wtime 100 btime 100' 'go perft 5' 'bench 3' 'position fen' 'setoption name Threads value 4\ngo movetime 50'; do
    status=0
    printf '%b\n' "$state" | timeout 30 "$luft" >out 2>err || status=$?
    judge "the end of the input after '$state'" test "$status" -eq 0
    status=0
    printf '%b\n' "$state" | timeout 30 "$luft" >&- 2>err || status=$?
    judge "output closed, '$state'" test "$status" -le 1
    status=0
    printf '%b\n' "$state" | timeout 30 "$luft" >/dev/full 2>err || status=$?
    judge "output full, '$state'" test "$status" -le 1
    status=$({ printf '%b\n' "$state" | { timeout 30 "$luft" 2>err || echo $? >&3; }; } 3>&1 | true)
    judge "nobody reads, '$state'" test "${status:-0}" -le 1
done
status=0
timeout 20 "$luft" <&- >out 2>err || status=$?
judge 'no standard input' test "$status" -eq 0 -a ! -s out

# --- A full disk ----------------------------------------------------------------------------

# small COMMAND...: in a shell that lets no file grow beyond a kilobyte; luft makes an error of the signal
small() {
    status=0
    (ulimit -f 1 && exec timeout 20 "$@") >"$work/out" 2>"$work/err" </dev/null || status=$?
}

# is_one_error: status 1, nothing printed, and one line that tells why
# shellcheck disable=SC2317 # called by judge
is_one_error() {
    [ "$status" -eq 1 ] && [ ! -s "$work/out" ] && [ "$(wc -l <"$work/err")" -eq 1 ] && grep -Eqx 'luft( [a-z]+)*: [ -~]{1,200}' "$work/err"
}

# A file of the same name is there before: it must stay. `rest` lists the folder, to see that nothing else is left.
mkdir full && cd full || exit 1
for _ in {1..40}; do cat ../games.pgn; done >many.pgn
printf 'precious\n' >target
rest=$(ls)
for command in 'pgn convert' 'pgn filter' 'pgn convert --to uci'; do
    # shellcheck disable=SC2086
    small "$luft" $command --quiet -o target many.pgn
    judge "luft $command on a full disk: one error" is_one_error
    judge "luft $command on a full disk: nothing is lost" test "$(cat target)" = precious -a "$(ls)" = "$rest"
done
small "$luft" analyse --nodes 1 --pgn many.pgn -o many.pgn
judge 'luft analyse on a full disk: an error' test "$status" -eq 1
judge 'luft analyse on a full disk: the games are still there' test "$(grep -c '^\[Event' many.pgn)" -eq 80 -a "$(ls)" = "$rest"
printf 'e4\nsave many.pgn\nquit\n' >../moves
cp many.pgn ../many.pgn
(ulimit -f 5 && exec timeout 20 "$luft" play --nodes 1) <../moves >../out 2>../err
judge 'a game that cannot be saved: it says so' grep -q '^The game could not be saved in many.pgn' ../out
judge 'a game that cannot be saved: the others are still there' cmp -s many.pgn ../many.pgn
rm -f luft-*.pgn

mkdir games
cp ../all.rec ../net.checkpoint .
small "$luft_train" generate --out games --games 12 --nodes 40 --threads 1 --seed 3
judge 'luft-train generate on a full disk: no half shard' test "$status" -ne 0 -a -z "$(find games -name '*.games' -o -name '*.part')"
for command in 'convert --out all.rec ../games' 'shuffle --out all.rec ../all.rec' 'quantise --out all.rec net.checkpoint'; do
    # shellcheck disable=SC2086
    small "$luft_train" $command
    judge "luft-train $command on a full disk: an error" test "$status" -eq 1 -a "$(grep -c '^luft-train' ../err)" -eq 1
    judge "luft-train $command on a full disk: nothing is lost" cmp -s all.rec ../all.rec
done
cp ../net.* .
small "$luft_train" train --out net --hidden 16 --epochs 2 --batch 64 --threads 1 all.rec
judge 'luft-train train on a full disk: the checkpoint is still there' cmp -s net.checkpoint ../net.checkpoint
rm -f net.*
judge 'nothing is left behind' test -z "$(find . -name '*.part' -o -name '*.bucket*' -o -name '*.??????')"

finish
