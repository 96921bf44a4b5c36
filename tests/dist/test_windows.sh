#!/bin/bash
# SPDX-License-Identifier: MIT
#
# The program for Windows, in wine: the tests of the program on Linux, and the same output as that program where both can
# be compared. Run by `make test-windows`. Wine differs from Windows in this: it has no console here, file names may
# contain what Windows forbids, and the clock and the scheduler are those of Linux.
# Arguments: the path of luft for this system, and that of luft.exe; its DLLs are in build/windows/obj.
# shellcheck source=tests/cli/support.sh
. "$(dirname "$0")/../cli/support.sh"
root=$(cd "$(dirname "$0")/../.." && pwd)
native=$luft
folder=$(cd "$(dirname "$2")" && pwd)
wine=$(command -v wine64 || echo /usr/lib/wine/wine64)
if ! [ -x "$wine" ]; then
    skip 'Windows' 'wine64 is not installed'
    finish
fi
export WINEPREFIX=$folder/wine WINEDEBUG=-all LC_ALL=C.UTF-8 # wine reads arguments in the locale
luft=$folder/luft-in-wine
printf '#!/bin/sh\nexec "%s" "%s/luft.exe" "$@"\n' "$wine" "$folder" >"$luft"
chmod +x "$luft"
export LUFT_TEST_SLOW=${LUFT_TEST_SLOW:-5} LUFT_TEST_WINDOWS=1

# passes NAME COMMAND...: a test of the program, whose lines are shown
passes() {
    local name=$1
    shift
    status=0
    "$@" >"$work/out" 2>"$work/err" || status=$?
    grep -v '^ok ' "$work/out"
    judge "$name: $(grep -c '^ok ' "$work/out") passed" test "$status" -eq 0
}

# same_as_native NAME ARGUMENTS...: the same output and exit status as of the program for this system
same_as_native() {
    local name=$1 expected=0
    shift
    "$native" "$@" >"$work/expected" 2>/dev/null </dev/null || expected=$?
    run "$@"
    judge "$name" eval "[ $status -eq $expected ] && cmp -s '$work/expected' '$work/out'"
}

# The first start makes the folders of wine, with messages.
"$luft" --version >/dev/null 2>&1
run --version
judge 'it starts' printed 'luft [0-9.]+'
dlls=$(x86_64-w64-mingw32-objdump -p "$folder/luft.exe" | sed -n 's/.*DLL Name: //p' | tr '[:upper:]' '[:lower:]' | sort -u)
judge "no DLLs but those of Windows: ${dlls//$'\n'/ }" test -z "$(grep -vE '^(kernel32|msvcrt|ucrtbase|advapi32|shell32|winmm|user32|api-ms-win.*)\.dll$' <<<"$dlls")"
judge 'the bench count' test "$(echo 'bench 6' | "$luft" | cut -d ' ' -f 1 | tail -n 1)" = "$(echo 'bench 6' | "$native" | cut -d ' ' -f 1 | tail -n 1)"
head -n 60 "$root/tests/data/perft/own-standard.epd" >"$work/standard.epd"
head -n 30 "$root/tests/data/perft/own-chess960.epd" >"$work/chess960.epd"
for suite in standard chess960; do
    run perft --max-nodes 200000 --suite "$work/$suite.epd"
    judge "perft: $suite" test "$status" -eq 0
done
for file in "$root"/tests/data/pgn/*.pgn ${LUFT_DATA:+"$LUFT_DATA"/pgn/corner-cases/*.pgn}; do
    same_as_native "pgn check $(basename "$file")" pgn check "$file"
done
printf '[White "A"]\r\n\r\n1. e4 e5 *\r\n' >"$work/crlf.pgn"
same_as_native 'line ends of Windows stay' pgn convert "$work/crlf.pgn"
cp "$work/crlf.pgn" "$work/Größe ♞.pgn"
run pgn check "$work/Größe ♞.pgn"
judge 'a name outside ASCII' printed 'games=1 errors=0'
run pgn convert --output "$work/new ♞.pgn" "$work/crlf.pgn"
judge 'a new file with such a name' test -s "$work/new ♞.pgn"
run pgn convert --output "$work/new ♞.pgn" "$root/tests/data/pgn/classics.pgn"
"$native" pgn convert "$root/tests/data/pgn/classics.pgn" >"$work/expected"
judge 'replaced as a whole' eval "[ $status -eq 0 ] && [ \$(find '$work' -name 'new*' | wc -l) -eq 1 ] && cmp '$work/expected' '$work/new ♞.pgn'"
gzip -c "$work/crlf.pgn" >"$work/games.pgn.gz"
run pgn check "$work/games.pgn.gz"
judge 'gzip' printed 'games=1 errors=0'
run pgn check "$work/missing.pgn"
judge 'a missing file' test "$status" -eq 1
# The DLLs, by a program that is linked with their import libraries: the rules, a variable, and the engine.
cat >"$work/user.c" <<'END'
#include <luft/engine.h>
#include <luft/luft.h>
#include <stdio.h>
#include <string.h>

int main(void) {
    const char fen[] = "6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 1";
    luft_position position;
    luft_engine *engine = NULL;
    const luft_engine_result *result = NULL;
    luft_engine_limits limits = luft_engine_no_limits();
    const luft_position start = luft_start_position();
    limits.depth = 5;
    if (luft_perft(&start, 4, LUFT_PERFT_ONE_PLY) != 197281 || luft_king_attacks(LUFT_A8) != luft_tables.king[LUFT_A8] ||
        luft_position_from_fen(&position, fen, strlen(fen), NULL) != LUFT_OK || luft_engine_create(&engine) != LUFT_OK ||
        luft_engine_set_position(engine, &position, NULL, 0, NULL) != LUFT_OK ||
        luft_engine_search(&result, engine, &limits, NULL) != LUFT_OK) {
        return 1;
    }
    char move[LUFT_UCI_MOVE_SIZE] = "";
    luft_move_to_uci(move, sizeof move, result->best, LUFT_CASTLING_STANDARD);
    luft_engine_free(engine);
    printf("%s %s\n", luft_version(), move);
    return 0;
}
END
libraries=$(find "$folder/obj" -name libluft.dll -printf '%h\n' | head -n 1)
mkdir "$work/dll"
cp "$libraries"/libluft{,-engine}.dll "$work/dll"
status=0
x86_64-w64-mingw32-gcc -I"$root/include" -o "$work/dll/user.exe" "$work/user.c" "$libraries/libluft-engine.dll.a" "$libraries/libluft.dll.a" \
    >"$work/out" 2>"$work/err" || status=$?
judge 'a program is linked with the import libraries' test "$status" -eq 0
"$wine" "$work/dll/user.exe" >"$work/out" 2>"$work/err" || status=$?
tr -d '\r' <"$work/out" >"$work/text" && mv "$work/text" "$work/out"
judge 'libluft.dll and libluft-engine.dll' printed "$("$native" --version | sed -n '1s/luft //p') a1a8"
for name in libluft libluft-engine; do
    judge "$name.dll: no DLLs but those of Windows and Luft" test -z "$(x86_64-w64-mingw32-objdump -p "$work/dll/$name.dll" |
        sed -n 's/.*DLL Name: //p' | grep -viE '^(kernel32|msvcrt|ucrtbase|advapi32|shell32|winmm|user32|api-ms-win.*|libluft)\.dll$')"
done
passes 'UCI' "$root/tests/cli/test_uci.py" "$luft"
passes 'lines of UCI' "$root/tests/cli/test_uci_lines.py" "$luft"
passes 'the contract' "$root/tests/contract/run.py" "$luft"
PYTHONPATH=$(dirname "$native")/python passes 'a game with the referee of the soak' "$root/scripts/test/soak" --short --count 1 "$luft" 60 1+0.01
finish
