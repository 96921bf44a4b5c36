#compdef luft
# SPDX-License-Identifier: MIT
#
# Completion of `luft` in zsh: the commands, the options and what some of them take.
# Commands and options are read from the program's own help, so that they are always
# those of the luft that is installed; only the words that an option takes stand here.

local commands='s/^  \([a-z][a-z-]*\)  *\(.*\)/\1:\2/p'
local options='s/^  -[a-z], /  /; s/^  \(--[a-z0-9-]*\)\( [^ ][^ ]*\)\{0,1\}  *\(.*\)/\1:\3/p'
local -a help found
local before=$words[CURRENT-1] value='' place=3
help=(${~words[1]})

# _luft_help PATTERN: fills `found` with what the sed pattern makes of the help
_luft_help() {
    found=(${(f)"$($help --help 2>/dev/null | sed -n $1)"})
}

if ((CURRENT == 2)); then
    _luft_help $commands
    found+=('--help:print the help' '--version:print the version and how luft was built')
    _describe command found
    return
fi
case $words[2] in
help)
    _luft_help $commands
    ((CURRENT == 3)) && _describe command found
    return
    ;;
pgn|db|book|tb)
    help+=($words[2])
    if ((CURRENT == 3)); then
        _luft_help $commands
        _describe command found
        return
    fi
    help+=($words[3])
    place=4
    ;;
-*) return ;;
*) help+=($words[2]) ;;
esac

# The word that the help shows behind the option before this one, if there is one: FILE, METHOD …
if ((CURRENT > place)) && [[ $before =~ '^--[a-z0-9-]+$' ]]; then
    _luft_help "s/^  -[a-z], /  /; s/^  $before \([^ ][^ ]*\)  .*/\1/p"
    value=$found[1]
fi
case $value/$words[2]/$before in
DIR/*) _files -/ ;;
FILE/*) _files ;;
*/perft/--method)
    found=(two-ply one-ply plain)
    _describe method found
    ;;
*/show/--map)
    found=(occupancy king-attack-map check-mask pin-rays reach white-reach black-reach pins attacks targets planes)
    _describe map found
    ;;
*/pgn/--to)
    found=(pgn uci epd fen)
    _describe form found
    ;;
*/pgn/--positions)
    found=(all last)
    _describe positions found
    ;;
*/pgn/--result)
    found=(1-0 0-1 1/2-1/2)
    _describe result found
    ;;
KIND/book/--weights)
    found=(score wins games equal)
    _describe weights found
    ;;
*/book/--color)
    found=(white black both)
    _describe color found
    ;;
*/puzzles/--to)
    found=(csv pgn epd)
    ;;
*/analyse/--to)
    found=(json csv epd pgn)
    ;;
*/epd/--to)
    found=(epd fen json)
    _describe form found
    ;;
*/play/--color)
    found=(white black random)
    _describe color found
    ;;
/*)
    if [[ $words[CURRENT] == -* ]]; then
        _luft_help $options
        _describe option found
    elif [[ $words[2] == epd ]] && ((CURRENT == 3)); then
        found=(check convert)
        _describe action found
    elif [[ $words[2] == (pgn|db|book|epd|tb|analyse|puzzles) ]]; then
        _files
    fi
    ;;
esac
