#!/bin/bash
# SPDX-License-Identifier: MIT
#
# The UCI protocol from the outside: what a GUI relies on. What happens with input that
# nobody should send is in tests/contract. Argument: the path of the program.
# shellcheck source=tests/cli/support.sh
. "$(dirname "$0")/support.sh"
# shellcheck source=tests/cli/uci_support.sh
. "$(dirname "$0")/uci_support.sh"

# --- The protocol --------------------------------------------------------------

uci 'uci\nisready\nquit\n'
judge 'id name' printed 'id name Luft [0-9.]+'
judge 'uciok' printed 'uciok'
judge 'readyok' printed 'readyok'
uci 'position startpos moves e2e4 e7e5\ngo depth 8\n'
judge 'a finite search completes at the end of the input' printed 'bestmove [a-h][1-8][a-h][1-8]( ponder [a-h][1-8][a-h][1-8])?'
judge 'an info line for each depth' test "$(grep -c '^info depth 8 seldepth [0-9]* multipv 1 score ' "$work/out")" -ge 1
judge 'exactly one bestmove' test "$(grep -c '^bestmove' "$work/out")" -eq 1

uci 'go infinite\nisready\nstop\nisready\nquit\n'
judge 'stop answers with a move' test "$(count 'bestmove [a-h][1-8][a-h][1-8].*')" -eq 1
judge 'isready is answered while searching' test "$(count readyok)" -eq 2

uci 'go infinite\n'
judge 'an infinite search is stopped at the end of the input' test "$(grep -c '^bestmove' "$work/out")" -eq 1

uci 'setoption name MultiPV value 3\ngo depth 5\n'
judge 'three lines with MultiPV 3' test "$(grep -c '^info depth 5 .* multipv [123] ' "$work/out")" -eq 3

# --- Answers that nobody reads, and an input that does not block --------------------

printf 'uci\nisready\ngo depth 5\n' | timeout 20 "$luft" 2>/dev/null | head -n 1 >"$work/out"
judge 'a reader that goes away: no signal' test "${PIPESTATUS[1]}" -le 1

if command -v python3 >/dev/null; then
    timeout 20 python3 - "$luft" >"$work/out" 2>"$work/err" <<'END'
import os, subprocess, sys, time
end, start = os.pipe()
os.set_blocking(end, False)
luft = subprocess.Popen([sys.argv[1]], stdin=end)
for text in b"isr", b"eady\n", b"isready\n":
    time.sleep(0.1)  # there is nothing to read yet
    os.write(start, text)
os.close(start)
sys.exit(luft.wait())
END
    status=$?
    judge 'an input that does not block is waited for' test "$status" -eq 0 -a "$(count readyok)" -eq 2
else
    echo 'ok - skipped: there is no python3 here'
fi

# --- bench ---------------------------------------------------------------------------

uci 'bench 4\n'
judge 'bench ends in nodes and nps' test "$(tail -n 1 "$work/out" | grep -Ecx '[0-9]+ nodes [0-9]+ nps')" -eq 1
first=$(tail -n 1 "$work/out" | cut -d ' ' -f 1)
uci 'bench 4\n'
judge 'bench is the same each time' test "$(tail -n 1 "$work/out" | cut -d ' ' -f 1)" = "$first"

finish
