#!/bin/bash
# SPDX-License-Identifier: MIT
#
# `luft pgn check` of games with mistakes, with each allocation refused in turn: all errors are reported, or the run fails
# and says why. Argument: the path of the program.
# shellcheck disable=SC2317,SC2154 # functions that are called by name; variables of fault_support.sh
# shellcheck source=tests/cli/support.sh
. "$(dirname "$0")/support.sh"
# shellcheck source=tests/cli/fault_support.sh
. "$(dirname "$0")/fault_support.sh"

# The name and the second token are long enough for its line to outgrow its first memory.
games=$(printf '%080d' 0).pgn
{
    printf '[Event "one"]\n\n1. e4 e5 2. Ke5 *\n\n[Event "two"]\n\n1. '
    head -c 80 /dev/zero | tr '\0' '\377'
    printf ' *\n'
} >"$games"
: >in

# tells_all: as if nothing had been, or an error that says "out of memory"
tells_all() {
    if grep -Eqx 'luft pgn check: ([ -~]*: )?out of memory' err || grep -q 'cannot write the output' err; then
        [ "$status" -ge 1 ] && [ "$status" -le 2 ]
    else
        grep -v seconds out | cmp -s - expected && cmp -s err told && [ "$status" -eq 1 ]
    fi
}

for arguments in 'check' 'check --json'; do
    # shellcheck disable=SC2086 # words
    attempt MEMORY 0 "$luft" pgn $arguments --quiet --threads 1 "$games"
    grep -v seconds out >expected
    cp err told
    count=$(asked allocations)
    bad=0
    for ((number = 1; number <= ${count:-0}; number++)); do
        # shellcheck disable=SC2086 # words
        attempt MEMORY "$number" "$luft" pgn $arguments --quiet --threads 1 "$games"
        if ! tells_all || [ "$(asked left)" != 0 ]; then
            echo "# allocation $number of $count"
            show_run
            bad=1
        fi
    done
    [ "$bad" -eq 0 ] && [ "${count:-0}" -gt 5 ] && [ "$(cat told expected | grep -Eo "is not legal|not a move" | wc -l)" -eq 2 ]
    report "$arguments: no mistake is lost without memory, ${count:-0} allocations" $?
done

finish
