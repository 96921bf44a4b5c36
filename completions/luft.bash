# SPDX-License-Identifier: MIT
# shellcheck shell=bash
#
# Completion of `luft` in bash: the commands, the options and what some of them take.
# Commands and options are read from the program's own help, so that they are always
# those of the luft that is installed; only the words that an option takes stand here.

# _luft_help PATTERN WORDS...: what the sed pattern makes of the help for these words
_luft_help() {
    local pattern=$1
    shift
    "$@" --help 2>/dev/null | sed -n "$pattern"
}

_luft() {
    local current=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]}
    local -a help=("${COMP_WORDS[0]/#\~/$HOME}")
    local commands='s/^  \([a-z][a-z-]*\)  .*/\1/p'
    local options='s/^  -[a-z], /  /; s/^  \(--[a-z0-9-]*\).*/\1/p'
    local value='' words='' place=2
    COMPREPLY=()

    if [ "$COMP_CWORD" -eq 1 ]; then
        mapfile -t COMPREPLY < <(compgen -W "$(_luft_help "$commands" "${help[@]}") --help --version" -- "$current")
        return
    fi
    help+=("${COMP_WORDS[1]}")
    case ${COMP_WORDS[1]} in
    help)
        if [ "$COMP_CWORD" -eq 2 ]; then
            mapfile -t COMPREPLY < <(compgen -W "$(_luft_help "$commands" "${help[0]}")" -- "$current")
        fi
        return
        ;;
    pgn | db | book | tb)
        if [ "$COMP_CWORD" -eq 2 ]; then
            mapfile -t COMPREPLY < <(compgen -W "$(_luft_help "$commands" "${help[@]}") --help" -- "$current")
            return
        fi
        help+=("${COMP_WORDS[2]}")
        place=3
        ;;
    -*) return ;;
    esac

    # The word that the help shows behind the option before this one, if there is one: FILE, METHOD …
    if [ "$COMP_CWORD" -gt "$place" ] && [[ $before =~ ^--[a-z0-9-]+$ ]]; then
        value=$(_luft_help "s/^  -[a-z], /  /; s/^  $before \([^ ][^ ]*\)  .*/\1/p" "${help[@]}")
    fi
    case $value/${COMP_WORDS[1]}/$before in
    DIR/*) mapfile -t COMPREPLY < <(compgen -d -- "$current") ;;
    FILE/*) mapfile -t COMPREPLY < <(compgen -f -- "$current") ;;
    */perft/--method) words='two-ply one-ply plain' ;;
    */show/--map) words='occupancy king-attack-map check-mask pin-rays reach white-reach black-reach pins attacks targets planes' ;;
    */pgn/--to) words='pgn uci epd fen' ;;
    */pgn/--positions) words='all last' ;;
    */pgn/--result) words='1-0 0-1 1/2-1/2' ;;
    KIND/book/--weights) words='score wins games equal' ;;
    */book/--color) words='white black both' ;;
    */puzzles/--to) words='csv pgn epd' ;;
    */analyse/--to) words='json csv epd pgn' ;;
    */epd/--to) words='epd fen json' ;;
    */play/--color) words='white black random' ;;
    /*)
        if [[ $current == -* ]]; then
            mapfile -t COMPREPLY < <(compgen -W "$(_luft_help "$options" "${help[@]}")" -- "$current")
        elif [ "${COMP_WORDS[1]}" = epd ] && [ "$COMP_CWORD" -eq 2 ]; then
            words='check convert'
        elif [[ ${COMP_WORDS[1]} =~ ^(epd|pgn|db|book|tb|analyse|puzzles)$ ]]; then
            mapfile -t COMPREPLY < <(compgen -f -- "$current")
        fi
        ;;
    esac
    if [ -n "$words" ]; then
        mapfile -t COMPREPLY < <(compgen -W "$words" -- "$current")
    fi
}

complete -o filenames -F _luft luft
