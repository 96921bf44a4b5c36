#!/bin/bash
# SPDX-License-Identifier: MIT
#
# The options of the UCI session: how they are announced, what is refused, and what
# those do that can be seen from the outside. Argument: the path of the program.
# shellcheck source=tests/cli/support.sh
. "$(dirname "$0")/support.sh"
# shellcheck source=tests/cli/uci_support.sh
. "$(dirname "$0")/uci_support.sh"

# --- Announced by the names that GUIs and lichess-bot set ------------------------------

uci 'uci\n'
while IFS= read -r option; do
    judge "option $option" printed "option name $option"
done <<'END'
Hash type spin default 16 min 1 max [0-9]+
Clear Hash type button
Threads type spin default 1 min 1 max [0-9]+
Ponder type check default false
MultiPV type spin default 1 min 1 max [0-9]+
Move Overhead type spin default 10 min 0 max 5000
nodestime type spin default 0 min 0 max 10000
UCI_Chess960 type check default false
UCI_ShowWDL type check default false
UCI_AnalyseMode type check default false
UCI_LimitStrength type check default false
UCI_Elo type spin default [0-9]+ min 800 max [0-9]+
Skill Level type spin default 20 min 0 max 20
EvalFile type string default <empty>
Debug Log File type string default <empty>
END
sed -n 's/^option name .* default \([0-9]*\) min \([0-9]*\) max \([0-9]*\)$/\2 \1 \3/p' "$work/out" >"$work/ranges"
# shellcheck disable=SC2016 # the fields are awk's
judge 'every default is in its range' awk '$1 > $2 || $2 > $3 { exit 1 }' "$work/ranges"

# --- Refused -----------------------------------------------------------------------------

for option in 'Hash value 0' 'Hash value -1' 'Hash value x' 'Hash value 99999999999999999999' 'Hash' 'Threads value 0' \
    'Threads value 100000' 'Ponder value maybe' 'Nonsense value 1' 'UCI_Chess960 value' 'UCI_Elo value 799' \
    'UCI_Elo value 9999' 'Skill Level value 21' 'Skill Level value -1' 'nodestime value -1' 'UCI_ShowWDL value 1' \
    'UCI_LimitStrength' 'EvalFile value net.nnue' 'Debug Log File value /nofolder/a' 'Debug Log File value /'; do
    uci "setoption name $option\nisready\n"
    judge "refused: setoption name $option" errors 1
    judge "refused: setoption name $option: still there" printed readyok
done
uci 'setoption\nsetoption name\nsetoption value 3\n'
judge 'setoption without a name' errors 3
uci 'setoption name hash value 8\nsetoption name Clear Hash\nsetoption name Threads value 2\ngo depth 8\n'
judge 'options in any case' errors 0
judge 'two threads give a move' test "$(grep -c '^bestmove' "$work/out")" -eq 1
uci 'setoption name  Clear \t Hash\nsetoption\tname Move   Overhead   value   20\nsetoption name ClearHash\nsetoption name Clear\n'
judge 'any run of blanks in a name, but some' errors 2
uci 'eval\nsetoption name EvalFile value /etc/passwd\neval\nsetoption name EvalFile value <empty>\nsetoption name EvalFile value\n'
judge 'a network that cannot be used changes nothing' test "$(grep -c '^info string error: option EvalFile' "$work/out")" -eq 1 -a \
    "$(grep -v '^info' "$work/out" | sort | uniq -c | awk '$1 % 2' | wc -l)" -eq 0

# --- Win, draw, loss ----------------------------------------------------------------------

uci 'go depth 6\n'
judge 'no wdl unless it is asked for' test "$(grep -c ' wdl ' "$work/out")" -eq 0
wdl_on='setoption name UCI_ShowWDL value true\n'
uci "$wdl_on"'position fen 6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 1\ngo depth 3\n'
judge 'wdl of a mate is certain' grep -q ' score mate 1 wdl 1000 0 0 nodes ' "$work/out"
uci "$wdl_on"'setoption name MultiPV value 3\ngo depth 6\n'
sed -n 's/.* score [a-z]* -\{0,1\}[0-9]*\( [a-z]*bound\)\{0,1\} wdl \([0-9]*\) \([0-9]*\) \([0-9]*\) nodes .*/\2 \3 \4/p' "$work/out" >"$work/wdl"
judge 'wdl in every line once it is on' test "$(wc -l <"$work/wdl")" -ge 18 -a "$(wc -l <"$work/wdl")" -eq "$(grep -c ' score ' "$work/out")"
# shellcheck disable=SC2016 # the fields are awk's
judge 'wdl sums to 1000' awk '$1 + $2 + $3 != 1000 { exit 1 }' "$work/wdl"

# --- Strength ------------------------------------------------------------------------------

# The engine's own tests measure how it plays; here every setting gives a legal move.
for setting in 'UCI_LimitStrength value true\nsetoption name UCI_Elo value 800' 'Skill Level value 0' \
    'Skill Level value 0\nsetoption name UCI_AnalyseMode value true'; do
    uci "setoption name $setting\ngo nodes 2000\n"
    judge "setoption name $setting: a move" printed 'bestmove [a-h][1-8][a-h][1-8].*'
    judge "setoption name $setting: no error" errors 0
done
uci 'go nodes 20000\n'
full=$(sed -n 's/ time .*//; s/ nps [0-9]*//; /^info/p' "$work/out")
uci 'setoption name UCI_LimitStrength value true\nsetoption name UCI_Elo value 800\nsetoption name UCI_AnalyseMode value true\ngo nodes 20000\n'
judge 'UCI_AnalyseMode: strength is not limited' test "$(sed -n 's/ time .*//; s/ nps [0-9]*//; /^info/p' "$work/out")" = "$full"

# --- Nodes in place of time ------------------------------------------------------------------

uci 'setoption name nodestime value 50\nsetoption name Move Overhead value 0\ngo movetime 1000\n'
nodes=$(sed -n 's/.* nodes \([0-9]*\) .*/\1/p' "$work/out" | tail -n 1)
judge 'nodestime: a second is 50,000 nodes' test "$nodes" -ge 50000 -a "$nodes" -le 51100
first=$(sed 's/ nps .*//; s/ time .*//' "$work/out" | cksum)
uci 'setoption name nodestime value 50\nsetoption name Move Overhead value 0\ngo movetime 1000\n'
judge 'nodestime: the same search each time' test "$(sed 's/ nps .*//; s/ time .*//' "$work/out" | cksum)" = "$first"

# --- The log -------------------------------------------------------------------------------

log=$work/a\ log.txt
printf 'before\n' >"$log"
uci "setoption name Debug Log File value $log\nisready\nd\ngo depth 1\n"
judge 'the log: nothing is refused' errors 0
status=0
judge 'the log is appended to' test "$(head -n 1 "$log")" = before
judge 'the log: what comes' grep -qx '>> isready' "$log"
judge 'the log: what goes' grep -qx '<< readyok' "$log"
judge 'the log: lines of the search' grep -q '^<< bestmove ' "$log"
judge 'the log: every line is marked' test "$(tail -n +2 "$log" | grep -Evc '^(<<|>>) ')" -eq 0
uci "setoption name Debug Log File value $log\nsetoption name Debug Log File value\nisready\n"
judge 'the log: nothing after it is closed' test "$(grep -c readyok "$log")" -eq 1
mkfifo "$work/pipe"
uci "setoption name Debug Log File value $log\nsetoption name Debug Log File value $work/pipe\nisready\nsetoption name Debug Log File value /nofolder/a\nisready\n"
judge 'a log that cannot be written is refused at once' errors 2
judge 'the log that was in force stays in force' test "$(grep -c '<< readyok' "$log")" -eq 3
{
    printf 'setoption name Debug Log File value %s\n' "$work/short"
    for ((i = 0; i < 300; i++)); do echo isready; done
} >"$work/in"
(ulimit -f 1 && exec "$luft") <"$work/in" 2>"$work/err" | cat >"$work/out" # a pipe has no limit
judge 'a log that cannot grow: one error, and all is answered' test \
    "$(grep -c '^info string error: option Debug Log File: cannot write any more' "$work/out")" -eq 1 -a "$(grep -c readyok "$work/out")" -eq 300

finish
