/* SPDX-License-Identifier: MIT */
/*
 * The checksum at the end of a table: 128 bits, made as the program that writes tables does. Each chunk of 16 MB is hashed
 * to 32 bytes by CityHashCrc256 (version 1.0), and these hashes together to 16 bytes by CityHashCrc128, which is CityHash128
 * for at most 900 bytes. The arithmetic below is the definition of these hashes; CRC-32C is computed with a table, as not
 * all processors have an instruction for it.
 */
#include "games/tablebase_internal.h"

#include <stdlib.h>
#include <string.h>

#define PRIME_0 0xC3A5C85C97CB3127ull
#define PRIME_1 0xB492B66FBE98F273ull
#define PRIME_3 0xC949D7C7509E6557ull
#define PRIME_MIX 0x9DDFEA08EB382D69ull

enum {
    STEP = 40,        /* bytes of a step */
    ROUND = 6 * STEP, /* steps with alternating constants */
    LANES = 5,
    HASH_WORDS = 4,  /* of a chunk */
    SHORT_MAX = 900, /* bytes of hashes that CityHash128 combines */
    CHUNK_BITS = 24
};

static uint64_t read_64(const uint8_t *bytes) {
    return (uint64_t)read_32(bytes) | (uint64_t)read_32(bytes + 4) << 32;
}

static uint64_t rotate(uint64_t number, int count) {
    return number >> count | number << (64 - count);
}

static uint64_t fold(uint64_t number) {
    return number ^ number >> 47;
}

/* 128 bits to 64. */
static uint64_t mix(uint64_t low, uint64_t high) {
    const uint64_t first = fold((low ^ high) * PRIME_MIX);
    return fold((high ^ first) * PRIME_MIX) * PRIME_MIX;
}

/* --- CityHashCrc256 ----------------------------------------------------------------- */

/* Where the bytes of a sum come from: a part of a table, or a few bytes in memory. */
typedef struct sum_input {
    const luft_tablebase *tablebase;
    const luft_table *table;
    const table_bytes *bytes;
    uint64_t offset;
    uint64_t size;
    bool has_failed;
    uint8_t scratch[SCRATCH_SIZE];
} sum_input;

/* The next bytes of the input, at most STEP of them; zeros after an error. */
static const uint8_t *input_at(sum_input *input, uint64_t offset, size_t size) {
    static const uint8_t zeros[STEP];
    const uint8_t *bytes =
        luft_table_view(input->tablebase, input->table, input->bytes, input->offset + offset, size, input->scratch);
    input->has_failed |= !bytes;
    return bytes ? bytes : zeros;
}

typedef struct crc_state {
    uint64_t word[LANES + 1]; /* each moves one place down with a step; the first wraps around */
    uint32_t crc[LANES];
    uint32_t table[256];
} crc_state;

/* The table of CRC-32C, whose polynomial is 0x82F63B78 with the lowest bit first. */
static void init_crc(uint32_t *table) {
    for (uint32_t i = 0; i < 256; i++) {
        table[i] = i;
        for (int bit = 0; bit < 8; bit++) {
            table[i] = table[i] >> 1 ^ (table[i] & 1 ? 0x82F63B78u : 0);
        }
    }
}

static void take_step(crc_state *state, const uint8_t *bytes, bool is_plain) {
    static const uint8_t turns[LANES] = {41, 27, 41, 33, 25};
    const uint64_t factor = is_plain ? 1 : PRIME_0;
    const uint64_t first = state->word[0];
    for (int i = 0; i < LANES; i++) {
        state->word[i] = rotate(state->word[i + 1], turns[i] ^ (int)is_plain) * factor + read_64(bytes + (size_t)8 * i);
    }
    state->word[LANES] = first;
    for (int i = 0; i < LANES; i++) {
        uint32_t crc = state->crc[i];
        for (int shift = 0; shift < 64; shift += 8) {
            crc = crc >> 8 ^ state->table[(crc ^ (uint32_t)(state->word[i] >> shift)) & 255];
        }
        state->crc[i] = crc;
    }
}

/* The end of a chunk: all words and sums go into four words. */
static void finish(uint64_t hash[HASH_WORDS], crc_state *state) {
    uint64_t a = state->word[0], b = state->word[1], c = state->word[2], d = state->word[3], e = state->word[4];
    uint64_t i = state->crc[3];
    uint64_t j = state->crc[4] + (i << 32);
    const uint64_t h = state->crc[2] + ((uint64_t)state->crc[1] << 32);
    a = mix(a, j);
    b += h;
    c = mix(c, state->crc[0]) + i;
    d = mix(d, e + hash[0]);
    j += e;
    i += mix(h, state->word[LANES]);
    e = mix(a, d) + j;
    const uint64_t f = mix(b, c) + a;
    const uint64_t g = mix(j, i) + c;
    hash[0] = e + f + g + h;
    a = fold((a + g) * PRIME_0) * PRIME_0 + b;
    hash[1] += a + hash[0];
    a = fold(a * PRIME_0) * PRIME_0 + c;
    hash[2] = a + hash[1];
    a = fold((a + e) * PRIME_0) * PRIME_0;
    hash[3] = a + hash[2];
}

/* An input of at least ROUND bytes. */
static void hash_long(uint64_t hash[HASH_WORDS], sum_input *input, uint32_t seed) {
    const uint64_t size = input->size;
    crc_state state = {.crc = {seed}};
    init_crc(state.table);
    state.word[0] = read_64(input_at(input, 56, 8)) + PRIME_0;
    state.word[1] = read_64(input_at(input, 96, 8)) + PRIME_0;
    state.word[2] = hash[0] = mix(state.word[1], size);
    state.word[3] = hash[1] = read_64(input_at(input, 120, 8)) * PRIME_0 + size;
    state.word[4] = read_64(input_at(input, 184, 8)) + seed;
    state.word[5] = state.word[2] + state.word[3];
    const uint64_t rounds_end = size - size % ROUND;
    uint64_t offset = 0;
    for (; offset + STEP <= size; offset += STEP) {
        take_step(&state, input_at(input, offset, STEP), offset < rounds_end && offset / STEP % 2 == 0);
    }
    if (offset < size) {
        take_step(&state, input_at(input, size - STEP, STEP), false);
    }
    finish(hash, &state);
}

/* A shorter input is padded with zeros, and its size is the seed. */
static void hash_chunk(uint64_t hash[HASH_WORDS], sum_input *input) {
    if (input->size >= ROUND) {
        hash_long(hash, input, 0);
        return;
    }
    uint8_t padded[ROUND] = {0};
    for (uint64_t i = 0; i < input->size; i++) {
        padded[i] = *input_at(input, i, 1);
    }
    const table_bytes bytes = {.memory = padded, .size = ROUND, .descriptor = -1};
    sum_input padded_input = {.bytes = &bytes, .size = ROUND};
    hash_long(hash, &padded_input, ~(uint32_t)input->size);
}

/* --- CityHash128 ---------------------------------------------------------------------- */

typedef struct word_pair {
    uint64_t first, second;
} word_pair;

static word_pair mix_32_bytes(const uint8_t *bytes, uint64_t a, uint64_t b) {
    const uint64_t last = read_64(bytes + 24);
    a += read_64(bytes);
    b = rotate(b + a + last, 21);
    const uint64_t sum = a + read_64(bytes + 8) + read_64(bytes + 16);
    return (word_pair){sum + last, b + rotate(sum, 44) + a};
}

/* 16 to 127 bytes, a multiple of 16. */
static word_pair hash_short(const uint8_t *bytes, size_t size, word_pair seed) {
    uint64_t a = seed.first, b = seed.second, c, d;
    if (size <= 16) {
        a = fold(a * PRIME_1) * PRIME_1;
        c = read_64(bytes + size - 8);
        c = b * PRIME_1 + (mix(read_64(bytes), rotate(c + size, (int)size)) ^ c);
        d = fold(a + read_64(bytes));
    } else {
        c = mix(read_64(bytes + size - 8) + PRIME_1, a);
        d = mix(b + size, c + read_64(bytes + size - 16));
        a += d;
        for (size_t done = 16; done < size; done += 16, bytes += 16) {
            a = (a ^ fold(read_64(bytes) * PRIME_1) * PRIME_1) * PRIME_1;
            b ^= a;
            c = (c ^ fold(read_64(bytes + 8) * PRIME_1) * PRIME_1) * PRIME_1;
            d ^= c;
        }
    }
    a = mix(a, c);
    b = mix(d, b);
    return (word_pair){a ^ b, mix(b, a)};
}

/* 128 bytes and more. */
static word_pair hash_medium(const uint8_t *bytes, size_t size, word_pair seed) {
    uint64_t x = seed.first, y = seed.second, z = size * PRIME_1;
    word_pair v, w;
    v.first = rotate(y ^ PRIME_1, 49) * PRIME_1 + read_64(bytes);
    v.second = rotate(v.first, 42) * PRIME_1 + read_64(bytes + 8);
    w.first = rotate(y + z, 35) * PRIME_1 + x;
    w.second = rotate(x + read_64(bytes + 88), 53) * PRIME_1;
    for (size_t halves = size / 128 * 2; halves > 0; halves--, bytes += 64) {
        x = rotate(x + y + v.first + read_64(bytes + 8), 37) * PRIME_1 ^ w.second;
        y = rotate(y + v.second + read_64(bytes + 48), 42) * PRIME_1 + v.first + read_64(bytes + 40);
        const uint64_t turned = rotate(z + w.first, 33) * PRIME_1;
        v = mix_32_bytes(bytes, v.second * PRIME_1, x + w.first);
        w = mix_32_bytes(bytes + 32, turned + w.second, y + read_64(bytes + 16));
        z = x;
        x = turned;
    }
    x += rotate(v.first + z, 49) * PRIME_0;
    z += rotate(w.first, 37) * PRIME_0;
    const size_t rest = size % 128;
    for (size_t done = 32; done < rest + 32; done += 32) { /* from the end; the last part may overlap what is done */
        const uint8_t *part = bytes + rest - done;
        y = rotate(x + y, 42) * PRIME_0 + v.second;
        w.first += read_64(part + 16);
        x = x * PRIME_0 + w.first;
        z += w.second + read_64(part);
        w.second += v.first;
        v = mix_32_bytes(part, v.first + z, v.second);
    }
    x = mix(x, v.first);
    y = mix(y + z, w.first);
    return (word_pair){mix(x + v.second, w.second) + y, mix(x + w.second, y + v.second)};
}

/* The hashes of the chunks, as bytes: at least 32. */
static void hash_hashes(uint64_t sum[2], const uint8_t *bytes, size_t size) {
    if (size <= SHORT_MAX) {
        const word_pair seed = {read_64(bytes) ^ PRIME_3, read_64(bytes + 8)};
        const size_t rest = size - 16;
        const word_pair hash = rest < 128 ? hash_short(bytes + 16, rest, seed) : hash_medium(bytes + 16, rest, seed);
        sum[0] = hash.first;
        sum[1] = hash.second;
    } else {
        const table_bytes memory = {.memory = bytes, .size = size, .descriptor = -1};
        sum_input input = {.bytes = &memory, .size = size};
        uint64_t hash[HASH_WORDS];
        hash_chunk(hash, &input);
        sum[0] = hash[2];
        sum[1] = hash[3];
    }
}

/* --- The checksum of a table ------------------------------------------------------------ */

table_fault luft_table_checksum(uint64_t sum[2], const luft_tablebase *tablebase, const luft_table *table,
                                const table_bytes *bytes, uint64_t chunk_size) {
    const uint64_t size = bytes->size - CHECKSUM_SIZE;
    const uint64_t chunks = (size + chunk_size - 1) / chunk_size;
    uint8_t *hashes = chunks > 0 && chunks < SIZE_MAX / 32 ? malloc((size_t)chunks * 32) : NULL;
    if (!hashes) {
        return TABLE_NO_MEMORY;
    }
    table_fault fault = TABLE_SOUND;
    for (uint64_t i = 0; i < chunks && fault == TABLE_SOUND; i++) {
        const uint64_t left = size - i * chunk_size;
        sum_input input = {.tablebase = tablebase,
                           .table = table,
                           .bytes = bytes,
                           .offset = i * chunk_size,
                           .size = left < chunk_size ? left : chunk_size};
        uint64_t hash[HASH_WORDS];
        hash_chunk(hash, &input);
        fault = input.has_failed ? TABLE_UNREADABLE : TABLE_SOUND;
        for (int byte = 0; byte < 32; byte++) {
            hashes[i * 32 + (uint64_t)byte] = (uint8_t)(hash[byte / 8] >> byte % 8 * 8);
        }
    }
    if (fault == TABLE_SOUND) {
        hash_hashes(sum, hashes, (size_t)chunks * 32);
    }
    free(hashes);
    return fault;
}

luft_error luft_tablebase_check_sum(const luft_tablebase *tablebase, size_t number) {
    const luft_error error = luft_tablebase_check_table(tablebase, number);
    if (error != LUFT_OK) {
        return error;
    }
    luft_table *table = tablebase->tables[number];
    const table_layout *layout;
    const luft_error used = luft_table_use(&layout, tablebase, table);
    if (used != LUFT_OK) {
        return used;
    }
    uint64_t sum[2];
    uint8_t scratch[SCRATCH_SIZE];
    table_fault fault = luft_table_checksum(sum, tablebase, table, &layout->bytes, 1ull << CHUNK_BITS);
    if (fault == TABLE_SOUND) {
        const uint8_t *stored = luft_table_view(tablebase, table, &layout->bytes, layout->bytes.size - CHECKSUM_SIZE,
                                                CHECKSUM_SIZE, scratch);
        fault = !stored                                                      ? TABLE_UNREADABLE
                : read_64(stored) == sum[0] && read_64(stored + 8) == sum[1] ? TABLE_SOUND
                                                                             : TABLE_BAD_CHECKSUM;
    }
    return fault == TABLE_SOUND ? LUFT_OK : luft_table_fail(table, fault);
}
