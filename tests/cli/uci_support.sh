# SPDX-License-Identifier: MIT
# shellcheck shell=bash disable=SC2034,SC2154
#
# What the tests of the UCI protocol share, beside support.sh: sending many lines at
# once and looking at all answers, or talking to the program line by line.

# --- All at once --------------------------------------------------------------------

# uci LINES: sends the text; leaves $status, and the answers in $work/out
uci() {
    status=0
    printf '%b' "$1" | timeout 60 "$luft" >"$work/out" 2>"$work/err" || status=$?
}

# count PATTERN: how many lines of the answers it matches as a whole
count() {
    grep -Ecx -- "$1" "$work/out"
}

# errors N: ended well with exactly that many error lines, each printable and short
errors() {
    ended_well && [ "$(grep -c '^info string error: ' "$work/out")" -eq "$1" ] &&
        ! grep '^info string error: ' "$work/out" | grep -Eqvx 'info string error: [ -~]{1,200}'
}

# --- Line by line -------------------------------------------------------------------

# session: starts the program; its answers are read with hear
session() {
    status=0
    coproc engine { exec "$luft" 2>"$work/err"; }
    session_id=$engine_PID # the shell forgets it as soon as the program has ended
}

tell() {
    printf '%s\n' "$1" >&"${engine[1]:-2}" # where it has ended, the text shows up in the report
}

# hear SECONDS PATTERN: reads answers until one matches; false if none comes in time
# shellcheck disable=SC2317 # called by judge
hear() {
    local line end=$((${EPOCHREALTIME/./} + $1 * 1000000))
    while [ "${EPOCHREALTIME/./}" -lt "$end" ] && IFS= read -r -t "$1" line <&"${engine[0]}"; do
        printf '%s\n' "$line" >>"$work/out"
        if [[ $line =~ ^$2$ ]]; then
            return 0
        fi
    done
    return 1
}

# leave: ends the session; leaves $status
leave() {
    status=0
    tell quit
    wait "$session_id" || status=$?
}
