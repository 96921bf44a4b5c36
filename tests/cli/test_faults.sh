#!/bin/bash
# SPDX-License-Identifier: MIT
#
# What the system refuses: each allocation in turn, and each thread. A run must end as if nothing had been, or with one
# clear error; it never crashes, leaks, or goes on with half of what it was told. Preloads
# tests/faults/failing.c. Argument: the path of the program luft; luft-train lies beside it.
# shellcheck disable=SC2317 # functions that are called by name
# shellcheck source=tests/cli/support.sh
. "$(dirname "$0")/support.sh"

root=$(cd "$(dirname "$0")/../.." && pwd)
luft_train=$(dirname "$luft")/luft-train
shim=$work/failing.so
if ! "${CC:-cc}" -std=c17 -O1 -Wall -Wextra -shared -fPIC -o "$shim" "$root/tests/faults/failing.c" -ldl 2>"$work/err" ||
    [ "$(LD_PRELOAD=$shim "$luft" --version 2>&1 | head -c 4)" != "$("$luft" --version | head -c 4)" ]; then
    echo 'ok - skipped: nothing can be preloaded into this program here'
    exit 0
fi
cd "$work" || exit 1

# attempt KIND NUMBER COMMAND...: runs it with that request for memory or a thread refused, input from the file `in`
attempt() {
    local kind=$1 number=$2
    shift 2
    status=0
    rm -f report
    timeout 60 env LD_PRELOAD="$shim" "LUFT_FAIL_$kind=$number" LUFT_FAIL_REPORT="$work/report" "$@" <in >out 2>err || status=$?
}

# asked WORD: the number behind it in the report
asked() {
    sed -n "s/.*$1 \(-\{0,1\}[0-9]*\).*/\1/p" report
}

# without_times FILE: what two runs that do the same have in common
without_times() {
    sed -E -e '/^(Time|Threads|Searched):/d; s/ nps [0-9]+//; s/ time [0-9]+//; s/ hashfull [0-9]+//' -e 's/[0-9.]+ s$//' "$1"
}

# is_one_error: no crash, and one line on standard error that says what was wrong
is_one_error() {
    [ "$status" -ge 1 ] && [ "$status" -le 2 ] && [ "$(wc -l <err)" -eq 1 ] && grep -Eqx 'luft(-train)?( [a-z-]+)*: [ -~]{1,200}' err
}

# is_command_safe: as if nothing had been, or one error and no file
is_command_safe() {
    if [ "$status" -eq 0 ]; then
        without_times out | cmp -s - expected && diff -rq -I '^\[Time ' made expected-made >>err && [ ! -s err ]
    else
        is_one_error && [ -z "$(ls made)" ]
    fi
}

# is_play_safe: the same for a game with a person, who is told of it
is_play_safe() {
    is_command_safe || { [ "$status" -eq 0 ] && [ "$(grep -Ec 'no memory left|no thread to think with|could not be saved' out)" -eq 1 ]; }
}

# is_session_safe: a session of UCI. It cannot start, or answers all: one best move for each go, and one error at most, beside
# those of commands that need the position that was refused. The position is one that was sent, or nothing is searched.
is_session_safe() {
    if [ "$status" -eq 1 ]; then
        [ "$(wc -l <out)" -eq 1 ] && grep -Eqx 'info string error: [ -~]{1,200}' out && [ ! -s err ]
        return
    fi
    [ "$status" -eq 0 ] && [ ! -s err ] && [ "$(grep -c '^bestmove' out)" -eq "$(grep -c '^bestmove' expected)" ] &&
        [ "$(grep -c '^readyok' out)" -eq "$(grep -c '^readyok' expected)" ] &&
        ! grep '^Fen: ' out | grep -Fqvxf expected &&
        [ "$(grep '^info string error: ' out | grep -vc ': no position')" -le 1 ] &&
        if grep -q '^bestmove 0000' out; then grep -q '^info string error: ' out; fi
}

# survives KIND NAME CHECK COMMAND...: refuses each request of that kind in turn. What the command makes goes into a
# folder `made`, which is empty at the start of each run. Of very many not all are tried, unless LUFT_TEST_LONG is 1.
survives() {
    local kind=$1 name=$2 check=$3 word=allocations count left number bad=0
    shift 3
    [ "$kind" = MEMORY ] || word=threads
    rm -rf made && mkdir made
    attempt "$kind" 0 "$@"
    without_times out >expected
    rm -rf expected-made && cp -r made expected-made
    count=$(asked "$word") left=$(asked left)
    if [ "$status" -ne 0 ] || [ "${count:-0}" -lt 1 ]; then
        show_run
        report "$name: runs, and asks for $word" 1
        return
    fi
    for ((number = 1; number <= count; number += number < 100 || ${LUFT_TEST_LONG:-0} ? 1 : 7)); do
        rm -rf made && mkdir made
        attempt "$kind" "$number" "$@"
        if ! "$check" || [ "$(asked left)" -gt "$left" ]; then
            echo "# ${kind,,} $number of $count: $(asked left) blocks are left, $left are usual"
            show_run
            bad=$((bad + 1))
            [ "$bad" -lt 5 ] || break
        fi
    done
    report "$name: each of $count $word refused in turn" "$bad"
}

# --- The engine ---------------------------------------------------------------------------

cat >session <<'END'
uci
setoption name Hash value 4
setoption name Threads value 3
isready
position startpos moves e2e4 e7e5 g1f3
d
go depth 5
isready
position fen r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1 moves e1g1
d
go nodes 300
flip
d
ucinewgame
setoption name EvalFile value <empty>
go nodes 100
END
cp session in
survives MEMORY 'a session of UCI' is_session_safe "$luft"
survives THREAD 'a session of UCI' is_session_safe "$luft"
printf 'go perft 2\nisready\ngo depth 2\n' >in
survives MEMORY 'perft in a session' is_session_safe "$luft"
survives THREAD 'perft in a session' is_session_safe "$luft"
printf 'bench 1\n' >in
survives THREAD 'bench in a session' is_session_safe "$luft"

# A line for which there is no memory is refused whole, and so is what may have been in it.
{
    printf 'position startpos moves e2e4'
    for ((i = 0; i < 5000; i++)); do printf ' g8f6 g1f3 f6g8 f3g1'; done
    printf '\nd\ngo depth 1\nposition startpos\nd\ngo depth 1\n'
} >in
survives MEMORY 'a line of 100 kB' is_session_safe "$luft"

# --- Commands -----------------------------------------------------------------------------

: >in
cat >games.pgn <<'END'
[Event "one"]
[Site "?"]
[Date "2026.11.16"]
[Round "1"]
[White "A"]
[Black "B"]
[Result "1-0"]

1. e4 e5 2. Bc4 {a comment} Nc6 (2... Nf6 3. d3 (3. d4 exd4)) 3. Qh5 $6 Nf6 4. Qxf7# 1-0

[Event "two"]
[White "C"]
[Black "D"]
[Result "1/2-1/2"]

1. d4 d5 1/2-1/2
END
printf '%s bm e4; id "one";\n%s am a4;\n' "${startpos% 0 1}" "${kiwipete% 0 1}" >suite.epd
survives MEMORY 'perft' is_command_safe "$luft" perft 3
survives MEMORY 'perft --hash --threads' is_command_safe "$luft" perft 4 --hash 8 --threads 2
survives THREAD 'perft --threads' is_command_safe "$luft" perft 4 --threads 3
survives MEMORY 'pgn check' is_command_safe "$luft" pgn check --quiet --threads 2 games.pgn
survives THREAD 'pgn check' is_command_safe "$luft" pgn check --quiet --threads 3 games.pgn
survives MEMORY 'pgn convert' is_command_safe "$luft" pgn convert --quiet --threads 1 games.pgn
survives MEMORY 'pgn filter --output' is_command_safe "$luft" pgn filter --quiet --threads 1 --player A -o made/out.pgn games.pgn
survives MEMORY 'pgn dedup' is_command_safe "$luft" pgn dedup --quiet --threads 1 games.pgn
survives MEMORY 'pgn stats' is_command_safe "$luft" pgn stats --quiet --threads 1 games.pgn
survives MEMORY 'epd' is_command_safe "$luft" epd check suite.epd
survives MEMORY 'show' is_command_safe "$luft" show "$kiwipete"
survives MEMORY 'analyse' is_command_safe "$luft" analyse --nodes 500 "$kiwipete"
survives THREAD 'analyse' is_command_safe "$luft" analyse --nodes 500 "$kiwipete"
survives MEMORY 'analyse --pgn' is_command_safe "$luft" analyse --nodes 50 --pgn games.pgn -o made/out.pgn
survives MEMORY 'analyse --epd' is_command_safe "$luft" analyse --nodes 50 --epd suite.epd
printf 'e4\nsave made/game.pgn\nquit\n' >in
survives MEMORY 'play' is_play_safe "$luft" play --nodes 100

# --- The trainer --------------------------------------------------------------------------

# is_training_safe: the same files, or one error and nothing that is half written
is_training_safe() {
    if [ "$status" -eq 0 ]; then
        diff -rq -x '*log' made expected-made >out && ! grep -q '^luft-train.*memory' err
    else
        [ "$status" -le 2 ] && [ "$(grep -c '^luft-train' err)" -eq 1 ] && [ -z "$(find made -name '*.part' -o -name '*bucket*')" ]
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

: >in
if [ ! -x "$luft_train" ]; then
    echo 'ok - skipped: luft-train is not built'
    finish
fi
"$luft_train" generate --out games --games 30 --nodes 10 --threads 1 --seed 3 2>err &&
    "$luft_train" convert --out all.rec games >out 2>err && "$luft_train" train --out net --hidden 16 --epochs 1 --batch 64 --threads 1 all.rec >out 2>err
report 'data to train with' $?
survives MEMORY 'luft-train generate' is_training_safe "$luft_train" generate --out made/games --games 1 --nodes 5 --threads 1 --seed 3
survives THREAD 'luft-train generate' is_generation_safe "$luft_train" generate --out made/games --games 2 --nodes 20 --threads 2 --seed 3
survives MEMORY 'luft-train convert' is_training_safe "$luft_train" convert --out made/all.rec --dedup games
survives MEMORY 'luft-train shuffle' is_training_safe "$luft_train" shuffle --out made/data.rec --seed 5 all.rec
survives MEMORY 'luft-train train' is_training_safe "$luft_train" train --out made/net --hidden 16 --epochs 1 --batch 64 --threads 2 --seed 9 all.rec
survives THREAD 'luft-train train' is_training_safe "$luft_train" train --out made/net --hidden 16 --epochs 1 --batch 64 --threads 2 --seed 9 all.rec
survives MEMORY 'luft-train quantise' is_training_safe "$luft_train" quantise --out made/net.luft net.checkpoint all.rec
survives MEMORY 'luft-train info' is_training_safe "$luft_train" info games all.rec
survives MEMORY 'luft-train check' is_training_safe "$luft_train" check games all.rec

finish
