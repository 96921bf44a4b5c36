#!/bin/bash
# SPDX-License-Identifier: MIT
#
# How `luft pgn` reads files: compressed ones, several threads, games longer than a chunk,
# files that are cut off, damaged, or not PGN at all. Argument: the path of the program.
# shellcheck source=tests/cli/support.sh disable=SC2317
. "$(dirname "$0")/support.sh"
cd "$work" || exit 2

# ended STATUS LINE: this exit status and this last line
ended() {
    [ "$status" -eq "$1" ] && [ "$(tail -n 1 out)" = "$2" ]
}

# fails PATTERN: one line on standard error, which the pattern matches as a whole
fails() {
    [ "$(wc -l <err)" -eq 1 ] && grep -Eqx "luft pgn check: $1" err
}

# Some 3 MB, more than a chunk for each of two threads: every seventh game has a mistake, every hundredth a long comment.
awk 'BEGIN {
    for (i = 1; i <= 9000; i++) {
        printf "[Event \"Game %d\"]\n[White \"Player %d\"]\n[Black \"Player %d\"]\n[Date \"%d.01.01\"]\n", i, i % 40, i % 37, 1990 + i % 30
        printf "[Result \"%s\"]\n\n1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6\n", i % 3 ? "1-0" : "1/2-1/2"
        if (i % 100 == 0) {
            printf "{"
            for (j = 0; j < 300; j++) {
                printf "[%%clk 0:%02d] (and so on) ", j % 60
            }
            print "}"
        }
        printf "5. O-O (5. d3 b5) 5... %s 6. Re1 b5 7. Bb3 d6 8. %s %s\n\n", i % 7 ? "Be7" : "Ke6", i % 2 ? "c3" : "a4", i % 3 ? "1-0" : "1/2-1/2"
    }
}' >many.pgn
errors=$((9000 / 7))

# --- Threads ----------------------------------------------------------------------

run pgn check --threads 1 many.pgn
judge 'games and mistakes' ended 1 "games=9000 errors=$errors"
awk '/ Ke6 / { printf "many.pgn:%d:%d\n", NR, index($0, "Ke6") }' many.pgn >"$work/expected"
cut -d: -f1-3 err | cmp -s - "$work/expected"
report 'each mistake has its line and column' $?
for arguments in check 'check --json' convert 'convert --to uci' 'convert --to fen --positions last' stats 'stats --json' \
    filter 'filter --invert --no-errors' 'filter --count --player 36' dedup; do
    for threads in 1 3; do
        # shellcheck disable=SC2086 # words
        "$luft" pgn $arguments --threads $threads many.pgn not_there many.pgn 2>"err.$threads" |
            grep -v '"seconds"' >"out.$threads"
    done
    cmp -s out.1 out.3 && cmp -s err.1 err.3 && [ -s out.1 ]
    report "one thread or three: $arguments" $?
done
run pgn filter --threads 2 many.pgn
judge 'everything as it stands' same_output many.pgn
# The positions of a chunk, and the mistakes, are more than is kept: what is left out must be so all the same.
awk 'BEGIN {
    for (i = 1; i <= 6000; i++) {
        printf "[Event \"Game %d\"]\n\n", i
        for (j = 0; j < 10 * (i <= 1500); j++) {
            printf "%d. Nf3 Nf6 %d. Ng1 Ng8\n", 2 * j + 1, 2 * j + 2
        }
        printf "1. a3 %s *\n\n", i <= 1500 && i % 2 ? "a6" : "Ke4"
    }
}' >halves.pgn
for form in pgn uci fen; do
    run pgn convert --no-errors --to $form halves.pgn
    case $form in
    pgn) count=$(grep -c '^\[Event ' out) expected=750 ;;
    uci) count=$(wc -l <out) expected=750 ;;
    fen) count=$(wc -l <out) expected=$((750 * 43)) ;;
    esac
    judge "nothing of games with mistakes: $form" [ "$count" -eq "$expected" -a "$(wc -l <err)" -eq 5250 ]
done
status=0
"$luft" pgn check --threads 2 < <(cat many.pgn) >out 2>err || status=$?
judge 'through a pipe' ended 1 "games=9000 errors=$errors"

# --- Games without [Event, and games longer than a chunk ---------------------------

sed '/^\[Event/d' many.pgn >eventless.pgn
run pgn check --threads 2 eventless.pgn
judge 'without Event tags' ended 1 "games=9000 errors=$errors"
judge 'the line of the last mistake' [ "$(tail -n 1 err | cut -d: -f2)" -eq "$(grep -n Ke6 eventless.pgn | tail -n 1 | cut -d: -f1)" ]
run pgn filter --threads 2 eventless.pgn
judge 'without Event tags, as it stands' same_output eventless.pgn
# Other tags before Event, as DGT boards write them: in all games, so that the file is one stream, and in every fifth.
awk '/^\[Event/ { event = $0; next } { print } /^\[White/ { print event }' many.pgn >event_second.pgn
awk '/^\[Event/ { event = $0; if (++games % 5) print; next } { print } /^\[White/ && games % 5 == 0 { print event }' many.pgn >mixed.pgn
for file in event_second.pgn mixed.pgn; do
    for threads in 1 3; do
        run pgn check --threads $threads "$file"
        judge "tags before Event: $file, $threads threads" ended 1 "games=9000 errors=$errors"
        cp err "err.$threads"
        "$luft" pgn convert --quiet --threads $threads "$file" >"out.$threads" 2>/dev/null
    done
    cmp -s out.1 out.3 && cmp -s err.1 err.3
    report "tags before Event: $file, one thread or three" $?
done
"$luft" pgn convert --quiet many.pgn 2>/dev/null | cmp -s - out.1
report 'tags before Event, written as if Event were first' $?
run pgn filter --threads 3 mixed.pgn
judge 'tags before Event, as it stands' same_output mixed.pgn
# The same where the end of a chunk, 1 MiB, falls on every byte around the place: with a cut there and without.
for separator in '\n\n[Site "X"]\n' '\n\n[Site "X"] \r\n' '\n\n' ' "]\n'; do
    wrong=
    for shift in $(seq 0 60); do
        {
            printf '[White "a"]\n\n1. e4 {'
            head -c $((1048576 - 60 + shift)) /dev/zero | tr '\0' x
            # shellcheck disable=SC2059 # the separator has escapes
            printf "} e5 1-0$separator"
            printf '[Event "b"]\n\n1. d4 *\n\n[Event "c"]\n\n1. c4 *\n'
        } >edge.pgn
        [ "$("$luft" pgn check --quiet --threads 2 edge.pgn)" = 'games=3 errors=0' ] || wrong+=" $shift"
    done
    judge "a chunk ends around ${separator}[Event:$wrong" [ -z "$wrong" ]
done
# Very many games in a stream: each must cost no more than itself.
awk 'BEGIN { for (i = 0; i < 1000000; i++) print "1. e4 e5 1-0" }' >tiny.pgn
for arguments in 'filter --ply-min 1' 'dedup --short 0'; do
    # shellcheck disable=SC2086 # words
    (ulimit -t $((3 * ${LUFT_TEST_SLOW:-1})) && "$luft" pgn $arguments --quiet --threads 1 tiny.pgn >out 2>err)
    judge "a million tiny games take less than three seconds: $arguments" [ $? -eq 0 -a -s out ]
done
rm tiny.pgn
{
    printf '[Event "Short"]\n\n1. e4 *\n\n[Event "Long"]\n\n1. e4 {'
    yes 'a comment without end' | head -c 3000000
    printf '}\ne5 *\n\n[Event "Wrong"]\n\n1. e5 *\n\n'
    cat many.pgn
} >long.pgn
for ending in lf cr crlf; do
    case $ending in
    lf) cp long.pgn ended.pgn ;;
    cr) tr '\n' '\r' <long.pgn >ended.pgn ;;
    crlf) sed 's/$/\r/' long.pgn >ended.pgn ;;
    esac
    run pgn check --threads 2 ended.pgn
    judge "a long game, $ending" ended 1 "games=9003 errors=$((errors + 1))"
    judge "the line after it, $ending" [ "$(head -n 1 err | cut -d: -f1-4)" = "ended.pgn:$(grep -n '1. e5' long.pgn | cut -d: -f1):4: game 3" ]
    run pgn filter --threads 2 ended.pgn
    judge "a long game as it stands, $ending" same_output ended.pgn
done
{
    printf '[Event "Endless"]\n\n1. e4 {'
    yes 'blah blah' | head -c 18000000
    printf '}\ne5 *\n\n[Event "Short"]\n\n1. e4 *\n\n'
} | tr '\n' '\r' >endless.pgn
status=0
(ulimit -t $((20 * ${LUFT_TEST_SLOW:-1})) && exec timeout 120 "$luft" pgn filter endless.pgn) >out 2>err || status=$?
judge 'two million lines that end in CR take no time' [ "$status" -eq 1 -a "$(tr '\r' '\n' <out | head -n 1)" = '[Event "Short"]' ]
judge 'a game of more than 16 MiB is reported' grep -q '^endless\.pgn:1:1: game 1: the game is left out: its text is longer' err
rm endless.pgn
head -c 2500000 /dev/zero | tr '\0' '(' >nested.pgn
run pgn check nested.pgn
judge 'two million parentheses' ended 1 'games=1 errors=1'
head -c 3000000 /dev/zero | tr '\0' 'a' >one_line.pgn
run pgn check one_line.pgn
judge 'a line of three megabytes' [ "$status" -eq 1 -a "$(tail -n 1 out | cut -d' ' -f1)" = 'games=1' ]

# Memory does not grow with the file: 80 MB through 60 MB of address space, program and stacks included. A program with a
# sanitizer needs more even to start.
if ! (ulimit -v 60000 && exec "$luft" --version) >out 2>&1; then
    skip 'memory does not grow with the file' 'the program does not start in bounded address space'
else
    for arguments in check convert filter; do
        (
            ulimit -v 60000
            for _ in 1 2 3 4 5 6 7 8 9 10 11 12; do cat many.pgn eventless.pgn; done |
                MALLOC_ARENA_MAX=1 "$luft" pgn $arguments --threads 2 2>err >out.bounded
        )
        judge "bounded memory: $arguments" [ $? -lt 2 -a "$(grep -c '^luft' err)" -eq 0 -a -s out.bounded ]
    done
    # One game of 48 MB, all of it annotations, variations or comments.
    # shellcheck disable=SC2016 # an annotation of PGN
    for word in '$9' '()' '{}' '!'; do
        (
            ulimit -v 60000
            { printf '1. e4 e5 ' && yes "$word" | head -c 48000000 && printf '*\n'; } |
                MALLOC_ARENA_MAX=1 "$luft" pgn convert --quiet --threads 1 2>err >out.bounded
        )
        judge "bounded memory: a game of $word" [ $? -eq 0 -a ! -s err -a "$(tail -c 3 out.bounded)" = '*' ]
    done
fi

# --- A byte order mark ------------------------------------------------------------------

{ printf '\357\273\277' && cat long.pgn; } >marked.pgn
for threads in 1 3; do
    run pgn filter --threads $threads marked.pgn
    judge "filter keeps the mark of the first file, $threads threads" same_output marked.pgn
    run pgn filter --threads $threads marked.pgn marked.pgn
    judge "filter writes the mark once, $threads threads" [ "$(grep -c $'\357\273\277' out)" -eq 1 ]
done
run pgn filter --player 'nobody of this name' marked.pgn
judge 'no game, no mark' [ ! -s out ]
run pgn dedup long.pgn
cp out unmarked.pgn
run pgn dedup marked.pgn
{ printf '\357\273\277' && cat unmarked.pgn; } >expected
judge 'dedup keeps the mark' cmp -s out expected

# --- Compressed files ---------------------------------------------------------------

head -n 2000 many.pgn >some.pgn
run pgn check some.pgn
tail -n 1 out >some.count
cp err some.errors

# packed PROGRAM SUFFIX KIND: files that the program compresses, if it is installed and luft knows the kind
packed() {
    local program=$1 suffix=$2 size
    if ! command -v "$program" >/dev/null || ! "$luft" pgn --help | grep -q "knows.* ${3}"; then
        skip "files compressed with $program" "$program is not installed, or luft is built without $3"
        return
    fi
    "$program" -c <some.pgn >"some.pgn.$suffix"
    cp "some.pgn.$suffix" disguised.pgn
    run pgn check disguised.pgn
    judge "$suffix: found by its bytes, not its name" ended 1 "$(cat some.count)"
    sed 's/disguised/some/' err | cmp -s - some.errors
    report "$suffix: the same mistakes" $?
    cat "some.pgn.$suffix" "some.pgn.$suffix" >two
    run pgn filter --count two
    judge "$suffix: two archives in one file" [ "$(cat out)" -eq $((2 * $(cut -d' ' -f1 some.count | cut -d= -f2))) ]
    status=0
    "$luft" pgn check <"some.pgn.$suffix" >out 2>err || status=$?
    judge "$suffix: through a pipe" ended 1 "$(cat some.count)"
    "$program" -c <long.pgn >"long.$suffix"
    run pgn filter --threads 2 "long.$suffix"
    judge "$suffix: many chunks" same_output long.pgn
    size=$(wc -c <"some.pgn.$suffix")
    for length in 5 $((size / 2)) $((size - 1)); do
        head -c "$length" "some.pgn.$suffix" >cut_off
        run pgn check cut_off
        judge "$suffix: cut off after $length bytes" [ "$status" -eq 1 -a "$(grep -c '^luft pgn check: "cut_off": the archive is truncated$' err)" -eq 1 ]
    done
    run pgn check cut_off some.pgn
    judge "$suffix: the next file is read all the same" grep -q '^some\.pgn:' err
    { head -c $((size / 2)) "some.pgn.$suffix" && head -c 300 /dev/urandom && tail -c +$((size / 2 + 301)) "some.pgn.$suffix"; } >damaged
    run pgn check damaged
    judge "$suffix: damaged" [ "$status" -eq 1 -a "$(grep -c '^luft pgn check: "damaged": the archive is ' err)" -eq 1 ]
    : | "$program" -c >nothing
    run pgn check nothing
    judge "$suffix: nothing packed" ended 0 'games=0 errors=0'
}
packed gzip gz gzip
packed zstd zst zstd
if [ -e some.pgn.gz ]; then
    for zeros in 1 511 300000; do
        { cat some.pgn.gz && head -c "$zeros" /dev/zero; } >padded.gz
        run pgn check padded.gz
        judge "gz: $zeros zeros at the end" [ "$status" -eq 1 -a "$(tail -n 1 out)" = "$(cat some.count)" -a "$(grep -c '^luft' err)" -eq 0 ]
    done
    printf 'something else' >>padded.gz
    run pgn check padded.gz
    judge 'gz: something else behind them' grep -q '^luft pgn check: "padded.gz": the archive is damaged' err
fi
if [ -e some.pgn.zst ]; then
    # The header of a frame with a window of 2 GB: no content size, no checksum; then an empty last block.
    printf '\050\265\057\375\0\250\1\0\0' >window.zst
    zstd -dc --long=31 window.zst >out 2>err && [ ! -s out ]
    report 'zst: a long window, as zstd reads it' $?
    run pgn check window.zst
    judge 'zst: a long window is not called damage' grep -qx \
        'luft pgn check: "window.zst": its window is larger than 128 MB: try zstd -dc --long=31 FILE | luft' err
    { printf 'P*M\030\4\0\0\0abcd' && cat some.pgn.zst; } >skipped.zst
    run pgn check skipped.zst
    judge 'zst: a frame to be skipped comes first' ended 1 "$(cat some.count)"
fi

# --- Files that are not PGN --------------------------------------------------------------

run pgn check no_such_file
judge 'a file that is not there' ended 1 'games=0 errors=1'
judge 'is named' fails '"no_such_file": .*'
run pgn check no_such_file some.pgn
judge 'and the others are read' grep -q '^some\.pgn:' err
run pgn check .
judge 'a directory' ended 1 'games=0 errors=1'
judge 'is said to be one' fails '"\.": Is a directory'
head -c 100000 /dev/urandom >junk
run pgn check junk
judge 'junk' [ "$status" -eq 1 ]
head -c 100000 /dev/zero >zeros
run pgn check zeros
judge 'zeros' fails '"zeros": it is not a text file'
for magic in 'BZh9:bzip2' '\xfd7zXZ\0:xz' 'PK\3\4abcd:zip' '\xff\xfe[\0E\0:UTF-16'; do
    printf '%b' "${magic%%:*}" >kind
    run pgn check kind
    judge "not read here: ${magic##*:}" fails ".*${magic##*:}.*"
    judge "not read here: ${magic##*:}, status" [ "$status" -eq 1 ]
done
printf '\037\213' >kind
run pgn check kind
judge 'two bytes of gzip' [ "$status" -ne 0 -a "$status" -lt 128 ]

# --- Real games ------------------------------------------------------------------------

for collection in large:73929 dirty:42560; do
    name=${collection%:*}.pgn.zst
    if ! "$luft" pgn --help | grep -q zstd; then
        skip "$name" "luft is built without zstd"
    elif data_file "pgn/$name"; then
        run pgn check --threads 2 "$path"
        judge "$name: its games" grep -q "^games=${collection#*:} " out
    else
        skip "$name" "$reason"
    fi
done

finish
