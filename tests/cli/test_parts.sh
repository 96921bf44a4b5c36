#!/bin/bash
# SPDX-License-Identifier: MIT
#
# Perft in units: journals, parts, counting twice; and the scripts of docs/cluster.md, which are run as they stand.
# Argument: the path of the program.
# shellcheck source=tests/cli/support.sh
. "$(dirname "$0")/support.sh"
root=$(cd "$(dirname "$0")/../.." && pwd)

# --- Perft ------------------------------------------------------------------------------------------

# Counts from the literature.
run perft 5 --twice
judge 'perft 5, each unit twice' printed 'Nodes searched: 4865609'
run perft 5 --twice --hash 4
judge 'perft 5, each unit with the keys of two seeds' printed 'Nodes searched: 4865609'
for seed in 0 1 9223372036854775807; do
    run perft 5 --hash 4 --seed "$seed"
    judge "perft 5 with the keys of seed $seed" printed 'Nodes searched: 4865609'
done
for depth in 0 1 2 3 4; do
    counts=(1 20 400 8902 197281)
    run perft "$depth" --journal "$work/journal-$depth"
    judge "perft $depth with a journal" printed "Nodes searched: ${counts[depth]}"
done
run perft 4 --fen "$kiwipete" --journal "$work/kiwipete" --threads 2 --hash 4
judge 'Kiwipete with threads, table and journal' printed 'Nodes searched: 4085603'
run perft 4 --fen "$kiwipete" --journal "$work/kiwipete"
judge 'a second run counts nothing' printed 'Units: .* 0 counted by this run'
run perft 3 --fen '7k/5Q2/6K1/8/8/8/8/8 b - - 0 1' --journal "$work/stalemate"
judge 'a position without moves' printed 'Nodes searched: 0'
for part in 4 2 1 3; do
    run perft 5 --unit "$part/4" --out "$work/perft-parts"
done
run merge "$work/perft-parts"
judge 'parts of perft, merged' printed 'Nodes searched: 4865609'
run merge "$work/perft-parts" --json
grep -Fq '"nodes": 4865609' "$work/out"
judge 'parts of perft, merged to JSON' [ $? -eq 0 ]
refuses 'another depth with the same journal' perft 4 --journal "$work/journal-3"
refuses 'another seed with the same journal' perft 3 --journal "$work/journal-3" --hash 4 --seed 5
refuses 'a seed without a table' perft 3 --seed 5
refuses 'a seed and a suite' perft --suite x --hash 4 --seed 5
refuses 'units and details' perft 3 --detail --twice
refuses 'units and a suite' perft --suite x --journal "$work/x"

# --- The scripts of docs/cluster.md --------------------------------------------------------------------

# block NUMBER: the script of that number
block() {
    awk -v wanted="$1" '/^```(sh|text)$/ { inside = ++count == wanted; next } /^```/ { inside = 0 } inside' "$root/docs/cluster.md"
}
mkdir "$work/bin"
ln -s "$luft" "$work/bin/luft"
PATH=$work/bin:$PATH
"$luft" analyse "$root/tests/data/pgn/classics.pgn" --nodes 2000 >"$work/expected.pgn"

# in_folder NAME: a new folder with the games
in_folder() {
    mkdir "$work/$1" && cd "$work/$1" && cp "$root/tests/data/pgn/classics.pgn" games.pgn
}

if command -v parallel >"$work/which" 2>&1; then
    in_folder parallel && block 1 >script.sh && bash -e script.sh </dev/null >"$work/out" 2>"$work/err" && cmp annotated.pgn "$work/expected.pgn"
    report 'docs/cluster.md: GNU parallel' $?
else
    skip 'docs/cluster.md: GNU parallel' 'parallel is not installed'
fi
in_folder make && block 2 >Makefile && make -s -j2 >"$work/out" 2>"$work/err" && cmp annotated.pgn "$work/expected.pgn" && make -q
report 'docs/cluster.md: Make' $?
in_folder slurm && block 3 >script.sh
# Slurm sets these variables for each job of the array.
for ((i = 1; i <= 4; i++)); do
    SLURM_CPUS_PER_TASK=2 SLURM_ARRAY_TASK_ID=$i SLURM_ARRAY_TASK_COUNT=4 bash -e script.sh >"$work/out" 2>"$work/err" || break
done
"$luft" merge parts -o annotated.pgn >"$work/out" && cmp annotated.pgn "$work/expected.pgn"
report 'docs/cluster.md: the jobs of a Slurm array' $?
in_folder queue && block 4 >script.sh && bash -e script.sh </dev/null >"$work/out" 2>"$work/err" && cmp annotated.pgn "$work/expected.pgn"
report "docs/cluster.md: a queue of one's own" $?
cd "$root" || exit 2

finish
