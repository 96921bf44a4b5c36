/* SPDX-License-Identifier: MIT */
/*
 * From an index to its value. The values are in blocks of equal size in bytes. The sparse index names, for every span of
 * indices, the block that has the index in the middle of the span, and its place there; from that block the list of block
 * lengths leads to the right one. The middle of the last span may lie beyond the last index: the list is padded for it.
 * A block is a sequence of codes; a code is a symbol, and a symbol stands for a value or for a pair of symbols.
 *
 * The header is checked, but the sparse index, the lengths and the blocks are not: this file checks all that it reads.
 */
#include "games/tablebase_internal.h"

#include <assert.h>

enum {
    SPARSE_BYTES = 6,
    STEPS_MAX = 65536, /* blocks between an entry of the sparse index and its block; sound tables need a few */
    LENGTHS_READ = 16  /* block lengths read at a time */
};

/* Where a value is: the block, and how many values of it come before. */
typedef struct value_place {
    uint32_t block;
    uint32_t before;
} value_place;

/* Where the bytes of a table are read from. */
typedef struct table_reader {
    const luft_tablebase *tablebase;
    const luft_table *table;
    const table_layout *layout;
    const table_pairs *pairs;
} table_reader;

/* Of a part of the file whose extent was checked with the header: memory has it. */
static const uint8_t *view(const table_reader *reader, uint64_t offset, size_t size, uint8_t *scratch) {
    const table_bytes *bytes = &reader->layout->bytes;
    if (bytes->memory) {
        assert(offset + size <= bytes->size);
        return bytes->memory + offset;
    }
    return luft_table_view(reader->tablebase, reader->table, bytes, offset, size, scratch);
}

static void prefetch(const void *address) {
#if LUFT_HAS_BUILTINS
    __builtin_prefetch(address);
#else
    (void)address;
#endif
}

/* --- The block of an index ------------------------------------------------------- */

/* The list of block lengths: all of it in memory, or a few entries of it at a time. */
typedef struct length_window {
    const uint8_t *bytes; /* NULL if nothing is read yet, or reading failed */
    uint32_t first, end;
    uint8_t scratch[LENGTHS_READ * 2 + 16];
} length_window;

/* Also asks the processor for the block that the sparse index names: most often it is the right one. */
static void start_window(length_window *window, const table_reader *reader, uint32_t block) {
    const uint8_t *memory = reader->layout->bytes.memory;
    const table_pairs *pairs = reader->pairs;
    window->bytes = memory ? memory + pairs->lengths_at : NULL;
    window->first = 0;
    window->end = memory ? pairs->length_entries : 0;
    if (memory && block < pairs->block_count) {
        prefetch(memory + pairs->data_at + (uint64_t)block * pairs->block_size);
    }
}

/* The number of values in a block; 0 if it cannot be read. The window begins at the block, or ends with it. */
static uint32_t block_length(length_window *window, const table_reader *reader, uint32_t block, bool is_backward) {
    const table_pairs *pairs = reader->pairs;
    if (!window->bytes || block < window->first || block >= window->end) {
        const uint32_t first = !is_backward ? block : block < LENGTHS_READ ? 0 : block - LENGTHS_READ + 1;
        const uint32_t left = pairs->length_entries - first;
        window->first = first;
        window->end = first + (left < LENGTHS_READ ? left : LENGTHS_READ);
        window->bytes =
            view(reader, pairs->lengths_at + 2ull * first, 2 * (size_t)(window->end - first), window->scratch);
        if (!window->bytes) {
            return 0;
        }
    }
    return read_16(window->bytes + (size_t)2 * (block - window->first)) + 1;
}

static table_fault find_block(value_place *place, const table_reader *reader, uint64_t index) {
    const table_pairs *pairs = reader->pairs;
    const int64_t span = (int64_t)1 << pairs->span_bits;
    uint8_t scratch[SPARSE_BYTES + 16];
    const uint8_t *entry =
        view(reader, pairs->sparse_at + SPARSE_BYTES * (index >> pairs->span_bits), SPARSE_BYTES, scratch);
    if (!entry) {
        return TABLE_UNREADABLE;
    }
    uint32_t block = read_32(entry);
    int64_t before = (int64_t)read_16(entry + 4) + (int64_t)(index & (uint64_t)(span - 1)) - span / 2;
    length_window window;
    start_window(&window, reader, block);
    for (int steps = 0; steps < STEPS_MAX; steps++) {
        const bool is_backward = before < 0;
        block -= is_backward;
        if (block >= pairs->length_entries) { /* before the first, too: block is unsigned */
            return TABLE_BAD_DATA;
        }
        const uint32_t length = block_length(&window, reader, block, is_backward);
        if (length == 0) {
            return TABLE_UNREADABLE;
        }
        if (is_backward) {
            before += length;
        }
        if (before >= 0 && before < length) {
            *place = (value_place){.block = block, .before = (uint32_t)before};
            return block < pairs->block_count ? TABLE_SOUND : TABLE_BAD_DATA;
        }
        if (!is_backward) {
            before -= length;
            block++;
        }
    }
    return TABLE_BAD_DATA;
}

/* --- The value in a block ----------------------------------------------------------- */

/* Follows a symbol to the value that has `before` values of the symbol before it. */
static unsigned value_of_symbol(const table_symbol *symbols, uint32_t symbol, uint32_t before) {
    table_symbol node = symbols[symbol];
    while (node.right != SYMBOL_LEAF) {
        const bool is_right = before > node.left_more;
        before -= is_right ? node.left_more + 1u : 0;
        node = symbols[is_right ? node.right : node.left];
    }
    return node.left;
}

static uint64_t read_64_big(const uint8_t *bytes) {
    uint64_t number = 0;
    for (int i = 0; i < 8; i++) { /* compilers make it one load */
        number = number << 8 | bytes[i];
    }
    return number;
}

/* A code and its symbol. */
typedef struct decoded_code {
    int bits; /* 0 if it leads to no symbol */
    uint32_t symbol;
} decoded_code;

/* The code at the top of the buffer, which has more than QUICK_BITS bits. */
static decoded_code find_long_code(const table_pairs *pairs, uint64_t buffer) {
    const int last = pairs->length_count - 1;
    int length = QUICK_BITS < pairs->min_bits ? 0 : QUICK_BITS - pairs->min_bits;
    length = length > last ? last : length;
    while (buffer < pairs->base[length]) {
        length++;
    }
    const int bits = pairs->min_bits + length;
    const uint64_t symbol = pairs->lowest[length] + ((buffer - pairs->base[length]) >> (64 - bits));
    return symbol < pairs->symbol_count ? (decoded_code){bits, (uint32_t)symbol} : (decoded_code){0, 0};
}

/*
 * The value that has `before` values of the block before it. Each step skips the codes of a group, or one code if the value
 * is in the group or the code is long. `before` decreases with each step, so that bits after the end of the block do no harm:
 * whether one was used is checked once, at the end.
 */
static table_fault decode_block(unsigned *value, const table_pairs *pairs, const uint8_t *bytes, uint32_t before) {
    const uint8_t *next = bytes, *end = bytes + pairs->block_size;
    uint64_t buffer = 0; /* the next bits of the block, the first one at the top */
    int64_t filled = 0;  /* how many of them are counted in `next`; below 0 after the end */
    for (;;) {
        if (filled < 32 && next < end) { /* codes have at most 32 bits */
            buffer |= read_64_big(next) >> filled;
            next += (63 - filled) >> 3;
            filled |= 56;
        }
        const table_quick quick = pairs->quick[buffer >> (64 - QUICK_BITS)];
        if (quick_group_values(quick) <= before && quick != 0) {
            before -= quick_group_values(quick);
            buffer <<= quick_group_bits(quick);
            filled -= quick_group_bits(quick);
            continue;
        }
        const decoded_code code =
            quick != 0 ? (decoded_code){quick_bits(quick), quick_symbol(quick)} : find_long_code(pairs, buffer);
        const uint32_t more = pairs->symbols[code.symbol].more;
        filled -= code.bits;
        if (code.bits == 0) {
            return TABLE_BAD_DATA;
        }
        if (before <= more) {
            *value = value_of_symbol(pairs->symbols, code.symbol, before);
            return 8 * (next - bytes) - filled <= 8 * (int64_t)pairs->block_size ? TABLE_SOUND : TABLE_BAD_DATA;
        }
        before -= more + 1;
        buffer <<= code.bits;
    }
}

table_fault luft_table_value(unsigned *value, const luft_tablebase *tablebase, const luft_table *table,
                             const table_layout *layout, const table_pairs *pairs, uint64_t index) {
    if (pairs->is_constant) {
        *value = pairs->constant;
        return TABLE_SOUND;
    }
    const table_reader reader = {tablebase, table, layout, pairs};
    value_place place;
    const table_fault fault = find_block(&place, &reader, index);
    if (fault != TABLE_SOUND) {
        return fault;
    }
    uint8_t scratch[SCRATCH_SIZE];
    const uint8_t *bytes = view(&reader, pairs->data_at + (uint64_t)place.block * pairs->block_size,
                                pairs->block_size + BLOCK_AFTER, scratch);
    return bytes ? decode_block(value, pairs, bytes, place.before) : TABLE_UNREADABLE;
}
