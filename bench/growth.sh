# SPDX-License-Identifier: MIT
# shellcheck shell=bash disable=SC2154
#
# How the time of perft grows with depth, threads and hash size: the part of
# scripts/bench/perft behind --growth, which sources this file and runs the programs. Each
# function prints a Markdown table and draws a plot of the same figures: the fastest
# of the runs, which take turns.

# sample KEY CLOCK COMMAND...: runs it and writes down its time; what took more than 20 seconds once is not repeated
sample() {
    local key=$1 clock=$2 before
    shift 2
    before=$(fastest "$key")
    if [ -z "$before" ] || awk -v s="$before" 'BEGIN { exit !(s < 20) }'; then
        progress "$*"
        "$@"
        progress ""
        printf '%s\t%s\n' "$key" "${!clock}" >>"$work/samples"
    fi
}

# fastest KEY: the shortest time written down, or nothing
fastest() {
    awk -F '\t' -v key="$1" '$1 == key && (best == "" || $2 < best) { best = $2 } END { print best }' "$work/samples"
}

# duration SECONDS: as a reader wants it
duration() {
    awk -v s="$1" 'BEGIN {
        if (s < 0.000995) {
            printf "%.0f µs", s * 1e6
        } else if (s < 0.995) {
            printf "%.*f ms", (s < 0.00995 ? 2 : s < 0.0995 ? 1 : 0), s * 1e3
        } else {
            printf "%.*f s", (s < 9.95 ? 2 : 1), s
        }
    }'
}

# draw NAME < DATA: the plot
draw() {
    awk -f "$source_directory/bench/plot.awk" >"$plots/$1.svg"
}

# tabbed WORDS...: with a tab before each
tabbed() {
    printf '\t%s' "$@"
}

# table_head FIRST OTHERS...: of a Markdown table
table_head() {
    printf '| %s ' "$@"
    printf '|\n|---'
    shift
    printf '|--:%.0s' "$@"
    printf '|\n'
}

# growth_by_depth: the three methods and the hash table, on the start position
growth_by_depth() {
    local -a names=("plain" "one-ply" "two-ply" "two-ply, $hash MB hash") methods=(plain one-ply two-ply two-ply)
    local -a deepest=(6 7 8 9) values=("" "" "" "") options
    local depth s row best run
    if [ -n "$quick" ]; then
        deepest=(2 3 4 4)
    fi
    for ((run = 0; run < runs; run++)); do
        for s in 0 1 2 3; do
            options=()
            if ((s == 3)); then
                options=(--hash "$hash")
            fi
            for ((depth = 1; depth <= deepest[s]; depth++)); do
                sample "depth $s $depth" seconds run_luft start "${methods[s]}" "$depth" "${options[@]}"
            done
        done
    done
    echo "Time by depth, start position, one thread (the program's own clock):"
    echo
    table_head "depth" "nodes" "${names[@]}"
    for ((depth = 1; depth <= deepest[3]; depth++)); do
        row="| $depth | ${start_counts[depth]} "
        for s in 0 1 2 3; do
            best=$(fastest "depth $s $depth")
            row+="| ${best:+$(duration "$best") }"
            values[s]+=$'\t'$best
        done
        echo "$row|"
    done
    {
        printf 'title\tperft from the start position, by depth\n'
        printf 'x\tdepth (plies)\t%s\n' "$(seq -s $'\t' "${deepest[3]}")"
        printf 'y\ttime\tlog\tseconds\n'
        for s in 0 1 2 3; do
            printf 'series\t%s%s\n' "${names[s]}" "${values[s]}"
        done
    } | draw depth
}

# thread_cases: position, method, depth, hash, name
thread_cases() {
    if [ -n "$quick" ]; then
        echo "start two-ply 4 0 two-ply, start, depth 4"
        echo "Kiwipete one-ply 3 0 one-ply, Kiwipete, depth 3"
    else
        echo "start two-ply 7 0 two-ply, start, depth 7"
        echo "Kiwipete two-ply 6 0 two-ply, Kiwipete, depth 6"
        echo "start one-ply 7 0 one-ply, start, depth 7"
        echo "start plain 6 0 plain, start, depth 6"
        echo "start two-ply 8 $hash $hash MB hash, start, depth 8"
    fi
}

growth_by_threads() {
    local -a counts=(1 2) options
    local position method depth memory name threads best data row gain run n=4
    for ((; n <= processors; n *= 2)); do
        counts+=("$n")
    done
    for ((run = 0; run < runs; run++)); do
        while read -r position method depth memory name; do
            for threads in "${counts[@]}"; do
                options=(--threads "$threads")
                if [ "$memory" -gt 0 ]; then
                    options+=(--hash "$memory")
                fi
                sample "$name, $threads" seconds run_luft "$position" "$method" "$depth" "${options[@]}"
            done
        done < <(thread_cases)
    done
    echo
    echo "Time by threads on $processors processors (the program's own clock), and how many times as fast as with one:"
    echo
    table_head "threads" "${counts[@]}"
    data=$'guide\tas many times as threads'$(tabbed "${counts[@]}")$'\n'
    while read -r position method depth memory name; do
        row="| $name "
        data+=$'series\t'$name
        for threads in "${counts[@]}"; do
            best=$(fastest "$name, $threads")
            gain=$(awk -v a="$(fastest "$name, 1")" -v b="$best" 'BEGIN { printf "%.2f", (b > 0 ? a / b : 1) }')
            row+="| $(duration "$best"), $gain "
            data+=$'\t'$gain
        done
        echo "$row|"
        data+=$'\n'
    done < <(thread_cases)
    {
        printf 'title\tperft with more threads\n'
        printf 'x\tthreads%s\n' "$(tabbed "${counts[@]}")"
        printf 'y\thow many times as fast as one thread\tlinear\ttimes\n'
        printf '%s' "$data"
    } | draw threads
}

growth_by_hash() {
    local -a sizes=(0 1 4 16 64 256 1024) cases=("start 7" "start 8" "Kiwipete 6")
    local size one row data run depth=6 best
    if [ -n "$quick" ]; then
        sizes=(0 1 4) cases=("start 4" "start 5" "Kiwipete 3") depth=2
    fi
    for ((run = 0; run < runs; run++)); do
        for size in "${sizes[@]}"; do
            for one in "${cases[@]}"; do
                sample "hash $size $one" cpu run_luft "${one% *}" two-ply "${one#* }" --hash "$size"
            done
            if [ -n "$stockfish" ]; then
                sample "stockfish" cpu run_stockfish start "$depth"
                sample "stockfish starts" cpu run_stockfish start 1
            fi
        done
    done
    echo
    echo "Time by hash size, two-ply, one thread (CPU time of the process):"
    echo
    table_head "hash (MB)" "${cases[@]/ /, depth }"
    for size in "${sizes[@]}"; do
        row="| $size "
        for one in "${cases[@]}"; do
            row+="| $(duration "$(fastest "hash $size $one")") "
        done
        echo "$row|"
    done
    if [ -n "$stockfish" ]; then
        best=$(awk -v a="$(fastest "stockfish")" -v b="$(fastest "stockfish starts")" \
            'BEGIN { print (a > b ? a - b : 0) }')
        printf '\n%s in the same runs, without hash: %s for start, depth %d\n' "$other" "$(duration "$best")" "$depth"
    fi
    {
        printf 'title\ttwo-ply perft with a hash table\n'
        printf 'x\thash size (MB), 0 for none%s\n' "$(tabbed "${sizes[@]}")"
        printf 'y\tCPU time\tlog\tseconds\n'
        for one in "${cases[@]}"; do
            data=""
            for size in "${sizes[@]}"; do
                best=$(fastest "hash $size $one")
                data+=$'\t'$(awk -v b="$best" 'BEGIN { print (b > 0.001 ? b : 0.001) }')
            done
            printf 'series\t%s%s\n' "${one/ /, depth }" "$data"
        done
    } | draw hash
}
