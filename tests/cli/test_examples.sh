#!/bin/bash
# SPDX-License-Identifier: MIT
#
# Compiles and runs what is shown to users of the library: the programs in
# examples/, and every block marked `c` in README.md and docs/. Such a block is a
# whole program if it has a main, else the inside of one; it must compile without a
# warning, end with status 0 (so its assertions hold), and print the texts of its
# comments of the form /* prints TEXT */, no more and no less.
#
# Argument 1: the path of the program; libluft.a is expected beside it.
# shellcheck source=tests/cli/support.sh
. "$(dirname "$0")/support.sh"
root=$(cd "$(dirname "$0")/../.." && pwd)
cd "$root" || exit 2
library=$(dirname "$luft")/libluft.a
flags=(-std=c17 -Wall -Wextra -Wshadow -Wstrict-prototypes -Wmissing-prototypes -Werror -Iinclude)

# compile SOURCE PROGRAM
compile() {
    "${CC:-gcc}" "${flags[@]}" -o "$2" "$1" "$library" 2>"$work/err"
}

# start PROGRAM ARGUMENTS...: like `run`, for another program than luft
start() {
    status=0
    "$@" >"$work/out" 2>"$work/err" </dev/null || status=$?
}

# --- examples/ ----------------------------------------------------------------------

for source in examples/*.c; do
    name=$(basename "$source" .c)
    status=0
    : >"$work/out"
    compile "$source" "$work/$name" || status=$?
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

# Published counts: from the start position 197,281 at depth 4, 13,160 of them after e2e4; from Kiwipete 97,862 at depth 3.
start "$work/perft" 4
judge 'perft 4' printed 'Nodes searched: 197281'
judge 'perft 4, after e2e4' printed 'e2e4: 13160'
start "$work/perft" 3 "$kiwipete"
judge 'perft 3 of Kiwipete' printed 'Nodes searched: 97862'
start "$work/perft" 0
judge 'perft 0 is refused' fails_with 'the depth must be .*'
start "$work/perft" 2 'no FEN'
judge 'perft of no FEN is refused' fails_with '.*no FEN.*'

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
judge 'play_moves refuses what is no move' fails_with 'hello: .*'

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
