#!/bin/bash
# SPDX-License-Identifier: MIT
#
# `luft tb` from the outside: results, moves and lines, as text and as JSON; damaged tables and directories; and, if
# LUFT_DATA has them, all public tables with the results that the suite of python-chess states.
# Argument: the path of the program.
# shellcheck source=tests/cli/support.sh
. "$(dirname "$0")/support.sh"
here=$(cd "$(dirname "$0")/../.." && pwd)
tables=$here/tests/data/syzygy
win='8/8/8/8/8/5k2/3P4/K7 w - - 0 1'

run tb probe --syzygy "$tables" "$win"
judge 'a win by one move' printed '  Kb2 +win, DTZ 13'
judge 'the others draw' printed '  d4 +draw'
judge 'the result' printed '  result win, DTZ 13'
run tb probe --syzygy "$tables" '8/8/8/8/3k4/8/1K6/3R4 b - - 0 1'
judge 'a lost position has a line to mate' printed '  line to mate: .*#'
run tb probe --syzygy "$tables" 'k7/1Q6/1K6/8/8/8/8/8 b - - 0 1'
judge 'a mated side' printed '  result loss, DTZ -1'
run tb probe --syzygy "$tables" '8/8/8/8/8/4k3/8/4K2R w - - 99 80'
judge 'a win that the halfmove clock makes a draw' grep -q '^  result cursed win, ' "$work/out"
run tb probe --json --syzygy "$tables" "$win" '4k3/8/8/8/8/8/8/4K3 b - - 0 1'
judge 'JSON: one object a line' test "$(wc -l <"$work/out")" -eq 2

# lines FILE: every object is JSON, its moves are sorted, and its line ends with a pawn move, a capture or mate
check_json() {
    python3 - "$1" <<'END'
import json, sys
for text in open(sys.argv[1]):
    o = json.loads(text)
    assert o["fen"] and -2 <= o["wdl"] <= 2 and (o["dtz"] is None or (o["dtz"] > 0) == (o["wdl"] > 0)), o
    wdl = [m["wdl"] for m in o["moves"]]
    assert wdl == sorted(wdl, reverse=True) and (not wdl or wdl[0] == o["wdl"]), o
    assert o["dtz"] is None or len(o["line"]) in (abs(o["dtz"]), abs(o["dtz"]) + 1, 0), o
END
}
judge 'JSON: fields' check_json "$work/out"

printf '%s\n' '# a comment' "${win% 0 1} bm Kb2;" '8/8/8/8/3k4/8/1K6/2Q5 w - -' >"$work/positions.epd"
run tb probe --syzygy "$tables" --json --epd "$work/positions.epd"
judge 'a file of positions' test "$status" -eq 0 -a "$(wc -l <"$work/out")" -eq 2

run tb probe --syzygy "$tables" "$startpos"
judge 'a position without a table' test "$status" -eq 1
judge 'and what is said of it' grep -q '  no table for this position' "$work/out"
run tb probe --json --syzygy "$tables" "$startpos"
judge 'JSON: the same fields' grep -q '"wdl": null, "dtz": null, "error": "no table for this position"}' "$work/out"
for name in pipe folder; do
    mkdir -p "$work/hostile"
    if [ $name = pipe ]; then mkfifo "$work/hostile/KRvK.rtbw"; else mkdir "$work/hostile/KRvK.rtbz"; fi
    run tb check "$work/hostile"
    judge "check: a $name is not a table" test "$(grep -c ': error: it is not a regular file' "$work/out")" -ge 1
done
refuses 'a file in place of a directory' tb check "$tables/KQvK.rtbw"
refuses 'an empty name of a directory' tb check ''
refuses 'a device in place of a directory' tb check /dev/zero
refuses 'no position' tb probe --syzygy "$tables"
refuses 'no directory' tb probe "$win"
refuses 'a directory that does not exist' tb probe --syzygy "$work/nowhere" "$win"
refuses 'a directory without tables' tb check "$work"
refuses 'a bad FEN' tb probe --syzygy "$tables" 'no position'
refuses 'an unknown command' tb nonsense
run tb
judge 'help without a command' printed '  probe .*'

run tb check "$tables"
judge 'check: all are sound' printed 'tables=10 errors=0'
run tb stats "$tables"
judge 'stats: three pieces' printed ' +3 +5 +5 +5 +[0-9]+ +[0-9]+'
run tb stats --json "$tables"
judge 'stats: the number of endings' printed '.*"pieces": 7, "wdl": 0, "dtz": 0, "endings": 1001.*'

# Contract D2: a size that no table has, no bytes, not readable; and a flipped byte, which only the checksum can find.
mkdir "$work/bad"
cp "$tables"/K[QR]vK.rtb[wz] "$work/bad"
head -c 100 "$tables/KPvK.rtbw" >"$work/bad/KPvK.rtbw"
: >"$work/bad/KBvK.rtbw"
printf 'A' | dd of="$work/bad/KQvK.rtbz" bs=1 seek=9000 conv=notrunc 2>/dev/null
run tb check "$work/bad"
judge 'check: errors set the exit status' test "$status" -eq 1
judge 'check: a wrong size' grep -qx 'KPvK.rtbw: error: its size is not 16 more than a multiple of 64' "$work/out"
judge 'check: an empty file' grep -qx 'KBvK.rtbw: error: .*' "$work/out"
judge 'check: a flipped byte' grep -qx 'KQvK.rtbz: error: its checksum does not match' "$work/out"
judge 'check: the others are sound' grep -qx 'KRvK.rtbz: ok' "$work/out"
judge 'check: the total' grep -qx 'tables=6 errors=3' "$work/out"
run tb check --quiet --quick "$work/bad"
judge 'check: structure only' grep -qx 'tables=6 errors=2' "$work/out"
judge 'check: only errors' test "$(grep -c ok "$work/out")" -eq 0
run tb probe --syzygy "$work/bad" '8/8/8/8/3k4/8/1K6/3R4 b - - 0 1'
judge 'probe: the other tables are used' grep -q '  result loss, DTZ -28' "$work/out"
judge 'probe: damaged tables are reported' test "$(grep -c 'luft tb probe: ignored K[BP]vK.rtbw: ' "$work/err")" -eq 2

# The other commands that take tables: the pawn wins by one move of five.
run analyse --syzygy "$tables" --nodes 500 "$win"
judge 'analyse: the best move' printed 'Best move:  1\. Kb2'
judge 'analyse: the verdict' printed 'Verdict:    White is winning by the tablebases \(\+200\.00\)\.'
run analyse --syzygy "$work/bad" --nodes 500 "$win"
judge 'analyse: a damaged table is reported' grep -q 'luft analyse: ignored KPvK.rtbw: ' "$work/err"
refuses 'analyse: a directory without tables' analyse --syzygy "$work" "$win"
echo quit >"$work/quit"
"$luft" play --ascii --color black --level 1 --nodes 300 --fen "$win" --syzygy "$tables" <"$work/quit" >"$work/out" 2>&1
judge 'play: the weakest level finds it too' grep -qx 'Luft plays 1\. Kb2\.' "$work/out"
refuses 'play: a directory without tables' play --syzygy "$work"

if data_file syzygy/endgame.epd; then
    syzygy=$(dirname "$path")
    run tb check "$syzygy"
    judge 'all public tables are sound' printed 'tables=[0-9]+ errors=0'
    run tb probe --json --syzygy "$syzygy" --epd "$path"
    python3 - "$path" "$work/out" <<'END'
import json, re, sys
expected = [(int(m[1]), int(m[2])) for m in re.finditer(r"; wdl (-?\d+); dtz (-?\d+);", open(sys.argv[1]).read())]
found = [(o["wdl"], o["dtz"]) for o in map(json.loads, open(sys.argv[2]))]
sys.exit(0 if len(expected) > 150 and expected == found else 1)
END
    report 'the results that the suite states' $?
    judge 'JSON: fields of the suite' check_json "$work/out"
else
    skip 'public tables' "$reason"
fi
finish
