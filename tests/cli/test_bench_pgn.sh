#!/bin/bash
# SPDX-License-Identifier: MIT
#
# The benchmark of reading PGN: that it has its rows, works without pgn-extract and without
# a file, and notices when the two programs count different games. The speed is not looked
# at. A script stands in for pgn-extract, so that this runs anywhere.
#
# Argument 1: the path of the program.
# shellcheck source=tests/cli/support.sh
. "$(dirname "$0")/support.sh"
root=$(cd "$(dirname "$0")/../.." && pwd)

printf '[Event "a"]\n\n1. e4 e5 1-0\n\n[Event "b"]\n\n1. d4 d4 *\n' >"$work/games.pgn"

# shellcheck disable=SC2016 # the script that is written expands it
# stand_in NAME GAMES: a pgn-extract that counts so many
stand_in() {
    printf '#!/bin/sh\n[ "$1" = -s ] || printf "Games: 1\\r%s games matched out of %s.\\n" >&2\n' "$2" "$2" >"$work/$1"
    chmod +x "$work/$1"
}
stand_in pgn-extract 2
stand_in other 3
stand_in silent ''

# bench ARGUMENTS...
bench() {
    status=0
    "$root/scripts/bench/pgn" "$@" >"$work/out" 2>"$work/err" </dev/null || status=$?
}

# shellcheck disable=SC2317 # called by judge
# says TEXT...: ended well and printed all these
says() {
    local text
    ended_well || return 1
    for text in "$@"; do
        grep -q -- "$text" "$work/out" || return 1
    done
}

# shellcheck disable=SC2317 # called by judge
# lacks PATTERN
lacks() {
    ! grep -q -- "$1" "$work/out"
}

# shellcheck disable=SC2317 # called by judge
# refuses STATUS TEXT: on standard error, and no figures
refuses() {
    [ "$status" -eq "$1" ] && grep -q -- "$2" "$work/err" && ! grep -q MB/s "$work/out"
}

export PGN_EXTRACT=$work/pgn-extract
unset PGN LUFT_DATA
bench "$luft"
judge "no file: says how to name one" says '^no games to read: .*PGN=FILE.*LUFT_DATA'
mkdir -p "$work/data/pgn"
: >"$work/data/pgn/large.pgn.zst"
LUFT_DATA=$work/data bench "$luft" --runs 1
judge "a file of LUFT_DATA" refuses 1 'large.pgn.zst'
bench "$luft" "$work/games.pgn" --runs 3
judge "both programs" says '^games.pgn: 2 games, 1 errors, .* 3 runs' '^pgn-extract ' '^luft '
PGN=$work/games.pgn bench "$luft" --runs 1
judge "a file by its variable" says '^games.pgn: 2 games' '^luft '
if command -v zstd >/dev/null; then
    zstd -q "$work/games.pgn" -o "$work/packed.pgn.zst"
    bench "$luft" "$work/packed.pgn.zst" --runs 1
    judge "a compressed file" says '^packed.pgn.zst: 2 games' '^luft '
fi
PGN_EXTRACT='' bench "$luft" "$work/games.pgn" --runs 1
judge "without pgn-extract" says '^luft '
judge "without a ratio" lacks '^ratio\|^pgn-extract'
PGN_EXTRACT=$work/other bench "$luft" "$work/games.pgn" --runs 1
judge "other games" refuses 1 'reads 3 games, and 2 were read'
PGN_EXTRACT=$work/silent bench "$luft" "$work/games.pgn" --runs 1
judge "no count" refuses 1 'does not say'
bench "$luft" "$work/nothing.pgn"
judge "no such file" refuses 2 'no file'
bench "$work/games.pgn"
judge "no program" refuses 2 'not a program'
bench "$luft" "$work/games.pgn" --runs 0
judge "no runs" refuses 2 'needs a number'
bench
judge "no arguments" refuses 2 usage
finish
