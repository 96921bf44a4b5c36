#!/bin/bash
# SPDX-License-Identifier: MIT
#
# scripts/check/reference must notice when the headers and docs/reference.md part ways, and
# when a header leaves something unsaid: each fault is made in a copy and must be
# refused. Argument: the path of the program, which is not used.
# shellcheck source=tests/cli/support.sh
. "$(dirname "$0")/support.sh"
root=$(cd "$(dirname "$0")/../.." && pwd)
cd "$root" || exit 2

# fresh: a new copy of what the script reads
fresh() {
    rm -rf "$work/copy"
    mkdir -p "$work/copy/include" "$work/copy/docs" "$work/copy/scripts/check"
    cp -R include/luft "$work/copy/include/"
    cp docs/reference.md "$work/copy/docs/"
    cp scripts/check/reference "$work/copy/scripts/check/"
}

# attempt ARGUMENTS...: runs the script in the copy
attempt() {
    status=0
    "$work/copy/scripts/check/reference" "$@" >"$work/out" 2>"$work/err" || status=$?
}

# append HEADER: puts standard input before the end of a header
append() {
    local header=$work/copy/include/luft/$1
    awk 'NR == FNR { text = text $0 "\n"; next } /^#ifdef __cplusplus/ && ++n == 2 { printf "%s\n", text } { print }' \
        - "$header" >"$work/new" && cp "$work/new" "$header"
}

# shellcheck disable=SC2317 # called by judge
# refused PATTERN: status 1, and this is said
refused() {
    [ "$status" -eq 1 ] && cat "$work/out" "$work/err" | grep -Eq -- "$1"
}

fresh
attempt --check
judge 'the reference is up to date' ended_well
attempt
judge 'writing it again changes nothing' ended_well
cmp -s docs/reference.md "$work/copy/docs/reference.md"
report 'it is the same to the byte' $?

sed -i 's/^\/\* The other colour\. \*\/$/\/* The colour of the opponent. *\//' "$work/copy/include/luft/types.h"
attempt --check
judge 'a changed comment is noticed' refused '^\+The colour of the opponent\.$'
attempt
attempt --check
judge 'and is in order once the file is written' ended_well

fresh
append movegen.h <<<'LUFT_API int luft_new_function(void);'
attempt --check
judge 'a function without a comment is refused' refused 'luft_new_function has no comment'
attempt
judge 'when writing too' refused 'luft_new_function has no comment'
cmp -s docs/reference.md "$work/copy/docs/reference.md"
report 'and the file stays as it was' $?

fresh
append movegen.h <<<'static inline int luft_new_function(void) {
    return 1;
}'
attempt --check
judge 'an inline function without a comment is refused' refused 'luft_new_function has no comment'

fresh
append movegen.h <<<'/* One, and two. */
LUFT_API int luft_one(void);
LUFT_API int luft_two(int a,
                      int b);

/* An inline one. */
static inline int luft_three(int *p) {
    return *p;
}'
attempt
judge 'functions may share a comment' ended_well
for line in '### luft_one, luft_two' 'One, and two.' 'int luft_one(void);' 'static inline int luft_three(int *p);' \
    '[luft_one, luft_two](#luft_one-luft_two),'; do
    grep -Fqx -- "$line" "$work/copy/docs/reference.md"
    report "they are in the reference: $line" $?
done

fresh
append movegen.h <<<'/* Makes a thing. */
LUFT_API luft_error luft_thing_create(luft_thing **thing);'
attempt --check
judge 'an object must say how it ends' refused 'luft_thing_create does not say who frees'

fresh
append movegen.h <<<'typedef struct luft_thing luft_thing;'
attempt --check
judge 'an object must say what threads may do' refused 'luft_thing is an object'

fresh
append movegen.h <<<'int stray(void);'
attempt --check
judge 'an unknown form of a declaration is refused' refused 'stray.*is not understood'

attempt --unknown
[ "$status" -eq 2 ]
report 'an unknown option is refused' $?

# Every public function is in the reference, found here in another way: by the compiler's words, not the script's.
echo '#include "luft/luft.h"' | "${CC:-gcc}" -std=c17 -Iinclude -E -P -x c - | tr '\n' ' ' |
    grep -oE 'luft_[a-z0-9_]+ ?\([^;{]*\) ?[{;]' | grep -oE '^luft_[a-z0-9_]+' | sort -u >"$work/called"
sed -n 's/^### //p' docs/reference.md | tr -d ',' | tr ' ' '\n' | sort -u >"$work/listed"
grep -hoE '^(LUFT_API|static inline) [^=;{]*\(' include/luft/*.h | grep -oE 'luft_[a-z0-9_]+\($' | tr -d '(' |
    sort -u | comm -12 - "$work/called" | comm -23 - "$work/listed" >"$work/missing"
sed 's/^/# missing: /' "$work/missing"
[ ! -s "$work/missing" ] && [ "$(wc -l <"$work/called")" -ge 100 ]
report "every function is in the reference ($(wc -l <"$work/called") names)" $?

finish
