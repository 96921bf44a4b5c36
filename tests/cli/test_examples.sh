#!/bin/bash
# SPDX-License-Identifier: MIT
#
# Compiles and runs what is shown to users of the library: the programs in
# examples/, as their readers would, against an installed library that pkg-config
# finds; and every block marked `c` in README.md and docs/. Such a block is a
# whole program if it has a main, else the inside of one; it must compile without a
# warning, end with status 0 (so its assertions hold), and print the texts of its
# comments of the form /* prints TEXT */, no more and no less.
#
# Argument 1: the path of the program; libluft.a is expected beside it.
# shellcheck source=tests/cli/support.sh
. "$(dirname "$0")/support.sh"
root=$(cd "$(dirname "$0")/../.." && pwd)
cd "$root" || exit 2
libraries=("$(dirname "$luft")/libluft-engine.a" "$(dirname "$luft")/libluft.a" -pthread -lm)
flags=(-std=c17 -Wall -Wextra -Wshadow -Wstrict-prototypes -Wmissing-prototypes -Werror)

# compile SOURCE PROGRAM: with the libraries as they were built
compile() {
    "${CC:-gcc}" "${flags[@]}" -Iinclude -o "$2" "$1" "${libraries[@]}" 2>"$work/err"
}

# compile_installed SOURCE PROGRAM: with the libraries as they were installed; the engine only where it is used
compile_installed() {
    local package=luft
    if grep -q '"luft/engine.h"' "$1"; then
        package='luft-engine'
    fi
    # shellcheck disable=SC2046 # the flags are words
    "${CC:-gcc}" "${flags[@]}" -pthread -o "$2" "$1" $(pkg-config --cflags --libs "$package") 2>"$work/err"
}

# start PROGRAM ARGUMENTS...: like `run`, for another program than luft
start() {
    status=0
    "$@" >"$work/out" 2>"$work/err" </dev/null || status=$?
}

# --- examples/ ----------------------------------------------------------------------

# A scratch root rather than a prefix, so that `make install` leaves the system's list of libraries alone.
make -s install DESTDIR="$work/root" PREFIX=/usr >"$work/install" 2>&1
report 'make install' $?
export PKG_CONFIG_LIBDIR=$work/root/usr/lib/pkgconfig PKG_CONFIG_SYSROOT_DIR=$work/root
export LD_LIBRARY_PATH=$work/root/usr/lib

for source in examples/*.c; do
    name=$(basename "$source" .c)
    status=0
    : >"$work/out"
    compile_installed "$source" "$work/$name" || status=$?
    judge "$source compiles" ended_well
    lines=$(wc -l <"$source")
    [ "$lines" -lt 80 ]
    report "$source is short ($lines lines)" $?
done

# shellcheck disable=SC2317 # called by judge
# fails_with PATTERN: exit status other than 0, and this line
fails_with() {
    [ "$status" -ne 0 ] && grep -Eqx -- "$1" "$work/out"
}

# Published counts from the start position.
for count in 1:20 3:8902 4:197281; do
    start "$work/perft" "${count%:*}"
    judge "perft ${count%:*}" printed "${count#*:}"
done
code=$(sed '/^\/\*/,/^ \*\//d; /^#include/d; /^$/d' examples/perft.c | wc -l)
[ "$code" -le 20 ]
report "perft in 20 lines ($code)" $?

start "$work/legal_moves"
judge 'legal_moves of the start' printed '20 legal moves'
start "$work/legal_moves" '4k3/4r3/8/8/8/8/4R3/4K3 w - - 0 1'
judge 'legal_moves of a pinned rook' printed '9 legal moves'
judge 'legal_moves marks a check' printed 'e2e7\+'
judge 'legal_moves marks no other move' printed 'e2e6'
start "$work/legal_moves" '8/8/8/2k5/3Pp3/8/8/4K3 b - d3 0 1'
judge 'legal_moves with en passant' printed 'e4d3'
start "$work/legal_moves" '8/q2q2qk/8/2NNN3/q1NKN1q1/2NNN3/8/q2q2q1 w - - 0 1'
judge 'legal_moves of a stalemate' printed 'stalemate'
start "$work/legal_moves" 'R3k3/8/4K3/8/8/8/8/8 b - - 0 1'
judge 'legal_moves of a mate' printed 'checkmate'
start "$work/legal_moves" '8/8/8/8/8/8/8/8 w - - 0 1'
judge 'legal_moves names the first fault' fails_with '  White has no king'
judge 'legal_moves names the second fault' fails_with '  Black has no king'

start "$work/play_moves" e2e4 e7e5 g1f3
judge 'play_moves' printed 'rnbqkbnr/pppp1ppp/8/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R b KQkq - 1 2'
start "$work/play_moves" e2e4 e2e4
judge 'play_moves refuses an illegal move' fails_with 'e2e4: .*illegal.*'
start "$work/play_moves" hello
judge 'play_moves refuses a text that is not a move' fails_with 'hello: .*'

# Scholar's mate, every kind of castling and promotion, and each way to be wrong.
printf '%s\n' e2e4 e7e5 d1h5 b8c6 f1c4 g8f6 h5f7 >"$work/expected"
start "$work/san_to_uci" e4 e5 Qh5 Nc6 Bc4 Nf6 'Qxf7#'
judge 'san_to_uci' same_output "$work/expected"
start "$work/san_to_uci" e4 e5 Nf3 Nc6 Bc4 Nf6 O-O
judge 'san_to_uci castles' printed e1g1
start "$work/san_to_uci" a4 b5 axb5 a6 bxa6 Nc6 a7 Nb8 axb8=N
judge 'san_to_uci promotes' printed a7b8n
start "$work/san_to_uci" e4 e5 Nf3 Nc6 Nc3 d6 Nd5 Be6 Nb4 h6 Nd3 g6 Ndxe5
judge 'san_to_uci tells two knights apart' printed d3e5
start "$work/san_to_uci" Nf3 e5 Nc3 d6 Nd4 e4 Nb5
judge 'san_to_uci refuses an ambiguous move' fails_with 'Nb5: ambiguous move'
start "$work/san_to_uci" e4 e4
judge 'san_to_uci refuses an illegal move' fails_with 'e4: not a legal move.*'
start "$work/san_to_uci" hello
judge 'san_to_uci refuses a text that is not a move' fails_with 'hello: not a move'

# The back rank; a position with two mates; the fool's mate; a smothered mate by a knight; a promotion that mates.
start "$work/mate_in_one" '6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1'
echo 'Ra8#' >"$work/expected"
judge 'mate_in_one on the back rank' same_output "$work/expected"
start "$work/mate_in_one" '6k1/5ppp/8/8/8/8/8/RR4K1 w - - 0 1'
sort -o "$work/out" "$work/out"
printf 'Ra8#\nRb8#\n' >"$work/expected"
judge 'mate_in_one finds both' same_output "$work/expected"
start "$work/mate_in_one" 'rnbqkbnr/pppp1ppp/8/4p3/6P1/5P2/PPPPP2P/RNBQKBNR b KQkq - 0 2'
echo 'Qh4#' >"$work/expected"
judge 'mate_in_one for Black' same_output "$work/expected"
start "$work/mate_in_one" '6rk/6pp/8/6N1/8/8/8/6K1 w - - 0 1'
echo 'Nf7#' >"$work/expected"
judge 'mate_in_one by a knight' same_output "$work/expected"
start "$work/mate_in_one" '7k/P5pp/8/8/8/8/8/K7 w - - 0 1'
sort -o "$work/out" "$work/out"
printf 'a8=Q#\na8=R#\n' >"$work/expected"
judge 'mate_in_one by promotion' same_output "$work/expected"
start "$work/mate_in_one" "$startpos"
judge 'mate_in_one where there is none' fails_with 'no mate in one'
start "$work/mate_in_one" 'no FEN'
judge 'mate_in_one of no FEN is refused' fails_with 'not the FEN of a legal position'

# A random game must be a game: the one example checks the other. Seeds give different games, one seed the same.
for seed in 1 2 3 4 5; do
    start "$work/random_game" "$seed"
    cp "$work/out" "$work/game-$seed.pgn"
    judge "random_game $seed ends" printed '.*\{[a-z -]+ after [0-9]+ moves of one side\} (1-0|0-1|1/2-1/2)'
    plies=$(sed -n 's/.*after \([0-9]*\) moves.*/\1/p' "$work/out")
    start "$work/validate_pgn" "$work/game-$seed.pgn"
    judge "validate_pgn finds random_game $seed good" printed "1 games, $plies moves, 0 errors"
done
# The reason agrees with the last move and the result: # for a checkmate, which somebody has won.
for game in "$work"/game-*.pgn; do
    last=$(tail -n 1 "$game")
    case $(tr '\n' ' ' <"$game") in
    *'# {checkmate'*'} 1-0 ' | *'# {checkmate'*'} 0-1 ') ;;
    *'#'* | *checkmate*) echo "# $last" && false ;;
    *'1/2-1/2 ') ;;
    *) echo "# $last" && false ;;
    esac
    report "$(basename "$game"): the result fits the end" $?
done
start "$work/random_game" 1
judge 'random_game is the same for the same seed' same_output "$work/game-1.pgn"
! cmp -s "$work/game-1.pgn" "$work/game-2.pgn"
report 'random_game is another one for another seed' $?

cat >"$work/games.pgn" <<'END'
[Event "good"]
[Result "1-0"]

1. e4 e5 2. Qh5 Nc6 (2... g6) 3. Bc4 Nf6 4. Qxf7# 1-0

[Event "bad"]
[Result "*"]

1. e4 e5
2. Ke3 Ke7 *

[Event "good again"]
[Result "*"]

1. d4 {a comment} *
END
start "$work/validate_pgn" "$work/games.pgn"
judge 'validate_pgn names the place of a mistake' fails_with 'line 10, column 4: .*Ke3'
judge 'validate_pgn reads on after it' fails_with '3 games, 11 moves, 1 errors'
status=0
"$work/validate_pgn" <"$work/game-1.pgn" >"$work/out" 2>"$work/err" || status=$?
judge 'validate_pgn reads standard input' printed '1 games, .*'
start "$work/validate_pgn" "$work/no-such-file"
judge 'validate_pgn without a file' fails_with 'cannot read .*'

# The annotations of edit_pgn are an engine's: a second run replaces them. A comment in which a person wrote stays.
printf '1. f3 {my words} e5 2. g4 (2. e4) Qh4# {so} 0-1\n' >"$work/mate.pgn"
start "$work/edit_pgn" "$work/mate.pgn"
cp "$work/out" "$work/mate-once.pgn"
# shellcheck disable=SC2016 # the dollar is that of a NAG
judge 'edit_pgn marks a mate' printed '1\. f3 \{my words\} 1\.\.\. e5 2\. g4 \(2\. e4\) 2\.\.\. Qh4# \$3 \{Checkmate!'
start "$work/edit_pgn" "$work/mate-once.pgn"
judge 'edit_pgn marks it once' same_output "$work/mate-once.pgn"
sed 's/Checkmate!/Checkmate, I say!/' "$work/mate-once.pgn" >"$work/mate-mine.pgn"
start "$work/edit_pgn" "$work/mate-mine.pgn"
judge 'edit_pgn keeps what a person wrote' printed '.*\{Checkmate, I say!.*'
start "$work/edit_pgn" "$work/games.pgn"
judge 'edit_pgn cuts a game at a mistake and goes on' printed '1\. d4 \{a comment\} \*'
start "$work/edit_pgn" "$work/no-such-file"
judge 'edit_pgn without a file' fails_with 'cannot read .*'

# --- examples/ of the engine -------------------------------------------------------------

start "$work/best_move" '6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 1'
judge 'best_move mates' printed 'Ra8#'
start "$work/best_move" 'R3k3/8/4K3/8/8/8/8/8 b - - 0 1'
judge 'best_move where the game is over' printed '--'
start "$work/best_move" 'no FEN'
judge 'best_move of no FEN is refused' fails_with 'not the FEN of a legal position'
lines=$(wc -l <examples/best_move.c)
[ "$lines" -le 30 ]
report "best_move in 30 lines ($lines)" $?

# A known mate in two, of which the key move is the only one.
start "$work/analyse_lines" 'kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1' 2 8
judge 'analyse_lines finds a mate' printed '1\. mate in 2  \(100% won, 0% drawn\)  Ra6 bxa6 b7#'
judge 'analyse_lines has a second line' printed '2\. [+-][0-9.]+  .*'
start "$work/analyse_lines" '6k1/8/6K1/8/8/8/8/R7 b - - 0 1' 5 4
judge 'analyse_lines of a lost position' printed '1\. mated in 2 .*'
judge 'analyse_lines of a lost position: the second line' printed '2\. mated in 1 .* Kh8 Ra8#'
! grep -q '^3\.' "$work/out"
report 'analyse_lines has no more lines than there are moves' $?
start "$work/analyse_lines" "$startpos" 1000
judge 'analyse_lines refuses too many lines' fails_with 'bad argument'

start "$work/level_match" 2000 800 2
judge 'level_match: the stronger player wins' printed '2000 - 800: 2\.0 - 0\.0'
start "$work/level_match" 5000 800
[ "$status" -eq 1 ]
report 'level_match refuses a rating that there is not' $?

# As many requests as there are engines, and more; one of them is not a position.
for _ in 1 2 3; do
    printf '%s\n' '6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 1' 'no FEN' 'kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1' '4k3/8/8/3q4/4P3/8/8/4K3 w - - 0 1'
done >"$work/requests"
status=0
"$work/engine_pool" <"$work/requests" >"$work/out" 2>"$work/err" || status=$?
sort -n -o "$work/out" "$work/out"
for i in 0 4 8; do
    printf '%d: %s\n' $((i + 1)) 'Ra8#' $((i + 2)) 'no move' $((i + 3)) Ra6 $((i + 4)) exd5
done >"$work/expected"
judge 'engine_pool answers every request' same_output "$work/expected"

# --- Blocks in the text ---------------------------------------------------------------

# Writes each block to $work/block-DOCUMENT:LINE.c.
extract() {
    awk -v prefix="$work/block-$(basename "$1"):" '
        function flush() {
            file = prefix start ".c"
            if (text !~ /int main\(/) {
                text = "#undef NDEBUG\n#include <assert.h>\n#include <inttypes.h>\n#include <stdio.h>\n" \
                    "#include <string.h>\n#include \"luft/luft.h\"\nint main(void) {\n" text "return 0;\n}\n"
            }
            printf "%s", text >file
            close(file)
        }
        $0 == "```c" { inside = 1; start = FNR; text = ""; next }
        /^```/ && inside { inside = 0; flush() }
        inside { text = text $0 "\n" }' "$1"
}

for document in README.md docs/*.md; do
    extract "$document"
done
blocks=0
for source in "$work"/block-*.c; do
    [ -e "$source" ] || continue
    name=$(basename "$source" .c)
    blocks=$((blocks + 1))
    sed -n 's|.*/\* prints \(.*\) \*/.*|\1|p' "$source" >"$work/expected"
    : >"$work/out"
    status=0
    if compile "$source" "$work/$name"; then
        start "$work/$name"
    else
        status=1
    fi
    judge "C in ${name#block-}" same_output "$work/expected"
done
[ "$blocks" -ge 8 ]
report "the documents have at least 8 blocks of C ($blocks)" $?

finish
