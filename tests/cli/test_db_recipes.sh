#!/bin/bash
# SPDX-License-Identifier: MIT
#
# The ten recipes of docs/database.md: each is run as it stands, and its answer compared with what the games say. The games
# are the two classics, 46 short ones of known players, and one with an error.
# Argument: the path of the program.
# shellcheck source=tests/cli/support.sh
. "$(dirname "$0")/support.sh"
root=$(cd "$(dirname "$0")/../.." && pwd)
cd "$work" || exit 2

if "$luft" db stats --help 2>&1 | grep -q 'compiled without'; then
    skip 'the recipes of docs/database.md' 'built without SQLite'
    finish
fi
if ! command -v zstd >/dev/null || ! command -v gzip >/dev/null; then
    skip 'the recipes of docs/database.md' 'zstd or gzip is not installed'
    finish
fi

# game WHITE BLACK DATE RESULT MOVES [ELO]
game() {
    printf '[Event "E"]\n[White "%s"]\n[Black "%s"]\n[Date "%s"]\n[Result "%s"]\n' "$1" "$2" "$3" "$4"
    printf '[WhiteElo "%s"]\n[BlackElo "%s"]\n[ECO "%s"]\n\n%s %s\n\n' "${6:-2500}" "${6:-2500}" "${7:-A40}" "$5" "$4"
}
{
    cat "$root/tests/data/pgn/classics.pgn"
    game 'Alpha, A' 'Carlsen, M' 2021.01.02 0-1 '1. d4 Nf6 2. c4 e6'
    game 'Beta, B' 'Carlsen, M' 2022.01.02 1-0 '1. d4 d5 2. c4 e6'
    game 'Gamma, C' 'Carlsen, M' 2019.01.02 1-0 '1. d4 f5 2. c4 e6'
    game 'Carlsen, M' 'Alpha, A' 2021.01.02 1-0 '1. d4 g6 2. c4 Bg7'
    game 'Polgar, Judit' 'Delta, D' 1990.01.02 1-0 '1. e4 e5 2. Nf3 Nc6' 2700 C44
    game 'Polgar, Judit' 'Delta, D' 1991.01.02 1/2-1/2 '1. e4 c5 2. Nf3 d6' 2700 B50
    for number in $(seq 9 48); do
        game "Player$number" 'Other, O' 2000.01.01 '*' '1. Nf3 {a comment} d5 (1... c5 2. c4) 2. g3' 2000
    done
} >games.pgn
game 'New, N' 'Other, O' 2026.01.01 1-0 '1. b3 e5' | zstd -q >new.pgn.zst
game 'Zipped, Z' 'Other, O' 2026.01.02 1-0 '1. g3 e5' | gzip >zipped.pgn.gz
game 'Broken, B' 'Other, O' 2026.01.03 1-0 '1. f4 e5 2. Ke3' >dirty.pgn
game 'Merged, M' 'Other, O' 2026.01.04 1-0 '1. a3 e5' >other.pgn

# shellcheck disable=SC2317 # called by eval
luft() {
    "$luft" "$@"
}

luft db create --quiet games.luftdb games.pgn && luft db create --quiet other.luftdb other.pgn
report 'a database of 48 games' $?

# recipe WISH: runs the command of the row of the table
recipe() {
    local command
    command=$(sed -n "s/^| $1 | \`\(.*\)\` |\$/\1/p" "$root/docs/database.md" | sed 's/\\|/|/g; s/"FEN"/"rnbqkbnr\/pppppppp\/8\/8\/4P3\/8\/PPPP1PPP\/RNBQKBNR b KQkq - 0 1"/')
    status=0
    if [ -z "$command" ]; then
        echo 'no such row in docs/database.md' >err
        : >out
        status=99
    else
        (eval "$command") >out 2>err || status=$?
    fi
    recipes=$((recipes + 1))
}

# answers COMMAND...: the recipe ended well, and the command holds
answers() {
    [ "$status" -eq 0 ] && "$@" >/dev/null
    report "recipe: $wish" $?
}

# has FILE PATTERN: a line matches
# shellcheck disable=SC2317 # called by answers
has() {
    grep -Eq -- "$2" "$1"
}

# holds DATABASE GAMES
# shellcheck disable=SC2317 # called by answers
holds() {
    luft db stats --json "$1" | grep -q "\"games\": $2,"
}

recipes=0
wish="add this week's games" && recipe "$wish" && answers holds games.luftdb 49
wish='read from a pipe' && recipe "$wish" && answers holds all.luftdb 1
rm -f all.luftdb
wish='keep games with errors up to the error' && recipe "$wish" && answers holds all.luftdb 1
wish='one database of two' && recipe "$wish" && answers holds games.luftdb 50
wish='what a player answers to 1.d4 since 2020' && recipe "$wish" && answers eval 'has out "^Nf6 +1 " && has out "^d5 +1 " && ! has out "^(f5|g6) "'
wish='a position, as JSON, for strong players only' && recipe "$wish" && answers eval 'has out "\"san\": \"e5\".*\"games\": 1, \"white\": 1" && has out "\"games\": 2,"'
wish='the openings of a player' && recipe "$wish" && answers eval 'has out "^ +1 +1 .* C44$" && has out "^ +1 +0 +1 .* B50$"'
wish='one game with its comments and variations' && recipe "$wish" && answers eval 'has out "Player47" && has out "a comment" && has out "1... c5"'
wish='a table for other programs' && recipe "$wish" && answers eval '! has out "^51," && has out "^50," && has out "^7,\"Polgar, Judit\",\"Delta, D\",1-0,C44,e4 e5 Nf3 Nc6$"'
wish='is everything in order?' && recipe "$wish" && answers has out '^50 games, [0-9]+ positions: 0 faults$'
[ "$(sed -n '/^| wish | command |$/,/^$/p' "$root/docs/database.md" | grep -c '| `')" -eq "$recipes" ]
report 'these are all recipes of the table' $?

if command -v sqlite3 >/dev/null; then
    status=0
    eval "$(sed -n 's/^\(sqlite3 games.luftdb .*\)$/\1/p' "$root/docs/database.md")" >out 2>err || status=$?
    wish='SQL' && answers has out '^Polgar, Judit\|2$'
else
    skip 'recipe: SQL' 'sqlite3 is not installed'
fi
finish
