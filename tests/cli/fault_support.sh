# SPDX-License-Identifier: MIT
# shellcheck shell=bash disable=SC2034,SC2154
#
# What the tests of faults share, beside support.sh: runs of a program in which the system refuses memory or a thread,
# by way of tests/faults/failing.c, which is compiled and preloaded. Leaves the script in the folder $work, or
# ends it where nothing can be preloaded.

root=$(cd "$(dirname "$0")/../.." && pwd)
shim=$work/failing.so
if ! "${CC:-cc}" -std=c17 -O1 -Wall -Wextra -shared -fPIC -o "$shim" "$root/tests/faults/failing.c" -ldl 2>"$work/err" ||
    [ "$(LD_PRELOAD=$shim "$luft" --version 2>&1 | head -c 4)" != "$("$luft" --version | head -c 4)" ]; then
    echo 'ok - skipped: nothing can be preloaded into this program here'
    exit 0
fi
cd "$work" || exit 1

# attempt KIND NUMBER COMMAND...: runs it with that request for memory or a thread refused, input from the file `in`
attempt() {
    local kind=$1 number=$2
    shift 2
    status=0
    rm -f report
    timeout 60 env LD_PRELOAD="$shim" "LUFT_FAIL_$kind=$number" LUFT_FAIL_REPORT="$work/report" "$@" <in >out 2>err || status=$?
}

# asked WORD: the number behind it in the report
asked() {
    sed -n "s/.*$1 \(-\{0,1\}[0-9]*\).*/\1/p" report
}

# without_times FILE: what two runs that do the same have in common
without_times() {
    sed -E -e '/^(Time|Threads|Searched):/d; s/ nps [0-9]+//; s/ time [0-9]+//; s/ hashfull [0-9]+//' -e 's/[0-9.]+ s$//' \
        -e 's/^( +[0-9]+ +[^ ]+ +[0-9]+ +)[0-9.]+ /\1/' "$1" # the last: the table of analyse, depth, score, nodes, time
}

# is_one_error: no crash, and one line on standard error that says what was wrong
is_one_error() {
    [ "$status" -ge 1 ] && [ "$status" -le 2 ] && [ "$(wc -l <err)" -eq 1 ] && grep -Eqx 'luft(-train)?( [a-z-]+)*: [ -~]{1,200}' err
}

# survives KIND NAME CHECK COMMAND...: refuses each request of that kind in turn. What the command makes goes into a
# folder `made`, which is empty at the start of each run. Of very many not all are tried, unless LUFT_TEST_LONG is 1.
survives() {
    local kind=$1 name=$2 check=$3 word=allocations count left number bad=0 tried=0
    shift 3
    [ "$kind" = MEMORY ] || word=threads
    rm -rf made && mkdir made
    attempt "$kind" 0 "$@"
    without_times out >expected
    rm -rf expected-made && cp -r made expected-made
    count=$(asked "$word") left=$(asked left)
    if [ "$status" -ne 0 ] || [ "${count:-0}" -lt 1 ]; then
        show_run
        report "$name: runs, and asks for $word" 1
        return
    fi
    for ((number = 1; number <= count; number += number < 40 || ${LUFT_TEST_LONG:-0} ? 1 : 7)); do
        rm -rf made && mkdir made
        attempt "$kind" "$number" "$@"
        tried=$((tried + 1))
        if ! "$check" || [ "$(asked left)" -gt "$left" ]; then
            echo "# ${kind,,} $number of $count: $(asked left) blocks are left, $left are usual"
            show_run
            bad=$((bad + 1))
            [ "$bad" -lt 5 ] || break
        fi
    done
    report "$name: $tried of $count $word refused in turn" "$bad"
}
