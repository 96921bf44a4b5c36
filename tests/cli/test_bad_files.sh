#!/bin/bash
# SPDX-License-Identifier: MIT
#
# Damaged files, wherever one is read: truncated, with a bit flipped, empty, a directory, a pipe without a writer, an
# endless device. Each gives an error soon, and what was in force stays in force. Outputs that cannot be written: closed,
# full, too large; no earlier file is lost.
# Argument: the path of the program luft; luft-train must be beside it.
# shellcheck source=tests/cli/support.sh
. "$(dirname "$0")/support.sh"
root=$(cd "$(dirname "$0")/../.." && pwd)
luft_train=$(dirname "$luft")/luft-train
cd "$work" || exit 1

# --- Damaging a file ---------------------------------------------------------------------

# spoil FILE: fills bad/ with damaged forms of the file; flips a bit only where every bit counts
spoil() {
    local size
    size=$(wc -c <"$1")
    rm -rf bad && mkdir bad bad/directory
    : >bad/empty
    mkfifo bad/pipe
    ln -s /dev/zero bad/zero
    ln -s nowhere bad/missing
    head -c $((size / 2)) "$1" >bad/half
    head -c $((size - 1)) "$1" >bad/short
    head -c 7 "$1" >bad/stub
    cat "$1" "$1" >bad/double
    flip "$1" bad/flipped $((size / 2))
    flip "$1" bad/flipped-head 9
}

# flip FROM TO PLACE: a copy with one byte changed
flip() {
    cp "$1" "$2"
    printf '%b' "\\$(printf '%03o' $(($(od -An -tu1 -j "$3" -N 1 "$1") ^ 16)))" | dd of="$2" bs=1 seek="$3" conv=notrunc 2>/dev/null
}

# refused NAME COMMAND...: ends within 20 seconds with status 1 or 2 and an error line
refused() {
    local name=$1
    shift
    status=0
    timeout 120 "$@" >out 2>err </dev/null || status=$?
    judge "refused: $name" test "$status" -ge 1 -a "$status" -le 2 -a "$(grep -Ec '^luft(-train)?( [a-z]+)*: [ -~]+$' err)" -ge 1
}

# faulty NAME COMMAND...: reads a file and reports that it is faulty
faulty() {
    local name=$1
    shift
    status=0
    timeout 120 "$@" >out 2>err </dev/null || status=$?
    judge "faulty: $name" test "$status" -ge 1 -a "$status" -le 2 -a "$(grep -Ec 'errors=1$|^luft-train check: ' out err | cut -d : -f 2 | paste -sd +)" != 0+0
}

# piped FILE COMMAND...: reads the same from a pipe as from the file
piped() {
    local file=$1 usual=0
    shift
    timeout -k 5 120 "$@" "$file" >expected 2>/dev/null </dev/null || usual=$?
    status=0
    timeout 120 cat "$file" >stream &
    timeout -k 5 120 "$@" stream >out 2>err </dev/null || status=$?
    kill $! 2>/dev/null # where nobody has opened the pipe
    wait
    sed -i "s/$file/stream/g" expected
    judge "from a pipe: ${*##*/}" test "$status" -eq "$usual" -a "$usual" -le 1 -a -s out -a "$(without_seconds out)" = "$(without_seconds expected)"
}

# without_seconds FILE: what is the same again
without_seconds() {
    sed -E -e '/^(Time|Nodes per second)/d' -e 's/[0-9.]+ s( |$)//g; s/[0-9.]+ [a-zA-Z]+\/s//g' "$1"
}

# lives NAME COMMAND...: the text may well be one that can be read: no signal, and it ends
lives() {
    local name=$1
    shift
    status=0
    timeout 120 "$@" >out 2>err </dev/null || status=$?
    judge "no harm: $name" test "$status" -le 2
}

# --- A network ------------------------------------------------------------------------------

cat >games.pgn <<'END'
[Event "one"]
[White "A"]
[Black "B"]
[Result "1-0"]

1. e4 e5 2. Bc4 {a comment} Nc6 (2... Nf6 3. d3) 3. Qh5 $6 Nf6 4. Qxf7# 1-0

[Event "two"]
[White "C"]
[Black "D"]
[Result "*"]

1. d4 d5 *
END
printf '%s bm e4; id "one";\n%s am a4;\n' "${startpos% 0 1}" "${kiwipete% 0 1}" >suite.epd
printf '%s ;D1 20 ;D2 400\n%s ;D1 48\n' "$startpos" "$kiwipete" >counts.epd
"$luft_train" generate --out games --games 30 --nodes 10 --threads 1 --seed 3 2>err &&
    "$luft_train" convert --out all.rec games >out 2>err &&
    "$luft_train" train --out net --hidden 16 --epochs 1 --batch 64 --threads 1 all.rec >out 2>err &&
    "$luft_train" quantise --out net.luft net.checkpoint >out 2>err
report 'games, records, a checkpoint and a network' $?

spoil net.luft
if command -v python3 >/dev/null; then
    python3 "$root/tests/cli/bad_networks.py" "$luft" net.luft bad/* || failures=$((failures + 1))
else
    skip 'bad networks' 'python3 is not installed'
fi

# --- Text -----------------------------------------------------------------------------------

mkfifo resumed stream # a game can come from a pipe, but is not saved into it
piped games.pgn "$luft" pgn check --quiet
piped games.pgn "$luft" pgn filter --quiet
piped games.pgn "$luft" analyse --nodes 1 --pgn
piped suite.epd "$luft" epd check
piped suite.epd "$luft" analyse --nodes 1 --epd
piped counts.epd "$luft" perft --suite
spoil games.pgn
for file in bad/directory bad/zero bad/missing; do
    refused "pgn check $file" "$luft" pgn check --quiet "$file"
    refused "pgn filter $file" "$luft" pgn filter --quiet "$file"
    refused "analyse --pgn $file" "$luft" analyse --nodes 1 --pgn "$file"
    refused "epd check $file" "$luft" epd check "$file"
    refused "analyse --epd $file" "$luft" analyse --nodes 1 --epd "$file"
    refused "perft --suite $file" "$luft" perft --suite "$file"
    refused "play --resume $file" "$luft" play --nodes 1 --resume "$file"
done
for file in bad/empty bad/half bad/short bad/stub bad/double bad/flipped bad/flipped-head; do
    lives "pgn check $file" "$luft" pgn check --quiet "$file"
    lives "analyse --pgn $file" "$luft" analyse --nodes 1 --pgn "$file"
    lives "play --resume $file" "$luft" play --nodes 1 --resume "$file"
done
spoil suite.epd
for file in bad/empty bad/half bad/short bad/stub bad/double bad/flipped bad/flipped-head; do
    lives "epd check $file" "$luft" epd check "$file"
    lives "analyse --epd $file" "$luft" analyse --nodes 1 --epd "$file"
    lives "perft --suite $file" "$luft" perft --suite "$file"
done
cp games.pgn kept.pgn
cat games.pgn >resumed &
lives 'play --resume from a pipe' "$luft" play --nodes 1 --resume resumed
timeout -k 5 1 "$luft" play --nodes 1 --resume resumed </dev/null >out 2>err
judge 'play --resume from a pipe that nobody writes: a signal ends the wait' test $? -eq 124
kill $! 2>/dev/null # where nobody has opened the pipe
wait
printf 'e4\n' | timeout 120 "$luft" play --nodes 1 --resume games.pgn >out 2>err
judge 'a game that is resumed is still in its file' grep -q '^1. d4 d5 2. e4' games.pgn
judge 'and so is the one before' test "$(head -n 7 games.pgn)" = "$(head -n 7 kept.pgn)"
cp kept.pgn games.pgn

# --- Training data --------------------------------------------------------------------------

shard=$(find games -name '*.games' | head -n 1)
spoil "$shard"
for file in bad/*; do
    faulty "luft-train check: games: $file" "$luft_train" check "$file"
    lives "luft-train convert: $file" "$luft_train" convert --out none.rec "$file" # a bad shard among many is skipped
    judge "luft-train convert: $file: nothing is written" test "$status" -ne 0 -a -s err -a ! -e none.rec
done
spoil all.rec
flip all.rec bad/flipped-score $((64 + 24)) # a record that could be
for file in bad/*; do
    faulty "luft-train check: records: $file" "$luft_train" check "$file"
    refused "luft-train shuffle: $file" "$luft_train" shuffle --out made.rec --seed 1 "$file"
    refused "luft-train train: $file" "$luft_train" train --out made --hidden 16 --epochs 1 --batch 64 --threads 1 "$file"
done
spoil net.checkpoint
for file in bad/*; do
    refused "luft-train quantise: $file" "$luft_train" quantise --out made.luft "$file"
done
for file in bad/directory bad/pipe bad/zero bad/half bad/flipped; do
    rm -rf made.checkpoint
    cp -r -P "$file" made.checkpoint
    case $file in bad/pipe) rm -f made.checkpoint && mkfifo made.checkpoint ;; esac
    refused "luft-train train continues from $file" "$luft_train" train --out made --hidden 16 --epochs 1 --batch 64 --threads 1 all.rec
done
spoil suite.epd # a book is a plain file: it would not wait for whoever writes into a pipe
for file in bad/directory bad/pipe bad/zero bad/missing bad/empty bad/stub; do
    refused "luft-train generate --book $file" "$luft_train" generate --out made --games 1 --nodes 1 --book "$file"
done
judge 'no game is played without its book' test ! -e made
for file in bad/half bad/short bad/double bad/flipped bad/flipped-head; do
    rm -rf played
    lives "luft-train generate --book $file" "$luft_train" generate --out played --games 1 --nodes 1 --threads 1 --book "$file"
done
judge 'nothing is made of what was refused' test ! -e made.rec -a ! -e made.luft

# --- Standard input and output --------------------------------------------------------------

# Descriptor 4 is a pipe that nobody reads, from the first byte on: with `| true` it would be a race.
mkfifo unread
# shellcheck disable=SC2094 # the pipe is opened both ways so that neither waits for the other
exec 3<>unread 4>unread 3>&-

for command in 'perft 2' 'show' 'analyse --nodes 1' 'pgn check --quiet games.pgn' 'epd check suite.epd' 'bench 1' '--version' '--help'; do
    # shellcheck disable=SC2086 # words
    for where in '&-' /dev/full; do
        status=0
        case $where in
        '&-') timeout 120 "$luft" $command </dev/null >&- 2>err || status=$? ;;
        *) timeout 120 "$luft" $command </dev/null >"$where" 2>err || status=$? ;;
        esac
        judge "luft $command >$where: one error" test "$status" -eq 1 -a "$(wc -l <err)" -eq 1
    done
    status=0
    # shellcheck disable=SC2086
    timeout 120 "$luft" $command </dev/null >&4 2>err || status=$?
    judge "luft $command, nobody reads: one error" test "$status" -eq 1 -a "$(wc -l <err)" -eq 1
done
# In every state of a session: waiting, searching, pondering, counting.
for state in '' 'go depth 3' 'go infinite' 'go ponder wtime 100 btime 100' 'go perft 5' 'bench 3' 'position fen' 'setoption name Threads value 4\ngo movetime 50'; do
    status=0
    printf '%b\n' "$state" | timeout 120 "$luft" >out 2>err || status=$?
    judge "the end of the input after '$state'" test "$status" -eq 0
    status=0
    printf '%b\n' "$state" | timeout 120 "$luft" >&- 2>err || status=$?
    judge "output closed, '$state'" test "$status" -le 1
    status=0
    printf '%b\n' "$state" | timeout 120 "$luft" >/dev/full 2>err || status=$?
    judge "output full, '$state'" test "$status" -le 1
    status=0
    printf '%b\n' "$state" | timeout 120 "$luft" >&4 2>err || status=$?
    judge "nobody reads, '$state'" test "$status" -le 1
done
# A GUI that has crashed leaves no engine behind that runs for days; a script that waits gets its answer.
for state in 'go depth 245' 'go nodes 9223372036854775807' 'go movetime 86400000' 'go perft 30' 'bench 245' 'go perft 30\ngo perft 30\ngo depth 245'; do
    status=0
    printf '%b\n' "$state" | timeout 120 "$luft" >&4 2>err || status=$?
    judge "nobody reads, and nobody will, '$state'" test "$status" -le 1
done
status=0
timeout 120 "$luft" <&- >out 2>err || status=$?
judge 'no standard input' test "$status" -eq 0 -a ! -s out
exec 4>&-

# Somebody has left the output non-blocking and reads late: nothing is lost.
cat >reads_late.py <<'END'
import fcntl, os, subprocess, sys, time
given, output = os.pipe()
fcntl.fcntl(output, 1031, 4096)  # F_SETPIPE_SZ: a small one
os.set_blocking(output, False)
process = subprocess.Popen(sys.argv[1:], stdin=subprocess.PIPE, stdout=output)
os.close(output)
process.stdin.write(sys.stdin.buffer.read())
process.stdin.close()
time.sleep(0.5)
while more := os.read(given, 65536):
    sys.stdout.buffer.write(more)
sys.stdout.flush()
sys.exit(process.wait())
END
if command -v python3 >/dev/null; then
    status=0
    { for ((i = 0; i < 20; i++)); do printf 'uci\n'; done && printf 'isready\ngo depth 4\n'; } |
        timeout 120 python3 reads_late.py "$luft" >out 2>err || status=$?
    judge 'an output that does not block: every answer' test "$status" -eq 0 -a \
        "$(grep -Eo '^(uciok|readyok|bestmove)' out | sort | uniq -c | tr -s ' \n' ' ')" = ' 1 bestmove 1 readyok 20 uciok '
    status=0
    for ((i = 0; i < 1000; i++)); do printf '[Event "x"]\n\n1. e4 *\n\n'; done |
        timeout 120 python3 reads_late.py "$luft" pgn convert --quiet - >out 2>err || status=$?
    judge 'an output that does not block: every game' test "$status" -eq 0 -a "$(grep -c '^1. e4 \*' out)" -eq 1000
fi

# --- A full disk ----------------------------------------------------------------------------

# small COMMAND...: in a shell that lets no file grow beyond $limit kilobytes; luft makes an error of the signal
limit=1
small() {
    status=0
    (ulimit -f "$limit" && exec timeout 120 "$@") >"$work/out" 2>"$work/err" </dev/null || status=$?
}

# is_one_error: status 1, nothing printed, and one line that tells why
# shellcheck disable=SC2317 # called by judge
is_one_error() {
    [ "$status" -eq 1 ] && [ ! -s "$work/out" ] && [ "$(wc -l <"$work/err")" -eq 1 ] && grep -Eqx 'luft( [a-z]+)*: [ -~]{1,200}' "$work/err"
}

# A file of the same name is there before: it must stay. `rest` lists the folder, to see that nothing else is left.
mkdir full && cd full || exit 1
for _ in {1..40}; do cat ../games.pgn; done >many.pgn
printf 'precious\n' >target
rest=$(ls)
for command in 'pgn convert' 'pgn filter' 'pgn convert --to uci'; do
    # shellcheck disable=SC2086
    small "$luft" $command --quiet -o target many.pgn
    judge "luft $command on a full disk: one error" is_one_error
    judge "luft $command on a full disk: nothing is lost" test "$(cat target)" = precious -a "$(ls)" = "$rest"
done
small "$luft" analyse --nodes 1 --pgn many.pgn -o many.pgn
judge 'luft analyse on a full disk: an error' test "$status" -eq 1
judge 'luft analyse on a full disk: the games are still there' test "$(grep -c '^\[Event' many.pgn)" -eq 80 -a "$(ls)" = "$rest"
printf 'e4\nsave many.pgn\nquit\n' >../moves
cp many.pgn ../many.pgn
(ulimit -f 5 && exec timeout 120 "$luft" play --nodes 1) <../moves >../out 2>../err
judge 'a game that cannot be saved: it says so' grep -q '^The game could not be saved in many.pgn' ../out
judge 'a game that cannot be saved: the others are still there' cmp -s many.pgn ../many.pgn
rm -f luft-*.pgn

mkdir games
cp ../all.rec ../net.checkpoint .
small "$luft_train" generate --out games --games 12 --nodes 40 --threads 1 --seed 3
judge 'luft-train generate on a full disk: no half shard' test "$status" -ne 0 -a -z "$(find games -name '*.games' -o -name '*.??????')"
for command in 'convert --out all.rec ../games' 'shuffle --out all.rec ../all.rec' 'quantise --out all.rec net.checkpoint'; do
    # shellcheck disable=SC2086
    small "$luft_train" $command
    judge "luft-train $command on a full disk: an error" test "$status" -eq 1 -a "$(grep -c '^luft-train' ../err)" -eq 1
    judge "luft-train $command on a full disk: nothing is lost" cmp -s all.rec ../all.rec
done
# Training continues from a checkpoint and cannot write the next one; the plot of the curve fits.
training=(--out net --hidden 16 --epochs 1 --batch 64 --threads 1 all.rec)
rm -f net.*
"$luft_train" train --stop 1 "${training[@]}" >../out 2>../err && cp net.checkpoint ../first.checkpoint
report 'a checkpoint to continue from' $?
limit=5
small "$luft_train" train "${training[@]}"
judge 'luft-train train on a full disk: training continues' grep -q '^continues after batch 1$' ../out ../err
judge 'luft-train train on a full disk: one error' test "$status" -eq 1 -a "$(grep -c '^luft-train' ../err)" -eq 1 -a \
    "$(grep -cx 'luft-train train: net.checkpoint cannot be written' ../err)" -eq 1
judge 'luft-train train on a full disk: the checkpoint is still there' cmp -s net.checkpoint ../first.checkpoint
rm -f net.*
judge 'nothing is left behind' test -z "$(find . -name '*.bucket*' -o -name '*.??????')"

finish
