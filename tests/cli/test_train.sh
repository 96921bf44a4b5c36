#!/bin/bash
# SPDX-License-Identifier: MIT
#
# `luft-train` from the outside: a few games, and weights fitted to them, which must
# compile. Argument: the path of the program luft; luft-train lies beside it.
# shellcheck source=tests/cli/support.sh
. "$(dirname "$0")/support.sh"

luft=$(dirname "$luft")/luft-train
if [ ! -x "$luft" ]; then
    echo 'not ok - luft-train is not built'
    exit 1
fi

run generate --out "$work/games" --games 6 --nodes 300 --seed 3
size=$(wc -c <"$work/games")
judge 'generate writes records of 32 bytes' test "$status" -eq 0 -a "$size" -gt 0 -a $(((size - 64) % 32)) -eq 0
run generate --out "$work/again" --games 6 --nodes 300 --seed 3
judge 'the same seed gives the same games' cmp -s "$work/games" "$work/again"
run generate --out "$work/other" --games 6 --nodes 300 --seed 4
judge 'another seed gives others' test "$(cmp -s "$work/games" "$work/other" && echo same)" = ''

run tune --out "$work/eval_weights.h" --epochs 3 "$work/games"
judge 'tune ends well' test "$status" -eq 0
cp "$(dirname "$0")/../../src/engine/eval_terms.h" "$work"
printf '#include "eval_weights.h"\nint main(void) { return weights[TERM_MATERIAL] > 0 ? 0 : 1; }\n' >"$work/user.c"
judge 'the weights compile' cc -std=c17 -Wall -Wextra -Werror -o "$work/user" "$work/user.c"
judge 'a pawn is worth something' "$work/user"

# The error on what it has not seen must not grow much even from so little: the printed figures are errors.
judge 'an error for each epoch' test "$(grep -c '^epoch [1-3]: error 0[.][0-9]* on' "$work/err")" -eq 3

run wdl "$work/games"
judge 'wdl prints both polynomials' test "$(grep -cE '^static const double (half_won|spread)\[\] = \{(-?[0-9.]+, ){3}-?[0-9.]+\};$' "$work/out")" -eq 2
judge 'wdl compares with what happened' grep -q 'happened: win  draw  loss' "$work/out"

head -c 64 /dev/zero >"$work/broken"
cat "$work/games" >>"$work/broken"
run tune --out "$work/none.h" "$work/broken"
judge 'damaged data are told of' test "$status" -ne 0 -a ! -e "$work/none.h"
run tune --out "$work/none.h" "$work/missing"
judge 'a file that is not there' test "$status" -eq 1 -a ! -e "$work/none.h"
run wdl "$work/broken"
judge 'wdl: damaged data' test "$status" -eq 1
run wdl
judge 'wdl without data' test "$status" -eq 2
run generate --games 5
judge 'generate without --out' test "$status" -eq 2
run generate --out "$work/x" --games 0
judge 'no games' test "$status" -eq 2
run
judge 'no command' test "$status" -eq 2
run --help
judge 'help' printed 'Usage: luft-train COMMAND'

finish
