#!/bin/bash
# SPDX-License-Identifier: MIT
#
# `luft --version`: the version in its one place, include/luft/types.h, and what
# the program was built by and for. Argument: the path of the program.
# shellcheck source=tests/cli/support.sh
. "$(dirname "$0")/support.sh"
root=$(cd "$(dirname "$0")/../.." && pwd)
cd "$root" || exit 2

number() {
    sed -n "s/^#define LUFT_VERSION_$1 //p" include/luft/types.h
}
version=$(number MAJOR).$(number MINOR).$(number PATCH)

run --version
head -n 1 "$work/out" | grep -Fqx -- "luft $version"
report "the first line is luft $version" $?
judge 'the compiler and its version' printed 'Compiler: (gcc|clang) [0-9]+\.[0-9]+\.[0-9]+'
judge 'the variant' printed 'Variant: [a-z0-9-]+'
judge 'the slider method' printed 'Sliding pieces: (PEXT|magic multiplication)'
judge 'the libraries for compressed files' printed 'Compressed files: (no zstd|zstd [0-9.]+), (no zlib|zlib [0-9.]+)'
case $(uname -m) in
x86_64) judge 'the processor' printed 'Processor: x86-64( with [A-Z0-9.]+(, [-A-Z0-9.]+)*)?' ;;
aarch64) judge 'the processor' printed 'Processor: AArch64( with [A-Z0-9]+(, [A-Z0-9]+)*)?' ;;
*) judge 'the processor' printed 'Processor: of another kind' ;;
esac
# PEXT is an instruction of BMI2: the one cannot be without the other.
grep -q BMI2 "$work/out" || ! grep -q PEXT "$work/out"
report 'PEXT only with BMI2' $?

# Nobody else may say the version: what is installed has it from types.h.
grep -rnF -- "$version" Makefile luft.pc.in luft.map src include man completions scripts >"$work/elsewhere" 2>/dev/null
sed 's/^/# /' "$work/elsewhere"
[ ! -s "$work/elsewhere" ]
report 'the version stands in one place' $?
[ "$(make -s print-VERSION)" = "$version" ]
report 'the Makefile reads it' $?
grep -Eq "^## \[${version//./\\.}\] - [0-9]{4}-[0-9]{2}-[0-9]{2}$" CHANGELOG.md
report 'the changelog has it, with a date' $?
for file in web/package/package.json web/app/package.json; do
    judge "$file has it" grep -Fq "\"version\": \"$version\"" "$file"
done

# The Debian packages: their version, and what they say the libraries export.
judge 'debian/changelog has it' grep -q "^luft ($version-[0-9]*) " debian/changelog
abi=$(make -s print-ABI_VERSION)
for library in libluft libluft-engine libluft-database; do
    case $library in
    *-*) headers=include/luft/${library#*-}.h ;;
    *) headers=$(find include/luft -name '*.h' ! -name engine.h ! -name database.h) ;;
    esac
    # shellcheck disable=SC2086 # a list of files
    sed -n 's/^LUFT_API \([^;([]*\).*/\1/p' $headers | sed 's/.*[ *]//' | sort >"$work/declared"
    sed -n 's/^ \(luft_[a-z0-9_]*\)@.*/\1/p' "debian/$library$abi.symbols" | sort >"$work/listed"
    judge "debian/$library$abi.symbols has what the headers declare" diff "$work/declared" "$work/listed"
done

refuses 'a word after --version' --version x
judge 'the word is named' says 'unexpected argument "x" after --version'
refuses 'an option after --version' --version --help
refuses 'hostile bytes after --version' --version $'\e[2J\n\xff'

finish
