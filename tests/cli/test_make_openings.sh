#!/bin/bash
# SPDX-License-Identifier: MIT
#
# tools/make_openings, which makes the table of opening names during the build: a text
# with a mistake ends it with the file and the line, and leaves no table behind.
# Argument: the path of the program, beside which the tool was built.
# shellcheck source=tests/cli/support.sh
. "$(dirname "$0")/support.sh"
tool=$(dirname "$luft")/make_openings
root=$(cd "$(dirname "$0")/../.." && pwd)

if [ ! -x "$tool" ]; then
    echo "not ok - $tool is not built"
    exit 1
fi

# shellcheck disable=SC2317 # called by judge
# made: the tool ended well and wrote a table
made() {
    [ "$status" -eq 0 ] && [ -s "$work/table.c" ] && [ ! -s "$work/err" ]
}

# make_table: runs the tool on $work/openings.txt
make_table() {
    status=0
    rm -f "$work/table.c"
    "$tool" "$work/openings.txt" "$work/table.c" >"$work/out" 2>"$work/err" || status=$?
}

# shellcheck disable=SC2317 # called by judge
# not_made: the tool said what is expected and left nothing behind
not_made() {
    [ "$status" -eq 1 ] && cmp -s "$work/err" "$work/expected" && [ ! -e "$work/table.c" ] && [ ! -e "$work/table.c.tmp" ]
}

# refuses_text NAME LINE REASON: reads the text from standard input; the tool finds this at that line
refuses_text() {
    cat >"$work/openings.txt"
    make_table
    printf '%s:%s: %s\n' "$work/openings.txt" "$2" "$3" >"$work/expected"
    judge "refused: $1" not_made
}

cat >"$work/openings.txt" <<'EOF'
# a comment

1. e4 B00 King's Pawn Game
 1... c5 B20 Sicilian Defense
  2. Nf3 d6 3. d4 B50 Sicilian "Defense": Grünfeld?
1. d4 A40 Queen's Pawn Game
EOF
make_table
judge 'a good text' made
[ "$(grep -c '^{0x' "$work/table.c")" -eq 4 ]
report 'an entry for each line' $?

refuses_text 'an illegal move' 2 '"Nf4": illegal move' <<'EOF'
1. e4 B00 King's Pawn Game
1. Nf4 A00 Impossible
EOF
refuses_text 'no move' 1 '"xyz": unreadable move' <<'EOF'
1. xyz A00 Impossible
EOF
refuses_text 'a wrong number' 2 '"2.": expected "1..."' <<'EOF'
1. e4 B00 King's Pawn Game
 2. c5 B20 Sicilian Defense
EOF
refuses_text 'a number missing' 1 '"Nf3": expected "2." or the ECO code' <<'EOF'
1. e4 c5 Nf3 B27 Sicilian Defense
EOF
refuses_text 'no code' 1 '"King'"'"'s": unreadable move' <<'EOF'
1. e4 King's Pawn Game
EOF
refuses_text 'no name' 1 'expected a name after the ECO code' <<'EOF'
1. e4 B00
EOF
refuses_text 'two blanks' 1 'the name has an extra blank' <<'EOF'
1. e4 B00 King's  Pawn
EOF
refuses_text 'a parent missing' 2 'expected a line with one blank less above' <<'EOF'
1. e4 B00 King's Pawn Game
  1... c5 B20 Sicilian Defense
EOF
refuses_text 'the same position twice' 4 'line 2 leads to the same position' <<'EOF'
1. e4 B00 King's Pawn Game
 1... e6 2. d4 C00 French Defense
1. d4 A40 Queen's Pawn Game
 1... e6 2. e4 C00 French Defense once more
EOF
refuses_text 'nothing' 1 'no openings' <<'EOF'
# nothing
EOF
# A position and its colour-flipped position are different.
cat >"$work/openings.txt" <<'EOF'
1. e4 e5 C20 King's Pawn Game
1. e3 e5 2. e4 C20 Colours flipped
EOF
make_table
judge 'a position and its colour-flipped position' made

# The text of the project is in the order of its moves, each line once.
[ "$(grep -vc '^#' "$root/src/games/openings.txt")" -gt 3000 ] && ! grep -v '^#' "$root/src/games/openings.txt" | sort | uniq -d | grep -q '^[0-9]'
report 'the text of the project' $?
status=0
"$tool" >"$work/out" 2>"$work/err" || status=$?
[ "$status" -eq 2 ] && [ ! -s "$work/out" ]
report 'no arguments' $?

finish
