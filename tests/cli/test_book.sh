#!/bin/bash
# SPDX-License-Identifier: MIT
#
# `luft book` from the outside: books made from games agree with a slow count (book_count.py) and with Debian's polyglot;
# merging, showing, counting and exporting; files that are not books; outputs that exist. LUFT_TEST_LONG=1 counts all
# games of LUFT_DATA. Argument: the path of the program.
# shellcheck source=tests/cli/support.sh
. "$(dirname "$0")/support.sh"
here=$(cd "$(dirname "$0")" && pwd)
cd "$work" || exit 1
PATH=$PATH:/usr/games

# game WHITE ELO BLACK ELO RESULT MOVES [TAGS]
game() {
    printf '[Event "?"]\n[Site "?"]\n[Date "????.??.??"]\n[Round "?"]\n[White "%s"]\n[Black "%s"]\n[Result "%s"]\n' "$1" "$3" "$5"
    printf '[WhiteElo "%s"]\n[BlackElo "%s"]\n%s\n%s %s\n\n' "$2" "$4" "${7:-}" "$6" "$5"
}

# Castling of all kinds, promotions, both cases of en passant, another start, transpositions.
{
    game Ann 2500 Bob 2400 1-0 'e4 e5 Nf3 Nc6 Bb5 a6 O-O'
    game Bob 2400 Ann 2500 0-1 'e4 e5 Nf3 Nc6 Bc4 Bc5 c3 Nf6 O-O O-O'
    game Cid '' Ann 2500 1/2-1/2 'e4 c5 Nf3 d6 d4 cxd4'
    game Cid '' Dan 1800 '*' 'h4 h5'
    game Dan 1800 Cid '' 1-0 'e4 e5 f4 exf4 e5 Qe7 d4 d5 Nf3'
    game Dan 1800 Cid '' 1/2-1/2 'd4 d5 Nc3 Nf6 Bf4 Bf5 Qd2 Qd7 O-O-O Nc6 f3 O-O-O'
    game Eve 2000 Cid '' 0-1 'e4 Nf6 e5 d5 exd6 exd6'
    game Eve 2000 Cid '' 0-1 'a4 b5 axb5 a6 bxa6 Nc6 a7 Rb8 axb8=N Nxb8'
    game Eve 2000 Ann 2500 1/2-1/2 'b8=Q+ Kg7 Qc7+' '[SetUp "1"]
[FEN "6k1/1P6/8/8/8/8/8/K6R w - - 0 1"]
'
    game Bob 2400 Ann 2500 1-0 'Nf3 Nc6 e4 e5 Bb5'
} >games.pgn

# counted NAME GAMES OPTIONS...: the book agrees with the slow count
counted() {
    local name=$1 games=$2
    shift 2
    rm -f counted.bin
    run book make "$games" -o counted.bin --quiet "$@"
    judge "make: $name" ended_well
    status=0
    "$here/book_count.py" "$luft" "$games" counted.bin "$@" >out 2>err || status=$?
    judge "the slow count agrees: $name" test "$status" -eq 0
}

counted 'every move' games.pgn --min-games 1
counted 'moves of two games' games.pgn --min-games 2
counted 'the first three moves' games.pgn --min-games 1 --max-ply 3
counted 'wins' games.pgn --min-games 1 --weights wins
counted 'games' games.pgn --min-games 1 --weights games
counted 'equal weights' games.pgn --min-games 1 --weights equal
counted 'moves of White' games.pgn --min-games 1 --color white
counted 'moves of Black' games.pgn --min-games 1 --color black
counted 'moves of a player' games.pgn --min-games 1 --player ann
counted 'moves of strong players' games.pgn --min-games 1 --elo-min 2450

run book make games.pgn -o book.bin --min-games 1
judge 'make: a summary' grep -Fqx '10 games, 9 used, 0 with errors; 38 positions, 43 moves' err

run book make "$here/../data/pgn/classics.pgn" -o classics.bin --min-games 1 --weights games
judge 'make: the book of the documentation' cmp classics.bin "$here/../data/book/classics.bin"

# --- Output -----------------------------------------------------------------------------

# one_error_line_of_book: one line that names the subcommand, and no output
# shellcheck disable=SC2317 # called by judge
one_error_line_of_book() {
    [ "$status" -ge 1 ] && [ "$status" -le 2 ] && [ ! -s out ] && [ "$(wc -l <err)" -eq 1 ] &&
        grep -Eqx 'luft book [a-z]+: [ -~]{1,200}' err
}

# refused_and_kept: bad arguments, and book.bin is as it was
# shellcheck disable=SC2317 # called by judge
refused_and_kept() {
    one_error_line 2 && cmp -s book.bin kept.bin
}

cp book.bin kept.bin
run book make games.pgn -o book.bin --min-games 2
judge 'make: keeps a file that exists' refused_and_kept
run book merge kept.bin -o book.bin
judge 'merge: keeps a file that exists' refused_and_kept
run book export kept.bin -o book.bin
judge 'export: keeps a file that exists' refused_and_kept
run book export book.bin --force -o book.bin
judge 'export: keeps the book that it reads, even by force' refused_and_kept
run book merge book.bin -o book.bin --force
judge 'merge: never replaces what it reads' refused_and_kept
run book make games.pgn -o games.pgn --force
judge 'make: never replaces what it reads' one_error_line 2
run book make games.pgn -o book.bin --min-games 1 --color white --force --quiet
judge 'make: --force replaces' ended_well
judge 'make: --force has replaced' test "$(wc -c <book.bin)" -lt "$(wc -c <kept.bin)"
cp kept.bin book.bin
run book make games.pgn -o none.bin --min-games 100
judge 'make: no book without moves' one_error_line 1
judge 'make: no file either' test ! -e none.bin
run book make games.pgn missing.pgn -o none.bin --min-games 1
judge 'make: no book from half of the files' test "$status" -eq 2 -a ! -e none.bin
refuses 'make without an output' book make games.pgn
refuses 'make with too little memory' book make games.pgn -o x.bin --memory 1
refuses 'an unknown command' book burn

# --- The same book from every input ---------------------------------------------------------

for threads in 1 3; do
    run book make games.pgn games.pgn games.pgn -o "t$threads.bin" --min-games 1 --threads "$threads" --quiet
done
judge 'make: the same book with any number of threads' cmp t1.bin t3.bin
cat games.pgn games.pgn games.pgn | "$luft" book make -o pipe.bin --min-games 1 --quiet
judge 'make: the same book from a pipe' cmp t1.bin pipe.bin
if command -v gzip >/dev/null && "$luft" pgn --help | grep -q gzip; then
    cat games.pgn games.pgn games.pgn | gzip >games.pgn.gz
    run book make games.pgn.gz -o gz.bin --min-games 1 --quiet
    judge 'make: the same book from an archive' cmp t1.bin gz.bin
fi
run book merge kept.bin kept.bin kept.bin -o merged.bin --quiet
judge 'merge: three times a book is the book of three times the games' cmp t1.bin merged.bin

# --- show -------------------------------------------------------------------------------------

cat >expected <<'END'
e4            5  62.50 %
Nf3           2  25.00 %
d4            1  12.50 %
END
run book show book.bin
judge 'show: the start position' same_output expected
printf 'Nf3           2 100.00 %%\n' >expected
run book show book.bin --moves 'e4 e5 f4 exf4 e5 Qe7 d4 d5'
judge 'show: an en passant capture that a pin forbids, by moves' same_output expected
run book show book.bin 'rnb1kbnr/ppp1qppp/8/3pP3/3P1p2/8/PPP3PP/RNBQKBNR w KQkq d6 0 5'
judge 'show: the same by FEN' same_output expected
printf 'no moves\n' >expected
run book show book.bin 'rnb1kbnr/ppp1qppp/8/3pP3/3P1p2/8/PPP3PP/RNBQKBNR w KQkq - 0 5'
judge 'show: another position without the square' same_output expected
printf 'O-O           2 100.00 %%\n' >expected
run book show book.bin --moves 'e4 e5 Nf3 Nc6 Bb5 a6'
judge 'show: castling' same_output expected
run book show --json book.bin --moves 'e4 e5 Nf3 Nc6 Bb5 a6'
judge 'show: JSON' printed '\{"fen": "r1bqkbnr/1ppp1ppp/p1n5/1B2p3/4P3/5N2/PPPP1PPP/RNBQK2R w KQkq - 0 4", "key": "[0-9a-f]{16}", "illegal": 0, "moves": \[\{"san": "O-O", "uci": "e1g1", "weight": 2, "share": 100\.00, "learn": 0\}\]\}'
refuses 'show of a bad FEN' book show book.bin nonsense
refuses 'show of an illegal move' book show book.bin --moves e5

# A book of one entry: e1a1, where a rook stands on e1.
rook='7k/8/8/8/8/8/6K1/4R3 w - - 0 1'
key=$("$luft" book show --json book.bin "$rook" | sed 's/.*"key": "\([0-9a-f]*\)".*/\1/')
# shellcheck disable=SC2001 # every two digits
printf '%b' "$(sed 's/../\\x&/g' <<<"$key")\\x01\\x00\\x00\\x05\\x00\\x00\\x00\\x00" >rook.bin
printf 'Ra1           5 100.00 %%\n' >expected
run book show rook.bin "$rook"
judge 'show: e1a1 of a rook is a rook move (D4)' same_output expected

# --- info and export ------------------------------------------------------------------------------

# With a weight for every game all moves can be reached but the three of the game with another start.
run book make games.pgn -o all.bin --min-games 1 --weights games --quiet
read -r positions moves <<<"$(python3 -c '
import struct
entries = list(struct.iter_unpack(">QHHI", open("all.bin", "rb").read()))
print(len({entry[0] for entry in entries}), len(entries))')"
run book info --json all.bin
judge 'info: JSON' printed "\{\"file\": \"all\.bin\", \"positions\": $positions, \"reached\": $((positions - 3)), \"moves\": $moves, \"most_moves\": 4, \"highest_weight\": 5, \"zero_weights\": 0, \"learned\": 0, \"illegal\": 0\}"
run book info book.bin t1.bin
judge 'info: two books' test "$(grep -c positions out)" -eq 2
run book info rook.bin
judge 'info: a book that cannot be reached' printed ' *reached *0'
run book export all.bin -o tree.pgn --max-ply 100
judge 'export' ended_well
run pgn check tree.pgn
judge 'export: a legal game' printed 'games=1 errors=0'
written=$(sed '/^\[/d' tree.pgn | grep -oE '[a-zA-Z][^ ().]*[0-9O](=[NBRQ])?[+#]?' | wc -l)
judge 'export: every move that can be reached, once' test "$written" -eq $((moves - 3))
run book export all.bin --min-share 60
judge 'export: one line of the most frequent moves' test "$(grep -c '(' out)" -eq 0
run book export book.bin --max-ply 2 --weights
judge 'export: weights' grep -Fq '1. e4 {[%weight 5]}' out
run book export book.bin --moves 'h4 h5'
judge 'export: a position without moves' one_error_line 1

# --- Files that are not books ------------------------------------------------------------------------

: >empty
head -c 100 book.bin >short
{ tail -c 16 book.bin && head -c 16 book.bin; } >unsorted
mkdir folder && mkfifo pipe
for bad in empty short unsorted folder pipe missing games.pgn; do
    for action in show info export 'merge -o x.bin'; do
        # shellcheck disable=SC2086 # an action and its options
        status=0 && timeout 120 "$luft" book $action "$bad" >out 2>err </dev/null || status=$?
        judge "refused: book $action $bad" one_error_line_of_book
    done
done
rm -f pipe

# --- Real games -----------------------------------------------------------------------------------------

if ! data_file pgn/large.pgn.zst; then
    skip 'books of real games' "$reason"
    finish
elif ! command -v zstd >/dev/null; then
    skip 'books of real games' 'zstd is not installed'
    finish
fi
# Memory in which all of these fit, and memory that must be written to temporary files and merged.
run book make "$path" -o wide.bin --min-games 1 --quiet
judge 'make: real games' ended_well
run book make "$path" -o narrow.bin --min-games 1 --quiet --memory 16
judge 'make: the same book in little memory' cmp wide.bin narrow.bin
zstd -qdc "$path" | awk '/^\[Event /{n++} n > 1000 {exit} {print}' >some.pgn
if [ -n "${LUFT_TEST_LONG:-}" ]; then
    zstd -qdc "$path" >some.pgn
fi
counted 'real games' some.pgn
if ! command -v polyglot >/dev/null; then
    skip 'the book of polyglot' 'the program polyglot is not installed'
    finish
fi
# polyglot takes a game without a result for a draw. It halves the weights of a position above 16,383, so of the
# start position if there are many games.
"$luft" pgn filter --result '*' --invert --quiet some.pgn -o finished.pgn
status=0
polyglot make-book -pgn finished.pgn -bin theirs.bin -max-ply 40 -min-game 3 >out 2>err || status=$?
python3 - <<'END' || status=1
import struct
def read(name):
    with open(name, "rb") as file:
        return {entry[:2]: entry for entry in struct.iter_unpack(">QHHI", file.read()) if entry[0] != 0x463B96181691FC9C}
ours, theirs = read("counted.bin"), read("theirs.bin")
raise SystemExit(ours != theirs or len(ours) < 100)
END
judge 'polyglot makes the same book' test "$status" -eq 0
polyglot merge-book -in1 counted.bin -in2 kept.bin -out theirs.bin >out 2>err
run book merge counted.bin kept.bin -o ours.bin --quiet
python3 - <<'END'
import struct
def read(name):
    with open(name, "rb") as file:
        return sorted(struct.iter_unpack(">QHHI", file.read()))
raise SystemExit(read("ours.bin") != read("theirs.bin"))
END
status=$?
judge 'polyglot merges the same book' test "$status" -eq 0
finish
