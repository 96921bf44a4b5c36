#!/bin/bash
# SPDX-License-Identifier: MIT
#
# The whole way of a network in miniature, from an empty folder, as docs/network.md has it: generate, check, convert, shuffle,
# train, quantise, and an engine that evaluates by it. With one thread all of it, done twice, gives the same bytes, also when
# the training is cut in two. Argument: the path of the program luft; luft-train lies beside it.
# shellcheck source=tests/cli/support.sh
. "$(dirname "$0")/support.sh"

program=$luft
luft=$(dirname "$luft")/luft-train
if [ ! -x "$luft" ]; then
    echo 'not ok - luft-train is not built'
    exit 1
fi
cd "$work" || exit 1

# failed_with STATUS TEXT: that status, one line on standard error, with this in it
# shellcheck disable=SC2317 # called by judge
failed_with() {
    [ "$status" -eq "$1" ] && [ "$(wc -l <err)" -eq 1 ] && grep -qF -- "$2" err
}

# differ FILE FILE
# shellcheck disable=SC2317 # called by judge
differ() {
    ! cmp -s "$1" "$2"
}

# --- From nothing to a network ---------------------------------------------------------

# prepare PREFIX: games and shuffled records of them
prepare() {
    run generate --out "$1games" --positions 11000 --nodes 40 --threads 1 --seed 5
    judge "${1}generate" test "$status" -eq 0
    run check "$1games"
    judge "${1}check" test "$status" -eq 0
    run convert --out "$1all.rec" --dedup "$1games"
    judge "${1}convert" test "$status" -eq 0
    run shuffle --out "$1data.rec" --seed 5 "$1all.rec"
    judge "${1}shuffle" test "$status" -eq 0
}

# train NAME OPTIONS...: a small network, with one thread
train() {
    run train --out "$1" --hidden 16 --epochs 12 --batch 512 --rate 0.01 --threads 1 --seed 9 "${@:2}" "${data:-data.rec}"
}

prepare ''
judge '10,000 positions' test "$(wc -c <data.rec)" -ge $((64 + 32 * 10000))
train one
judge 'train' ended_well
judge 'a log, a picture and a checkpoint' test -s one.log -a -s one.svg -a -s one.checkpoint
judge 'the log says what was printed' cmp -s out one.log
judge 'the picture is whole' grep -q '^</svg>$' one.svg
# shellcheck disable=SC2016 # the fields are awk's
judge 'the error falls, so small a network and so little data as they are' awk '
    sub(/^batch .*: error /, "") && sub(/,.*/, "") { if (!first) first = $1; last = $1 }
    END { exit !(first > 0 && last < first / 3) }' one.log
run quantise --out one.luft one.checkpoint data.rec
judge 'quantise' ended_well
# shellcheck disable=SC2016
judge 'rounding costs little' awk '/trained network/ { a = $NF } /quantised network/ { b = $NF }
    END { exit !(a > 0 && b > 0 && b < a * 1.02) }' out
judge 'the network says how it was trained' grep -aq '^buckets 1$' one.luft

# --- The same again -------------------------------------------------------------------------

prepare again-
data=again-data.rec train two
judge 'the same seeds give the same checkpoint' cmp -s one.checkpoint two.checkpoint
run quantise --out two.luft two.checkpoint
judge 'and the same network, from an empty folder' cmp -s one.luft two.luft
run quantise --out all.luft two.checkpoint all.rec
judge 'other data than it learned from are reported' printed 'the network learned from other data, .*'
run quantise --out noted.luft --note "$(printf '%5000s' note)" two.checkpoint
judge 'a long note is kept, and all that follows' test "$(strings -n 1 noted.luft | grep -c '^point ')" -eq "$(strings -n 1 two.luft | grep -c '^point ')"
train three --stop 100
judge 'a training that is cut off' differ one.checkpoint three.checkpoint
train three --stop 50
train three
judge 'continues as if nothing had happened' cmp -s one.checkpoint three.checkpoint
judge 'and draws the same picture' cmp -s one.svg three.svg
for seed in 9 10; do
    run train --out four$seed --hidden 16 --epochs 12 --batch 512 --rate 0.01 --threads 1 --seed $seed --stop 3 data.rec
    run quantise --out four$seed.luft four$seed.checkpoint
    tail -c 20000 four$seed.luft >four$seed.weights
done
judge 'another seed gives another' differ four9.weights four10.weights
run train --out unshuffled --hidden 16 --epochs 1 --threads 1 all.rec
judge 'data in the order of games are reported' printed 'all.rec is not shuffled.*'
"$luft" train --out six --hidden 16 --epochs 100000 --threads 1 data.rec >six.out 2>six.err &
pid=$!
for _ in $(seq 200); do
    grep -q 'positions to learn from' six.out && break
    sleep 0.1
done
run train --out six --hidden 16 --epochs 100000 --threads 1 data.rec
judge 'two that train the same network' failed_with 2 'another process'
kill -9 "$pid"
wait "$pid" 2>/dev/null
run train --out five --hidden 32 --buckets 8 --king-buckets 4 --mirror --epochs 4 --batch 512 --rate 0.01 --threads 2 data.rec
run quantise --out five.luft five.checkpoint
judge 'buckets, mirroring and two threads' test "$status" -eq 0 -a -s five.luft

# --- The engine ------------------------------------------------------------------------------

# uci LINES
uci() {
    printf '%b' "$1" | timeout 60 "$program" >out 2>err
}

for net in one five; do
    uci "position startpos\neval\nsetoption name EvalFile value $work/$net.luft\neval\nposition fen 1nb1kbn1/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQ - 0 1\neval\n"
    judge "$net: the engine loads it" test "$(grep '^evaluation' out | sed -n '1p;2p' | uniq | wc -l)" -eq 2
    judge "$net: and asks it" test "$(grep '^evaluation' out | sed -n '2p;3p' | uniq | wc -l)" -eq 2
done
uci "setoption name EvalFile value $work/one.luft\nposition fen rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR b - - 0 1\neval\nposition fen rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNB1KBNR b - - 0 1\neval\n"
# shellcheck disable=SC2317 # called by judge
queen_adds() {
    awk '/^evaluation/ {value[++count] = $2}
        /RNBQKBNR|R   \|   N   \|   B   \|   Q/ {getline; split($0, squares, "|"); queen = squares[5]}
        END {difference = value[1] - value[2] - queen; exit !(count == 2 && queen != 0 && difference < 0.011 && difference > -0.011)}' out
}
judge 'below a piece is what it adds' queen_adds
head -c 5000 one.luft >cut.luft
cp one.luft bad.luft
printf 'x' | dd of=bad.luft bs=1 seek=9000 conv=notrunc 2>/dev/null
uci "eval\nsetoption name EvalFile value $work/one.luft\neval\nsetoption name EvalFile value $work/cut.luft\nsetoption name EvalFile value $work/bad.luft\neval\nsetoption name EvalFile value <empty>\neval\n"
judge 'damaged networks are refused' test "$(grep -c '^info string error: option EvalFile: the network is' out)" -eq 2
judge 'what was in force stays' test "$(grep '^evaluation' out | sed -n '2p;3p' | uniq | wc -l)" -eq 1
# shellcheck disable=SC2016
judge 'and empty goes back' test "$(grep '^evaluation' out | sed -n '1p;$p' | uniq | wc -l)" -eq 1

# --- What is wrong ------------------------------------------------------------------------------

run train --out one --hidden 32 data.rec
judge 'a checkpoint of another training is not overwritten' failed_with 2 'another training'
printf 'x' | dd of=two.checkpoint bs=1 seek=3000 conv=notrunc 2>/dev/null
train two
judge 'a damaged checkpoint is refused' failed_with 2 'damaged'
run quantise --out none.luft two.checkpoint
judge 'by quantise too' failed_with 2 'damaged'
cp one.checkpoint kept.checkpoint
run quantise --out one.checkpoint one.checkpoint
judge 'quantise does not write what it reads' failed_with 2 '--out: one.checkpoint is also a file to read'
judge 'which is as it was' cmp -s one.checkpoint kept.checkpoint
run quantise --out none.luft missing.checkpoint
judge 'and one that is not there' failed_with 2 'no such file'
run train --out none missing.rec
judge 'data that are not there' failed_with 2 'missing.rec'
run train --out none
judge 'no data' failed_with 2 'no file to read'
run train --out none --hidden 20 data.rec
judge 'an impossible width' failed_with 2 'multiple of 16'
run train --out none --lambda 1.5 data.rec
judge 'an impossible share' failed_with 2 '--lambda'
judge 'nothing is left behind' test -z "$(find . -name 'none*' -o -name '*.??????')"
for command in train quantise; do
    run "$command" --help
    judge "$command --help" printed "Usage: luft-train $command .*"
done

finish
