#!/bin/bash
# SPDX-License-Identifier: MIT
#
# The same as test_faults.sh for luft-train: every step from games to a network, with each allocation and thread refused
# in turn. Argument: the path of the program luft; luft-train must be beside it.
# shellcheck disable=SC2317,SC2154 # functions that are called by name; variables of fault_support.sh
# shellcheck source=tests/cli/support.sh
. "$(dirname "$0")/support.sh"
luft_train=$(dirname "$luft")/luft-train
if [ ! -x "$luft_train" ]; then
    skip 'luft-train' 'luft-train is not beside the program'
    finish
fi
# shellcheck source=tests/cli/fault_support.sh
. "$(dirname "$0")/fault_support.sh"

# is_training_safe: the same files, or one error and nothing that is half written
is_training_safe() {
    if [ "$status" -eq 0 ]; then
        # A plot that cannot be written does not end the run; one line reports it.
        told=$(grep -c '^luft-train' err)
        diff -rq -x '*log' -x '*.svg' made expected-made >out && [ "$told" -le 1 ] &&
            [ "$(diff -rq -x '*log' made expected-made | wc -l)" -le "$told" ]
    else
        [ "$status" -le 2 ] && [ "$(cat out err | grep -c "^luft-train\|memory")" -eq 1 ] && [ -z "$(find made -name '*.??????')" ]
    fi
}

# is_generation_safe: with fewer threads there are other games, but good ones
is_generation_safe() {
    if [ "$status" -eq 0 ]; then
        "$luft_train" check made/games >out
    else
        is_training_safe
    fi
}

# is_memory_blamed: the same files, or one error that does not call a good file damaged
is_memory_blamed() {
    is_training_safe && ! grep -q damaged err
}

# is_nothing_played: the games that are there are counted, all of them, or it is an error
is_nothing_played() {
    [ "$(ls enough)" = "$(printf '%s\n' 000001.games 000002.games log)" ] && is_training_safe && ! grep -q skipped err
}

# is_told: the same output, or one error
is_told() {
    if [ "$status" -eq 0 ]; then
        without_times out | cmp -s - expected && [ ! -s err ]
    else
        is_training_safe
    fi
}

: >in
"$luft_train" generate --out games --games 30 --nodes 10 --threads 1 --seed 3 2>err &&
    "$luft_train" convert --out all.rec games >out 2>err && "$luft_train" train --out net --hidden 16 --epochs 1 --batch 64 --threads 1 all.rec >out 2>err
report 'data to train with' $?
survives MEMORY 'luft-train generate' is_training_safe "$luft_train" generate --out made/games --games 1 --nodes 5 --threads 1 --seed 3
survives THREAD 'luft-train generate' is_generation_safe "$luft_train" generate --out made/games --games 2 --nodes 20 --threads 2 --seed 3
attempt THREAD 3 "$luft_train" generate --out fewer --games 2 --nodes 20 --threads 2 --seed 3
judge 'luft-train generate: fewer threads are reported' test "$status" -eq 0 -a "$(grep -c '^luft-train generate: cannot start more than 1 of 2 threads' err)" -eq 1 -a \
    "$(grep -c ' 1 of 2 threads' fewer/log)" -eq 1
"$luft_train" generate --out enough --games 4 --nodes 5 --threads 1 --shard-games 2 2>err
survives MEMORY 'luft-train generate, all is there' is_nothing_played "$luft_train" generate --out enough --games 4 --nodes 5 --threads 1
survives MEMORY 'luft-train convert' is_training_safe "$luft_train" convert --out made/all.rec --dedup games
survives MEMORY 'luft-train shuffle' is_training_safe "$luft_train" shuffle --out made/data.rec --seed 5 all.rec
survives MEMORY 'luft-train train' is_training_safe "$luft_train" train --out made/net --hidden 16 --epochs 1 --batch 64 --threads 2 --seed 9 all.rec
survives THREAD 'luft-train train' is_training_safe "$luft_train" train --out made/net --hidden 16 --epochs 1 --batch 64 --threads 2 --seed 9 all.rec
survives MEMORY 'luft-train quantise' is_memory_blamed "$luft_train" quantise --out made/net.luft net.checkpoint all.rec
survives MEMORY 'luft-train info' is_told "$luft_train" info games all.rec
survives MEMORY 'luft-train check' is_told "$luft_train" check games all.rec
survives MEMORY 'luft-train wdl' is_told "$luft_train" wdl all.rec

finish
