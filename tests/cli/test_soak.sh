#!/bin/bash
# SPDX-License-Identifier: MIT
#
# The short form of `make soak`: some games on clocks beside a busy process, double Chess960, bursts of go and stop. Late
# answers are forgiven here, because the machine has other work; wrong ones are not.
# Argument: the path of the program; the Python package is expected beside it.
# shellcheck source=tests/cli/support.sh
. "$(dirname "$0")/support.sh"
root=$(cd "$(dirname "$0")/../.." && pwd)
PYTHONPATH=$(dirname "$luft")/python
export PYTHONPATH PYTHONDONTWRITEBYTECODE=1

if ! command -v python3 >/dev/null || [ ! -e "$(dirname "$luft")/python" ]; then
    skip 'soak' 'python3, or the Python package beside the program, is missing'
    finish
fi
status=0
timeout 300 "$root/scripts/test/soak" --short "$luft" "${LUFT_TEST_LONG:+1}4" >"$work/out" 2>"$work/err" || status=$?
cat "$work/out"
judge 'scripts/test/soak ends well' test "$status" -eq 0 -a ! -s "$work/err" -a "$(grep -c '^ok - ' "$work/out")" -eq 6

"$root/scripts/test/soak" --short "$luft" 1 stop >"$work/out" 2>"$work/err"
judge 'a part alone' test "$(cut -d : -f 1 "$work/out")" = 'ok - go and stop'
! "$root/scripts/test/soak" --short --count 1000000 "$luft" 1 stop >"$work/out" 2>"$work/err" && grep -q '^not ok - go and stop' "$work/out"
judge 'fewer pairs than requested are a fault' test $? -eq 0
! "$root/scripts/test/soak" --count 1000 "$luft" 1 0.2+0.002 >"$work/out" 2>"$work/err" && grep -Eq '^not ok - games at 0.2.*: [1-9][0-9]* games' "$work/out"
judge 'fewer games than requested are a fault' test $? -eq 0
"$root/scripts/test/soak" --count 1 "$luft" 60 Chess960 >"$work/out" 2>"$work/err"
judge 'as many games as requested' grep -q ': 1 games' "$work/out"
"$root/scripts/test/soak" "$luft" 60 0.2+0.002 >"$work/out" 2>"$work/err" &
soak=$!
sleep 2
begin=$SECONDS
kill "$soak"
wait "$soak"
judge 'a soak that is ended ends at once' test $((SECONDS - begin)) -le 30
sleep 1
judge 'a soak that is ended leaves no process behind' test -z "$(pgrep -f "scripts/test/soak $luft 60 0.2")"
! "$root/scripts/test/soak" "$luft" 1 nonsense >"$work/out" 2>"$work/err" && grep -q 'no part is named nonsense' "$work/err"
judge 'no such part' test $? -eq 0
! "$root/scripts/test/soak" "$luft" soon >"$work/out" 2>"$work/err" && grep -q '^usage:' "$work/err"
judge 'no such number of seconds' test $? -eq 0

# The referee must find an engine that plays illegal moves, and one that loses on time.
cat >"$work/liar" <<'END'
#!/bin/bash
while read -r word rest; do
    case $word in
    uci) echo uciok ;;
    isready) echo readyok ;;
    go)
        sleep "${DELAY:-0}"
        printf 'info depth 1 score cp 0 pv a1a8\nbestmove %s\n' "${LIE:-a1a8}"
        ;;
    quit) exit ;;
    esac
done
END
chmod +x "$work/liar"
status=0
timeout 120 "$root/scripts/test/soak" --short "$work/liar" 2 >"$work/out" 2>"$work/err" || status=$?
judge 'finds an engine that plays illegal moves' test "$status" -eq 1 -a "$(grep -c '^# move: a1a8 is not legal' "$work/out")" -ge 1
judge 'finds its illegal variations' grep -q '^# line: a1a8 is not legal' "$work/out"
DELAY=0.3 timeout 120 "$root/scripts/test/soak" "$work/liar" 1 'games at 0.2' >"$work/out" 2>"$work/err"
judge 'finds an engine that is late' grep -Eq '^# late by [0-9.]+ ms, after [2-9][0-9]{2,}\.' "$work/out"

# The witness: how long at least one of two processors stalled.
cat >"$work/witness.py" <<'END'
import importlib.machinery, importlib.util, sys, time
loader = importlib.machinery.SourceFileLoader("soak", sys.argv[1])
soak = importlib.util.module_from_spec(importlib.util.spec_from_loader("soak", loader))
loader.exec_module(soak)
witness = soak.Witness()
time.sleep(0.5)
assert all(watcher.exitcode in (None, 0) for watcher in witness.watchers)
witness.end()
witness.notes = [[11.0, 11.05, 10.0, 10.2, 0, 0], [10.1, 10.3, 0, 0]]
found = [round(witness.stalled_ms(*span)) for span in ((9.0, 10.5), (10.05, 10.15), (10.9, 11.2), (9.0, 12.0), (12.0, 13.0))]
assert found == [300, 100, 50, 350, 0], found
END
status=0
python3 "$work/witness.py" "$root/scripts/test/soak" >"$work/out" 2>"$work/err" || status=$?
judge 'measures how long the machine stalled' test "$status" -eq 0

finish
