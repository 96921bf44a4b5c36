#!/bin/bash
# SPDX-License-Identifier: MIT
#
# scripts/test/latency: prints its table. The times are not checked. Argument: the path of the program.
# shellcheck source=tests/cli/support.sh
. "$(dirname "$0")/support.sh"
root=$(cd "$(dirname "$0")/../.." && pwd)
export PYTHONDONTWRITEBYTECODE=1

if ! command -v python3 >/dev/null; then
    skip 'latency' 'python3 is not installed'
    finish
fi
status=0
timeout 120 "$root/scripts/test/latency" "$luft" 5 >"$work/out" 2>"$work/err" || status=$?
for row in 'milliseconds, 5 samples each +p50 +p99 +max' '(stop to bestmove)( +[0-9]+\.[0-9]{2}){3}' \
    '(isready while searching)( +[0-9]+\.[0-9]{2}){3}' '(start to uciok)( +[0-9]+\.[0-9]{2}){3}'; do
    judge "a row $row" printed "$row"
done
judge 'no other rows' test "$(wc -l <"$work/out")" -eq 4
status=0
timeout 120 "$root/scripts/test/latency" /bin/true 5 >"$work/out" 2>"$work/err" || status=$?
judge 'a program that is not an engine' test "$status" -ne 0 -a ! -s "$work/out"

finish
