# SPDX-License-Identifier: MIT
#
# Completion of `luft` in fish: the commands, the options and what some of them take.
# Commands and options are read from the program's own help, so that they are always
# those of the luft that is installed; only the words that an option takes stand here.

function __luft_words --description 'the words of the command line up to the present one, without options'
    set -l words (commandline -opc)
    set -q words[2]; and string match -v -- '-*' $words[2..-1]
end

function __luft_commands --description 'commands and what they do, from the help of the words given'
    command luft $argv --help 2>/dev/null | string replace -rf '^  ([a-z][a-z-]*)  +(.*)' '$1\t$2'
end

function __luft_help --description 'the help that lists the options of the command line'
    set -l words (__luft_words)
    set -q words[1]; or return
    set -l depth 1
    contains $words[1] pgn db book tb; and set -q words[2]; and set depth 2
    command luft $words[1..$depth] --help 2>/dev/null
end

function __luft_options --description 'options and what they do'
    __luft_help | string replace -rf '^  (?:-[a-z], )?(--[a-z0-9-]+)(?: \S+)?  +(.*)' '$1\t$2'
end

function __luft_value --description 'is the word before this one an option that takes such a value, of this command?'
    set -l words (commandline -opc)
    test (count $words) -ge 3; and string match -q -- '-*' $words[-1]; or return 1
    set -q argv[2]; and test $words[2] != $argv[2]; and return 1
    __luft_help | string match -rq -- "^  (-[a-z], )?$words[-1] $argv[1]  "
end

complete -c luft -f
complete -c luft -n 'test (count (__luft_words)) -eq 0' -a '(__luft_commands)'
complete -c luft -n 'test (count (__luft_words)) -eq 0' -l version -d 'print the version and how luft was built'
complete -c luft -n 'test "$(__luft_words)" = help' -a '(__luft_commands)'
complete -c luft -n 'test "$(__luft_words)" = pgn' -a '(__luft_commands pgn)'
complete -c luft -n 'test "$(__luft_words)" = book' -a '(__luft_commands book)'
complete -c luft -n 'test "$(__luft_words)" = tb' -a '(__luft_commands tb)'
complete -c luft -n 'test "$(__luft_words)" = db' -a '(__luft_commands db)'
complete -c luft -n 'test "$(__luft_words)" = epd' -a 'check convert'
complete -c luft -n 'string match -q -- "-*" (commandline -ct); and not __luft_value "\S+"' -a '(__luft_options)'
complete -c luft -n '__luft_value FILE' -F
complete -c luft -n '__luft_value DIR' -a '(__fish_complete_directories)'
complete -c luft -n 'test (count (__luft_words)) -ge 2; and __fish_seen_subcommand_from pgn db book tb epd analyse puzzles; and not __luft_value "\S+"' -F
complete -c luft -n '__luft_value METHOD perft' -a 'two-ply one-ply plain'
complete -c luft -n '__luft_value NAME show' -a 'occupancy king-attack-map check-mask pin-rays reach white-reach black-reach pins attacks targets planes'
complete -c luft -n '__luft_value FORM pgn' -a 'pgn uci epd fen'
complete -c luft -n '__luft_value WHICH pgn' -a 'all last'
complete -c luft -n '__luft_value RESULT pgn' -a '1-0 0-1 1/2-1/2'
complete -c luft -n '__luft_value KIND book' -a 'score wins games equal'
complete -c luft -n '__luft_value COLOR book' -a 'white black both'
complete -c luft -n '__luft_value FORMAT puzzles' -a 'csv pgn epd'
complete -c luft -n '__luft_value FORMAT analyse' -a 'json csv epd pgn'
complete -c luft -n '__luft_value FORM epd' -a 'epd fen json'
complete -c luft -n '__luft_value COLOR play' -a 'white black random'
