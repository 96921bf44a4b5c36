/* SPDX-License-Identifier: MIT */
/*
 * Reads and checks the header of a table. What is checked here need not be checked while probing: the pieces are those
 * of the ending, codes and symbols lead to values, all parts lie within the file. Numbers are little-endian.
 *
 *     4 bytes   magic
 *     1         pieces (bits 4-7), pawns (bit 1), two sides (bit 0)
 *     for each file of the leading pawn: the places of the leading groups, then the pieces; for two sides, the
 *               second in the upper four bits of each byte
 *     padding to an even offset
 *     for each file and side: flags, sizes, code lengths and symbols of the pairs
 *     for DTZ: lists of distances, then padding to an even offset
 *     for each file and side: the sparse index, 6 bytes an entry
 *     for each file and side: the number of values in each block, less one, 2 bytes each
 *     for each file and side: the blocks, from a multiple of 64 bytes
 *     16 bytes  checksum
 */
#include "games/tablebase_internal.h"

#include <stdlib.h>
#include <string.h>

enum { MAGIC_SIZE = 4, PAIRS_HEADER = 10, SYMBOL_BYTES = 3, SPARSE_BYTES = 6, BITS_MAX = 32, SPAN_BITS_MAX = 31 };

static const uint8_t magics[2][MAGIC_SIZE] = {{0x71, 0xE8, 0x23, 0x5D}, {0xD7, 0x66, 0x0C, 0xA5}}; /* by kind */

/* A header that is being read. */
typedef struct header_reader {
    const luft_tablebase *tablebase;
    const luft_table *table;
    table_layout *layout;
    uint64_t offset;   /* of the next byte */
    table_fault fault; /* the first one; reading continues with zeros */
    uint32_t symbol_capacity;
    uint32_t symbol_count; /* of all pairs so far */
    uint8_t scratch[SCRATCH_SIZE];
} header_reader;

static void fail(header_reader *reader, table_fault fault) {
    if (reader->fault == TABLE_SOUND) {
        reader->fault = fault;
    }
}

/* The next bytes, at most 16; zeros after a fault. */
static const uint8_t *next_bytes(header_reader *reader, size_t size) {
    static const uint8_t zeros[16];
    const table_bytes *bytes = &reader->layout->bytes;
    if (reader->fault == TABLE_SOUND) {
        if (reader->offset > bytes->size - CHECKSUM_SIZE || size > bytes->size - CHECKSUM_SIZE - reader->offset) {
            fail(reader, TABLE_BAD_EXTENT);
        } else {
            const uint8_t *view =
                luft_table_view(reader->tablebase, reader->table, bytes, reader->offset, size, reader->scratch);
            reader->offset += size;
            if (view) {
                return view;
            }
            fail(reader, TABLE_UNREADABLE);
        }
    }
    return zeros;
}

/* --- The ending --------------------------------------------------------------- */

static bool has_pawns(uint64_t material) {
    return (material & (WHITE_PAWNS | BLACK_PAWNS)) != 0;
}

static bool both_have_pawns(uint64_t material) {
    return (material & WHITE_PAWNS) != 0 && (material & BLACK_PAWNS) != 0;
}

/* Cuts the pieces into groups. False if equal pieces do not stand together, or the first ones cannot lead. */
static bool make_groups(table_pairs *pairs, int piece_count, uint64_t material) {
    int counts[16] = {0}, singles = 0;
    for (int i = 0; i < piece_count; i++) {
        counts[pairs->pieces[i]]++;
    }
    for (int i = 0; i < 16; i++) {
        singles += counts[i] == 1;
    }
    int piece = 0;
    if (!has_pawns(material)) {
        piece = singles > 2 ? 3 : 2;
        for (int i = 0; i < piece; i++) {
            const bool is_king = (pairs->pieces[i] & 7) == LUFT_KING;
            if (counts[pairs->pieces[i]] != 1 || (piece == 2 && !is_king)) {
                return false;
            }
        }
        pairs->group_size[pairs->group_count++] = (uint8_t)piece;
    }
    while (piece < piece_count) {
        int end = piece;
        while (end < piece_count && pairs->pieces[end] == pairs->pieces[piece]) {
            end++;
        }
        if (end - piece != counts[pairs->pieces[piece]]) {
            return false;
        }
        pairs->group_size[pairs->group_count++] = (uint8_t)(end - piece);
        piece = end;
    }
    return true;
}

/* With pawns, those of one side come first, the same side in all pairs, and those of the other second. */
static bool pawns_lead(const table_pairs *pairs, const table_pairs *first, uint64_t material) {
    const int leading = pairs->pieces[0], second = pairs->pieces[pairs->group_size[0]];
    return !has_pawns(material) || ((leading & 7) == LUFT_PAWN && leading == first->pieces[0] &&
                                    (!both_have_pawns(material) || (second & 7) == LUFT_PAWN));
}

/* The pieces of one file, for each side to move. */
static void read_pieces(header_reader *reader, int file) {
    table_layout *layout = reader->layout;
    const luft_table *table = reader->table;
    const bool two_leading = both_have_pawns(table->material);
    uint8_t orders[2] = {0}, pieces[PIECES_MAX];
    memcpy(orders, next_bytes(reader, two_leading ? 2 : 1), two_leading ? 2 : 1);
    memcpy(pieces, next_bytes(reader, (size_t)table->piece_count), (size_t)table->piece_count);
    for (int side = 0; side < layout->side_count; side++) {
        table_pairs *pairs = &layout->pairs[file][side];
        const int shift = 4 * side;
        for (int i = 0; i < table->piece_count; i++) {
            pairs->pieces[i] = pieces[i] >> shift & 15;
        }
        if (luft_tablebase_material_of(pairs->pieces, table->piece_count) != table->material) {
            fail(reader, TABLE_BAD_MATERIAL);
            return;
        }
        const int order[2] = {orders[0] >> shift & 15, two_leading ? orders[1] >> shift & 15 : -1};
        if (!make_groups(pairs, table->piece_count, table->material) ||
            !pawns_lead(pairs, &layout->pairs[0][0], table->material) ||
            !luft_table_compute_factors(pairs, &reader->tablebase->numbers, order, file)) {
            fail(reader, TABLE_BAD_ORDER);
            return;
        }
    }
}

/* --- Codes and symbols ----------------------------------------------------------- */

/*
 * Codes are canonical: of codes of one length, the following number is the following symbol, and shorter codes are
 * larger numbers. The file has the lowest symbol of each length; the lowest code follows from that of the next length.
 */
static void read_codes(header_reader *reader, table_pairs *pairs, int max_bits) {
    const int count = max_bits - pairs->min_bits + 1;
    pairs->length_count = (uint8_t)count;
    for (int i = 0; i < count; i++) {
        pairs->lowest[i] = (uint16_t)read_16(next_bytes(reader, 2));
    }
    pairs->base[count - 1] = 0;
    for (int i = count - 2; i >= 0; i--) {
        const uint64_t sum = pairs->base[i + 1] + pairs->lowest[i];
        if (sum < pairs->lowest[i + 1]) {
            fail(reader, TABLE_BAD_CODES);
            return;
        }
        pairs->base[i] = (sum - pairs->lowest[i + 1]) / 2;
        if (pairs->base[i] * 2 < pairs->base[i + 1] || pairs->base[i] >> (pairs->min_bits + i) != 0) {
            fail(reader, TABLE_BAD_CODES);
            return;
        }
    }
    for (int i = 0; i < count; i++) {
        pairs->base[i] <<= 64 - (pairs->min_bits + i);
    }
}

/* Room for the symbols of one more pair. The pointers to earlier ones are set when all are there. */
static table_symbol *add_symbols(header_reader *reader, uint32_t count) {
    if (reader->symbol_count + count > reader->symbol_capacity) {
        const uint32_t capacity = 2 * reader->symbol_capacity + count;
        table_symbol *grown = realloc(reader->layout->symbols, capacity * sizeof *grown);
        if (!grown) {
            fail(reader, TABLE_NO_MEMORY);
            return NULL;
        }
        reader->layout->symbols = grown;
        reader->symbol_capacity = capacity;
    }
    reader->symbol_count += count;
    return reader->layout->symbols + reader->symbol_count - count;
}

enum { SYMBOL_UNKNOWN = 0xFFFF, SYMBOL_OPEN = 0xFFFE, SYMBOL_MORE_MAX = 255 };

/*
 * Counts the values of a symbol and of all that it consists of. Children can have any number, so this descends with a
 * stack of open symbols. A symbol that is reached while it is open contains itself.
 */
static bool count_values(table_symbol *symbols, uint32_t count, uint16_t root) {
    uint16_t stack[SYMBOL_LEAF + 1];
    int depth = 0;
    stack[depth++] = root;
    while (depth > 0) {
        table_symbol *symbol = &symbols[stack[depth - 1]];
        if (symbol->right == SYMBOL_LEAF) {
            symbol->more = symbol->left_more = 0;
            depth--;
            continue;
        }
        if (symbol->left >= count || symbol->right >= count) {
            return false;
        }
        const uint16_t left = symbols[symbol->left].more, right = symbols[symbol->right].more;
        symbol->more = SYMBOL_OPEN;
        if (left >= SYMBOL_OPEN || right >= SYMBOL_OPEN) {
            const uint16_t child = left >= SYMBOL_OPEN ? symbol->left : symbol->right;
            if (symbols[child].more == SYMBOL_OPEN) {
                return false;
            }
            stack[depth++] = child;
            continue;
        }
        if (left + right + 1 > SYMBOL_MORE_MAX) {
            return false;
        }
        symbol->more = (uint16_t)(left + right + 1);
        symbol->left_more = left;
        depth--;
    }
    return true;
}

static void read_symbols(header_reader *reader, table_pairs *pairs) {
    const uint32_t count = read_16(next_bytes(reader, 2));
    if (count == 0 || count > SYMBOL_LEAF) {
        fail(reader, TABLE_BAD_SYMBOLS);
        return;
    }
    table_symbol *symbols = add_symbols(reader, count);
    if (!symbols) {
        return;
    }
    pairs->symbol_count = (uint16_t)count;
    for (uint32_t i = 0; i < count; i++) {
        const uint8_t *bytes = next_bytes(reader, SYMBOL_BYTES);
        symbols[i].left = (uint16_t)(bytes[0] | (bytes[1] & 15) << 8);
        symbols[i].right = (uint16_t)(bytes[1] >> 4 | bytes[2] << 4);
        symbols[i].more = SYMBOL_UNKNOWN;
    }
    next_bytes(reader, count % 2); /* padding */
    for (uint32_t i = 0; i < count && reader->fault == TABLE_SOUND; i++) {
        if (symbols[i].more == SYMBOL_UNKNOWN && !count_values(symbols, count, (uint16_t)i)) {
            fail(reader, TABLE_BAD_SYMBOLS);
        }
    }
}

static void read_pairs(header_reader *reader, table_pairs *pairs) {
    const uint8_t *start = next_bytes(reader, 2);
    const uint8_t flags = start[0], second = start[1];
    pairs->flags = flags;
    if (flags & TABLE_CONSTANT) {
        pairs->is_constant = true;
        pairs->constant = reader->table->kind == LUFT_TABLEBASE_WDL ? second : 0;
        return;
    }
    const uint8_t *bytes = next_bytes(reader, PAIRS_HEADER - 2);
    const int span_bits = bytes[0], padding = bytes[1], max_bits = bytes[6], min_bits = bytes[7];
    const uint32_t block_count = read_32(bytes + 2);
    if (second > 10 || span_bits > SPAN_BITS_MAX || block_count == 0 || block_count > UINT32_MAX - 255 ||
        min_bits == 0 || max_bits < min_bits || max_bits > BITS_MAX) {
        fail(reader, TABLE_BAD_CODES);
        return;
    }
    pairs->block_size = 1u << second;
    pairs->span_bits = (uint8_t)span_bits;
    pairs->block_count = block_count;
    pairs->length_entries = block_count + (uint32_t)padding;
    pairs->min_bits = (uint8_t)min_bits;
    read_codes(reader, pairs, max_bits);
    read_symbols(reader, pairs);
}

/* --- Distances and extents ------------------------------------------------------- */

/* Four lists: a count, then as many distances. */
static void read_map(header_reader *reader, table_pairs *pairs) {
    const bool is_wide = (pairs->flags & TABLE_WIDE) != 0;
    const size_t width = is_wide ? 2 : 1;
    if (is_wide) {
        reader->offset += reader->offset % 2;
    }
    for (int i = 0; i < 4; i++) {
        const uint8_t *bytes = next_bytes(reader, width);
        pairs->map_count[i] = is_wide ? read_16(bytes) : bytes[0];
        pairs->map_at[i] = reader->offset;
        reader->offset += pairs->map_count[i] * width;
        if (reader->offset > reader->layout->bytes.size) {
            fail(reader, TABLE_BAD_EXTENT);
        }
    }
}

/* Adds a part of the file. All sizes are below 2^40, so that sums do not overflow. */
static uint64_t add_extent(header_reader *reader, uint64_t count, uint64_t size) {
    const uint64_t start = reader->offset;
    const uint64_t end = reader->layout->bytes.size - CHECKSUM_SIZE;
    if (start > end || count > (end - start) / size) {
        fail(reader, TABLE_BAD_EXTENT);
        return 0;
    }
    reader->offset += count * size;
    return start;
}

typedef void (*pairs_visitor)(header_reader *reader, table_pairs *pairs);

static void for_all_pairs(header_reader *reader, pairs_visitor visit) {
    for (int file = 0; file < reader->layout->file_count && reader->fault == TABLE_SOUND; file++) {
        for (int side = 0; side < reader->layout->side_count && reader->fault == TABLE_SOUND; side++) {
            visit(reader, &reader->layout->pairs[file][side]);
        }
    }
}

static void read_map_of(header_reader *reader, table_pairs *pairs) {
    if (pairs->flags & TABLE_MAPPED) {
        read_map(reader, pairs);
    }
}

static void place_sparse(header_reader *reader, table_pairs *pairs) {
    if (!pairs->is_constant) {
        const uint64_t span = 1ull << pairs->span_bits;
        pairs->sparse_at = add_extent(reader, (pairs->index_count + span - 1) / span, SPARSE_BYTES);
    }
}

static void place_lengths(header_reader *reader, table_pairs *pairs) {
    if (!pairs->is_constant) {
        pairs->lengths_at = add_extent(reader, pairs->length_entries, 2);
    }
}

static void place_data(header_reader *reader, table_pairs *pairs) {
    if (!pairs->is_constant) {
        reader->offset = (reader->offset + 63) & ~63ull;
        pairs->data_at = add_extent(reader, pairs->block_count, pairs->block_size);
    }
}

/* --- The header -------------------------------------------------------------------- */

static void read_header(header_reader *reader) {
    table_layout *layout = reader->layout;
    const luft_table *table = reader->table;
    const uint8_t *start = next_bytes(reader, MAGIC_SIZE + 1);
    if (memcmp(start, magics[table->kind], MAGIC_SIZE) != 0) {
        fail(reader, TABLE_BAD_MAGIC);
        return;
    }
    layout->has_pawns = has_pawns(table->material);
    layout->is_symmetric = luft_tablebase_swap_material(table->material) == table->material;
    if (start[MAGIC_SIZE] != (table->piece_count << 4 | layout->has_pawns << 1 | !layout->is_symmetric)) {
        fail(reader, TABLE_BAD_MATERIAL);
        return;
    }
    layout->file_count = layout->has_pawns ? PAWN_FILES : 1;
    layout->side_count = table->kind == LUFT_TABLEBASE_WDL && !layout->is_symmetric ? 2 : 1;
    for (int file = 0; file < layout->file_count && reader->fault == TABLE_SOUND; file++) {
        read_pieces(reader, file);
    }
    next_bytes(reader, reader->offset % 2);
    for_all_pairs(reader, read_pairs);
    if (table->kind == LUFT_TABLEBASE_DTZ) {
        for_all_pairs(reader, read_map_of);
        next_bytes(reader, reader->offset % 2);
    }
    for_all_pairs(reader, place_sparse);
    for_all_pairs(reader, place_lengths);
    for_all_pairs(reader, place_data);
}

/*
 * The first code of each prefix, without its group. The prefixes ascend, so their codes get shorter. A code that leads to no
 * symbol stays 0: decoding finds the fault.
 */
static void fill_first_codes(const table_pairs *pairs, table_quick *quick) {
    int length = pairs->length_count - 1;
    for (uint32_t prefix = 0; prefix < 1u << QUICK_BITS; prefix++) {
        const uint64_t code = (uint64_t)prefix << (64 - QUICK_BITS);
        while (length > 0 && code >= pairs->base[length - 1]) {
            length--;
        }
        const int bits = pairs->min_bits + length;
        const uint64_t symbol = pairs->lowest[length] + ((code - pairs->base[length]) >> (64 - bits));
        quick[prefix] =
            bits <= QUICK_BITS && symbol < pairs->symbol_count ? make_quick(0, 0, (uint32_t)bits, (uint32_t)symbol) : 0;
    }
}

static void fill_quick(const table_pairs *pairs, table_quick *quick) {
    enum { MASK = (1 << QUICK_BITS) - 1 };
    fill_first_codes(pairs, quick);
    for (uint32_t prefix = 0; prefix <= MASK; prefix++) {
        uint32_t values = 0;
        int used = 0;
        for (;;) {
            const table_quick next = quick[prefix << used & MASK];
            if (next == 0 || used + quick_bits(next) > QUICK_BITS) {
                break;
            }
            values += pairs->symbols[quick_symbol(next)].more + 1u;
            used += quick_bits(next);
        }
        quick[prefix] |= make_quick((uint32_t)used, values, 0, 0);
    }
}

/* Now that the block of symbols no longer grows. False if out of memory. */
static bool set_symbols(table_layout *layout) {
    table_symbol *next = layout->symbols;
    const size_t count = (size_t)(layout->file_count * layout->side_count);
    table_quick *quick = next ? malloc((count << QUICK_BITS) * sizeof *quick) : NULL;
    if (next && !quick) {
        return false;
    }
    layout->quick = quick;
    for (int file = 0; file < layout->file_count; file++) {
        for (int side = 0; side < layout->side_count; side++) {
            table_pairs *pairs = &layout->pairs[file][side];
            if (!pairs->is_constant) {
                pairs->symbols = next;
                next += pairs->symbol_count;
                fill_quick(pairs, quick);
                pairs->quick = quick;
                quick += 1u << QUICK_BITS;
            }
        }
    }
    return true;
}

table_fault luft_table_layout_load(table_layout **layout, const luft_tablebase *tablebase, const luft_table *table) {
    table_layout *loaded = malloc(sizeof *loaded);
    if (!loaded) {
        return TABLE_NO_MEMORY;
    }
    memset(loaded, 0, sizeof *loaded);
    loaded->bytes = (table_bytes){.memory = table->memory, .size = table->size, .descriptor = -1};
    header_reader reader = {.tablebase = tablebase, .table = table, .layout = loaded};
    if (!table->memory) {
        reader.fault = luft_table_bytes_open(&loaded->bytes, tablebase->cache, table->path);
    } else if (table->size % 64 != CHECKSUM_SIZE) {
        reader.fault = TABLE_BAD_SIZE;
    }
    if (reader.fault == TABLE_SOUND) {
        read_header(&reader);
    }
    if (reader.fault == TABLE_SOUND && !set_symbols(loaded)) {
        reader.fault = TABLE_NO_MEMORY;
    }
    if (reader.fault != TABLE_SOUND) {
        luft_table_layout_free(loaded, tablebase->cache);
        return reader.fault;
    }
    *layout = loaded;
    return TABLE_SOUND;
}

void luft_table_layout_free(table_layout *layout, page_cache *cache) {
    if (layout) {
        luft_table_bytes_close(&layout->bytes, cache);
        free(layout->symbols);
        free(layout->quick);
        free(layout);
    }
}
