#!/bin/bash
# SPDX-License-Identifier: MIT
#
# `luft show` from the outside: the board, the facts below it, and every map, on
# positions small enough to work out by hand. Argument: the path of the program.
# shellcheck source=tests/cli/support.sh
. "$(dirname "$0")/support.sh"

# map NAME ARGUMENTS...: luft show ARGUMENTS prints exactly the diagram on standard input
map() {
    local name=$1
    shift
    cat >"$work/expected"
    run show "$@"
    judge "map: $name" same_output "$work/expected"
}

# --- The position -------------------------------------------------------------

run show
cat >"$work/expected" <<'EOF'
8 r n b q k b n r
7 p p p p p p p p
6 . . . . . . . .
5 . . . . . . . .
4 . . . . . . . .
3 . . . . . . . .
2 P P P P P P P P
1 R N B Q K B N R
  a b c d e f g h
EOF
head -n 9 "$work/out" | cmp -s - "$work/expected"
report 'the start position' $?
judge 'Fen' printed "Fen: $startpos"
judge 'Key' printed 'Key: [0-9a-f]{16}'
judge 'Side to move' printed 'Side to move: white'
judge 'Castling' printed 'Castling: KQkq'
judge 'En passant' printed 'En passant: -'
judge 'Checkers' printed 'Checkers: -'
first='a2a3 a2a4 b1a3 b1c3 b2b3 b2b4 c2c3 c2c4 d2d3 d2d4 e2e3 e2e4 f2f3 f2f4 g1f3 g1h3 g2g3 g2g4 h2h3 h2h4'
judge 'Legal moves' printed "Legal moves: 20: $first"

run show --moves 'e2e4 g8f6 e4e5 d7d5'
judge 'moves are played: FEN' printed 'Fen: rnbqkb1r/ppp1pppp/5n2/3pP3/8/8/PPPP1PPP/RNBQKBNR w KQkq d6 0 3'
judge 'moves are played: en passant' printed 'En passant: d6'
run show "$kiwipete"
judge 'a FEN as argument' printed "Fen: $kiwipete"
run show '8/8/8/2k5/3Pp3/8/8/4K3 b - d3 0 1'
judge 'black to move' printed 'Side to move: black'
judge 'checkers' printed 'Checkers: d4'
judge 'en passant takes the checker' printed 'Legal moves: 9: .*e4d3.*'
run show 'R3k3/8/4K3/8/8/8/8/8 b - - 0 1'
judge 'checkmate is named' printed 'Legal moves: 0 \(checkmate\)'
run show '8/q2q2qk/8/2NNN3/q1NKN1q1/2NNN3/8/q2q2q1 w - - 0 1'
judge 'stalemate is named' printed 'Legal moves: 0 \(stalemate\)'
run show '4k3/8/8/8/8/8/8/RR2K3 w B - 0 1'
judge 'castling of Chess960' printed 'Castling: B'

# A position and its colour-flipped twin have the same key; another side to move has another.
key() {
    "$luft" show "$1" | sed -n 's/^Key: //p'
}
white_key=$(key '4k3/8/8/8/8/8/4P3/4K2R w K - 0 1')
[ -n "$white_key" ] && [ "$white_key" = "$(key '4k2r/4p3/8/8/8/8/8/4K3 b k - 0 1')" ]
report 'the twin has the same key' $?
[ "$white_key" != "$(key '4k3/8/8/8/8/8/4P3/4K2R b K - 0 1')" ]
report 'the side to move changes the key' $?

# --- Maps ---------------------------------------------------------------------

# The rook on e2 is pinned to e1 by the rook on e7, and that one to e8 by the rook on e2.
pinned='4k3/4r3/8/8/8/8/4R3/4K3 w - - 0 1'
# The same with the white rook on a2: now White is in check.
checked='4k3/4r3/8/8/8/8/R7/4K3 w - - 0 1'

map 'occupancy' "$pinned" --map occupancy <<'EOF'
8 . . . . 1 . . .
7 . . . . 1 . . .
6 . . . . . . . .
5 . . . . . . . .
4 . . . . . . . .
3 . . . . . . . .
2 . . . . 1 . . .
1 . . . . 1 . . .
  a b c d e f g h
EOF
map 'pins' "$pinned" --map pins <<'EOF'
8 . . . . . . . .
7 . . . . 1 . . .
6 . . . . . . . .
5 . . . . . . . .
4 . . . . . . . .
3 . . . . . . . .
2 . . . . 1 . . .
1 . . . . . . . .
  a b c d e f g h
EOF
map 'attacks of e2' "$pinned" --map attacks --square e2 <<'EOF'
8 . . . . . . . .
7 . . . . 1 . . .
6 . . . . 1 . . .
5 . . . . 1 . . .
4 . . . . 1 . . .
3 . . . . 1 . . .
2 1 1 1 1 . 1 1 1
1 . . . . 1 . . .
  a b c d e f g h
EOF
map 'targets of e2: four quiet moves and a capture' "$pinned" --map targets --square e2 <<'EOF'
8 . . . . . . . .
7 . . . . 1 . . .
6 . . . . 1 . . .
5 . . . . 1 . . .
4 . . . . 1 . . .
3 . . . . 1 . . .
2 . . . . . . . .
1 . . . . . . . .
  a b c d e f g h
EOF
map 'targets of all' "$pinned" --map targets <<'EOF'
8 . . . . . . . .
7 . . . . 1 . . .
6 . . . . 1 . . .
5 . . . . 1 . . .
4 . . . . 1 . . .
3 . . . . 1 . . .
2 . . . 1 . 1 . .
1 . . . 1 . 1 . .
  a b c d e f g h
EOF
map 'targets of a piece that is not to move' "$pinned" --map targets --square e7 <<'EOF'
8 . . . . . . . .
7 . . . . . . . .
6 . . . . . . . .
5 . . . . . . . .
4 . . . . . . . .
3 . . . . . . . .
2 . . . . . . . .
1 . . . . . . . .
  a b c d e f g h
EOF
map 'king attack map: the checker and the squares between' "$checked" --map king-attack-map <<'EOF'
8 . . . . . . . .
7 . . . . 1 . . .
6 . . . . 1 . . .
5 . . . . 1 . . .
4 . . . . 1 . . .
3 . . . . 1 . . .
2 . . . . 1 . . .
1 . . . . . . . .
  a b c d e f g h
EOF
map 'targets in check: the rook can only come between' "$checked" --map targets --square a2 <<'EOF'
8 . . . . . . . .
7 . . . . . . . .
6 . . . . . . . .
5 . . . . . . . .
4 . . . . . . . .
3 . . . . . . . .
2 . . . . 1 . . .
1 . . . . . . . .
  a b c d e f g h
EOF
map 'white reach: first blockers included' "$pinned" --map white-reach <<'EOF'
8 . . . . . . . .
7 . . . . . . . .
6 . . . . . . . .
5 1 . . . . . . .
4 . 1 . . . . . 1
3 . . 1 . . . 1 .
2 . . . 1 1 1 . .
1 1 1 1 1 . 1 1 1
  a b c d e f g h
EOF
map 'black reach' "$pinned" --map black-reach <<'EOF'
8 1 1 1 1 . 1 1 1
7 . . . 1 1 1 . .
6 . . 1 . . . 1 .
5 . 1 . . . . . 1
4 1 . . . . . . .
3 . . . . . . . .
2 . . . . . . . .
1 . . . . . . . .
  a b c d e f g h
EOF
map 'attacks of a white pawn' --map attacks --square e2 <<'EOF'
8 . . . . . . . .
7 . . . . . . . .
6 . . . . . . . .
5 . . . . . . . .
4 . . . . . . . .
3 . . . 1 . 1 . .
2 . . . . . . . .
1 . . . . . . . .
  a b c d e f g h
EOF
map 'attacks of a black pawn on the edge' --map attacks --square h7 <<'EOF'
8 . . . . . . . .
7 . . . . . . . .
6 . . . . . . 1 .
5 . . . . . . . .
4 . . . . . . . .
3 . . . . . . . .
2 . . . . . . . .
1 . . . . . . . .
  a b c d e f g h
EOF
map 'attacks of a knight' --map attacks --square b1 <<'EOF'
8 . . . . . . . .
7 . . . . . . . .
6 . . . . . . . .
5 . . . . . . . .
4 . . . . . . . .
3 1 . 1 . . . . .
2 . . . 1 . . . .
1 . . . . . . . .
  a b c d e f g h
EOF
map 'attacks of a bishop' "$kiwipete" --map attacks --square a6 <<'EOF'
8 . . 1 . . . . .
7 . 1 . . . . . .
6 . . . . . . . .
5 . 1 . . . . . .
4 . . 1 . . . . .
3 . . . 1 . . . .
2 . . . . 1 . . .
1 . . . . . . . .
  a b c d e f g h
EOF
map 'attacks of a queen' "$kiwipete" --map attacks --square f3 <<'EOF'
8 . . . . . . . .
7 . . . . . . . .
6 . . . . . 1 . .
5 . . . . . 1 . 1
4 . . . . 1 1 1 .
3 . . 1 1 1 . 1 1
2 . . . . 1 1 1 .
1 . . . . . . . .
  a b c d e f g h
EOF
map 'targets of a king that may castle to both sides' "$kiwipete" --map targets --square e1 <<'EOF'
8 . . . . . . . .
7 . . . . . . . .
6 . . . . . . . .
5 . . . . . . . .
4 . . . . . . . .
3 . . . . . . . .
2 . . . . . . . .
1 . . 1 1 . 1 1 .
  a b c d e f g h
EOF

# With --maps each map has its name above it, and is the one that --map prints.
run show "$pinned" --maps --square e2
cp "$work/out" "$work/all"
judge 'maps: the position comes first' printed "Fen: $pinned"
for name in occupancy king-attack-map white-reach black-reach pins attacks targets; do
    heading=$name
    case $name in
    attacks | targets) heading="$name of e2" ;;
    esac
    grep -Fx -A 9 -- "$heading" "$work/all" | tail -n 9 >"$work/expected"
    run show "$pinned" --map "$name" --square e2
    [ -s "$work/expected" ] || status=1
    judge "maps: $heading" same_output "$work/expected"
done
run show "$pinned" --maps
judge 'maps without a square: targets of all' printed 'targets'
grep -q '^pins' "$work/out" && ! grep -q '^attacks' "$work/out"
report 'maps without a square: no attacks' $?
run show "$pinned" --square e7
[ "$(grep -Ec '^(attacks|targets) of e7$' "$work/out")" -eq 2 ] && ! grep -q '^pins' "$work/out"
report 'a square alone: its two maps' $?

# --- Bad arguments ------------------------------------------------------------

refuses 'bad FEN' show 'rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkz - 0 1'
judge 'the field is named' says 'castling'
refuses 'FEN without quotes' show 8/8/8/2k5/3Pp3/8/8/4K3 b - d3 0 1
refuses 'unknown map' show --map everything
refuses 'unknown option' show --board
refuses 'both --maps and --map' show --maps --map pins
refuses 'attacks of no square' show --map attacks
for square in '' e e9 i4 e44 E4 $'\e[2J'; do
    refuses "square $(printf %q "$square")" show --map attacks --square "$square"
done
refuses 'empty square' show --map attacks --square e4
refuses 'illegal move' show --moves 'e2e5'
for name in moves map square; do
    refuses "--$name without a value" show "--$name"
done
run show --help
for name in occupancy king-attack-map white-reach black-reach pins attacks targets --moves --maps --map --square; do
    grep -Eq -- "^ +$name " "$work/out" || status=1
done
judge 'the help names every map and option' ended_well
if [ -e /dev/full ]; then
    status=0
    "$luft" show --maps >/dev/full 2>"$work/err" || status=$?
    : >"$work/out"
    judge 'full disk' one_error_line 1
fi

finish
