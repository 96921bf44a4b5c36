#!/bin/bash
# SPDX-License-Identifier: MIT
#
# Public collections and odd files below LUFT_DATA: as many games as pgn-extract counts, or as were counted by hand, and
# only known errors. Without LUFT_DATA there is nothing to test.
#
# Argument 1: the path of the program.
# shellcheck source=tests/cli/support.sh
. "$(dirname "$0")/support.sh"

# counts FILE GAMES ERRORS
counts() {
    local file=$LUFT_DATA/pgn/$1
    case $file in
    *.zst)
        if ! command -v zstd >/dev/null; then
            skip "$1" "zstd is not installed"
            return
        fi
        zstd -q -d -c "$file" >"$work/games.pgn"
        file=$work/games.pgn
        ;;
    esac
    run pgn check --quiet "$file"
    judge "$1" [ "$(tail -n 1 "$work/out")" = "games=$2 errors=$3" ]
}

if ! data_file pgn; then
    skip 'collections of games' "$reason"
    finish
fi
counts large.pgn.zst 73929 0
counts dirty.pgn.zst 42560 0
while read -r file games errors; do
    counts "corner-cases/$file.pgn" "$games" "$errors"
done <<'END'
anastasian-lewis 1 0
backslash_header 1 0
basic 1 0
black2move 1 1
book 1 0
castling 1 0
chessbase-empty-line 1 0
comment_before_moves 1 0
corrupted 1 1
cutechess-fischerrandom 4 0
empty_body 2 0
kasparov-deep-blue-1997 6 0
molinari-bordais-1979 1 0
multiple 4 0
nepomniachtchi-liren-game1 1 0
newline 1 0
no_moves 1 0
no_moves_but_comment_followed_by_termination_marker 2 0
no_moves_but_game_termination 1 0
no_moves_but_game_termination_2 1 0
no_moves_but_game_termination_3 1 0
no_moves_but_game_termination_multiple 2 0
no_moves_but_game_termination_multiple_2 3 0
no_moves_two_games 2 0
no_result 1 0
non_ascii 1 0
scalachess-FWWRC 605 0
scalachess-uzchesscup 45 0
skip 2 0
square_bracket_in_header 1 0
stockfish-learning 1 0
threefold_repetition 1 0
uci-moves 1 0
unescaped_quote_header 1 0
utf8-bom 2 0
variations 1 0
END
finish
