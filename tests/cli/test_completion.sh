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

zsh_offers() {
    (cd "$work/files" && root=$root zsh -f "$work/offers.zsh" "$@" | grep -- "^${*: -1}")
}

fish_offers() {
    (cd "$work/files" && HOME=$work fish --no-config -c "source $root/completions/luft.fish; complete -C'$*'" | cut -f 1)
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
        echo "# skipped: $shell is not installed"
        continue
    fi
    # fish offers options only once a dash is there.
    { commands && if [ "$shell" != fish ]; then printf -- '--help\n--version\n'; fi; } | offers 'the commands' luft ''
    commands | grep '^p' | offers 'the commands with a p' luft p
    commands | offers 'the commands after help' luft help ''
    for command in $(commands | grep -vx -e help -e pgn); do
        options "$command" | offers "the options of $command" luft "$command" --
        options "$command" | grep '^--m' | offers "the options of $command with an m" luft "$command" --m
    done
    printf '%s\n' one-ply plain two-ply | offers 'the methods of perft' luft perft --method ''
    echo plain | offers 'the methods with a p' luft perft --divide --method p
    "$luft" show --help | sed -n -E 's/^  ([a-z]+(-[a-z]+)*)  .*/\1/p' | offers 'the maps of show' luft show --map ''
    echo games.pgn | offers 'files for an option that takes one' luft perft --suite ga
    offers 'nothing for a FEN' luft perft --fen '' </dev/null
    offers 'nothing for an unknown command' luft nonsense -- </dev/null
done

# The words that stand in the files are words that the program takes.
for method in two-ply one-ply plain; do
    run perft --method "$method" 1
    judge "luft takes --method $method" ended_well
done

finish
