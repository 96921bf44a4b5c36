#!/bin/bash
# SPDX-License-Identifier: MIT
#
# The same commit gives the same bytes: the archive of the sources, made twice, and the program and the libraries, built in
# two folders, at two times, in two locales. Run by `make test-reproducible`.
# Argument: the path of the program luft, which is not used.
# shellcheck source=tests/cli/support.sh
. "$(dirname "$0")/../cli/support.sh"
root=$(cd "$(dirname "$0")/../.." && pwd)
version=$(make -s -C "$root" print-VERSION)

for place in first 'second/below'; do
    git -C "$root" worktree list >/dev/null 2>&1 || break
    mkdir -p "$work/$place"
    git clone -q --no-hardlinks "$root" "$work/$place/luft"
done
first=$work/first/luft second=$work/second/below/luft
export ZLIB=0 ZSTD=0
LC_ALL=C TZ=UTC make -s -C "$first" dist >/dev/null && LC_ALL=C.UTF-8 TZ=Asia/Tokyo make -s -C "$second" dist >/dev/null
judge 'the archive of the sources' cmp "$first/build/dist/luft-$version.tar.gz" "$second/build/dist/luft-$version.tar.gz"
judge 'it contains the sources' test "$(tar tzf "$first/build/dist/luft-$version.tar.gz" | grep -c '/src/core/.*\.c$')" -gt 5

targets=${LUFT_TEST_TARGETS:-"ARCH=x86-64 all"}
# shellcheck disable=SC2086 # a list
LC_ALL=C TZ=UTC make -s -C "$first" $targets >"$work/out" 2>&1
report 'the first build' $?
# shellcheck disable=SC2086
LC_ALL=C.UTF-8 TZ=Asia/Tokyo make -s -C "$second" $targets >"$work/out" 2>&1
report 'the second build' $?
for file in luft "libluft.so.$version" "libluft-engine.so.$version" libluft.a libluft-engine.a; do
    judge "$file" cmp "$first/build/$file" "$second/build/$file"
done
mkdir -p "$work/tree/sub"
echo text >"$work/tree/sub/file"
for archive in tar.gz zip; do
    SOURCE_DATE_EPOCH=1700000000 "$root/scripts/dist/pack" "$work/a.$archive" "$work/tree"
    touch "$work/tree/sub/file"
    SOURCE_DATE_EPOCH=1700000000 "$root/scripts/dist/pack" "$work/b.$archive" "$work/tree"
    judge "an archive: $archive" cmp "$work/a.$archive" "$work/b.$archive"
done
finish
