#!/bin/bash
# SPDX-License-Identifier: MIT
#
# `luft epd` from the outside: what check finds and where, what convert writes, and
# files that are not EPD. Argument: the path of the program.
# shellcheck source=tests/cli/support.sh
. "$(dirname "$0")/support.sh"

start='rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -'
first=$((${#start} + 2)) # the column of the first operation behind it

# check_line NAME COLUMN REASON LINE: the line has this one mistake, there
check_line() {
    printf '# a comment\n\n%s\n' "$4" >"$work/line.epd"
    run epd check "$work/line.epd"
    judge "check: $1" one_mistake "$2" "$3"
}

# shellcheck disable=SC2317 # called by judge
one_mistake() {
    [ "$status" -eq 1 ] && [ "$(cat "$work/out")" = 'positions=1 errors=1' ] &&
        [ "$(wc -l <"$work/err")" -eq 1 ] && grep -Fqx -- "$work/line.epd:3:$1: $2" "$work/err"
}

# converted NAME EXPECTED LINE OPTIONS...: convert makes this line of that
converted() {
    local name=$1
    printf '%s\n' "$3" >"$work/line.epd"
    printf '%s\n' "$2" >"$work/expected"
    shift 3
    run epd convert "$@" "$work/line.epd"
    judge "convert: $name" same_output "$work/expected"
}

# shellcheck disable=SC2317 # called by judge
# counted N M: these are the numbers of the last line
counted() {
    [ "$(tail -n 1 "$work/out")" = "positions=$1 errors=$2" ] && [ "$status" -eq $(($2 > 0)) ]
}

# --- check: good lines ----------------------------------------------------------

{
    printf '\357\273\277%s bm Nf3 e4 d2-d4; id "first";\r\n' "$start"
    printf '%s am f3 g2g4; pv e4 e5 Nf3 Nc6 Bb5; acd 12; acn 1000; ce -31; dm 3;\n' "$start"
    printf '%s sm e4; pm e4; sv e4 c5; c0 "a; b"; c9 "with \\"quotes\\"";\n' "$start"
    printf '%s hmvc 3; fmvn 12;\n' "$start"
    printf '%s 3 12\n' "$start"
    printf '  %s  \n\n# %s bm Ke5;\n' "$start" "$start"
    printf '4k3/8/8/8/8/8/8/RR2K3 w B - bm O-O-O; c0;\n'
    printf '7n/BBP2P1P/8/P1PpK3/P5RR/5k2/Pn2NPN1/3Q2b1 w - d6 bm #1;\n'
    printf '%s bm e4' "$start"
} >"$work/good.epd"
run epd check "$work/good.epd"
judge 'check: good lines' counted 9 0
judge 'check: silence about good lines' ended_well
status=0
"$luft" epd check <"$work/good.epd" >"$work/out" 2>"$work/err" || status=$?
judge 'check: standard input without a file' counted 9 0
status=0
cp "$work/good.epd" "$work/second.epd"
"$luft" epd check - "$work/second.epd" <"$work/good.epd" >"$work/out" 2>"$work/err" || status=$?
judge 'check: standard input and a file' counted 18 0
: >"$work/empty.epd"
run epd check "$work/empty.epd"
judge 'check: an empty file' counted 0 0

# --- check: mistakes ------------------------------------------------------------

check_line 'a move that is not legal' $((first + 7)) 'bm: "e5" is not legal here' "$start bm Nf3 e5;"
check_line 'a move that is ambiguous' 43 'bm: "Rd1" can be more than one move' \
    '4k3/8/8/8/8/8/4K3/R6R w - - hmvc 0;    bm Rd1;'
check_line 'no move at all' $((first + 3)) 'am: "?" is not a move' "$start am ?;"
check_line 'a string is not a move' $((first + 4)) 'bm: "e4" is not a move' "$start bm \"e4\";"
check_line 'a line that breaks off' $((first + 6)) 'pv: "e4" is not legal here' "$start pv e4 e4 Nf3;"
check_line 'no best move' $first 'bm: expected a move' "$start bm;"
check_line 'two supplied moves' $first 'sm: expected one operand, got 2' "$start sm e4 d4;"
check_line 'no number' $((first + 4)) 'acd: expected an integer, got "deep"' "$start acd deep;"
check_line 'a mate distance belongs to bm alone' $((first + 3)) 'am: "#3" is not a move' "$start am #3;"
check_line 'the same operation twice' $((first + 7)) 'duplicate operation "bm"' "$start bm e4; bm d4;"
check_line 'an unclosed string' $((first + 3)) 'string without a closing quote' "$start id \"abc;"
check_line 'too few fields' 22 'FEN fields: fewer than the four fields that a position needs' \
    '4k3/8/8/8/8/8/8/4K3 w'
check_line 'a bad letter' 3 'FEN board field: neither a piece letter nor a digit from 1 to 8: "x"' \
    '4kx2/8/8/8/8/8/8/4K3 w - - bm Kd1;'
check_line 'an invalid position' 1 'Black, who is not to move, is in check from the rook on e1' \
    '4k3/8/8/8/8/8/8/K3R3 w - - bm Ka2;'
some=$(printf ' x%d;' {1..256})
check_line 'too many operations' $((first + ${#some})) 'more than 256 operations' "$start$some x257;"

# Every error is reported, and the lines around it are read.
printf '%s bm e4;\n9/8 w - -\n%s bm e5; am Ke2;\nPk5P/8/8/8/8/8/8/8 w - -\n%s bm d4;\n' "$start" "$start" "$start" >"$work/bad.epd"
run epd check "$work/bad.epd"
judge 'check: all mistakes are counted' counted 5 6
cut -d : -f 2,3 "$work/err" | tr '\n' ' ' >"$work/places"
[ "$(cat "$work/places")" = "2:1 3:$((first + 3)) 3:$((first + 10)) 4:1 4:1 4:1 " ]
report 'check: each mistake has its line and column' $?
printf '%s bm \033[2J;\n' "$start" | "$luft" epd check >"$work/out" 2>"$work/err"
! LC_ALL=C grep -q '[^ -~]' "$work/err"
report 'check: nothing strange is printed' $?

# --- convert ----------------------------------------------------------------------

converted 'fields and operations' "$start bm Nf3 d4; id \"a  b\";" "  $start   bm  g1f3   d2-d4 ;id \"a  b\""
converted 'escapes stay' "$start c0 \"a \\\" b \\\\ c; d\";" "$start c0 \"a \\\" b \\\\ c; d\";"
converted 'a line of play' "$start pv e4 e5 Nf3 Nc6;" "$start pv e2e4 e7e5 Ng1-f3 Nb8c6;"
converted 'a check gets its mark' '4k3/8/8/8/8/8/8/R3K3 w - - bm Ra8+;' '4k3/8/8/8/8/8/8/R3K3 w - - bm a1a8;'
converted 'a mate distance' "$start bm #12;" "$start bm #12;"
converted 'castling and en passant are put right' '4k3/8/8/3p4/8/8/8/R3K3 w Q -' '4k3/8/8/3p4/8/8/8/R3K3 w KQkq d6'
# No white pawn can capture on d6, but a double push can have passed over it; over f6 not, because f7 is not empty.
passed='4k3/5p2/8/3p1p2/8/8/8/R3K3 w Q'
converted 'en passant always: a possible square stays' "$passed d6 id \"x\";" "$passed d6 id \"x\";" --ep-always
converted 'en passant always: none stays none' "$passed -" "$passed -" --ep-always
converted 'en passant always: an impossible one goes' "$passed -" "$passed f6" --ep-always
converted 'en passant always: to FEN' "$passed d6 3 12" "$passed d6 hmvc 3; fmvn 12;" --ep-always --to fen
converted 'en passant always: to JSON' "{\"fen\": \"$passed d6 0 1\", \"operations\": {}}" "$passed d6" --ep-always --json
converted 'counters of a FEN become operations' "$start c0; hmvc 3; fmvn 12;" "$start 3 12 c0"
converted 'to FEN, counters missing' "$start 0 1" "$start bm e4;" --to fen
converted 'to FEN, counters as operations' "$start 3 12" "$start hmvc 3; fmvn 12;" --to fen
converted 'to JSON' \
    "{\"fen\": \"$start 0 1\", \"operations\": {\"bm\": [\"Nf3\", \"e4\"], \"id\": [\"a \\\"b\\\" c\"], \"c0\": []}}" \
    "$start bm g1f3 e2e4; id \"a \\\"b\\\" c\"; c0;" --json
converted 'to JSON by --to' "{\"fen\": \"$start 0 1\", \"operations\": {}}" "$start" --to json

run epd convert "$work/good.epd"
cp "$work/out" "$work/once.epd"
[ "$(wc -l <"$work/once.epd")" -eq 9 ]
report 'convert: a line for each position' $?
run epd convert "$work/once.epd"
judge 'convert: a second time changes nothing' same_output "$work/once.epd"
run epd convert --json "$work/good.epd"
if command -v python3 >"$work/python" 2>&1; then
    python3 -c 'import json, sys
for line in sys.stdin: json.loads(line)' <"$work/out" 2>"$work/err"
    report 'convert: JSON that another program reads' $?
fi
run epd convert "$work/bad.epd"
[ "$status" -eq 1 ] && [ "$(wc -l <"$work/out")" -eq 2 ] && [ "$(wc -l <"$work/err")" -eq 6 ]
report 'convert: lines with mistakes are left out' $?

# --- Files that are not EPD, and arguments -------------------------------------------

head -c 3000 "$luft" >"$work/binary"
run epd check "$work/binary" "$work/good.epd"
[ "$status" -eq 1 ] && [ "$(cat "$work/out")" = 'positions=9 errors=1' ] && says 'not a text file'
report 'a binary file is refused, the next one read' $?
if command -v gzip >"$work/gzip" 2>&1 && "$luft" pgn --help | grep -q gzip; then
    gzip -c "$work/good.epd" >"$work/good.epd.gz"
    run epd check "$work/good.epd.gz"
    judge 'a file compressed with gzip' counted 9 0
    head -c 100 "$work/good.epd.gz" >"$work/cut.epd.gz"
    run epd check "$work/cut.epd.gz"
    [ "$status" -eq 1 ] && says 'the archive is truncated'
    report 'an archive that is cut off' $?
else
    skip 'compressed EPD' 'gzip is not installed, or luft is built without zlib'
fi
{
    printf '%s id "' "$start"
    head -c 1000000 /dev/zero | tr '\0' x
    printf '";\n%s c0 ' "$start"
    head -c 1000000 /dev/zero | tr '\0' '"'
    printf '\n'
    head -c 1000000 /dev/zero | tr '\0' 8
    printf '\n'
} >"$work/long.epd"
run epd check "$work/long.epd"
judge 'lines of 1 MB' counted 3 2
{
    printf '%s c0' "$start"
    yes ' 1' | head -n 500000 | tr -d '\n'
    printf ';'
    printf ' x%d;' {1..250}
    printf ' c0;\n'
} >"$work/wide.epd"
(ulimit -t "${LUFT_TEST_SLOW:-1}" && "$luft" epd check "$work/wide.epd" "$work/wide.epd" "$work/wide.epd" >"$work/out" 2>"$work/err")
status=$?
judge 'many operations behind a long one take no time' counted 3 3
refuses 'no action' epd
refuses 'unknown action' epd count
refuses 'check with --json' epd check --json
refuses 'check with --ep-always' epd check --ep-always
refuses '--json with --to fen' epd convert --json --to fen
refuses 'unknown form' epd convert --to pgn
run epd check "$work/missing.epd"
[ "$status" -eq 1 ] && says 'cannot read' && [ "$(cat "$work/out")" = 'positions=0 errors=1' ]
report 'a file that is not there' $?
printf '%s bm e4;\n' "$start" >"$work/same.epd"
cp "$work/same.epd" "$work/before.epd"
status=0
# shellcheck disable=SC2094 # that is what is tested
"$luft" epd convert "$work/same.epd" >>"$work/same.epd" 2>"$work/err" || status=$?
[ "$status" -eq 2 ] && says 'standard output is also a file to read' && cmp -s "$work/before.epd" "$work/same.epd"
report 'standard output is an input' $?
yes "$start bm e4;" | (
    timeout 120 "$luft" epd convert 2>"$work/err"
    echo $? >"$work/status"
) | head -n 1 >"$work/out"
[ "$(cat "$work/status")" -eq 1 ] && says 'cannot write the output'
report 'an endless file ends when nobody reads on' $?
run epd --help
for name in ACTION --to --json; do
    grep -Eq -- "^ +$name " "$work/out" || status=1
done
judge 'the help names the action and the options' ended_well

# --- Public suites, if LUFT_DATA has them ----------------------------------------------

for suite in wac:300 arasan2024:200 sts:1500 ecm98:769 bratko-kopec:24; do
    if data_file "tactics/${suite%:*}.epd"; then
        run epd check "$path"
        judge "suite: ${suite%:*}" counted "${suite#*:}" 0
        run epd convert "$path"
        cp "$work/out" "$work/once.epd"
        run epd convert "$work/once.epd"
        judge "suite: ${suite%:*}, written and read again" same_output "$work/once.epd"
    else
        skip "suite: ${suite%:*}" "$reason"
    fi
done

finish
