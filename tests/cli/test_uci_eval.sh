#!/bin/bash
# SPDX-License-Identifier: MIT
#
# The command `eval`: the rows of its table sum to the line below them, and that, blended
# by phase and scale, is the evaluation. Argument: the path of the program.
# shellcheck source=tests/cli/support.sh
. "$(dirname "$0")/support.sh"
# shellcheck source=tests/cli/uci_support.sh
. "$(dirname "$0")/uci_support.sh"

# table: checks the table in $work/out; all in centipawns, because 0.1 is no number of a computer's
# shellcheck disable=SC2317 # called by judge
table() {
    ended_well && awk -F '[|]' '
    function bad(why) { print "# " why; wrong = 1 }
    function centipawns(text) { sub(/\./, "", text); return text + 0 }
    /^[a-z].*\|.*[0-9]/ {
        name = $1
        sub(/ *$/, "", name)
        split($2 " " $3 " " $4, column, " ")
        for (i = 1; i <= 6; i++) {
            if (column[i] !~ /^-?[0-9]+\.[0-9][0-9]$/) bad(name ": no number: " column[i])
            value[i] = centipawns(column[i])
        }
        if (value[1] - value[3] != value[5] || value[2] - value[4] != value[6]) bad(name ": the total is not White less Black")
        if (name == "sum") {
            for (i = 1; i <= 6; i++) if (sum[i] != value[i]) bad("column " i " sums to " sum[i] ", not " value[i])
        } else {
            rows[name] = 1
            count++
            for (i = 1; i <= 6; i++) sum[i] += value[i]
        }
    }
    /^phase: / { split($0, part, " "); phase = part[2] }
    /^scale: / { split($0, part, " "); scale = part[2] }
    /^evaluation: / { split($0, part, " "); total = centipawns(part[2]) }
    END {
        split("material,piece-square tables,mobility,pawns,passed pawns,king safety,threats", names, ",")
        for (i in names) if (!(names[i] in rows)) bad("no row " names[i])
        if (int((value[5] * phase * 64 + value[6] * scale * (24 - phase)) / (24 * 64)) != total) bad("the sums do not make the total")
        exit wrong
    }' "$work/out"
}

while IFS= read -r fen; do
    uci "position fen $fen\neval\n"
    judge "eval $fen" table
done <<END
$startpos
$kiwipete
r1bqkbnr/pppp1ppp/2n5/4p2Q/2B1P3/8/PPPP1PPP/RNB1K1NR b KQkq - 3 3
8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1
8/P7/5k2/8/8/2K2p2/8/8 b - - 0 1
4k3/8/8/3b4/4P3/3P4/2B5/4K3 w - - 0 1
4k3/8/8/8/8/8/8/KQ6 b - - 0 1
END

uci 'position startpos\neval\n'
judge 'the start position: thirty to fifty pawns of material' grep -Eq '^material +\| +[34][0-9]\.[0-9]+ ' "$work/out"
judge 'the start position: phase 24' grep -q '^phase: 24 of 24' "$work/out"
uci 'position fen 4k3/pppppppp/8/8/8/8/PPPPPPPP/4K3 w - - 0 1\neval\n'
judge 'pawns only: phase 0' grep -q '^phase: 0 of 24' "$work/out"
uci "position fen $kiwipete\neval\nflip\neval\n"
judge 'the twin has the opposite evaluation' test \
    "$(sed -n 's/^evaluation: .\(.*\)/\1/p' "$work/out" | uniq | wc -l)" -eq 1 -a "$(sed -n 's/^evaluation: \(.\).*/\1/p' "$work/out" | sort -u | wc -l)" -eq 2
uci 'position fen x\neval\n'
judge 'no position, no evaluation' errors 2

finish
