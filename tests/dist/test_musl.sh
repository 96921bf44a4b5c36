#!/bin/bash
# SPDX-License-Identifier: MIT
#
# All unit tests, compiled with musl: nothing in the sources needs glibc. Run by `make test-musl`.
# Arguments: the path of the program luft, which is not used, and the folder of the test programs.
# shellcheck source=tests/cli/support.sh
. "$(dirname "$0")/../cli/support.sh"
root=$(cd "$(dirname "$0")/../.." && pwd)
export LUFT_TEST_DATA=$root/tests/data LUFT_TEST_QUICK=1

count=0
for program in "$2"/test_*; do
    if [ -x "$program" ] && [ ! -d "$program" ]; then
        status=0
        timeout 600 "$program" >"$work/out" 2>"$work/err" || status=$?
        judge "$(basename "$program"): $(grep -c '^ok ' "$work/out") tests" test "$status" -eq 0
        count=$((count + 1))
    fi
done
judge "programs: $count" test "$count" -gt 50
finish
