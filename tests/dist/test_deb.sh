#!/bin/bash
# SPDX-License-Identifier: MIT
#
# The Debian packages: lintian finds no error; installed in a fresh Debian 12, each does what debian/tests asks, with the
# tool of Debian for that; removed, they leave nothing. Run by `make test-deb` as root. The fresh system is kept in
# the folder of the packages and copied for each run. DEBIAN_MIRROR names the archive; by default that of this machine.
# Arguments: the path of the program luft, which is not used, and the folder of the packages.
# shellcheck disable=SC2016 # for apt, and for the shell of the new system
# shellcheck source=tests/cli/support.sh
. "$(dirname "$0")/../cli/support.sh"
folder=$(cd "$2" && pwd)
base=$(dirname "$folder")/debian-base
suite=bookworm

judge 'seven packages' test "$(find "$folder" -name '*.deb' ! -name '*-dbgsym_*' | wc -l)" -eq 7
lintian --tag-display-limit 0 --fail-on error "$folder"/*.changes >"$work/out" 2>"$work/err"
status=$?
grep '^[EW]:' "$work/out" | sed 's/^/# /'
judge 'lintian: no errors' test "$status" -eq 0

if [ "$(id -u)" -ne 0 ]; then
    skip 'a fresh Debian' 'only root can make one'
    finish
fi
mirror=${DEBIAN_MIRROR:-$(apt-get indextargets --format '$(REPO_URI)' "Codename: $suite" 2>/dev/null | head -n 1)}
if [ -z "$mirror" ]; then
    skip 'a fresh Debian' "no archive of $suite is known; set DEBIAN_MIRROR"
    finish
fi
if ! [ -e "$base/complete" ]; then
    rm -rf "$base"
    debootstrap --variant=minbase "$suite" "$base" "$mirror" >"$work/out" 2>&1 && touch "$base/complete"
    report 'debootstrap' $?
fi
fresh=$work/root
cp -a "$base" "$fresh"
# in_fresh COMMAND...: runs it in the new system
in_fresh() {
    chroot "$fresh" env -i PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin DEBIAN_FRONTEND=noninteractive LC_ALL=C.UTF-8 "$@"
}

mkdir "$fresh/packages"
find "$folder" -name '*.deb' ! -name '*-dbgsym_*' -exec cp {} "$fresh/packages" \;
in_fresh apt-get -qq update >"$work/out" 2>&1
report 'lists of packages' $?
files() {
    (cd "$fresh" && find etc usr opt srv ! -name '*.pyc' ! -name '__pycache__' | sort)
}
in_fresh sh -c 'apt-get -qq install -y --no-install-recommends $(dpkg-deb -f /packages/luft_*.deb Depends | sed "s/([^)]*)//g;s/,/ /g")' >"$work/out" 2>&1
in_fresh sh -c 'apt-get -qq install -y --no-install-recommends libsqlite3-dev python3' >>"$work/out" 2>&1
report 'what the packages depend on' $?
files >"$work/before"
in_fresh sh -c 'apt-get -qq install -y --no-install-recommends /packages/*.deb' >"$work/out" 2>&1
report 'all packages, by apt' $?
cp "$work/out" "$work/installed"
for name in libluft0 libluft-engine0 libluft-database0; do
    judge "$name is a name of the library" test -n "$(in_fresh apt-cache showpkg "$name" 2>/dev/null | grep "${name}.2")"
done
in_fresh sh -c 'apt-get -qq purge -y luft libluft-dev libluft0.2 libluft-engine0.2 libluft-database0.2 python3-luft luft-doc' >"$work/out" 2>&1
report 'removed' $?
files >"$work/after"
judge 'and nothing is left' diff "$work/before" "$work/after"

status=0
autopkgtest --no-built-binaries "$fresh"/packages/*.deb "$folder"/luft_*.dsc -- chroot "$fresh" >"$work/out" 2>"$work/err" || status=$?
for name in program libraries python; do
    judge "autopkgtest: $name" eval "cat '$work/out' '$work/err' | grep -Eq '^$name +PASS'"
done
judge 'autopkgtest: all' test "$status" -eq 0
finish
