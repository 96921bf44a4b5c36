#!/bin/bash
# SPDX-License-Identifier: MIT
#
# The benchmark: that its table, its JSON and its plots have all rows, that it does
# without stockfish, and that it notices a wrong count. The speed is not checked.
# A script that asks luft stands in for stockfish, so that this runs anywhere.
#
# Argument 1: the path of the program.
# shellcheck source=tests/cli/support.sh
. "$(dirname "$0")/support.sh"
root=$(cd "$(dirname "$0")/../.." && pwd)

# script NAME < TEXT: a program in $work
script() {
    cat >"$work/$1"
    chmod +x "$work/$1"
}

# What `bench` asks of stockfish: the name, and the count of `go perft`.
script stockfish <<END
#!/bin/bash
echo 'Stockfish 0 by nobody'
while read -r word rest; do
    case \$word in
    position) fen=\${rest#fen } ;;
    go) '$luft' perft --method one-ply --fen "\$fen" "\${rest#perft }" | grep '^Nodes searched' ;;
    esac
done
END

# Each gives another last digit to the counts of one method at depth 3 and more.
for method in two-ply one-ply plain; do
    script "wrong-$method" <<END
#!/bin/bash
if [[ "\$*" == *'--method $method'*[3-9] ]]; then
    '$luft' "\$@" | sed 's/"nodes": \([0-9]*\)[0-8],/"nodes": \19,/'
else
    '$luft' "\$@"
fi
END
done
script wrong-stockfish <<END
#!/bin/bash
'$work/stockfish' | sed 's/^Nodes searched: 2039/Nodes searched: 2040/'
END
script silent <<'END'
#!/bin/bash
END

# bench ARGUMENTS...: runs the benchmark beside the program that STOCKFISH names
bench() {
    status=0
    "$root/scripts/bench/perft" "$@" >"$work/out" 2>"$work/err" </dev/null || status=$?
}

# shellcheck disable=SC2317 # called by judge
# rows PROGRAM NUMBER: ended well, with so many rows for this program
rows() {
    ended_well && [ "$(grep -c "^$1 .*[0-9] to [0-9]" "$work/out")" -eq "$2" ]
}

# shellcheck disable=SC2317 # called by judge
# failed STATUS PATTERN: this status, nothing on standard output, one line on standard error that the pattern matches
failed() {
    [ "$status" -eq "$1" ] && [ ! -s "$work/out" ] && [ "$(wc -l <"$work/err")" -eq 1 ] &&
        grep -Eqx "bench: $2" "$work/err"
}

# --- The table and the JSON -------------------------------------------------------

export STOCKFISH=''
bench "$luft" --quick
judge 'without stockfish: six rows' rows luft 6
judge 'without stockfish: none of it' rows Stockfish 0
bench --quick "$luft" --json
judge 'without stockfish: JSON says so' printed ' *"stockfish": null,'

export STOCKFISH=$work/stockfish
bench "$luft" --quick --runs 2
judge 'with stockfish: six rows of luft' rows luft 6
judge 'with stockfish: two rows of it' rows 'Stockfish 0' 2
judge 'it is said that two-ply is not the same work' printed '.*most of their moves are never made.*'

bench "$luft" --quick --json
for position in start Kiwipete; do
    for pair in luft/two-ply luft/one-ply luft/plain stockfish/one-ply; do
        judge "JSON: $position, $pair" printed " *\{\"position\": \"$position\", \"program\": \"${pair%/*}\", \
\"method\": \"${pair#*/}\", \"depth\": [2-4], \"nodes\": [0-9]+, .*\"seconds\": [0-9.e-]+, .*\},?"
    done
done
judge 'JSON: the machine' printed \
    ' *"machine": \{"cpu": ".+", "processors": [0-9]+, "compiler": ".+", "date": "[0-9-]{10}"\},'
# shellcheck disable=SC2016 # a program for awk
judge 'JSON: brackets in pairs' awk '
    { text = text $0 }
    END {
        gsub(/"[^"]*"/, "", text)
        exit gsub(/\{/, "", text) != gsub(/\}/, "", text) || gsub(/\[/, "", text) != gsub(/\]/, "", text)
    }' "$work/out"

# The one that would be found without being named, if there is one here.
unset STOCKFISH
installed=$(PATH=$PATH:/usr/games command -v stockfish)
expected=$([ -n "$installed" ] && echo 2 || echo 0)
bench "$luft" --quick
judge "stockfish where it is installed (${installed:-not here})" rows Stockfish "$expected"

# --- Growth -----------------------------------------------------------------------

export STOCKFISH=$work/stockfish
bench "$luft" --quick --growth "$work/plots"
judge 'growth: time by depth' printed '\| 4 \| 197281 \| \| \| [0-9.]+ [^|]*s \| [0-9.]+ [^|]*s \|'
judge 'growth: time by hash size' printed '\| 4( \| [0-9.]+ [^|]*s){3} \|'
for name in depth threads hash; do
    plot=$work/plots/$name.svg
    [ "$(head -c 4 "$plot")" = '<svg' ] && [ "$(tail -n 1 "$plot")" = '</svg>' ] &&
        [ "$(grep -c '<path d="M[^"]*L' "$plot")" -ge 3 ] && ! grep -Eq 'nan|inf' "$plot"
    report "growth: the plot by $name" $?
done

# --- Wrong counts -----------------------------------------------------------------

for method in two-ply one-ply plain; do
    bench "$work/wrong-$method" --quick
    judge "a wrong count of $method is noticed" failed 1 "WRONG COUNT: luft \($method\) counts [0-9]+ from start .*"
done
bench "$work/silent" --quick
judge 'no count is noticed' failed 1 'WRONG COUNT: luft .* counts nothing .*'
STOCKFISH=$work/wrong-stockfish bench "$luft" --quick
judge 'a wrong count of stockfish is noticed' failed 1 'WRONG COUNT: stockfish counts 2040 from Kiwipete .*'
bench "$work/wrong-two-ply" --quick --growth "$work/plots"
[ "$status" -eq 1 ] && says 'WRONG COUNT'
report 'a wrong count is noticed in growth' $?

# --- Arguments --------------------------------------------------------------------

# refused NAME ARGUMENTS...
refused() {
    local name=$1
    shift
    bench "$@"
    judge "refused: $name" failed 2 '[ -~]+'
}

refused 'no program' --quick
refused 'two programs' "$luft" "$luft"
refused 'no such program' "$work/none"
refused 'a directory' "$work"
refused 'unknown option' "$luft" --fast
refused 'runs: none' "$luft" --runs
refused 'runs: 0' "$luft" --runs 0
refused 'runs: not a number' "$luft" --runs many
refused 'growth without a directory' "$luft" --growth
refused 'growth into a file' "$luft" --growth "$work/stockfish"
bench --help
judge '--help' printed ' *scripts/bench/perft PROGRAM --json .*'

finish
