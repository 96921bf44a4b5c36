#!/bin/bash
# SPDX-License-Identifier: MIT
#
# The vector paths of the network that this processor may not have: WebAssembly SIMD is run by node and must
# give the numbers of plain C, NEON and AVX-512 are compiled. Left out where clang, wasm-ld or node are missing.
# Argument: the path of the program luft, which is not used.
# shellcheck source=tests/cli/support.sh
. "$(dirname "$0")/support.sh"

source=$(cd "$(dirname "$0")/../.." && pwd)/src

# All operations on numbers up to the largest that the network has, as one number.
cat >"$work/paths.c" <<'END'
#include "engine/nnue_vectors.h"

__attribute__((visibility("default"))) uint32_t mix(void);
uint32_t mix(void) {
    static int16_t numbers[4][256];
    uint32_t state = 1, result = 0;
    for (int round = 0; round < 100; round++) {
        for (int i = 0; i < 256; i++) {
            for (int j = 0; j < 4; j++) {
                state = state * 1664525u + 1013904223u;
                numbers[j][i] = (int16_t)(state >> 16);
            }
            numbers[3][i] = (int16_t)(numbers[3][i] % 129);
        }
        vector_sums sums = vector_no_sums();
        for (int i = 0; i < 256; i += VECTOR_LANES) {
            const vector sum = vector_add(vector_load(numbers[0] + i), vector_load(numbers[1] + i));
            const vector all = vector_sub(sum, vector_load(numbers[2] + i));
            vector_store(numbers[0] + i, all);
            sums = vector_add_products(sums, vector_clip(all, 255), vector_load(numbers[3] + i));
        }
        result = result * 31 + (uint32_t)vector_total(sums);
        for (int i = 0; i < 256; i++) {
            result = result * 31 + (uint16_t)numbers[0][i];
        }
    }
    return result;
}
END
cat >"$work/main.c" <<'END'
#include <stdio.h>
#include "paths.c"
int main(void) {
    printf("%u %s\n", mix(), NNUE_PATH);
    return 0;
}
END
cat >"$work/run.js" <<'END'
const bytes = require('fs').readFileSync(process.argv[2]);
WebAssembly.instantiate(bytes).then(({ instance }) => console.log(instance.exports.mix() >>> 0, 'wasm'));
END

cc -std=c17 -O2 -I"$source" -I"$work" -DLUFT_NNUE_SCALAR -o "$work/scalar" "$work/main.c"
expected=$("$work/scalar")
judge 'plain C' test "${expected#* }" = scalar
cc -std=c17 -O2 -march=native -I"$source" -I"$work" -o "$work/native" "$work/main.c"
found=$("$work/native")
judge "the path of this processor, ${found#* }" test "${found% *}" = "${expected% *}"

if command -v clang-19 >/dev/null && command -v wasm-ld-19 >/dev/null && command -v node >/dev/null; then
    clang-19 --target=wasm32 -fuse-ld="$(command -v wasm-ld-19)" -ffreestanding -nostdlib -msimd128 -std=c17 -O2 -Wall -Werror -I"$source" \
        -Wl,--no-entry -Wl,--export=mix -o "$work/paths.wasm" "$work/paths.c"
    judge 'WebAssembly SIMD' test "$(node "$work/run.js" "$work/paths.wasm")" = "${expected% *} wasm"
else
    skip 'WebAssembly SIMD' 'clang-19, wasm-ld-19 or node is not installed'
fi
if clang --target=aarch64-linux-gnu -ffreestanding -std=c17 -x c -c -o "$work/probe.o" /dev/null 2>/dev/null; then
    clang --target=aarch64-linux-gnu -ffreestanding -std=c17 -O2 -Wall -Werror -I"$source" -c -o "$work/neon.o" \
        "$work/paths.c"
    judge 'NEON compiles' test -s "$work/neon.o"
else
    skip 'NEON compiles' 'clang does not compile for ARM'
fi
for flags in '-march=x86-64-v4' '-march=x86-64-v4 -mavx512vnni'; do
    # shellcheck disable=SC2086 # a list
    if cc $flags -x c -c -o "$work/probe.o" /dev/null 2>/dev/null; then
        cc $flags -std=c17 -O2 -Wall -Wextra -Werror -I"$source" -I"$work" -o "$work/avx512" "$work/main.c"
        judge "AVX-512 compiles: $flags" test -x "$work/avx512"
        case "$flags $(grep -m 1 '^flags' /proc/cpuinfo)" in
        *vnni*avx512_vnni* | *v4\ *avx512bw*) judge "AVX-512: $flags" test "$("$work/avx512" | cut -d ' ' -f 1)" = "${expected% *}" ;;
        *) skip "AVX-512: $flags" 'this CPU does not have it' ;;
        esac
    else
        skip "AVX-512: $flags" 'the compiler does not know it'
    fi
done
finish
