#!/bin/bash
# SPDX-License-Identifier: MIT
#
# Holds the manual pages to the program: every command has a page, the pages name
# exactly the options and operands that the help names, with the same words behind
# them, and formatters have no complaint. Argument: the path of the program.
# shellcheck source=tests/cli/support.sh
. "$(dirname "$0")/support.sh"
root=$(cd "$(dirname "$0")/../.." && pwd)
cd "$root" || exit 2

# --- The form -----------------------------------------------------------------------

for tool in mandoc groff; do
    command -v "$tool" >/dev/null || skip "$tool reads the manual pages" "$tool is not installed"
done
for page in man/*.[36]; do
    title=$(basename "$page" | tr 'a-z.' 'A-Z ')
    grep -Fqx -- ".Dt $title" "$page" && grep -Fqx -- ".Nm $(basename "${page%.*}")" "$page"
    report "$page: its title and name are those of the file" $?
    awk 'length > 120 { print "# line " FNR " is long"; bad = 1 } END { exit bad }' "$page"
    report "$page: no line of more than 120 characters" $?
    if mandoc -Tlint -W warning "$page" >"$work/lint" 2>&1; then
        report "$page: mandoc has no complaint" 0
    elif command -v mandoc >/dev/null; then
        sed 's/^/# /' "$work/lint"
        report "$page: mandoc has no complaint" 1
    fi
    if command -v groff >/dev/null; then
        groff -mandoc -Tutf8 -ww -z "$page" >"$work/lint" 2>&1
        sed 's/^/# /' "$work/lint"
        [ ! -s "$work/lint" ]
        report "$page: groff has no complaint" $?
    fi
    # A reference to another page of ours must lead somewhere; pages of other projects are not checked.
    awk '$1 == ".Xr" && $2 ~ /luft/ { print $2 "." $3 }' "$page" | sort -u >"$work/references"
    missing=0
    while read -r name; do
        if [ ! -f "man/$name" ]; then
            echo "# $page: there is no man/$name"
            missing=1
        fi
    done <"$work/references"
    report "$page: the pages that it refers to are there" "$missing"
done

# --- The options --------------------------------------------------------------------

# entries_of_help WORDS...: "--fen FEN", "-o --output FILE", one a line, sorted; options only
entries_of_help() {
    "$luft" "$@" --help | sed -n -E 's/^  ((-[a-z]), )?(--[a-z0-9-]+)( [^ ]+)?( .*|$)/\2 \3\4/p' | sed 's/^ //' | sort
}

# entries_of_page: the same of the .It lines on standard input
entries_of_page() {
    sed -n -E -e 's/^\.It Fl (.*)/\1/p' |
        sed -E -e 's/ , Fl / Fl /' -e 's/ Fl \\-/ --/' -e 's/^\\-/--/' -e 's/^([a-z])( |$)/-\1\2/' -e 's/ Ar / /' -e 's/\\-/-/g' | sort
}

# same_entries NAME: compares $work/of-help with $work/of-page
same_entries() {
    diff "$work/of-help" "$work/of-page" | sed -n -e 's/^</# only in the help:/p' -e 's/^>/# only in the page:/p' >"$work/difference"
    cat "$work/difference"
    [ -s "$work/of-help" ] && [ ! -s "$work/difference" ]
    report "$1" $?
}

# The commands, without `help`, which is explained in luft.6 itself.
"$luft" --help | sed -n 's/^  \([a-z]*\)  .*/\1/p' | grep -vx help >"$work/commands"
[ "$(wc -l <"$work/commands")" -ge 2 ]
report 'the help lists commands' $?
while read -r name; do
    page=man/luft-$name.6
    [ -f "$page" ]
    report "luft $name has a page" $?
    grep -Fqx -- ".It Cm $name" man/luft.6 && grep -Fqx -- ".Xr luft-$name 6" man/luft.6
    report "luft.6 leads to the page of luft $name" $?
    if [ ! -f "$page" ] || grep -q '^\.Ss Options of every command' "$page"; then
        continue # those with commands of their own are next
    fi
    entries_of_help "$name" >"$work/of-help"
    entries_of_page <"$page" >"$work/of-page"
    same_entries "$page has the options of luft $name --help"
done <"$work/commands"

# section PAGE TITLE: the lines of a subsection
section() {
    awk -v title=".Ss $2" '/^\.S[sh]/ { inside = $0 == title } inside' "$1"
}

# These have commands, each with a section: the options there and those of all of them together are its own.
for command in pgn db book tb; do
    "$luft" "$command" --help | sed -n 's/^  \([a-z]*\)  .*/\1/p' | sort >"$work/of-help"
    sed -n '/^\.Ss Options/,/^\.Sh/{ s/^\.Ss \([a-z]*\)$/\1/p; }' "man/luft-$command.6" | sort >"$work/of-page"
    same_entries "luft-$command.6 has the commands of luft $command --help"
    cp "$work/of-page" "$work/subcommands"
    while read -r name; do
        entries_of_help "$command" "$name" >"$work/of-help"
        { section "man/luft-$command.6" 'Options of every command' && section "man/luft-$command.6" "$name"; } |
            entries_of_page >"$work/of-page"
        same_entries "luft-$command.6 has the options of luft $command $name --help"
    done <"$work/subcommands"
done

# A page of a command that is not there would be as wrong. luft-mpi is a program of its own, with options of others.
for page in man/luft-*.6; do
    name=${page#man/luft-}
    [ "$name" = mpi.6 ] || grep -Fqx -- "${name%.6}" "$work/commands"
    report "$page is about a command" $?
done

# The maps of luft show have names that are explained.
"$luft" show --help | sed -n -E 's/^  ([a-z]+(-[a-z]+)*)  .*/\1/p' | sort >"$work/of-help"
sed -n '/^\.Ss Maps/,/^\.Sh/{ s/^\.It Cm //p; }' man/luft-show.6 | sort >"$work/of-page"
same_entries 'luft-show.6 has the maps of luft show --help'

# --- The library --------------------------------------------------------------------

printf '%s\n' include/luft/*.h | sed -e 's|include/||' -e '/luft\.h/d' -e '/engine\.h/d' -e '/database\.h/d' | sort >"$work/of-help"
sed -n 's/^\.It In //p' man/libluft.3 | sort >"$work/of-page"
same_entries 'libluft.3 names every header'

# The pages of the other libraries name no function that there is not.
for name in engine database; do
    sed -n -E "s/.*[ *](luft_${name}_[a-z_]+)\(.*/\1/p" "include/luft/$name.h" | sort -u >"$work/declared"
    sed -n -E "s/^\.Fn (luft_${name}_[a-z_]+).*/\1/p" "man/luft-$name.3" | sort -u >"$work/named"
    unknown=$(comm -13 "$work/declared" "$work/named")
    [ -s "$work/named" ] && [ -z "$unknown" ]
    report "luft-$name.3 names functions of $name.h ${unknown:+(not $unknown)}" $?
done
sed -n -E '/^\.Bd -literal/,/^\.Ed/{ /^\./d; s/\\e/\\/g; p; }' man/libluft.3 >"$work/program.c"
if "${CC:-gcc}" -std=c17 -Wall -Wextra -Werror -Iinclude -o "$work/program" "$work/program.c" "$(dirname "$luft")/libluft.a"; then
    [ "$("$work/program")" = '20 legal replies' ]
    report 'the program in libluft.3 compiles and prints what it should' $?
else
    report 'the program in libluft.3 compiles' 1
fi

finish
