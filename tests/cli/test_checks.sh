#!/bin/bash
# SPDX-License-Identifier: MIT
#
# The checks find what they are for: scripts/check/includes, abi, words and functions, each run on a small tree or library
# that passes and then on one with a planted offence. Argument: the path of the program, which is not used.
# shellcheck source=tests/cli/support.sh
. "$(dirname "$0")/support.sh"
checks=$(cd "$(dirname "$0")/../../scripts/check" && pwd)
tree=$work/tree

# put FILE LINE...: writes a file of the tree
put() {
    mkdir -p "$tree/$(dirname "$1")"
    printf '%s\n' "${@:2}" >"$tree/$1"
}

# attempt CHECK ARGUMENTS...: leaves $status and the output
attempt() {
    status=0
    "$@" >"$work/out" 2>"$work/err" || status=$?
}

# shellcheck disable=SC2317 # called by judge
# finds PATTERN: status 1, and a line that the pattern matches
finds() {
    [ "$status" -eq 1 ] && [ ! -s "$work/err" ] && grep -Eq -- "$1" "$work/out"
}

# --- Includes ------------------------------------------------------------------------------

# fresh: a tree with two modules in each of several parts, whose includes point downward
fresh() {
    rm -rf "$tree"
    put include/luft/types.h
    put include/luft/bitboard.h '#include "luft/types.h"'
    put src/core/types.c '#include "luft/types.h"'
    put src/core/bitboard.c '#include "luft/bitboard.h"' '#include <string.h>'
    put src/engine/tt.h '#include "luft/types.h"'
    put src/engine/tt.c '#include "engine/tt.h"'
    put src/engine/search.h '#include "engine/tt.h"'
    put src/engine/search.c '#include "engine/search.h"' '#include <stdio.h>'
    put src/util/text.h
    put programs/luft/main.c '#include "luft/bitboard.h"' '#include "util/text.h"'
    put src/engine/params.h
    put src/uci/options.c '#include "engine/params.h"' # a named exception
}

# planted NAME PATTERN FILE LINE...: adds lines to a file of a fresh tree; the check must find them
planted() {
    fresh
    printf '%s\n' "${@:4}" >>"$tree/$3"
    attempt "$checks/includes" "$tree"
    judge "includes: $1" finds "$2"
}

fresh
attempt "$checks/includes" "$tree"
judge 'includes: a tree in order passes' ended_well
planted 'two headers that include each other' 'include cycle: .*engine/tt' src/engine/tt.h '#include "engine/search.h"'
planted 'two modules that include each other by their sources' 'include cycle: .*engine/(tt|search)' src/engine/tt.c \
    '#include "engine/search.h"'
planted 'a part that includes from one above it' 'src/util/text\.h:2: .*src/util must not include from src/engine' src/util/text.h \
    '#include "engine/tt.h"'
planted 'a program that includes a private header of the engine' 'programs/luft must not include from src/engine' \
    programs/luft/main.c '#include "engine/search.h"'
planted 'an exception holds for one header only' 'src/uci must not include from src/engine' src/uci/options.c '#include "engine/tt.h"'
planted 'a public header that includes a private one' 'must not include from src/core' include/luft/types.h '#include "core/types.c"'
planted 'a module of the library that includes one above it' 'types must not include bitboard' src/core/types.c \
    '#include "luft/bitboard.h"'
planted 'a system header that prints, in the core' 'must not include <stdio.h>' src/core/types.c '#include <stdio.h>'
planted 'an include that is not found' '"engine/none.h" is not found' src/engine/tt.c '#include "engine/none.h"'
fresh
put src/engine/a.c '#include "engine/b.h"'
put src/engine/a.h
put src/engine/b.h
put src/engine/b.c '#include "engine/c.h"'
put src/engine/c.h
put src/engine/c.c '#include "engine/a.h"'
attempt "$checks/includes" "$tree"
judge 'includes: a cycle of three modules by their sources' finds 'engine/a.*engine/b.*engine/c.*engine/a|engine/b.*engine/c.*engine/a'

# --- The binary interface --------------------------------------------------------------------

# shared NAME SONAME LINE...: a library of this code in a folder of its own, where its header is too
shared() {
    mkdir -p "$work/$1"
    printf '%s\n' "${@:3}" >"$work/$1/luft.h"
    printf '#include "luft.h"\nint luft_sum(luft_pair pair) { return pair.a + (int)sizeof pair; }\nint luft_more(void) { return 1; }\nluft_error luft_check(void) { return LUFT_OK; }\nluft_error luft_fill(luft_pair *pair) { return pair ? LUFT_OK : LUFT_ERROR_COUNT; }\n' >"$work/$1/luft.c"
    gcc -g -shared -fPIC -Wl,-soname,"$2" -o "$work/$1/luft.so" "$work/$1/luft.c"
}
# compared OLD NEW: checks one of these against another
compared() {
    attempt "$checks/abi" --compare "$work/$1/luft.so" "$work/$1" "$work/$2/luft.so" "$work/$2"
}

if command -v abidiff >/dev/null; then
    pair='typedef struct luft_pair { int a, b; } luft_pair;'
    errors='typedef enum luft_error { LUFT_OK, LUFT_ERROR_COUNT } luft_error;'
    shared abi-first libluft.so.1 "$pair" "$errors" 'int luft_sum(luft_pair pair);' 'luft_error luft_check(void);'
    shared abi-more libluft.so.1 "$pair" 'typedef enum luft_error { LUFT_OK, LUFT_ERROR_NEW, LUFT_ERROR_COUNT } luft_error;' \
        'int luft_sum(luft_pair pair);' 'int luft_more(void);' 'luft_error luft_check(void);'
    larger='typedef struct luft_pair { int a, b, c; } luft_pair;'
    shared abi-larger libluft.so.1 "$larger" "$errors" 'int luft_sum(luft_pair pair);' 'luft_error luft_check(void);'
    shared abi-larger-2 libluft.so.2 "$larger" "$errors" 'int luft_sum(luft_pair pair);' 'luft_error luft_check(void);'
    compared abi-first abi-more
    judge 'abi: new functions and error codes are compatible' ended_well
    compared abi-first abi-larger
    judge 'abi: a struct that grew is found' finds 'libluft.so.1: not compatible'
    # The error codes grow too, which is allowed by itself; every function returns one.
    fill='luft_error luft_fill(luft_pair *pair);'
    shared abi-fill libluft.so.1 "$pair" "$errors" "$fill"
    shared abi-fill-larger libluft.so.1 "$larger" 'typedef enum luft_error { LUFT_OK, LUFT_ERROR_NEW, LUFT_ERROR_COUNT } luft_error;' "$fill"
    compared abi-fill abi-fill-larger
    judge 'abi: a struct that grew is found beside a new error code' finds 'libluft.so.1: not compatible'
    compared abi-first abi-larger-2
    judge 'abi: another soname may break' ended_well
else
    skip 'the binary interface' 'abidiff is not installed'
fi

# --- Words and functions -------------------------------------------------------------------

rm -rf "$tree"
mkdir -p "$tree/scripts/check"
cp "$checks/words" "$checks/functions" "$tree/scripts/check"
printf '%s\n' 'scripts/*: *' 'told.txt: "told of old"' >"$tree/scripts/check/words-exceptions"
put good.txt 'The side to move has two pieces. There is no other man page than man/luft.6.' 'A mandate of the women.' 'test_man.sh reads MAN_6 and the comments of elements.'
sed -i 's/man page/manual page/' "$tree/good.txt"
put told.txt 'It is a tale told of old.'
(cd "$tree" && git init -q && git add -A) || exit 1
attempt "$tree/scripts/check/words"
judge 'words: a tree in order passes' ended_well
judge 'words: prints nothing' test ! -s "$work/out"
put bad.txt 'The mover has two men.' 'It is no Man of mine.' 'count_men(CREW_2, mended)'
attempt "$tree/scripts/check/words"
judge 'words: counts of a file' finds '^ *7 bad\.txt: .*men 2'
attempt "$tree/scripts/check/words" --lines
for line in 1:.mover 1:.men 2:.is.no 2:.man 3:.men 3:.crew; do
    judge "words: line $line" finds "^bad\\.txt:$line -> "
done
attempt "$tree/scripts/check/words" "$tree/good.txt"
judge 'words: one file' ended_well
rm "$tree/bad.txt"
put told.txt 'It is a tale.'
attempt "$tree/scripts/check/words"
judge 'words: an exception that no file needs' finds 'no file needs: told\.txt'

# function_of LANGUAGE LINES: prints a function of that many lines
function_of() {
    case $1 in
    c) printf 'static int\nfunction(int a,\n         int b) {\n' && lines $(($2 - 4)) '    a += b;' && echo '}' ;;
    py) echo 'def function():' && lines $(($2 - 1)) '    a += 1' ;;
    sh) echo 'function() {' && lines $(($2 - 2)) '    a=1' && echo '}' ;;
    ts) echo 'export function function_(a: number) {' && lines $(($2 - 2)) '    a += 1;' && echo '}' ;;
    esac
}

# lines N TEXT
lines() {
    yes "$2" | head -n "$1"
}

for language in c py sh ts; do
    function_of "$language" 199 >"$tree/long.$language"
    attempt "$tree/scripts/check/functions"
    judge "functions: 199 lines of $language" ended_well
    function_of "$language" 201 >"$tree/long.$language"
    attempt "$tree/scripts/check/functions"
    judge "functions: 201 lines of $language" finds "^long\\.$language:[12]: 20[01] function"
    rm "$tree/long.$language"
done

# --- Makefiles -------------------------------------------------------------------------------

report "no file of mk has 150 lines or more" "$(find "$checks/../../mk" -name '*.mk' -exec awk 'FNR == 150 { bad = 1 } END { print bad + 0 }' {} +)"

finish
