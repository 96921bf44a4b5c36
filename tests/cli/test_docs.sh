#!/bin/bash
# SPDX-License-Identifier: MIT
#
# Holds the documentation to the program. In README.md, CONTRIBUTING.md, SECURITY.md, CHANGELOG.md, docs/ and docs/measurements/:
#
#   - each `$ luft …` line of a block marked `console` is run, and must print what
#     the text shows below it, to the byte; a block marked `console no-check` is
#     left alone (for output with times in it)
#   - each line of a block marked `c from FILE` must stand in that file; blocks marked
#     `c declarations` are those of the reference, which scripts/check/reference checks
#   - each relative link leads to a file, and its #anchor to a heading
#   - each luft_name and LUFT_NAME is one that the project knows; CHANGELOG.md may also name what was renamed or removed
#   - README.md has fewer than 200 lines and links to at most 12 pages; docs/README.md links to every page of docs/
#   - the worked examples of docs/internals.md name the tests of tests/test_worked_examples.c, each one once
#
# Blocks marked `c` are compiled by test_examples.sh, those marked `python` run by test_python.sh. Argument 1: the path of the
# program. With --update as argument 2 the output shown in the text is replaced by
# what the program prints now; read the difference before you keep it.
# shellcheck source=tests/cli/support.sh
. "$(dirname "$0")/support.sh"
update=${2:-}
root=$(cd "$(dirname "$0")/../.." && pwd)
cd "$root" || exit 2
documents=(README.md CONTRIBUTING.md SECURITY.md CHANGELOG.md docs/*.md docs/measurements/*.md)

# shellcheck disable=SC2317 # called by eval
# What the commands in the text call. They run in the root of the repository.
luft() {
    "$luft" "$@"
}

# --- Commands and their output --------------------------------------------------

# settle: compares the output of $command, if there is one, with the lines of $work/shown
settle() {
    [ -n "$command" ] || return 0
    case $command in
    'luft '*) (eval "$command") >"$work/printed" 2>&1 </dev/null ;;
    *) echo "only luft can be run here" >"$work/printed" ;;
    esac
    cat "$work/printed" >>"$work/new"
    if [ -z "$update" ]; then
        diff "$work/shown" "$work/printed" >"$work/difference"
        status=$?
        [ "$status" -eq 0 ] || sed 's/^/# /' "$work/difference"
        report "$place: $command" "$status"
    fi
    examples=$((examples + 1))
    command=
}

# excerpt LINE: the line must stand in $source
excerpt() {
    if [ -n "$1" ] && ! grep -Fqx -- "$1" "$source"; then
        echo "# $document:$number: not in $source: $1"
        misquoted=1
    fi
}

# read_document: goes through $document; leaves it in $work/new with the output as it is now
read_document() {
    local line keep number=0 block='' place source misquoted
    command=
    : >"$work/new"
    while IFS= read -r line || [ -n "$line" ]; do
        number=$((number + 1))
        keep=yes
        case $block/$line in
        console/'$ '*)
            settle
            command=${line#'$ '} place=$document:$number
            : >"$work/shown"
            ;;
        */'```')
            settle
            if [ "$block" = excerpt ]; then
                report "$document:$number: quoted from $source" "$misquoted"
            fi
            [ -n "$block" ] && block='' || block=other
            ;;
        /'```console') block=console ;;
        /'```c from '*)
            block=excerpt source=${line#'```c from '} misquoted=0
            [ -f "$source" ] || source=/dev/null
            ;;
        /'```c' | /'```c declarations' | /'```python' | /'```sh' | /'```text' | /'```console no-check') block=other ;;
        */*'```'*) report "$document:$number: a block of a known kind that is not indented: $line" 1 ;;
        console/*)
            [ -n "$command" ] || report "$document:$number: a console block begins with a command" 1
            printf '%s\n' "$line" >>"$work/shown"
            keep=
            ;;
        excerpt/*) excerpt "$line" ;;
        esac
        if [ -n "$keep" ]; then
            printf '%s\n' "$line" >>"$work/new"
        fi
    done <"$document"
    [ -z "$block" ]
    report "$document: every block ends" $?
}

examples=0
for document in "${documents[@]}"; do
    read_document
    if [ -n "$update" ]; then
        cmp -s "$work/new" "$document" || cat "$work/new" >"$document"
    fi
done
# The text that teaches with diagrams must have some, or this test looks in the wrong place.
[ "$examples" -ge 20 ]
report "the documents show at least 20 commands ($examples)" $?

# --- Links ------------------------------------------------------------------------

# prose FILE: the text without its blocks
prose() {
    awk '/^```/ { inside = !inside; next } !inside' "$1"
}

# has_anchor FILE ANCHOR: is there a heading that such a link leads to? The headings of a file are read once.
has_anchor() {
    local list=$work/anchors-${1//\//-}
    if [ ! -e "$list" ]; then
        prose "$1" | sed -n 's/^##* *//p' | tr 'A-Z ' 'a-z-' | sed 's/[^a-z0-9_-]//g' >"$list"
    fi
    grep -Fqx -- "$2" "$list"
}

for document in "${documents[@]}"; do
    broken=0
    while IFS= read -r link; do
        path=${link%%#*}
        if [ -n "$path" ]; then
            path=$(dirname "$document")/$path
        else
            path=$document
        fi
        if [ ! -e "$path" ]; then
            echo "# $document: $link leads nowhere"
            broken=1
        elif [ "$link" != "${link#*#}" ] && ! has_anchor "$path" "${link#*#}"; then
            echo "# $document: $link: no such heading"
            broken=1
        fi
    done < <(prose "$document" | grep -oE '\]\([^) ]+\)' | sed -e 's/^](//' -e 's/)$//' | grep -Ev '^[a-z]+:')
    report "$document: its links lead somewhere" "$broken"
done

# --- Order ------------------------------------------------------------------------

# pages FILE: what the text links to in this repository, images excluded, each once
pages() {
    prose "$1" | grep -oE '(^|[^!])\[[^]]*\]\([^) ]+\)' | sed -e 's/.*](//' -e 's/)$//' -e 's/#.*//' | grep -Ev '^([a-z]+:.*)?$' | sort -u
}

lines=$(wc -l <README.md)
[ "$lines" -lt 200 ]
report "README.md has fewer than 200 lines ($lines)" $?
count=$(pages README.md | wc -l)
[ "$count" -gt 0 ] && [ "$count" -le 12 ]
report "README.md links to at most 12 pages ($count)" $?
(cd docs && printf '%s\n' *.md measurements/*.md) | grep -Fxv README.md | sort >"$work/existing"
pages docs/README.md | comm -23 "$work/existing" - >"$work/missing"
sed 's/^/# no link to /' "$work/missing"
[ -s "$work/existing" ] && [ ! -s "$work/missing" ]
report "docs/README.md links to every page of docs/" $?

# --- Names ------------------------------------------------------------------------

grep -rhowE 'luft_[a-z0-9_]+|LUFT_[A-Z0-9_]+' include src bindings tests/support tests/*.c scripts Makefile CMakeLists.txt | sort -u >"$work/known"
for document in "${documents[@]}"; do
    [ "$document" != CHANGELOG.md ] || continue
    # Without the ends of links, in which everything is in small letters.
    sed 's/](#[^)]*)//g' "$document" | grep -owE 'luft_[a-z0-9_]+|LUFT_[A-Z0-9_]+' | sort -u | comm -23 - "$work/known" >"$work/unknown"
    sed "s|^|# $document: unknown: |" "$work/unknown"
    [ ! -s "$work/unknown" ]
    report "$document: the names in it exist" $?
done

# --- Worked examples --------------------------------------------------------------

sed -n 's/^ *cmocka_unit_test(\(.*\)),$/\1/p' tests/test_worked_examples.c | sort >"$work/tests"
sed -n '/^## Worked examples$/,$s/^|.*| `\(.*\)` |$/\1/p' docs/internals.md | sort >"$work/named"
[ -s "$work/tests" ] && diff "$work/tests" "$work/named" >"$work/difference"
status=$?
[ "$status" -eq 0 ] || sed 's/^/# /' "$work/difference"
report "docs/internals.md: the worked examples are the tests of their file" "$status"

finish
