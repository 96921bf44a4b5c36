# SPDX-License-Identifier: MIT
# shellcheck shell=bash disable=SC2034,SC2154
#
# Shared by the tests of faults, beside support.sh: runs a program with memory or threads refused by tests/faults/failing.c,
# which is compiled and preloaded. Changes to the folder $work. Ends the script for a sanitizer build, which has its own
# allocator; for any other program a library that cannot be preloaded is a failure.

root=$(cd "$(dirname "$0")/../.." && pwd)
shim=$work/failing.so
if grep -aEq '__(asan|hwasan|lsan|msan|tsan)_init' "$luft"; then
    skip 'refused allocations and threads' 'a sanitizer build has its own allocator'
    exit 0
fi
if ! "${CC:-cc}" -std=c17 -O1 -Wall -Wextra -shared -fPIC -o "$shim" "$root/tests/faults/failing.c" -ldl 2>"$work/err" ||
    ! LD_PRELOAD=$shim LUFT_FAIL_REPORT=$work/report "$luft" --version >"$work/out" 2>"$work/err" || [ ! -s "$work/report" ]; then
    sed 's/^/# /' "$work/err"
    report 'tests/faults/failing.c is compiled, and preloaded into the program' 1
    finish
fi
cd "$work" || exit 1

# attempt KIND NUMBER COMMAND...: runs it with that request for memory or a thread refused, input from the file `in`
attempt() {
    local kind=$1 number=$2
    shift 2
    status=0
    rm -f report
    timeout 120 env LD_PRELOAD="$shim" "LUFT_FAIL_$kind=$number" LUFT_FAIL_REPORT="$work/report" "$@" <in >out 2>err || status=$?
}

# asked WORD: the number behind it in the report
asked() {
    sed -n "s/.*$1 \(-\{0,1\}[0-9]*\).*/\1/p" report
}

# without_times FILE: what two runs that do the same have in common
without_times() {
    sed -E -e '/^(Time|Threads|Searched):/d; s/ nps [0-9]+//; s/ time [0-9]+//; s/ hashfull [0-9]+//; s/ [0-9]+ nps$//' -e 's/[0-9.]+ s$//' \
        -e 's/^( +[0-9]+ +[^ ]+ +[0-9]+ +)[0-9.]+ /\1/' "$1" # the last: the table of analyse, depth, score, nodes, time
}

# is_one_error: no crash, and one line on standard error that says what was wrong
is_one_error() {
    [ "$status" -ge 1 ] && [ "$status" -le 2 ] && [ "$(wc -l <err)" -eq 1 ] && grep -Eqx 'luft(-train)?( [a-z-]+)*: [ -~]{1,200}' err
}

# survives KIND NAME CHECK COMMAND...: refuses each request of that kind in turn. The command writes into a folder `made`,
# which is empty at the start of each run. No run leaks a block, nor does the undisturbed one.
# Beyond 20 requests only every thirteenth is tried, unless LUFT_TEST_LONG is 1.
survives() {
    local kind=$1 name=$2 check=$3 word=allocations count number bad=0 tried=0
    shift 3
    [ "$kind" = MEMORY ] || word=threads
    rm -rf made && mkdir made
    attempt "$kind" 0 "$@"
    without_times out >expected
    rm -rf expected-made && cp -r made expected-made
    count=$(asked "$word")
    if [ "$status" -ne 0 ] || [ "${count:-0}" -lt 1 ] || [ "$(asked left)" != 0 ]; then
        echo "# undisturbed: $(cat report)"
        show_run
        report "$name: runs, asks for $word, and leaves nothing" 1
        return
    fi
    for ((number = 1; number <= count; number += number < 20 || ${LUFT_TEST_LONG:-0} ? 1 : 13)); do
        rm -rf made && mkdir made
        attempt "$kind" "$number" "$@"
        tried=$((tried + 1))
        if ! "$check" || [ "$(asked left)" != 0 ]; then
            echo "# ${kind,,} $number of $count: $(asked left) blocks are left"
            show_run
            bad=$((bad + 1))
            [ "$bad" -lt 5 ] || break
        fi
    done
    report "$name: $tried of $count $word refused in turn" "$bad"
}
