#!/bin/bash
# SPDX-License-Identifier: MIT
#
# `luft show` from the outside: the board, the facts below it, and every map, on
# positions small enough to check by hand. Argument: the path of the program.
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
cp "$work/out" "$work/start"
run show startpos
judge 'startpos is the start position' same_output "$work/start"
run show startpos --moves 'e4 e5'
judge 'startpos with moves' printed 'Fen: rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2'

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

# The en passant square after every double push, though no capture is legal.
after_e4='rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq'
run show --moves 'e2e4'
judge 'no en passant square without a capture' printed "Fen: $after_e4 - 0 1"
run show --moves 'e2e4' --ep-always
judge 'en passant always: after a double push' printed "Fen: $after_e4 e3 0 1"
judge 'en passant always: the line below' printed 'En passant: e3'
run show --moves 'e2e4 g8f6' --ep-always
judge 'en passant always: not after another move' printed 'Fen: rnbqkb1r/pppppppp/5n2/8/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 1 2'
run show --moves 'e2e4 g8f6 e4e5 d7d5' --ep-always
judge 'en passant always: with a capture' printed 'Fen: rnbqkb1r/ppp1pppp/5n2/3pP3/8/8/PPPP1PPP/RNBQKBNR w KQkq d6 0 3'
run show "$after_e4 e3 0 1" --ep-always
judge 'en passant always: that of the FEN' printed "Fen: $after_e4 e3 0 1"
! grep -q '^Note' "$work/out"
report 'en passant always: nothing was dropped' $?
run show "$after_e4 e3 0 1" --moves 'g8f6' --ep-always
judge 'en passant always: that of the FEN is gone after a move' printed 'En passant: -'
judge 'en passant always: the FEN is noted' printed 'Note: the en passant square e3 was dropped: .*'
run show '4k3/3n4/8/3pP3/8/8/8/4K3 w - d6 0 1' --ep-always
judge 'en passant always: a square that cannot be is dropped' printed 'En passant: -'
judge 'en passant always: and noted' printed 'Note: the en passant square d6 was dropped: .*'

# A position and its colour-flipped form have the same key; with another side to move the key differs.
key() {
    "$luft" show "$1" | sed -n 's/^Key: //p'
}
white_key=$(key '4k3/8/8/8/8/8/4P3/4K2R w K - 0 1')
[ -n "$white_key" ] && [ "$white_key" = "$(key '4k2r/4p3/8/8/8/8/8/4K3 b k - 0 1')" ]
report 'the colour-flipped position has the same key' $?
[ "$white_key" != "$(key '4k3/8/8/8/8/8/4P3/4K2R b K - 0 1')" ]
report 'the side to move changes the key' $?

# --- What was asked for -----------------------------------------------------------

run show --san
judge 'moves in SAN' printed 'Legal moves: 20: Na3 Nc3 Nf3 Nh3 a3 a4 b3 b4 c3 c4 d3 d4 e3 e4 f3 f4 g3 g4 h3 h4'
run show '6k1/R7/6K1/8/8/8/8/8 w - - 0 1' --san
judge 'mate in SAN' printed 'Legal moves: .* Ra8#.*'
run show --san --unicode
judge 'moves with figurines' printed 'Legal moves: 20: a3 .* h4 ♘a3 ♘c3 ♘f3 ♘h3'
cat >"$work/expected" <<'EOF'
8 ♜ ♞ ♝ ♛ ♚ ♝ ♞ ♜
7 ♟ ♟ ♟ ♟ ♟ ♟ ♟ ♟
6 . . . . . . . .
5 . . . . . . . .
4 . . . . . . . .
3 . . . . . . . .
2 ♙ ♙ ♙ ♙ ♙ ♙ ♙ ♙
1 ♖ ♘ ♗ ♕ ♔ ♗ ♘ ♖
  a b c d e f g h
EOF
head -n 9 "$work/out" | cmp -s - "$work/expected"
report 'chess figures' $?
run show --no-coordinates
[ "$(head -n 8 "$work/out" | tr '\n' '|')" = 'r n b q k b n r|p p p p p p p p|. . . . . . . .|. . . . . . . .|. . . . . . . .|. . . . . . . .|P P P P P P P P|R N B Q K B N R|' ] &&
    ! grep -q 'a b c' "$work/out"
report 'without coordinates' $?

run show
grep -q '^Opening' "$work/out"
report 'the start position has no opening' $((!$?))
run show --moves 'e2e4 c7c5'
judge 'the opening' printed 'Opening: B20 Sicilian Defense'
run show --moves 'e4 c5'
judge 'moves may be in SAN' printed 'Opening: B20 Sicilian Defense'
run show --moves 'e4 Nf6 e4e5 d5 exd6'
judge 'moves in SAN and in UCI form' printed 'Fen: rnbqkb1r/ppp1pppp/3P1n2/8/8/8/PPPP1PPP/RNBQKBNR b KQkq - 0 3'
run show --moves 'e2e4 c7c5 h2h3 h7h6'
judge 'the last opening on the way' printed 'Opening: B20 Sicilian Defense'
run show 'rnbqkbnr/pp1ppppp/8/2p5/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2'
judge 'the opening of a FEN' printed 'Opening: B20 Sicilian Defense'

# --- What was put right -------------------------------------------------------------

# shellcheck disable=SC2317 # called by judge
# noted: ended well, and the notes are the expected ones
noted() {
    grep '^Note: ' "$work/out" | cmp -s - "$work/expected" && ended_well
}

# notes FEN LINE...: the notes on this FEN are exactly these
notes() {
    local fen=$1
    shift
    printf 'Note: %s\n' "$@" >"$work/expected"
    run show "$fen"
    judge "noted: $fen" noted
}

notes '4k3/8/8/8/8/8/8/R3K3 w KQkq - 0 1' \
    'the castling letter K was dropped: no white rook stands on h1' \
    'the castling letter k was dropped: no black rook stands on h8' \
    'the castling letter q was dropped: no black rook stands on a8'
notes '4k3/8/8/8/8/8/4K3/R6R w KQ - 0 1' \
    "the castling letter K was dropped: White's king has left its first rank" \
    "the castling letter Q was dropped: White's king has left its first rank"
notes 'kr6/8/8/8/8/8/8/4K1R1 w FGk - 0 1' \
    'the castling letter F was dropped: no white rook stands on f1' \
    "the castling letter k was dropped: Black's king stands in a corner"
notes '2k5/8/8/8/8/8/8/4K3 w q - 0 1' \
    'the castling letter q was dropped: no black rook stands on a8 or anywhere else on that side of the king'
notes '4k3/8/8/3p4/8/8/8/4K3 w - d6 0 1' \
    'the en passant square d6 was dropped: no white pawn stands beside the pawn on d5'
notes '4k3/8/8/8/3P3p/8/8/4K3 b - d3 0 1' \
    'the en passant square d3 was dropped: no black pawn stands beside the pawn on d4'
notes 'q6k/8/8/3pP3/8/8/8/7K w - d6 0 1' \
    'the en passant square d6 was dropped: capturing there would leave the white king in check'
notes '4k3/3n4/8/3pP3/8/8/8/4K3 w - d6 0 1' \
    'the en passant square d6 was dropped: the pawn on d5 cannot have just moved from d7, because d7 is not empty'
notes '4k3/8/8/8/8/8/8/4K3 w - -' 'the counters are missing and were read as 0 and 1'
notes '4k3/8/8/8/8/8/8/4K3 w - - 7' 'the fullmove number is missing and was read as 1'
notes '4k3/8/8/8/8/8/8/4K3 w - - 7 0' 'the fullmove number 0 was read as 1'
for fen in "$startpos" "$kiwipete" '4k3/8/8/8/8/8/8/RR2K3 w B - 0 1' 'rnbqkb1r/ppp1pppp/5n2/3pP3/8/8/PPPP1PPP/RNBQKBNR w HAha d6 0 3'; do
    run show "$fen"
    ended_well && ! grep -q '^Note' "$work/out"
    report "nothing to note: $fen" $?
done

# --- What is wrong ------------------------------------------------------------------

# shellcheck disable=SC2317 # called by judge
# explained STATUS LINES: this status, so many lines on standard output, and the expected ones on standard error
explained() {
    [ "$status" -eq "$1" ] && [ "$(wc -l <"$work/out")" -eq "$2" ] && cmp -s "$work/err" "$work/expected"
}

# wrong FEN LINE...: the position is shown, and all of these faults and no others are named
wrong() {
    local fen=$1
    shift
    {
        echo 'luft show: FEN: invalid position'
        printf -- '- %s\n' "$@"
    } >"$work/expected"
    run show "$fen"
    judge "wrong: $fen" explained 1 9
}

wrong '8/8/8/8/8/8/8/8 w - - 0 1' 'White has no king' 'Black has no king'
wrong '4k3/8/8/8/8/8/8/K3K1K1 w - - 0 1' 'White has 3 kings, on a1, e1 and g1; each side has exactly one'
wrong '4k1k1/8/8/8/8/8/8/4K3 w - - 0 1' 'Black has 2 kings, on e8 and g8; each side has exactly one'
wrong 'rnbqkbnr/pppppppp/8/8/8/P7/PPPPPPPP/1NBQKBNR w - - 0 1' 'White has 9 pawns; at most 8 are possible'
wrong 'rnbqkbnr/pppppppp/7p/8/8/8/PPPPPPPP/RNBQKBNR w - - 0 1' \
    'Black has 9 pawns; at most 8 are possible' 'Black has 17 pieces; at most 16 are possible'
wrong '4k3/8/8/8/8/N7/NNNNNNNN/RNBQKBNR w - - 0 1' 'White has 17 pieces; at most 16 are possible'
wrong 'p3k2P/8/8/8/8/8/8/P2pK3 w - - 0 1' \
    'the black pawn on a8 stands on the first rank, where no pawn starts' \
    'the white pawn on h8 stands on the last rank, where pawns are promoted' \
    'the white pawn on a1 stands on the first rank, where no pawn starts' \
    'the black pawn on d1 stands on the last rank, where pawns are promoted'
wrong '4k3/8/8/8/8/8/8/K3R3 w - - 0 1' 'Black, who is not to move, is in check from the rook on e1'
wrong '4k3/8/8/8/8/5n2/3p4/K3K3 b - - 0 1' 'White has 2 kings, on a1 and e1; each side has exactly one'
wrong '4k3/8/8/8/8/5n2/3p4/4K3 b - - 0 1' 'White, who is not to move, is in check from the knight on f3 and the pawn on d2'
wrong '4k3/8/8/8/8/8/8/4K1RR w GH - 0 1' \
    'the castling letters GH name two rooks on the same side of a king; it can castle with one of them'
run show '4k3/8/8/8/8/8/8/4K1RR w GH - 0 1' --map pins # the last one once more
judge 'a map of a position that cannot be: only the explanation' explained 1 0

# refused FEN COLUMN LINE: what is wrong with the writing, and a caret under the place
refused() {
    printf 'luft show: %s\n%s\n%*s\n' "$3" "$1" "$2" '^' >"$work/expected"
    run show "$1"
    judge "refused: $1" explained 2 0
}

refused 'rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkz - 0 1' 50 'FEN castling field: not a castling letter: "z" (column 50)'
refused '4k3/9/8/8/8/8/8/4K3 w - - 0 1' 5 'FEN board field: neither a piece letter nor a digit from 1 to 8: "9" (column 5)'
refused '4k3/8/8/8/8/8/8/4K3 x - - 0 1' 21 'FEN side field: the side to move is neither w nor b: "x" (column 21)'
refused '4k3/8/8/8/8/8/8/4K3 w - e5 0 1' 26 'FEN en passant field: not on the rank that a pawn just passed over: "5" (column 26)'
refused '4k3/8/8/8/8/8/8/4K3 w - - x 1' 27 'FEN halfmove field: not an integer: "x" (column 27)'
refused '4k3/8/8/8/8/8/8/4K3 w - - 0 1 2' 31 'FEN fields: more than six fields: "2" (column 31)'
refused '4k3/8/8/8/8/8/8/4K3 w' 22 'FEN fields: fewer than the four fields that a position needs (column 22)'
run show $'4k3/8/8/8/\e[2J8/8/8/4K3 w - - 0 1'
[ "$status" -eq 2 ] && ! grep -q '[^ -~]' "$work/err"
report 'hostile bytes are not printed' $?
run show "$(head -c 100000 /dev/zero | tr '\0' k)"
[ "$status" -eq 2 ] && [ "$(wc -c <"$work/err")" -lt 400 ]
report 'a long FEN is cut' $?

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
map 'check mask: without check all squares' "$pinned" --map check-mask <<'EOF'
8 1 1 1 1 1 1 1 1
7 1 1 1 1 1 1 1 1
6 1 1 1 1 1 1 1 1
5 1 1 1 1 1 1 1 1
4 1 1 1 1 1 1 1 1
3 1 1 1 1 1 1 1 1
2 1 1 1 1 1 1 1 1
1 1 1 1 1 1 1 1 1
  a b c d e f g h
EOF
map 'check mask: the checker and the squares between' "$checked" --map check-mask <<'EOF'
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
map 'check mask: a knight has no squares between' '4k3/8/8/8/8/5n2/8/4K3 w - - 0 1' --map check-mask <<'EOF'
8 . . . . . . . .
7 . . . . . . . .
6 . . . . . . . .
5 . . . . . . . .
4 . . . . . . . .
3 . . . . . 1 . .
2 . . . . . . . .
1 . . . . . . . .
  a b c d e f g h
EOF
# Both the rook on e7 and the knight on f3 give check: only the king can move.
map 'check mask: none in double check' '4k3/4r3/8/8/8/5n2/8/4K3 w - - 0 1' --map check-mask <<'EOF'
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
map 'pin rays: those of the side to move, without the king and with the pinner' "$pinned" --map pin-rays <<'EOF'
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
# Black: the king on d8, the bishop on e7 pinned by the bishop on h4, the rook on d5 by the queen on d2. The white rook on
# a8 gives check and pins nothing, and two pieces stand between the king and the bishop on a5.
map 'pin rays: orthogonal and diagonal' 'R2k4/2n1b3/1p6/B2r4/7B/8/3Q4/4K3 b - - 0 1' --map pin-rays <<'EOF'
8 . . . . . . . .
7 . . . 1 1 . . .
6 . . . 1 . 1 . .
5 . . . 1 . . 1 .
4 . . . 1 . . . 1
3 . . . 1 . . . .
2 . . . 1 . . . .
1 . . . . . . . .
  a b c d e f g h
EOF
map 'reach: of the king of the side to move' "$pinned" --map reach <<'EOF'
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
map 'reach: black to move' '4k3/4r3/8/8/8/8/4R3/4K3 b - - 0 1' --map reach <<'EOF'
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

# Each word by hand: a byte is a rank, the lowest one the far end of the board, and bit 0 of it is the h-file.
# White: K e1 (bit 3 of byte 7), Q d1 (bit 4), N b1 (bit 6). Black: K e8 (bit 3 of byte 0), p h7 (bit 0 of byte 1).
map 'planes, White to move' '4k3/7p/8/8/8/8/8/1N1QK3 w - - 0 1' --map planes <<'EOF'
bit 0, pawns bishops queens: 0x1000000000000100
8 . . . . . . . .
7 . . . . . . . 1
6 . . . . . . . .
5 . . . . . . . .
4 . . . . . . . .
3 . . . . . . . .
2 . . . . . . . .
1 . . . 1 . . . .
  a b c d e f g h

bit 1, knights bishops kings: 0x4800000000000008
8 . . . . 1 . . .
7 . . . . . . . .
6 . . . . . . . .
5 . . . . . . . .
4 . . . . . . . .
3 . . . . . . . .
2 . . . . . . . .
1 . 1 . . 1 . . .
  a b c d e f g h

bit 2, rooks queens kings: 0x1800000000000008
8 . . . . 1 . . .
7 . . . . . . . .
6 . . . . . . . .
5 . . . . . . . .
4 . . . . . . . .
3 . . . . . . . .
2 . . . . . . . .
1 . . . 1 1 . . .
  a b c d e f g h

the side to move: 0x5800000000000000
8 . . . . . . . .
7 . . . . . . . .
6 . . . . . . . .
5 . . . . . . . .
4 . . . . . . . .
3 . . . . . . . .
2 . . . . . . . .
1 . 1 . 1 1 . . .
  a b c d e f g h

the opponent: 0x0000000000000108
8 . . . . 1 . . .
7 . . . . . . . 1
6 . . . . . . . .
5 . . . . . . . .
4 . . . . . . . .
3 . . . . . . . .
2 . . . . . . . .
1 . . . . . . . .
  a b c d e f g h
EOF
# The same pieces as Black sees them: rank 1 on top, rank 8 in the highest byte.
run show '4k3/7p/8/8/8/8/8/1N1QK3 b - - 0 1' --map planes
judge 'planes, Black to move: its own pieces' printed 'the side to move: 0x0801000000000000'
cat >"$work/expected" <<'EOF'
the opponent: 0x0000000000000058
1 . 1 . 1 1 . . .
2 . . . . . . . .
3 . . . . . . . .
4 . . . . . . . .
5 . . . . . . . .
6 . . . . . . . .
7 . . . . . . . .
8 . . . . . . . .
  a b c d e f g h
EOF
tail -n 10 "$work/out" | cmp -s - "$work/expected"
report 'map: planes, Black to move: the pieces of the opponent' $?

# With --maps each map has its name above it, and is the one that --map prints.
run show "$pinned" --maps --square e2
cp "$work/out" "$work/all"
judge 'maps: the position comes first' printed "Fen: $pinned"
for name in occupancy king-attack-map check-mask pin-rays reach white-reach black-reach pins attacks targets; do
    heading=$name
    square=()
    case $name in
    attacks | targets) heading="$name of e2" square=(--square e2) ;;
    esac
    grep -Fx -A 9 -- "$heading" "$work/all" | tail -n 9 >"$work/expected"
    run show "$pinned" --map "$name" "${square[@]}"
    [ -s "$work/expected" ] || status=1
    judge "maps: $heading" same_output "$work/expected"
done
grep -Fx -A 54 -- planes "$work/all" | tail -n +2 >"$work/expected"
run show "$pinned" --map planes
judge 'maps: planes' same_output "$work/expected"
run show "$pinned" --maps
judge 'maps without a square: targets of all' printed 'targets'
grep -q '^pins' "$work/out" && ! grep -q '^attacks' "$work/out"
report 'maps without a square: no attacks' $?
run show "$pinned" --square e7
[ "$(grep -Ec '^(attacks|targets) of e7$' "$work/out")" -eq 2 ] && ! grep -q '^pins' "$work/out"
report 'a square alone: its two maps' $?

# --- Bad arguments ------------------------------------------------------------

refuses 'FEN without quotes' show 8/8/8/2k5/3Pp3/8/8/4K3 b - d3 0 1
refuses 'unknown map' show --map everything
refuses 'unknown option' show --board
refuses 'both --maps and --map' show --maps --map pins
refuses 'attacks of no square' show --map attacks
for square in '' e e9 i4 e44 E4 $'\e[2J'; do
    refuses "square $(printf %q "$square")" show --map attacks --square "$square"
done
refuses 'empty square' show --map attacks --square e4
for flag in --san --unicode --no-coordinates --ep-always; do
    refuses "$flag with one map, where it has no effect" show --map pins $flag
done
refuses 'a square for a map without one' show --map pins --square e2
refuses 'illegal move' show --moves 'e2e5'
refuses 'illegal move in SAN' show --moves 'e4 e5 Ke3'
judge 'which one, and why' says '"Ke3", move 3 of the list, is not legal here'
refuses 'ambiguous move' show '4k3/8/8/8/8/8/4K3/R6R w - - 0 1' --moves 'Rd1'
judge 'why' says 'can be more than one move'
refuses 'no move' show --moves 'castle'
judge 'what a move is like' says 'is not a move like e2e4'
for name in moves map square; do
    refuses "--$name without a value" show "--$name"
done
run show --help
for name in occupancy king-attack-map check-mask pin-rays reach white-reach black-reach pins attacks targets planes --moves --maps \
    --map --square --san --unicode --no-coordinates --ep-always; do
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
