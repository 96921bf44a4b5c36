#!/bin/bash
# SPDX-License-Identifier: MIT
#
# Refuses each allocation and each thread in turn. A run of luft must end as if nothing had failed, or with one clear
# error; it never crashes, leaks, or executes half of a command.
# Argument: the path of the program.
# shellcheck disable=SC2317,SC2154 # functions that are called by name; variables of fault_support.sh
# shellcheck source=tests/cli/support.sh
. "$(dirname "$0")/support.sh"
# shellcheck source=tests/cli/fault_support.sh
. "$(dirname "$0")/fault_support.sh"

# is_command_safe: as if nothing had failed, or one error and no file
is_command_safe() {
    if [ "$status" -eq 0 ]; then
        without_times out | cmp -s - expected && diff -rq -I '^\[Time ' made expected-made >>err && [ ! -s err ]
    else
        is_one_error && [ -z "$(ls made)" ]
    fi
}

# is_play_safe: the same for a game with a user, who sees a message
is_play_safe() {
    is_command_safe || { [ "$status" -eq 0 ] && [ "$(grep -Ec '[Oo]ut of memory|out of threads|could not be saved' out)" -ge 1 ]; }
}

# Goes over the commands in `in` and, beside them, the answers in `out` whose order is certain. A command may be refused;
# what comes after must fit: without a position `d` says so and go answers 0000, and a position is shown that
# was the last one sent, never one before it. Fails where an answer is missing, wrong or too much, or more than `most` were refused.
# shellcheck disable=SC2016 # a program of awk
session_walk='
    function is_next(pattern) { return at < count && answer[at + 1] ~ pattern }
    function need(pattern) { wrong += !is_next(pattern); at++ }
    function need_same(text) { wrong += answer[++at] != text }
    function is_refused(why) {
        if (!is_next("^info string error: (" why ")")) { return 0 }
        at++
        return ++refused
    }
    BEGIN { has_position = 1; no_position = "^info string error: no position" }
    FILENAME == "expected" {
        if (/^Fen: /) { fen[++fens] = $0 }
        if (/^Nodes searched: /) { nodes = $0 }
        next
    }
    FILENAME == "out" {
        if (/^(Fen: |Nodes searched: |bestmove |info string error: |info string perft )/) { answer[++count] = $0 }
        next
    }
    $1 == "position" { has_position = !is_refused("out of memory") }
    $1 == "flip" && !has_position { need(no_position) }
    $1 == "flip" && has_position && is_refused("out of memory") { fen[shown + 1] = fen[shown] }
    $1 == "d" {
        shown++
        if (has_position) { need_same(fen[shown]) } else { need(no_position) }
    }
    $1 == "setoption" { is_refused("option [A-Za-z]+: out of memory") }
    $1 == "bench" { is_refused("cannot start the (bench|search): ") }
    $1 == "go" && $2 == "perft" && !is_refused("cannot start the perft: ") {
        if (is_refused("too many commands wait for perft or bench, or out of memory") && is_next("^info string perft was stopped")) { at++ } else { need_same(nodes) }
    }
    $1 == "go" && $2 != "perft" {
        if (has_position) { is_refused("cannot start the search: ") }
        need(has_position ? "^bestmove [a-h]" : "^bestmove 0000$")
    }
    END { exit wrong || at != count || refused > most || refused == 0 && must_refuse }'

# walk MOST MUST-REFUSE: the answers fit, with at most so many commands refused, and at least one if told so
walk() {
    awk -v most="$1" -v must_refuse="$2" "$session_walk" expected out in
}

# facts FILE: the answers of a session that are the same whatever the threads find, and when
facts() {
    without_times "$1" | sed -E -e '/^(readyok$|info depth |info string searching with )/d' -e 's/^bestmove [a-h].*/bestmove/'
}

# is_session_safe: a session of UCI. It cannot start, or answers all, and the same as ever, or refuses something. That is
# one command, or any number where requests are refused from one on (LUFT_FAIL_ON).
is_session_safe() {
    if [ "$status" -eq 1 ]; then
        [ "$(wc -l <out)" -eq 1 ] && grep -Eqx 'info string error: [ -~]{1,200}' out && [ ! -s err ]
        return
    fi
    [ "$status" -eq 0 ] && [ ! -s err ] && [ "$(grep -c '^readyok$' out)" -eq "$(grep -c '^readyok$' expected)" ] || return
    if grep -q '^info string error: ' out; then
        walk "${LUFT_FAIL_ON:+100}1" 1
    else
        walk 0 0 && cmp -s <(facts out) <(facts expected)
    fi
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
LUFT_FAIL_ON=1 survives MEMORY 'a session of UCI, and it stays so' is_session_safe "$luft"
LUFT_FAIL_ON=1 survives THREAD 'a session of UCI, and it stays so' is_session_safe "$luft"
printf 'go perft 2\nisready\ngo depth 2\n' >in
survives MEMORY 'perft in a session' is_session_safe "$luft"
survives THREAD 'perft in a session' is_session_safe "$luft"
printf 'bench 1\n' >in
survives MEMORY 'bench in a session' is_session_safe "$luft"
survives THREAD 'bench in a session' is_session_safe "$luft"

# started CLOCK: how many threads a search to depth 1 by eight threads asks for, with so many milliseconds on the clock
started() {
    printf 'setoption name Threads value 8\ngo depth 1 wtime %d\n' "$1" >in
    attempt THREAD 0 "$luft"
    asked threads
}
with_time=$(started 60000) without=$(started 30)
judge 'with next to no time one thread searches alone: others would take some of it to start' test $((with_time - without)) -eq 7

# A line that does not fit into memory is refused whole, and so is what may have been in it.
{
    printf 'position startpos moves e2e4'
    for ((i = 0; i < 5000; i++)); do printf ' g8f6 g1f3 f6g8 f3g1'; done
    printf '\nd\ngo depth 1\nposition startpos\nd\ngo depth 1\n'
} >in
survives MEMORY 'a line of 100 kB' is_session_safe "$luft"
# The same behind lines that wait for the end of perft: what was refused comes after them.
{
    printf 'go perft 5\nposition startpos moves d2d4\n'
    cat in
} >waiting
mv waiting in
# is_waiting_safe: two best moves, and never the position that was there before the one that was refused
is_waiting_safe() {
    [ "$status" -eq 1 ] && is_session_safe && return
    [ "$status" -eq 0 ] && [ ! -s err ] && [ "$(grep -c '^bestmove' out)" -eq 2 ] && [ "$(grep -c '^Fen: ' out)" -ge 1 ] &&
        [ "$(grep '^info string error: ' out | grep -vc ': no position')" -le 1 ] && ! grep -q '^Fen: .*/3P4/' out
}
survives MEMORY 'a line of 100 kB that waits' is_waiting_safe "$luft"

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
LUFT_FAIL_ON=1 survives MEMORY 'pgn filter --output, and it stays so' is_command_safe "$luft" \
    pgn filter --quiet --threads 1 --player A -o made/out.pgn games.pgn
survives MEMORY 'pgn dedup' is_command_safe "$luft" pgn dedup --quiet --threads 1 games.pgn
survives MEMORY 'pgn stats' is_command_safe "$luft" pgn stats --quiet --threads 1 games.pgn
survives MEMORY 'epd' is_command_safe "$luft" epd check suite.epd
survives MEMORY 'show' is_command_safe "$luft" show "$kiwipete"
survives MEMORY 'analyse' is_command_safe "$luft" analyse --nodes 500 "$kiwipete"
survives THREAD 'analyse' is_command_safe "$luft" analyse --nodes 500 "$kiwipete"
survives MEMORY 'analyse --pgn' is_command_safe "$luft" analyse --nodes 50 --pgn games.pgn -o made/out.pgn
survives MEMORY 'analyse --epd' is_command_safe "$luft" analyse --nodes 50 --epd suite.epd
survives MEMORY 'bench' is_command_safe "$luft" bench 1
survives THREAD 'bench' is_command_safe "$luft" bench 1
printf 'e4\nsave made/game.pgn\nquit\n' >in
survives MEMORY 'play' is_play_safe "$luft" play --nodes 100
printf '[White "A"]\n[Black "Luft"]\n\n1. e4 {a comment} e5 (1... c5) *\n' >resumed.pgn
printf 'd4\nquit\n' >in
survives MEMORY 'play --resume' is_play_safe "$luft" play --nodes 100 --resume resumed.pgn --pgn made/game.pgn

finish
