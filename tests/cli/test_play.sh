#!/bin/bash
# SPDX-License-Identifier: MIT
#
# Plays against `luft play` through a pipe and through a terminal. Where a test says what the engine
# plays, that move is the only legal one, or a mate in one. Argument: the path of the program.
# shellcheck source=tests/cli/support.sh
. "$(dirname "$0")/support.sh"
root=$(cd "$(dirname "$0")/../.." && pwd)
mkdir "$work/games"

# The black king goes from a8 to a7 and back, and has no other move as long as rook and bishop stay.
shuttle='k7/8/8/8/8/8/1R6/5B1K w - - 0 1'

# play INPUT ARGUMENTS...: a game in a fresh directory, with printf's escapes in the input
play() {
    local input=$1
    shift
    rm -f "$work"/games/*
    status=0
    # shellcheck disable=SC2059
    (cd "$work/games" && printf "$input" | "$luft" play --nodes 1000 "$@" >"$work/out" 2>"$work/err") || status=$?
}

# shellcheck disable=SC2317 # called by judge
# shows TEXT...: ended well, and each of the texts stands in the output, in this order
shows() {
    ended_well && awk 'BEGIN { for (i = 1; i < ARGC; i++) { want[i] = ARGV[i] } count = ARGC - 1; ARGC = 1; next_one = 1 }
        { rest = $0
          while (next_one <= count && (at = index(rest, want[next_one])) > 0) {
              rest = substr(rest, at + length(want[next_one])); next_one++
          } }
        END { if (next_one <= count) { print "# not there: " want[next_one]; exit 1 } }' "$@" <"$work/out"
}

# shellcheck disable=SC2317 # called by judge
# saved TEXT...: the one file in the directory is good PGN, and has these texts
saved() {
    local file text
    file=$(ls "$work/games")
    [ "$(printf '%s\n' "$file" | wc -l)" -eq 1 ] && [ -n "$file" ] || return 1
    "$luft" pgn check "$work/games/$file" >"$work/check" 2>&1 || { sed 's/^/# /' "$work/check"; return 1; }
    for text in "$@"; do
        grep -Fq -- "$text" "$work/games/$file" || { echo "# not in the file: $text"; return 1; }
    done
}

# --- How games end --------------------------------------------------------------------

play 'Qg7\ny\nquit\n' --fen '7k/5Q2/6K1/8/8/8/8/8 w - - 0 1'
judge 'mate by the player' shows 'Checkmate: White wins.  1-0' 'Save the game as luft-'
judge 'mate by the player: saved' saved '[Result "1-0"]' '[Termination "normal"]' '[SetUp "1"]' 'Qg7# 1-0'

play 'Kb8\n' --fen 'k7/8/1K6/8/8/8/8/7R b - - 0 1' --color black
judge 'mate by the engine' shows 'Luft plays 2. Rh8#.' 'Checkmate: White wins.  1-0' 'is saved in'
judge 'a game that is over is saved at the end of the input' saved '[Result "1-0"]' '1... Kb8 2. Rh8# 1-0'

play 'Qf7\n\n' --fen '7k/8/6K1/8/8/8/8/5Q2 w - - 0 1'
judge 'stalemate' shows 'Stalemate: Black has no legal move and is not in check. A draw.  1/2-1/2'
play 'Kxc2\n\n' --fen '8/8/8/8/k7/8/2r5/1K6 w - - 0 1'
judge 'insufficient material' shows 'neither side has enough material to mate.  1/2-1/2'
play 'Rb2\n\n' --fen '7k/8/8/8/8/8/R7/K7 w - - 99 80'
judge 'fifty moves' shows 'A draw: fifty moves'
play 'Kh2\nKh1\nKh2\nKh1\n\n' --fen "$shuttle"
judge 'threefold repetition' shows 'Luft plays 4... Ka8.' 'A draw: this position has occurred three times.  1/2-1/2'
judge 'threefold repetition: saved' saved '[Result "1/2-1/2"]' '[PlyCount "8"]'
play 'resign\n\n'
judge 'resignation' shows 'White resigns: Black wins.  0-1'
play 'draw\nRb3\nquit\nn\n' --fen "$shuttle" --color white
judge 'the engine takes a draw when it is worse' shows 'Luft accepts.' 'A draw by agreement.  1/2-1/2'
play 'draw\nquit\nn\n' --fen '4k3/8/8/8/8/8/PPPPPPPP/RNBQKBNR b - - 0 1' --color black
judge 'and none when it is better' shows 'Luft declines'
play 'quit\n' --fen '7k/5KQ1/8/8/8/8/8/8 b - - 0 1' --color black
judge 'a position of mate is the end of a game' shows 'Checkmate: White wins.' 'The game is over'

# --- Clocks ------------------------------------------------------------------------------

# late ARGUMENTS...: a player who says nothing until 0.6 seconds are over
late() {
    status=0
    rm -f "$work"/games/*
    (cd "$work/games" && sleep 1 | "$luft" play --nodes 1000 --clock 0.01+0 "$@" >"$work/out" 2>"$work/err") ||
        status=$?
}

late
judge 'the flag falls' shows '0:00.6' 'White has run out of time: Black wins.  0-1'
late --fen '4k3/8/8/8/8/8/8/4KQ2 w - - 0 1'
judge 'the flag falls, and a bare king cannot win' shows 'but Black has only the king. A draw.  1/2-1/2'
play 'Kh2\nKh1\nundo\nboard\nKh1\n' --fen "$shuttle" --clock 5+3
judge 'clocks are shown' shows '5:00' '5:02' '5:05' '5:02'
judge 'clocks are in the game' saved '[TimeControl "300+3"]' '{[%clk 0:05:0' '[Termination "unterminated"]'
status=0
(cd "$work/games" && { sleep 1.5; echo color black; } | "$luft" play --clock 0.04+60 >"$work/out" 2>"$work/err") || status=$?
judge 'the engine takes over a clock that has run' shows 'You play Black.' 'Luft plays 1. '
play 'e4\n' --clock 1.5
judge 'a clock without seconds for each move' saved '[TimeControl "90"]'

# --- Moves as people type them ---------------------------------------------------------------

# plays TEXT SAN FEN: the text is taken for this move
plays() {
    play "$1\ngame\nquit\nn\n" --fen "$3"
    judge "\"$1\" is $2" shows "1. $2"
}

plays e4 e4 "$startpos"
plays E2E4 e4 "$startpos"
plays 1.e4 e4 "$startpos"
plays '1. e4' e4 "$startpos"
plays nf3 Nf3 "$startpos"
plays NF3 Nf3 "$startpos"
plays g1f3 Nf3 "$startpos"
plays '\xe2\x99\x98f3' Nf3 "$startpos"
plays bc4 Bc4 '4k3/8/8/8/8/8/7P/4KB2 w - - 0 1'
plays bc4 bxc4 '4k3/8/8/8/2p5/1P6/8/4KB2 w - - 0 1'
plays 0-0 O-O '4k3/8/8/8/8/8/8/4K2R w K - 0 1'
plays o-o O-O '4k3/8/8/8/8/8/8/4K2R w K - 0 1'
plays e1g1 O-O '4k3/8/8/8/8/8/8/4K2R w K - 0 1'
plays Rh8 Rh8+ '4k3/8/8/8/8/8/8/4K2R w K - 0 1'
plays ed5 exd5 '4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1'
plays a8q a8=Q+ '4k3/P7/8/8/8/8/8/4K3 w - - 0 1'
plays a8=n a8=N '4k3/P7/8/8/8/8/8/4K3 w - - 0 1'

play 'Nd2\na8\nquit\n' --fen '4k3/P7/8/8/8/5N2/8/1N2K3 w - - 0 1'
judge 'a move that can be two names both' shows '"Nd2" can be more than one move: Nfd2 or Nbd2.' \
    '"a8" can be more than one move: a8=' ' or a8='
play 'a7a8\na7a6\nquit\n' --fen '4k3/P7/8/8/8/8/8/4K3 w - - 0 1'
judge 'a promotion without its piece has another message than an illegal move' shows \
    '"a7a8" can be more than one move: a8=' '"a7a6" is not legal here'
play 'Kg8\nxyzzy\nquit\n' --color black --fen '7k/6Q1/6K1/8/8/8/8/8 b - - 0 1'
judge 'a move after the end: the game is over' shows 'The game is over; new begins another' '"xyzzy" is neither a move'
play 'Nf6\nxyzzy\n\n   \n\001\377\nKe2\n' --fen '4k3/8/8/8/8/8/8/K3r3 w - - 0 1'
judge 'a text that is not a move gets one line, and the game continues' shows \
    '"Nf6" is not legal here: the king is in check' '"xyzzy" is neither a move nor a command' '"\x01\xff"' '"Ke2"'
play "$(head -c 100000 /dev/zero | tr '\0' x)\ne4\nquit\nn\n"
judge 'a line of 100,000 letters' shows '..." is neither a move' 'Luft plays 1...'

# --- Words --------------------------------------------------------------------------------------

play 'Kh2\nKh1\nundo\nundo\nundo\nredo\nredo\nredo\ngame\nquit\nn\n' --fen "$shuttle"
judge 'undo and redo go by pairs' shows 'Luft plays 2... Ka8.' 'There is no move of yours to take back.' \
    'There is no move to play again.' '1. Kh2 Ka7 2. Kh1 Ka8'
play 'undo\nKb8\nundo\nn\nundo\nfen\nquit\n' --fen 'k7/8/1K6/8/8/8/8/7R b - - 0 1' --color black
judge 'undo after the end' shows 'There is no move of yours' 'Checkmate' \
    'a name such as' 'k7/8/1K6/8/8/8/8/7R b - - 0 1'
play 'Kh2\nundo\nundo\nquit\n' --fen 'k7/8/8/8/8/8/1R6/5B1K w - - 0 1' --color white
judge 'the first move is not taken back twice' shows 'There is no move of yours to take back.'
play 'undo\nquit\nn\n' --fen 'k7/8/8/8/8/8/1R6/5B1K b - - 0 1' --color white
judge 'the move with which the engine began stays' shows 'Luft plays 1... Ka7.' 'There is no move of yours to take back.'
play 'help\nhint\nanalyse\nANALYZE\nmoves\nboard\nfen\nflip\nlevel\nlevel 3\nlevel 99\ncolor purple\n?\nquit\n' \
    --fen '7k/5Q2/6K1/8/8/8/8/8 w - - 0 1'
judge 'every word that changes nothing' shows 'Type a move (e4, Nf3' '  quit ' 'Try Q' '#1  1. Q' 'White mates in 1 move' \
    'Qg7#' '7k/5Q2/6K1/8/8/8/8/8 w - - 0 1' ' 1 ' ' h  g  f' 'You play Luft' '(level 3) from now on' \
    'level: expected an integer from 1 to 10' 'color: expected white or black' 'Type a move (e4, Nf3'
play 'moves\nquit\n' --fen "$startpos"
tr ' ' '\n' <"$work/out" | grep -Ecx '[a-h][34]|N[a-h]3' >"$work/count"
judge 'moves lists the legal moves' [ "$(cat "$work/count")" -eq 20 ]
play 'color black\nquit\n\n' --fen '7k/8/6K1/8/8/8/8/3Q4 w - - 0 1'
judge 'the engine continues for the other side' shows 'You play Black.' 'Luft plays 1. Q' 'Checkmate: White wins.'
play 'Kh2\nnew black\n\nquit\nn\n' --fen "$shuttle"
judge 'new offers to save, and begins again' shows 'Save the game as' 'is saved in' 'Luft plays 1. '
judge 'new: the first game is saved' saved '1. Kh2 Ka7 *'
play 'save\nKh2\nsave first.pgn\nKh1\nsave\nquit\n' --fen "$shuttle"
judge 'save' shows 'No move has been played yet.' 'The game is saved in first.pgn.'
judge 'save writes a game once' saved '1. Kh2 Ka7 2. Kh1 Ka8 *'
judge 'save writes a game once: no other text' [ "$(grep -c Event "$work/games/first.pgn")" -eq 1 ]
for answer in n N no No NO; do
    play "Kh2\nquit\n$answer\n" --fen "$shuttle"
    judge "$answer is no" [ "$status" -eq 0 -a -z "$(ls "$work/games")" ]
done
play 'Kh2\nquit\nYES\n' --fen "$shuttle"
judge 'YES is yes' saved '1. Kh2 Ka7 *'
play 'Kh2\nquit\nn\n' --fen "$shuttle"
judge 'a game need not be saved' [ -z "$(ls "$work/games")" ]
play 'Kh2\nsave /nowhere/at/all.pgn\nquit\nmine.pgn\n' --fen "$shuttle"
judge 'a file that cannot be written is reported' shows 'could not be saved in /nowhere/at/all.pgn: No such file'
judge 'and the game is not lost' saved '1. Kh2 Ka7 *'
play 'Kh2\n' --fen "$shuttle" --pgn /nowhere/at/all.pgn
judge 'a game that cannot be saved where it should be is saved elsewhere' saved '1. Kh2 Ka7 *'
play 'Kh2\nquit\n' --fen "$shuttle" --pgn /nowhere/at/all.pgn
judge 'quit: another place is offered' shows 'could not be saved in /nowhere/at/all.pgn' 'Save the game as luft-' 'is saved in luft-'
judge 'quit: the game is saved elsewhere' saved '1. Kh2 Ka7 *'
play 'Kh2\nquit\n/nowhere/else.pgn\nmine.pgn\n' --fen "$shuttle" --pgn /nowhere/at/all.pgn
judge 'quit: asks until there is a place' shows 'saved in /nowhere/at/all.pgn' 'saved in /nowhere/else.pgn' 'is saved in mine.pgn'
play 'Kh2\nquit\nn\n' --fen "$shuttle" --pgn /nowhere/at/all.pgn
judge 'quit: who does not want another place need not take it' [ "$status" -eq 0 -a -z "$(ls "$work/games")" ]
play 'Kh2\nnew\nRb3\nquit\n' --fen "$shuttle" --pgn /nowhere/at/all.pgn
judge 'new: a game that cannot be saved is not thrown away' shows 'could not be saved' 'Expected yes, no' 'is saved in luft-'
judge 'new: it is saved elsewhere' saved '1. Kh2 Ka7 *'
play 'Kh2\nnew\n\nRb3\nquit\n' --fen "$shuttle" --pgn /nowhere/at/all.pgn
judge 'new: continues when the game is saved elsewhere' saved '1. Kh2 Ka7 *' '1. Rb3 Ka7 *'
play 'Kh2\nnew\nn\nRb3\nquit\nn\n' --fen "$shuttle" --pgn /nowhere/at/all.pgn
judge 'new: continues when the game is not wanted' shows 'could not be saved' 'Your move: Rb3' 'Luft plays 1... Ka7.'

# nowhere INPUT ARGUMENTS...: plays in a directory that is gone, so that nothing can be saved under a plain name
nowhere() {
    local input=$1
    shift
    mkdir "$work/gone"
    status=0
    # shellcheck disable=SC2059
    (cd "$work/gone" && rmdir "$work/gone" && printf "$input" | timeout 120 env "HOME=$home" "TMPDIR=$temporary" \
        "$luft" play --nodes 1000 --fen "$shuttle" "$@" >"$work/out" 2>"$work/err") || status=$?
}

# shellcheck disable=SC2317 # called by judge
# is_lost: status 1, one error line, and a message to the user
is_lost() {
    [ "$status" -eq 1 ] && grep -q '^The game could not be saved in luft-' "$work/out" &&
        [ "$(cat "$work/err")" = 'luft play: the game is not saved' ]
}

for place in home temporary; do
    home=/nowhere temporary=/nowhere
    printf -v $place '%s' "$work/games"
    for input in 'Kh2\nquit\n' 'Kh2\n' 'Kh2\nnew\n' 'Kh2\nquit\n\n\n\n' 'Kh2\nsave\nquit\n'; do
        rm -f "$work"/games/*
        nowhere "$input"
        judge "saved in the $place folder instead: $input" saved '1. Kh2 Ka7 *'
        judge "saved in the $place folder instead: $input: as shown" shows "is saved in $work/games/luft-" '.pgn.'
    done
done
home=/nowhere temporary=/nowhere
rm -f "$work"/games/*
for input in 'Kh2\nquit\n' 'Kh2\n' 'Kh2\nnew\n' 'Kh2\nquit\n\n\n' 'Kh2\nsave\nquit\n'; do
    nowhere "$input"
    judge "a game that cannot be saved anywhere is reported: $input" is_lost
done
nowhere 'Kh2\nquit\n' --pgn /nowhere/at/all.pgn
judge 'a game that cannot be saved anywhere is reported: --pgn' is_lost
nowhere 'Kh2\nquit\n\nn\n'
judge 'a game that can be saved nowhere is given up' ended_well
nowhere "Kh2\nquit\n\n$work/games/found.pgn\n"
judge 'a game that can be saved nowhere but where one says' saved '1. Kh2 Ka7 *'

play 'Kh2\nsave a\033[31mb.pgn\nquit\n' --fen "$shuttle"
judge 'the name of a file cannot play tricks on the terminal' shows 'saved in a\x1b[31mb.pgn.'
! grep -q "$(printf '\033')" "$work/out"
report 'the name of a file cannot play tricks: none was played' $?
play 'Kh2\nquit\n./a\033[31mb/c\nn\n' --fen "$shuttle" --pgn "/nowhere/$(printf '\033[31m')"
judge 'nor can one that is not to be had' shows 'could not be saved in /nowhere/\x1b[31m: No such' \
    'could not be saved in ./a\x1b[31mb/c: No such'
! grep -q "$(printf '\033')" "$work/out"
report 'nor can one that is not to be had: none was played' $?
play 'Kh2\nsave foo\0bar.pgn\nquit\nfoo\0bar.pgn\nn\n' --fen "$shuttle"
judge 'no name has a NUL in it' shows '"foo\x00bar.pgn": invalid file name.' 'Save the game as' \
    '"foo\x00bar.pgn": invalid file name.' 'Save the game as'
judge 'no name has a NUL in it: no file' [ -z "$(ls "$work/games")" ]

play 'Kh2\nKh1' --fen "$shuttle"
judge 'the end of the input saves, a last line without its end included' saved '1. Kh2 Ka7 2. Kh1 Ka8 *'
play ''
judge 'no input, no file' [ "$status" -eq 0 -a -z "$(ls "$work/games")" ]
play '' --color black
judge 'no input after the move of the engine, no file' [ "$status" -eq 0 -a -z "$(ls "$work/games")" ]

status=0
(
    trap '' INT TERM HUP
    echo quit | timeout -s KILL 120 "$luft" play >"$work/out" 2>"$work/err"
) || status=$?
judge 'a program that is to ignore all signals ends all the same' shows 'Your move: quit'
status=0
(cd "$work/games" && yes | timeout 120 "$luft" play --nodes 1000 2>"$work/err" | head -n 1 >"$work/out"
    exit "${PIPESTATUS[1]}") || status=$?
judge 'a reader that goes away ends the game' [ "$status" -eq 1 ]

# --- Files ---------------------------------------------------------------------------------------

(
    cd "$work/games" && rm -f ./*
    for _ in 1 2 3; do
        printf 'Kh2\nquit\n\n' | "$luft" play --nodes 1000 --fen "$shuttle"
    done
) >"$work/out" 2>"$work/err"
judge 'names of files are never used twice' [ "$(find "$work/games" -type f | wc -l)" -eq 3 ]

# kept ARGUMENTS...: plays on in the same directory
kept() {
    local input=$1
    shift
    status=0
    # shellcheck disable=SC2059
    (cd "$work/games" && printf "$input" | "$luft" play --nodes 1000 "$@" >"$work/out" 2>"$work/err") || status=$?
}

rm -f "$work"/games/*
printf '[Event "Other"]\n\n1. d4 d5 *' >"$work/games/all.pgn"
kept 'Kh2\n' --fen "$shuttle" --pgn all.pgn --name 'Ann "A" B'
kept 'Qg7\nnew\nQg7\nquit\n' --fen '7k/5Q2/6K1/8/8/8/8/8 w - - 0 1' --pgn all.pgn
judge 'games are added to a file' saved '1. d4 d5 *' '1. Kh2 Ka7 *' '[White "Ann \"A\" B"]'
judge 'games are added to a file: all of them' [ "$(tail -n 1 "$work/check")" = 'games=4 errors=0' ]

rm -f "$work"/games/*
kept 'Kh2\n' --fen "$shuttle" --pgn game.pgn --clock 5+3 --level 4 --name Ann
kept 'game\nKh1\nundo\nKh1\nquit\n' --resume game.pgn
judge 'a game is taken up again' shows '1. Kh2 Ka7' 'Luft plays 2... Ka8.'
judge 'and replaces the one that it continues' saved '1. Kh2 {[%clk 0:05:0' '[White "Ann"]' '(level 4)"]' \
    '[TimeControl "300+3"]' '2. Kh1'
judge 'and replaces it: one game' [ "$(tail -n 1 "$work/check")" = 'games=1 errors=0' ]
kept 'Kh2\nsave clocked.pgn\nquit\n' --resume game.pgn --clock 1.5+3
judge 'other clocks, when it is taken up again' shows '1:30' 'plays 3... Ka7' '1:32'
rm -f "$work/games/clocked.pgn"
kept 'resign\n' --resume game.pgn
judge 'a game taken up and given up' saved '[Result "0-1"]'
kept 'undo\nKh2\nquit\n' --resume game.pgn
judge 'a finished game is kept' saved '[Result "0-1"]' '[Result "*"]'

# unlike NAME SED: a saved game that was changed like this is not replaced when it is taken up, for the change would be lost
unlike() {
    rm -f "$work"/games/*
    kept 'Kh2\n' --fen "$shuttle" --pgn game.pgn
    sed -i "$2" "$work/games/game.pgn"
    cp "$work/games/game.pgn" "$work/before"
    kept 'Kh1\nsave\nquit\n' --resume game.pgn
    judge "$1 is kept" cmp -s -n "$(stat -c %s "$work/before")" "$work/before" "$work/games/game.pgn"
    judge "$1 is kept: the game is added" saved '2. Kh1 Ka8 *'
    judge "$1 is kept: two games" [ "$(tail -n 1 "$work/check")" = 'games=2 errors=0' ]
}

unlike 'a note in the tags' '/^\[TimeControl/i % a note'
unlike 'a note in the moves' 's/^1\. Kh2 /&\n% a note\n/'
unlike 'a note at the end of a line' 's/^1\. Kh2 /&; a note\n/'
unlike 'a rating of the engine that is none of ours' '/^\[TimeControl/i [BlackElo "1850"]'
unlike 'a name that goes on' 's/^\[Black "Luft [^"]*/& (at home)/'
unlike 'a word of how the game ended' 's/^\[Termination ".*/[Termination "adjourned"]/'
unlike 'an opening' '/^\[TimeControl/i [Opening "My own"]'
unlike 'a move in other letters' 's/^1\. Kh2 /1. Kh1-h2 /'
unlike 'a comment in another form' 's/^1\. Kh2 .*/1. Kh2 { well } 1... Ka7 */'
judge 'a comment in another form is also in the game that is added' saved '1. Kh2 {well} 1... Ka7 2. Kh1'

# carried NAME SED TEXT: a saved game that was changed like this has TEXT and is continued with it
carried() {
    rm -f "$work"/games/*
    kept 'Kh2\n' --fen "$shuttle" --pgn game.pgn
    sed -i "$2" "$work/games/game.pgn"
    kept 'Kh1\nsave\nquit\n' --resume game.pgn
    judge "$1 is carried on" saved "$3" '2. Kh1 Ka8 *'
    judge "$1 is carried on: one game" [ "$(tail -n 1 "$work/check")" = 'games=1 errors=0' ]
}

long=$(printf '%090d' 1)
carried 'the rating of a person' '/^\[TimeControl/i [WhiteElo "1850"]' '[WhiteElo "1850"]'
carried 'a long name' "s/^\[White \".*/[White \"$long\"]/" "[White \"$long\"]"
carried 'an unknown tag' '/^\[TimeControl/i [Mood "good"]' '[Mood "good"]'
carried 'the event' 's/^\[Event .*/[Event "Club"]/' '[Event "Club"]'
carried 'a comment' 's/^1\. Kh2 .*/1. Kh2 {well} 1... Ka7 */' '1. Kh2 {well} 1... Ka7 2. Kh1'
carried 'a comment at the end' 's/^1\. Kh2 .*/1. Kh2 Ka7 {odd} */' '1. Kh2 Ka7 {odd} 2. Kh1'
# shellcheck disable=SC2016 # a NAG
carried 'a mark' 's/^1\. Kh2 .*/1. Kh2 $1 Ka7 */' '1. Kh2 $1 Ka7 2. Kh1'
carried 'a variation' 's/^1\. Kh2 .*/1. Kh2 (1. Kg2 Ka7) 1... Ka7 */' '1. Kh2 (1. Kg2 Ka7) 1... Ka7 2. Kh1'

# taken_back NAME MOVES COMMANDS TEXT: a saved game with these moves is this after the commands
taken_back() {
    rm -f "$work"/games/*
    kept 'Kh2\n' --fen "$shuttle" --pgn game.pgn
    sed -i "s/^1\. Kh2 .*/$2/" "$work/games/game.pgn"
    kept "$3" --resume game.pgn
    judge "taken back: $1" saved "$4"
    judge "taken back: $1: one game" [ "$(tail -n 1 "$work/check")" = 'games=1 errors=0' ]
}

taken_back 'a move without a comment goes' '1. Kh2 Ka7 *' 'undo\nKg1\nquit\n' '1. Kg1 Ka7 *'
taken_back 'one with a comment becomes a variation' '1. Kh2 {well} 1... Ka7 *' 'undo\nKg1\nquit\n' \
    '1. Kg1 (1. Kh2 {well} 1... Ka7) 1... Ka7 *'
taken_back 'a reply with a comment becomes one too' '1. Kh2 Ka7 {odd} *' 'undo\nKg1\nquit\n' \
    '1. Kg1 (1. Kh2 Ka7 {odd}) 1... Ka7 *'
taken_back 'a move of a variation is played' '1. Kh2 {well} (1. Kg1 {or this}) 1... Ka7 *' 'undo\nKg1\nquit\n' \
    '1. Kg1 {or this} (1. Kh2 {well} 1... Ka7) 1... Ka7 *'
rm -f "$work"/games/*
kept 'Kh2\nKh1\n' --fen "$shuttle" --pgn game.pgn
kept 'undo\nsave\nquit\n' --resume game.pgn
judge 'taken back: the last move without a comment goes' saved '1. Kh2 Ka7 *' '[PlyCount "2"]'
kept 'Kh1\nquit\n' --resume game.pgn
sed -i 's/Ka8 \*/Ka8 {odd} */' "$work/games/game.pgn"
kept 'undo\nsave\nquit\n' --resume game.pgn
judge 'taken back: the last move with a comment stays' saved '2. Kh1 Ka8 {odd} *' '[PlyCount "4"]'
judge 'taken back: the last move: one game' [ "$(tail -n 1 "$work/check")" = 'games=1 errors=0' ]

rm -f "$work"/games/*
printf '[Event "Game against Luft"]\n[White "Player"]\n[Black "Luft 0.1.0"]\n[WhiteElo "1850"]\n\n1. e4 e5 *\n%% my notes\n%% on it\n' \
    >"$work/games/game.pgn"
cp "$work/games/game.pgn" "$work/before"
kept 'Nf3\nsave\nquit\n' --resume game.pgn
judge 'a game by hand is kept' cmp -s -n "$(stat -c %s "$work/before")" "$work/before" "$work/games/game.pgn"
judge 'a game by hand is kept, and played on' saved '1. e4 e5 2. Nf3'

rm -f "$work"/games/*
printf '%% before\n\n' >"$work/games/game.pgn"
kept 'Kh2\n' --fen "$shuttle" --pgn game.pgn
printf '%% my notes\n%% on it' >>"$work/games/game.pgn"
kept 'Kh1\nsave\nKh2\nquit\n' --resume game.pgn
judge 'what stands around a game is kept' saved '2. Kh1 Ka8 3. Kh2 Ka7 *'
judge 'what stands around a game is kept: before' [ "$(head -n 1 "$work/games/game.pgn")" = '% before' ]
judge 'what stands around a game is kept: behind' [ "$(tail -n 2 "$work/games/game.pgn")" = "$(printf '%% my notes\n%% on it')" ]
judge 'what stands around a game is kept: one game' [ "$(tail -n 1 "$work/check")" = 'games=1 errors=0' ]

# The old file, which has a second name here, stays what it is: a new one takes its place when it is whole.
rm -f "$work"/games/*
kept 'Kh2\n' --fen "$shuttle" --pgn game.pgn
chmod 640 "$work/games/game.pgn"
ln "$work/games/game.pgn" "$work/old.pgn"
cp "$work/games/game.pgn" "$work/before"
ln -s game.pgn "$work/games/link.pgn"
kept 'Kh1\nsave\nquit\n' --resume link.pgn
judge 'a file is replaced atomically' cmp -s "$work/before" "$work/old.pgn"
judge 'a file is replaced atomically: with the rights of the old one' [ "$(stat -c %a "$work/games/game.pgn")" = 640 ]
judge 'a file is replaced atomically: a link stays' [ -L "$work/games/link.pgn" ]
rm "$work/games/link.pgn"
judge 'a file is replaced atomically: nothing else is left' saved '2. Kh1 Ka8 *'

# No file may grow at all, as on a full disk.
status=0
rm -f "$work"/games/*
(cd "$work/games" && printf 'Kh2\nquit\n' | (ulimit -f 0 && exec "$luft" play --nodes 1000 --fen "$shuttle" --pgn game.pgn) \
    2>&1 | cat >"$work/out" && exit "${PIPESTATUS[1]}") || status=$?
judge 'a full disk: status 1' [ "$status" -eq 1 ]
judge 'a full disk: no file is left that is empty' [ -z "$(ls "$work/games")" ]

# One who saves, and saves again when somebody else has added a game behind.
rm -f "$work"/games/*
mkfifo "$work/says"
(cd "$work/games" && "$luft" play --nodes 1000 --fen "$shuttle" <"$work/says" >"$work/first" 2>&1) &
first=$!
exec 7>"$work/says"
printf 'Kh2\nsave both.pgn\n' >&7
for _ in {1..100}; do
    grep -q 'is saved in' "$work/first" && break
    sleep 0.1
done
kept 'Rb3\n' --fen "$shuttle" --pgn both.pgn
printf 'Kh1\nquit\n' >&7
exec 7>&-
wait "$first"
judge 'two who save into one file: both games' saved '1. Kh2 Ka7 2. Kh1 Ka8 *' '1. Rb3 Ka7 *'
judge 'two who save into one file: each once' [ "$(tail -n 1 "$work/check")" = 'games=2 errors=0' ]

# Who is not the last in the file moves those behind when it saves again: they may stand there twice, but none is lost.
rm -f "$work"/games/*
pids=()
for i in {1..8}; do
    (cd "$work/games" && printf 'Kh2\nsave all.pgn\nKh1\nsave\nKh2\nquit\n' |
        "$luft" play --nodes 1000 --fen "$shuttle" --name "Player $i") >"$work/said.$i" 2>&1 &
    pids+=($!)
done
wait "${pids[@]}"
judge 'eight who save at once' saved '[White "Player 1"]' '[White "Player 5"]' '[White "Player 8"]'
judge 'eight who save at once: as it was at the end' [ "$(grep -c '3\. Kh2 Ka7 \*$' "$work/games/all.pgn")" -eq 8 ]

rm -f "$work"/games/*
kept 'Kh2\n' --fen "$shuttle" --pgn untimed.pgn
kept 'Kh1\n' --resume untimed.pgn --clock 5+3
judge 'a clock for a game that had none' shows '5:00' 'plays 2... Ka8' '5:02'
judge 'a clock for a game that had none: it is saved' saved '[TimeControl "300+3"]' '[Result "*"]'

cat >"$work/games/noted.pgn" <<'END'
[Event "Club"]
[White "Ann"]
[Black "Luft 0.1.0"]
[SetUp "1"]
[FEN "k7/8/8/8/8/8/1R6/5B1K w - - 0 1"]

1. Kh2 {well} Ka7 *
END
rm -f "$work/games/untimed.pgn"
cp "$work/games/noted.pgn" "$work/before"
kept 'Kh1\nquit\n' --resume noted.pgn
judge 'what others have noted is kept' saved '{well}' '2. Kh1 Ka8'
judge 'what others have noted is kept, also in the new game' saved '1. Kh2 {well} 1... Ka7 2. Kh1 Ka8' '[Event "Club"]'
judge 'what others have noted is kept: every byte' cmp -s -n "$(stat -c %s "$work/before")" "$work/before" \
    "$work/games/noted.pgn"
rm -f "$work"/games/*
gzip -c "$work/before" >"$work/games/packed.pgn.gz"
cp "$work/games/packed.pgn.gz" "$work/packed"
kept 'Kh1\nquit\n\n' --resume packed.pgn.gz
if [ "$status" -eq 0 ]; then
    judge 'a compressed game is resumed and left as it is' cmp -s "$work/packed" "$work/games/packed.pgn.gz"
else
    skip 'a compressed game to resume' 'luft is built without zlib'
fi

# others_game BLACK CONTROL CLOCK: a file with a game whose tags and clock are these
others_game() {
    rm -f "$work"/games/*
    printf '[White "Ann"]\n[Black "%s"]\n[TimeControl "%s"]\n[SetUp "1"]\n[FEN "%s"]\n\n1. Kh2 {%s} Ka7 {%s} *\n' \
        "$1" "$2" "$shuttle" "$3" "$3" >"$work/games/other.pgn"
}

others_game 'Luft 0.1.0 (level 4)' 60.500+0.250 ' [%clk 0:00:30.25]'
kept 'Kh1\nquit\n' --resume other.pgn
judge 'clocks of another program' saved '[TimeControl "60.500+0.250"]' '{[%clk 0:00:30.2]} 1... Ka7 {[%clk 0:00:30.2]} 2. Kh1' '(level 4)'
# 2^32 more than the numbers that are meant above: they must not come out as these.
others_game 'Luft 0.1.0 (level 4294967300)' 4294967356 '[%clk 0:4294967297:00]'
kept 'Kh1\nquit\n' --resume other.pgn
judge 'numbers that are too large: not taken' saved '[TimeControl "4294967356"]' '(level 4294967300)' '[TimeControl "-"]'
judge 'numbers that are too large: no strength' [ "$(grep -c '(level 4)' "$work/games/other.pgn")" -eq 0 ]
others_game 'Luft 0.1.0' 40/9000 '[%clk 1:59:00]'
kept 'Kh1\nquit\n' --resume other.pgn
judge 'a control that is not played here: no clock, and it is kept' saved '[TimeControl "40/9000"]' '[TimeControl "-"]'

if [ -d "$(dirname "$luft")/python" ] && command -v python3 >/dev/null; then
    rm -f "$work"/games/*
    kept 'Qg7\n\nquit\n' --fen '7k/5Q2/6K1/8/8/8/8/8 w - - 0 1' --pgn game.pgn --name Ann --clock 5+3
    PYTHONPATH=$(dirname "$luft")/python python3 - "$work/games/game.pgn" \
        >"$work/out" 2>"$work/err" <<'END'
import sys, luft
games = list(luft.read_pgn(sys.argv[1]))
assert len(games) == 1
game = games[0]
assert game.tags["White"] == "Ann" and game.tags["Result"] == "1-0" and game.tags["TimeControl"] == "300+3"
print("good")
END
    status=$?
    judge 'Python reads the saved game' shows good
else
    skip 'Python reads the saved game' 'python3, or the Python package beside the program, is missing'
fi

# --- Arguments -----------------------------------------------------------------------------------

play 'fen\nquit\n' --chess960 518
judge 'Chess960 by number' shows "$startpos"
play 'fen\nquit\n' --chess960=0
judge 'Chess960 by number: 0' shows 'bbqnnrkr/pppppppp/8/8/8/8/PPPPPPPP/BBQNNRKR w '
# One of the 960 is the standard start position, which needs no tag: two of them in a row are not by chance.
for _ in 1 2; do
    play 'e4\nquit\n\n' --chess960 --color white
    ! saved '[SetUp "1"]' || break
done
judge 'Chess960, any' saved '[SetUp "1"]'
play 'quit\n' --color random
judge 'a colour by lot' shows 'You play '
refuses 'an operand' play e4
refuses 'a level that there is not' play --level 11
refuses 'a rating that there is not' play --elo 100
refuses 'a colour that there is not' play --color red
refuses 'a clock that is none' play --clock 5+
refuses 'a clock without time' play --clock 0+1
refuses 'a clock in words' play --clock five
refuses 'a clock with two increments' play --clock 5+3+1
refuses 'a clock that begins with its increment' play --clock +3
refuses 'a point without digits' play --clock 5.
refuses 'a time finer than the clock' play --time 0.0001
refuses 'a day and more' play --time 86401
refuses 'a time that is none' play --time 0
refuses 'a Chess960 number that is none' play --chess960 960
refuses 'a bad FEN' play --fen 'k7/8/8/8/8/8/8/8 w - - 0 1'
refuses 'two strengths' play --level 3 --elo 1500
refuses 'clock and time' play --clock 5+3 --time 1
refuses 'nodes and time' play --nodes 1000 --time 1
refuses 'two positions' play --fen "$startpos" --chess960 5
refuses 'a file that is not there' play --resume "$work/nothing.pgn"
refuses 'standard input as a game' play --resume -
printf 'hello\n' >"$work/words"
refuses 'a file without a game' play --resume "$work/words"
printf '[Event "x"]\n\n1. e4 Ke5 *\n' >"$work/words"
refuses 'a game with a mistake' play --resume "$work/words"
judge 'a game with a mistake: it is named' says 'line 3: .*Ke5'

# --- Letters, figures and colours -----------------------------------------------------------------

play 'quit\n'
LC_ALL=C grep -q '[^ -~]' "$work/out" && plain=1 || plain=0
judge 'plain ASCII where the locale is C' [ "$plain" -eq 0 ]
play 'g6\nquit\nn\n' --fen 'rnbqkb1r/pppppppp/5n2/8/2PP4/2N5/PP2PPPP/R1BQKBNR b KQkq - 2 3' --color black
plain=0
LC_ALL=C grep -q '[^ -~]' "$work/out" && plain=1
judge 'plain ASCII: names of openings, too' [ "$plain" -eq 0 ]
LC_ALL=C.UTF-8 play 'e4\nquit\nn\n'
judge 'figures where it is UTF-8' shows '♜  ♞  ♝  ♛  ♚  ♝  ♞  ♜' '♖  ♘  ♗  ♕  ♔  ♗  ♘  ♖'
LC_ALL=C.UTF-8 play 'e4\nquit\nn\n' --ascii
judge 'letters where they are asked for' shows 'r  n  b  q  k  b  n  r' 'R  N  B  Q  K  B  N  R'
play 'Kh2\nquit\nn\n' --fen "$shuttle" --color white
judge 'the last move is marked, and what a side has more is shown' shows ' k ' 'RB +8' '[.]' '[k]'
play 'quit\n' --fen 'k7/8/8/8/8/8/1R6/5B1K b - - 0 1' --color black
play 'quit\n' --name "$(printf 'A\033[31m')"
judge 'a name cannot play tricks on the terminal' shows '\x1b[31m'
LC_ALL=C.UTF-8 play 'quit\n' --clock 5 --name 'Grünfeld-Löwenfisch-Nimzowitsch'
judge 'a name is cut where its columns end' shows 'Grünfeld-Löwenfisch-Nimz    5:00'
play 'Kh2\n' --fen "$shuttle" --level 1 --color white
judge 'the rating of a level' saved '[BlackElo "800"]' '(level 1)"]'
play 'quit\n' --fen 'k7/8/8/8/8/8/1R6/5B1K b - - 0 1' --color black
judge 'the board is seen from the side of the player' shows ' 1  K  .  B' ' 8  .  .  .  .  .  .  .  k' ' h  g  f'

# --- In a terminal -----------------------------------------------------------------------------------

# in_terminal SCRIPT ARGUMENTS...: plays by the script of drive_terminal.py
in_terminal() {
    local script=$1
    shift
    rm -f "$work"/games/*
    status=0
    # shellcheck disable=SC2059
    (cd "$work/games" && printf "$script" | TERM=xterm-256color python3 "$root/tests/cli/drive_terminal.py" "$luft" play \
        --fen "$shuttle" "$@" >"$work/out" 2>"$work/err") || status=$?
}

if command -v python3 >/dev/null; then
    in_terminal 'expect Your move: \nsend Kh2\nexpect plays 1... Ka7\nexpect move: \nkey C\nexpect ^C again\nkey C\nexpect saved in' \
        --nodes 1000
    judge '^C at the prompt asks, and a second one saves and leaves' shows 'plays 1... Ka7'
    judge '^C at the prompt: the game is there' saved '1. Kh2 Ka7 *'
    in_terminal 'expect move: \nsend Kh2\nexpect thinking\npause 0.3\nkey C\nexpect plays 1... Ka7\nexpect move: \nkey D\nexpect saved' \
        --time 600
    judge '^C makes the engine move' shows 'plays 1... Ka7'
    judge 'and ^D saves and leaves' saved '1. Kh2 Ka7 *'
    in_terminal 'expect move: \nsend Kh2\nexpect thinking\nkey C\nexpect plays 1... Ka7\nexpect move: \nsend hint\nexpect thinking\nkey C\nexpect Try\nexpect move: \nsend Kh1\nexpect thinking\nkey C\nexpect plays 2... Ka8\nexpect move: \nkey D\nexpect saved' \
        --time 600
    judge '^C makes it move, however soon it comes' shows 'plays 2... Ka8'
    in_terminal 'expect move: \nsend Kh2\nexpect Ka7\nexpect move: \nsignal SIGTERM\nexpect saved' --nodes 1000
    judge 'a game is saved when the system asks the program to end' saved '1. Kh2 Ka7 *'
    in_terminal 'expect move: \nsend Kh2\nexpect thinking\npause 0.3\nsignal SIGHUP\nexpect saved' --time 600
    judge 'also while the engine thinks' saved '1. Kh2 Ka7 *'
    in_terminal 'expect move: \nkey C' --nodes 1000
    judge '^C leaves at once where nothing was played' [ "$status" -eq 0 ]
    LC_ALL=C.UTF-8 in_terminal 'expect move: \nbytes e29994 78 7f 7f 4b\nsend h2\nexpect plays 1... Ka7\nexpect move: \nsend quit\nexpect Save\nsend n' \
        --nodes 1000
    judge 'Backspace takes a figurine as one letter' shows 'plays 1... Ka7'
    esc=$(printf '\033')
    judge 'a terminal has colours' grep -q "${esc}\[48;5;" "$work/out"
    NO_COLOR=1 in_terminal 'expect move: \nsend quit' --nodes 1000
    judge 'unless NO_COLOR says no' shows 'Your move'
    ! grep -q "$esc" "$work/out"
    report 'unless NO_COLOR says no: nothing of them' $?
else
    skip 'a game in a terminal' 'python3 is not installed'
fi

# --- The opening book -------------------------------------------------------------------

# Moves that a search would not choose.
printf '[Event "?"]\n[Result "1/2-1/2"]\n\n1. a3 h6 2. h3 a6 3. Ra2 Rh7 1/2-1/2\n' >"$work/odd.pgn"
"$luft" book make "$work/odd.pgn" --min-games 1 --quiet -o "$work/odd.bin"
play 'a3\nh3\ne4\nquit\n' --book "$work/odd.bin"
judge 'the engine plays from its book, then by itself' shows 'Luft plays 1... h6.' 'Luft plays 2... a6.' 'Luft plays 3... '
play 'quit\n' --book "$work/odd.bin" --color black
judge 'the first move too' shows 'Luft plays 1. a3.'
refuses 'a book that is not there' play --book "$work/nowhere.bin"
refuses 'a book that is not one' play --book "$work/odd.pgn"

finish
