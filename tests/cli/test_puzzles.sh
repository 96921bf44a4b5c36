#!/bin/bash
# SPDX-License-Identifier: MIT
#
# Puzzles whose answers are certain: mates, a fork, a skewer, a promotion, a queen that hangs; and games in which there is
# nothing to find. Argument: the path of the program.
# shellcheck source=tests/cli/support.sh
. "$(dirname "$0")/support.sh"

cat >"$work/games.pgn" <<'END'
[Site "https://example.org/1"]

1. e4 e5 2. Bc4 Nc6 3. Qh5 Nf6 4. Qxf7# 1-0

[FEN "1r4k1/5ppp/8/8/8/8/5PPP/3R2K1 b - - 0 1"]

1... Rb2 2. h3 *

[FEN "4k2r/8/8/3N4/8/8/6PP/6K1 b - - 0 1"]

1... Rh5 2. Nc7+ *

[FEN "6k1/8/8/8/8/8/1q4PP/2R3K1 b - - 0 1"]

1... Qxc1# 0-1

[FEN "7k/8/8/8/8/1n6/3P4/K7 w - - 0 1"]

1. Kb2 Nxd2 *

1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 5. O-O Be7 *

[FEN "4k3/8/8/3q4/8/8/6PP/3R2K1 b - - 0 1"]

1... Kf8 2. Rxd5 *

[FEN "6k1/6p1/8/5p1Q/8/1r5P/6PK/5q2 b - - 0 1"]

1... Rb2 2. Qe8+ Kh7 *
END
cat >"$work/recapture.pgn" <<'END'
[FEN "8/4k3/1p6/p2pPp2/P7/1P2K3/8/8 w - f6 0 95"]

1. exf6+ Kxf6 *
END

run puzzles "$work/games.pgn" --nodes 2000
judge 'CSV' [ "$status" -eq 0 ]
head -n 1 "$work/out" | grep -Fqx 'PuzzleId,FEN,Moves,Rating,RatingDeviation,Popularity,NbPlays,Themes,GameUrl,OpeningTags' &&
    grep -Eq '^1-6,[^,]+ b KQkq - [^,]*,g8f6 h5f7,[0-9]+,0,0,0,mate mateIn1 .*oneMove,https://example.org/1#6,$' "$work/out"
judge 'a mate in one, from the position before the mistake' [ $? -eq 0 ]
grep -Eq '^2-1,[^,]+,b8b2 d1d8,[0-9]+,0,0,0,mate mateIn1 backRankMate endgame oneMove,,$' "$work/out"
judge 'a mate on the back rank' [ $? -eq 0 ]
! grep -q '^6-' "$work/out" && ! grep -q '^4-' "$work/out"
judge 'nothing in a quiet opening, nothing after mate' [ $? -eq 0 ]
! grep -q '^7-' "$work/out"
judge 'no queen that hangs and is seen at once' [ $? -eq 0 ]
grep -Eq '^8-1,[^,]+,b3b2 h5e8 g8h7 e8h5,' "$work/out" # then Kg8 repeats the position
judge 'a perpetual check is shown once' [ $? -eq 0 ]
grep -Eq '^8 games, [0-9]+ positions, [0-9]+ candidates, [0-9]+ puzzles$' "$work/err"
judge 'the counts' [ $? -eq 0 ]
cp "$work/out" "$work/csv"
for options in '--jobs 3' "--journal $work/journal" "--journal $work/journal"; do
    # shellcheck disable=SC2086 # several words
    run puzzles "$work/games.pgn" --nodes 2000 $options
    cmp -s "$work/out" "$work/csv"
    judge "the same with $options" [ $? -eq 0 ]
done
run puzzles "$work/games.pgn" --nodes 2000 --to epd
cp "$work/out" "$work/puzzles.epd"
"$luft" epd check "$work/puzzles.epd" >"$work/out" 2>"$work/err" && [ "$(wc -l <"$work/puzzles.epd")" -eq $(($(wc -l <"$work/csv") - 1)) ] &&
    grep -Fq 'bm Rd8#; id "2-1"; pv Rd8#; c0 "mate mateIn1 backRankMate endgame oneMove";' "$work/puzzles.epd"
judge 'EPD' [ $? -eq 0 ]
run puzzles "$work/games.pgn" --nodes 2000 --to pgn -o "$work/puzzles.pgn"
[ "$("$luft" pgn check "$work/puzzles.pgn")" = "games=$(wc -l <"$work/puzzles.epd") errors=0" ]
judge 'PGN' [ $? -eq 0 ]
run puzzles "$work/recapture.pgn" --nodes 5000
[ "$status" -eq 0 ] && [ "$(wc -l <"$work/out")" -eq 1 ]
judge 'no recapture after a capture en passant' [ $? -eq 0 ]
refuses 'no files' puzzles
refuses 'a file that is not there' puzzles "$work/missing.pgn"

finish
