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

static const uint8_t *view(const table_reader *reader, uint64_t offset, size_t size, uint8_t *scratch) {
    return luft_table_view(reader->tablebase, reader->table, &reader->layout->bytes, offset, size, scratch);
}

/* --- The block of an index ------------------------------------------------------- */

/* The list of block lengths, a few entries of it at a time. */
typedef struct length_window {
    const uint8_t *bytes; /* NULL if nothing is read yet, or reading failed */
    uint32_t first, end;
    uint8_t scratch[LENGTHS_READ * 2 + 16];
} length_window;

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
    length_window window = {.bytes = NULL};
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
static table_fault value_of_symbol(unsigned *value, const table_pairs *pairs, uint32_t symbol, uint32_t before) {
    const table_symbol *node = &pairs->symbols[symbol];
    while (node->right != SYMBOL_LEAF) {
        const table_symbol *left = &pairs->symbols[node->left];
        if (before <= left->more) {
            node = left;
        } else {
            before -= left->more + 1u;
            node = &pairs->symbols[node->right];
        }
    }
    *value = node->left;
    return TABLE_SOUND;
}

static uint32_t read_32_big(const uint8_t *bytes) {
    return (uint32_t)bytes[0] << 24 | (uint32_t)bytes[1] << 16 | (uint32_t)bytes[2] << 8 | bytes[3];
}

/* The same of fewer bytes, with zeros after them: the end of a block of less than four. */
static uint32_t read_tail(const uint8_t *bytes, int count) {
    uint32_t number = 0;
    for (int i = 0; i < count; i++) {
        number |= (uint32_t)bytes[i] << (24 - 8 * i);
    }
    return number;
}

/* The code at the top of the buffer; 0 if it leads to no symbol. */
static uint32_t find_long_code(const table_pairs *pairs, uint64_t buffer) {
    const int last = pairs->length_count - 1;
    int length = QUICK_BITS < pairs->min_bits ? 0 : QUICK_BITS - pairs->min_bits;
    length = length > last ? last : length;
    while (buffer < pairs->base[length]) {
        length++;
    }
    const int bits = pairs->min_bits + length;
    const uint64_t symbol = pairs->lowest[length] + ((buffer - pairs->base[length]) >> (64 - bits));
    return symbol < pairs->symbol_count ? quick_code(bits, (uint32_t)symbol, pairs->symbols[symbol].more) : 0;
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
    const uint8_t *bytes =
        view(&reader, pairs->data_at + (uint64_t)place.block * pairs->block_size, pairs->block_size, scratch);
    if (!bytes) {
        return TABLE_UNREADABLE;
    }
    const uint8_t *end = bytes + pairs->block_size;
    uint64_t buffer = 0; /* the next bits of the block, the first one at the top; zeros follow */
    int filled = 0;      /* how many it has */
    for (;;) {
        if (filled <= 32 && bytes < end) { /* codes have at most 32 bits */
            const int count = end - bytes < 4 ? (int)(end - bytes) : 4;
            const uint32_t next = count == 4 ? read_32_big(bytes) : read_tail(bytes, count);
            buffer |= (uint64_t)next << (32 - filled);
            filled += 8 * count;
            bytes += count;
        }
        uint32_t code = pairs->quick[buffer >> (64 - QUICK_BITS)];
        if (code == 0) {
            code = find_long_code(pairs, buffer);
        }
        const int bits = (int)(code & 255);
        filled -= bits;
        if (code == 0 || filled < 0) {
            return TABLE_BAD_DATA;
        }
        const uint32_t more = code >> 20;
        if (place.before <= more) {
            return value_of_symbol(value, pairs, code >> 8 & 0xFFF, place.before);
        }
        place.before -= more + 1;
        buffer <<= bits;
    }
}
