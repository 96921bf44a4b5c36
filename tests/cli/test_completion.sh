#!/bin/bash
# SPDX-License-Identifier: MIT
#
# Shell completion: bash, and zsh and fish where they are installed, are asked what
# they would offer for a command line. What is right is read from the help, and the
# words that an option takes are tried on the program. Argument: the path of the program.
# shellcheck source=tests/cli/support.sh
. "$(dirname "$0")/support.sh"
root=$(cd "$(dirname "$0")/../.." && pwd)
cd "$root" || exit 2
mkdir "$work/bin" "$work/files"
ln -s "$luft" "$work/bin/luft"
export PATH=$work/bin:$PATH
: >"$work/files/games.pgn"

# --- Each shell: offers WORDS...: what it would offer for the last word, one a line ---

# shellcheck source=completions/luft.bash
. completions/luft.bash

# shellcheck disable=SC2317 # called by the name of the shell
bash_offers() {
    COMP_WORDS=("$@")
    COMP_CWORD=$(($# - 1))
    COMPREPLY=()
    (cd "$work/files" && _luft && printf '%s\n' "${COMPREPLY[@]}")
}

# The functions of zsh's completion system need a terminal. These print what they are given.
cat >"$work/offers.zsh" <<'END'
_describe() { print -l -- ${${(P)2}%%:*} }
_files() { print -l -- * }
complete_luft() { source $root/completions/luft.zsh }
words=("$@")
CURRENT=$#
complete_luft
END

# shellcheck disable=SC2317 # called by the name of the shell
zsh_offers() {
    (cd "$work/files" && root=$root zsh -f "$work/offers.zsh" "$@" | grep -- "^${*: -1}")
}

# shellcheck disable=SC2317 # called by the name of the shell
fish_offers() {
    (cd "$work/files" && HOME=$work fish --no-config -c "source $root/completions/luft.fish; complete -C'$*'" | cut -f 1 |
        grep -- "^${*: -1}") # fish also offers what has the letters somewhere
}

# --- What they must offer -------------------------------------------------------------

# offers NAME WORDS...: the shell offers exactly the lines of standard input, in any order
offers() {
    local name=$1
    shift
    sort >"$work/expected"
    status=0
    "${shell}_offers" "$@" 2>"$work/err" | sed '/^$/d' | sort -u >"$work/out"
    judge "$shell: $name" same_output "$work/expected"
}

# options COMMAND...: those that the help lists
options() {
    "$luft" "$@" --help | sed -n -E 's/^  (-[a-z], )?(--[a-z0-9-]+).*/\2/p'
}

commands() {
    "$luft" "$@" --help | sed -n 's/^  \([a-z]*\)  .*/\1/p'
}

complete -p luft 2>/dev/null | grep -q -- '-F _luft'
report 'bash: the function is registered' $?
for shell in bash zsh fish; do
    if ! command -v "$shell" >/dev/null; then
        skip "completion in $shell" "$shell is not installed"
        continue
    fi
    # fish offers options only once a dash is there.
    { commands && if [ "$shell" != fish ]; then printf -- '--help\n--version\n'; fi; } | offers 'the commands' luft ''
    commands | grep '^p' | offers 'the commands with a p' luft p
    commands | offers 'the commands after help' luft help ''
    for command in $(commands | grep -vx -e help -e pgn -e db -e book -e tb); do
        options "$command" | offers "the options of $command" luft "$command" --
        options "$command" | grep '^--m' | offers "the options of $command with an m" luft "$command" --m
    done
    printf '%s\n' one-ply plain two-ply | offers 'the methods of perft' luft perft --method ''
    echo plain | offers 'the methods with a p' luft perft --divide --method p
    "$luft" show --help | sed -n -E 's/^  ([a-z]+(-[a-z]+)*)  .*/\1/p' | offers 'the maps of show' luft show --map ''
    echo games.pgn | offers 'files for an option that takes one' luft perft --suite ga
    if commands | grep -qx pgn; then
        commands pgn >"$work/subcommands"
        offers 'the commands of pgn' luft pgn '' < <(cat "$work/subcommands" && if [ "$shell" = bash ]; then echo --help; fi)
        while read -r command; do
            options pgn "$command" | offers "the options of pgn $command" luft pgn "$command" --
            echo games.pgn | offers "files for pgn $command" luft pgn "$command" --quiet ga
        done <"$work/subcommands"
        printf '%s\n' pgn uci epd fen | offers 'the forms of pgn convert' luft pgn convert --to ''
        printf '%s\n' all last | offers 'the positions of pgn convert' luft pgn convert --positions ''
        printf '%s\n' 0-1 1-0 1/2-1/2 | offers 'the results of pgn filter' luft pgn filter --result ''
        echo games.pgn | offers 'a file for the output of pgn' luft pgn convert --output ga
        offers 'nothing for the name of a player' luft pgn filter --player '' </dev/null
    fi
    if commands | grep -qx book; then
        commands book >"$work/subcommands"
        offers 'the commands of book' luft book '' < <(cat "$work/subcommands" && if [ "$shell" = bash ]; then echo --help; fi)
        while read -r command; do
            options book "$command" | offers "the options of book $command" luft book "$command" --
            echo games.pgn | offers "files for book $command" luft book "$command" ga
        done <"$work/subcommands"
        printf '%s\n' score wins games equal | offers 'the weights of book make' luft book make --weights ''
        printf '%s\n' white black both | offers 'the colours of book make' luft book make --color ''
    fi
    # A build without SQLite has no commands of db.
    commands db >"$work/subcommands"
    if [ -s "$work/subcommands" ]; then
        offers 'the commands of db' luft db '' < <(cat "$work/subcommands" && if [ "$shell" = bash ]; then echo --help; fi)
        options db search | offers 'the options of db search' luft db search --
    fi
    commands tb >"$work/subcommands"
    offers 'the commands of tb' luft tb '' < <(cat "$work/subcommands" && if [ "$shell" = bash ]; then echo --help; fi)
    while read -r command; do
        options tb "$command" | offers "the options of tb $command" luft tb "$command" --
    done <"$work/subcommands"
    echo games.pgn | offers 'files for tb probe' luft tb probe --epd ga
    if commands | grep -qx epd; then
        printf '%s\n' check convert | offers 'the actions of epd' luft epd ''
        printf '%s\n' epd fen json | offers 'the forms of epd' luft epd convert --to ''
        echo games.pgn | offers 'files for epd' luft epd check ga
    fi
    printf '%s\n' white black random | offers 'the colours of play' luft play --color ''
    echo games.pgn | offers 'a file for play' luft play --pgn ga
    offers 'nothing for a FEN' luft perft --fen '' </dev/null
    offers 'nothing for an unknown command' luft nonsense -- </dev/null
done

# The words that stand in the files are words that the program takes.
for method in two-ply one-ply plain; do
    run perft --method "$method" 1
    judge "luft takes --method $method" ended_well
done

for color in white black random; do
    run play --nodes 10 --color "$color"
    judge "luft takes --color $color" ended_well
done

if commands | grep -qx pgn; then
    for form in pgn uci epd fen; do
        run pgn convert --quiet --to "$form" -
        judge "luft takes --to $form" ended_well
    done
    for positions in all last; do
        run pgn convert --quiet --to fen --positions "$positions" -
        judge "luft takes --positions $positions" ended_well
    done
    for result in 1-0 0-1 1/2-1/2; do
        run pgn filter --quiet --result "$result" -
        judge "luft takes --result $result" ended_well
    done
fi
if commands | grep -qx book; then
    for option in --weights={score,wins,games,equal} --color={white,black,both}; do
        run book make tests/data/pgn/classics.pgn --min-games 1 --quiet --weights games "$option" -o /dev/null
        judge "luft takes $option" ended_well
    done
fi
if commands | grep -qx epd; then
    for form in epd fen json; do
        run epd convert --to "$form" -
        judge "luft takes --to $form for epd" ended_well
    done
fi

finish
