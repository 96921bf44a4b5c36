#!/bin/bash
# SPDX-License-Identifier: MIT
#
# luft-mpi: counts and bytes are those of luft for 1, 2 and 4 ranks; ranks and the coordinator are killed, and a second run
# does only what was not finished. Arguments: the paths of luft and luft-mpi.
# shellcheck source=tests/cli/support.sh
. "$(dirname "$0")/../cli/support.sh"
mpi=$(cd "$(dirname "$2")" && pwd)/$(basename "$2")
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
export OMPI_MCA_rmaps_base_oversubscribe=1 OMPI_MCA_btl_vader_single_copy_mechanism=none

# ranks N ARGUMENTS...: like run, with N ranks
ranks() {
    local count=$1
    shift
    status=0
    timeout 300 mpirun -n "$count" "$mpi" "$@" >"$work/out" 2>"$work/err" </dev/null || status=$?
}

# --- The same result --------------------------------------------------------------------------

# Counts from the literature: the start position to depth 6, and Kiwipete to depth 5.
for n in 1 2 4; do
    ranks "$n" perft 6
    judge "perft 6 with $n ranks" printed 'Nodes searched: 119060324'
    ranks "$n" perft 5 --fen "$kiwipete" --hash 16 --threads 2
    judge "Kiwipete with $n ranks of 2 threads and a table" printed 'Nodes searched: 193690690'
done
ranks 2 perft 5 --twice
judge 'each unit counted twice' printed 'Nodes searched: 4865609'
ranks 2 perft 6 --twice --hash 16 --seed 23
judge 'each unit counted with the keys of two seeds' printed 'Units: .* each twice with the same count'
judge 'and right' printed 'Nodes searched: 119060324'

# shared_tables: the inodes of shared memory of at least 64 MB that the ranks have mapped, each with the number of ranks
shared_tables() {
    for pid in $(cat "/proc/$1/task/"*/children 2>/dev/null); do
        awk '$2 ~ /s$/ { print $5, $1 }' "/proc/$pid/maps" |
            while read -r inode range; do
                [ $((0x${range#*-} - 0x${range%-*})) -ge $((64 << 20)) ] && echo "$inode"
            done
    done | sort | uniq -c
}
mpirun -n 3 "$mpi" perft 9 --hash 64 >"$work/out" 2>"$work/err" </dev/null &
job=$!
tries=0
until shared_tables "$job" | grep -q '^ *3 ' || [ $((++tries)) -gt 100 ]; do
    sleep 0.1
done
[ "$(shared_tables "$job" | awk '{ print $1 }')" = 3 ]
judge 'the ranks of a machine share one table' [ $? -eq 0 ]
kill "$job" && wait "$job"

for ((i = 0; i < 40; i++)); do
    echo "r1bqkbnr/pppp1ppp/2n5/4p3/2B1P3/5Q2/PPPP1PPP/RNB1K1NR b KQkq - $i 30"
done >"$work/list.fen"
run analyse "$work/list.fen" --nodes 3000
cp "$work/out" "$work/list.epd"
"$luft" analyse tests/data/pgn/classics.pgn --nodes 2000 >"$work/games.pgn"
"$luft" puzzles tests/data/pgn/classics.pgn --nodes 2000 >"$work/puzzles.csv" 2>"$work/puzzles"
for n in 1 2 4; do
    ranks "$n" analyse "$work/list.fen" --nodes 3000
    judge "a list with $n ranks" same_output "$work/list.epd"
    ranks "$n" analyse tests/data/pgn/classics.pgn --nodes 2000 --jobs 2
    judge "games with $n ranks" same_output "$work/games.pgn"
    ranks "$n" puzzles tests/data/pgn/classics.pgn --nodes 2000
    [ "$(wc -l <"$work/puzzles.csv")" -gt 1 ] && cmp "$work/out" "$work/puzzles.csv" && cmp "$work/err" "$work/puzzles"
    judge "puzzles with $n ranks" [ $? -eq 0 ]
done

# --- Ranks that die ------------------------------------------------------------------------------

# count_units: how many are in the journal
count_units() {
    if [ -f "$work/journal" ]; then
        grep -ac '^unit ' "$work/journal"
    else
        echo 0
    fi
}

# kill_rank NAME WHICH: starts a long count with a journal and kills a process of the ranks; WHICH is 1 for the first that
# mpirun started, the coordinator
kill_rank() {
    local name=$1 which=$2 tries=0
    rm -f "$work/journal"
    mpirun -n 3 "$mpi" perft 7 --journal "$work/journal" >"$work/out" 2>"$work/err" </dev/null &
    local job=$!
    until [ "$(count_units)" -ge 100 ] || [ $((++tries)) -gt 600 ]; do
        sleep 0.1
    done
    kill -KILL "$(cat "/proc/$job/task/"*/children | tr ' ' '\n' | sort -n | sed '/^$/d' | sed -n "${which}p")"
    status=0
    wait "$job" || status=$?
    units=$(count_units)
    [ "$status" -ne 0 ] && [ "$units" -ge 100 ] && [ "$units" -lt 5362 ] && grep -Eqi 'signal|killed' "$work/err"
    judge "$name: a message, and $units units are kept" [ $? -eq 0 ]
    ranks 3 perft 7 --journal "$work/journal" --hash 64
    [ "$status" -eq 0 ] && grep -Fqx 'Nodes searched: 3195901860' "$work/out" &&
        [ "$(sed -n -E 's/.*reach them, ([0-9]+) counted.*/\1/p' "$work/out")" -le $((5362 - units + 1)) ]
    judge "$name: the second run has the right count and does only the rest" [ $? -eq 0 ]
}
kill_rank 'a rank is killed' 3
kill_rank 'the coordinator is killed' 1

# --- The manual page -------------------------------------------------------------------------------

page=$(dirname "$0")/../../man/luft-mpi.6
# The commands of the help are those that the page refers to at its beginning.
ranks 1 --help
sed -n 's/^  \([a-z]*\)  .*/\1/p' "$work/out" | sort >"$work/of-help"
sed -n '/^\.Sh DESCRIPTION/,/^\.Pp/{ s/^\.Xr luft-\([a-z]*\) 6.*/\1/p; }' "$page" | sort >"$work/of-page"
judge 'luft-mpi.6 has the commands of luft-mpi --help' eval "[ -s '$work/of-help' ] && diff '$work/of-help' '$work/of-page'"
# Each option that it names, in lists and examples, is one of these commands.
while read -r name; do
    ranks 1 "$name" --help
    judge "luft-mpi $name --help" test "$status" -eq 0
    cat "$work/out" >>"$work/options"
done <"$work/of-help"
grep -oE -- '--[a-z][a-z-]+' "$work/options" | sort -u >"$work/accepted"
sed 's/\\-/-/g' "$page" | sed -nE 's/^\.It (Fl .*)/\1/p; s/^mpirun.*luft-mpi//p' | sed 's/Fl -/--/g; s/ , -/ --/g' |
    grep -oE -- '--[a-z][a-z-]+' | sort -u >"$work/named"
judge "luft-mpi.6 names options of them: $(xargs <"$work/named")" eval "[ -s '$work/named' ] && [ -z \"\$(comm -23 '$work/named' '$work/accepted')\" ]"

# --- What is refused -------------------------------------------------------------------------------

ranks 2 nonsense
[ "$status" -ne 0 ] && grep -Fq 'luft-mpi: unknown command "nonsense"' "$work/err"
judge 'an unknown command' [ $? -eq 0 ]
ranks 2 perft 3 --hash 100000000
[ "$status" -ne 0 ] && grep -Fq 'each rank has its own table' "$work/err" && grep -Fq 'cannot allocate 100000000 MB' "$work/err"
judge 'a table that no machine has room for' [ $? -eq 0 ]
ranks 2 perft 3 --journal "$work"
[ "$status" -ne 0 ] && grep -Fq 'luft perft: ' "$work/err"
judge 'a journal that is a directory' [ $? -eq 0 ]

finish
