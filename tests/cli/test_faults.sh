#!/bin/bash
# SPDX-License-Identifier: MIT
#
# What the system refuses: each allocation in turn, and each thread. A run of luft must end as if nothing had been, or with
# one clear error; it never crashes, leaks, or goes on with half of what it was told.
# Argument: the path of the program.
# shellcheck disable=SC2317,SC2154 # functions that are called by name; variables of fault_support.sh
# shellcheck source=tests/cli/support.sh
. "$(dirname "$0")/support.sh"
# shellcheck source=tests/cli/fault_support.sh
. "$(dirname "$0")/fault_support.sh"

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
    is_command_safe || { [ "$status" -eq 0 ] && [ "$(grep -Ec 'no memory left|no thread to think with|could not be saved' out)" -ge 1 ]; }
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

finish
