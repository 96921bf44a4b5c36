# SPDX-License-Identifier: MIT
# shellcheck shell=bash disable=SC2034
#
# What the tests of the program share: how a test is run, and how it is reported.
# A script sources this file with the path of the program as its first argument,
# calls the checks below, and ends with `finish`.

set -u
export LC_ALL=C
if [ $# -lt 1 ] || [ ! -x "$1" ]; then
    echo "usage: $0 PATH-OF-LUFT" >&2
    exit 2
fi
luft=$(cd "$(dirname "$1")" && pwd)/$(basename "$1")
failures=0
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

startpos='rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1'
kiwipete='r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1'

# report NAME STATUS: prints the result of a test; a status of 0 is good
report() {
    if [ "$2" -eq 0 ]; then
        printf 'ok - %s\n' "$1"
    else
        printf 'not ok - %s\n' "$1"
        failures=$((failures + 1))
    fi
}

# run ARGUMENTS...: runs luft; leaves $status, and its output in $work/out and $work/err
run() {
    status=0
    "$luft" "$@" >"$work/out" 2>"$work/err" </dev/null || status=$?
}

# show_run: what the last run printed, as a comment, for whoever looks into a failure
show_run() {
    {
        echo "exit status $status"
        head -n 40 "$work/out"
        head -n 5 "$work/err"
    } | sed 's/^/# /'
}

# judge NAME CONDITION...: runs the condition as a command; shows the last run if it fails
judge() {
    local name=$1 result=0
    shift
    "$@" || result=1
    if [ "$result" -ne 0 ]; then
        show_run
    fi
    report "$name" "$result"
}

# ended_well: status 0 and silence on standard error
ended_well() {
    [ "$status" -eq 0 ] && [ ! -s "$work/err" ]
}

# printed PATTERN: ended well and printed a line that the extended pattern matches as a whole
printed() {
    ended_well && grep -Eqx -- "$1" "$work/out"
}

# same_output FILE: ended well and printed exactly this
same_output() {
    ended_well && cmp -s "$1" "$work/out"
}

# one_error_line STATUS: this status, nothing on standard output, one printable line on standard error
one_error_line() {
    [ "$status" -eq "$1" ] && [ ! -s "$work/out" ] && [ "$(wc -l <"$work/err")" -eq 1 ] &&
        grep -Eqx 'luft( [a-z]+)*: [ -~]{1,200}' "$work/err"
}

# refuses NAME ARGUMENTS...: bad arguments get one line and status 2
refuses() {
    local name=$1
    shift
    run "$@"
    judge "refused: $name" one_error_line 2
}

# says PATTERN: the error line of the last run contains this
says() {
    grep -Eq -- "$1" "$work/err"
}

# skip NAME REASON: counts as a skipped test, which scripts/test/run lists with its reason
skip() {
    printf 'ok - %s: skipped: %s\n' "$1" "$2"
}

# data_file NAME: the path of an optional file below LUFT_DATA; false, with the reason in $reason, if it is missing
data_file() {
    if [ -z "${LUFT_DATA:-}" ]; then
        reason='LUFT_DATA is not set'
        return 1
    fi
    path=$LUFT_DATA/$1
    reason="LUFT_DATA has no $1"
    [ -e "$path" ]
}

finish() {
    [ "$failures" -eq 0 ]
    exit
}
