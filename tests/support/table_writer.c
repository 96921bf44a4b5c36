/* SPDX-License-Identifier: MIT */
/*
 * The writer of table_writer.h. All codes have seven bits: symbols 0 to 31 are values, and each further 32 are pairs of the
 * symbols before them, so that a symbol stands for 1, 2, 4 or 8 equal values. A real table has codes of many lengths.
 */
#include "support/table_writer.h"

#include "games/tablebase_internal.h"

#include <stdlib.h>
#include <string.h>

enum { VALUES = 32, LEVELS = 4, SYMBOLS = LEVELS * VALUES, BITS = 7, BLOCK_BITS = 8, BLOCK_SIZE = 1 << BLOCK_BITS };
enum { SPAN = 10, FILES = 4, NO_VALUE = 255 };

/* A growing file. */
typedef struct output {
    uint8_t *bytes;
    size_t size, capacity;
} output;

static void put(output *out, uint64_t number, int bytes) {
    for (int i = 0; i < bytes; i++) {
        if (out->size == out->capacity) {
            out->capacity = 2 * out->capacity + 4096;
            out->bytes = realloc(out->bytes, out->capacity);
            if (!out->bytes) {
                abort();
            }
        }
        out->bytes[out->size++] = (uint8_t)(number >> 8 * i);
    }
}

static void align(output *out, size_t size) {
    while (out->size % size != 0) {
        put(out, 0, 1);
    }
}

bool to_luft_position(luft_position *position, const ending_position *ending) {
    memset(position, 0, sizeof *position);
    luft_board *board = &position->board;
    for (int i = 0; i < ending->count; i++) {
        const luft_bitboard bit = luft_bit((luft_square)ending->squares[i]);
        const luft_piece_type type = luft_piece_type_of(ending->pieces[i]);
        if (luft_occupied(board) & bit) {
            return false;
        }
        board->color[luft_piece_color(ending->pieces[i])] |= bit;
        board->pawns |= type == LUFT_PAWN ? bit : 0;
        board->knights |= type == LUFT_KNIGHT ? bit : 0;
        board->diagonal |= type == LUFT_BISHOP || type == LUFT_QUEEN ? bit : 0;
        board->orthogonal |= type == LUFT_ROOK || type == LUFT_QUEEN ? bit : 0;
        board->kings |= type == LUFT_KING ? bit : 0;
    }
    position->fullmove_number = 1;
    position->side_to_move = (uint8_t)ending->side;
    position->ep_square = LUFT_NO_SQUARE;
    return luft_position_compute_keys(position) == LUFT_OK;
}

/* The values of one array, compressed. */
typedef struct compressed {
    table_pairs pairs; /* only how a position becomes an index */
    uint8_t *values;
    bool is_constant;
    output sparse, lengths, blocks;
    uint32_t block_count;
} compressed;

static uint8_t stored_value(int value, luft_tablebase_kind kind) {
    if (kind == LUFT_TABLEBASE_WDL) {
        return (uint8_t)(value > 0 ? 4 : value < 0 ? 0 : 2);
    }
    return (uint8_t)(value == 0 ? 0 : abs(value) - 1);
}

/* Fills in the values of all legal positions with this side to move. */
static void fill_values(compressed *array, const table_layout *layout, const table_numbers *numbers,
                        ending_solver *solver, luft_piece piece, luft_color side, int file, luft_tablebase_kind kind) {
    array->values = malloc((size_t)array->pairs.index_count);
    if (!array->values) {
        abort();
    }
    memset(array->values, NO_VALUE, (size_t)array->pairs.index_count);
    for (int squares = 0; squares < 64 * 64 * 64; squares++) {
        const ending_position ending = {.count = 3,
                                        .pieces = {LUFT_WHITE_KING, LUFT_BLACK_KING, piece},
                                        .squares = {squares % 64, squares / 64 % 64, squares / 4096},
                                        .side = side};
        luft_position position;
        if (!to_luft_position(&position, &ending)) {
            continue;
        }
        const int value = ending_value(solver, &ending);
        if (value != ENDING_ILLEGAL && luft_table_lead_file(layout, numbers, &position.board, false) == file) {
            const uint64_t index = luft_table_index(layout, &array->pairs, numbers, &position.board, false);
            array->values[index] = stored_value(value, kind);
        }
    }
}

/* Indices without a legal position get the value before them, which compresses best. */
static void fill_gaps(compressed *array) {
    const uint64_t count = array->pairs.index_count;
    uint64_t first = 0;
    while (first < count - 1 && array->values[first] == NO_VALUE) {
        first++;
    }
    uint8_t last = array->values[first];
    array->is_constant = true;
    for (uint64_t i = 0; i < count; i++) {
        array->values[i] = array->values[i] == NO_VALUE ? last : array->values[i];
        last = array->values[i];
        array->is_constant &= last == array->values[0];
    }
}

/* Cuts the values into symbols and blocks, and indexes the blocks. */
static void compress(compressed *array) {
    const uint64_t count = array->pairs.index_count;
    uint64_t first = 0, next = 0, entries = 0;
    while (next < count) {
        uint8_t block[BLOCK_SIZE] = {0};
        first = next;
        for (int bit = 0; bit + BITS <= BLOCK_SIZE * 8 && next < count; bit += BITS) {
            const uint8_t value = array->values[next];
            uint64_t run = 1;
            while (run < 1u << (LEVELS - 1) && next + run < count && array->values[next + run] == value) {
                run++;
            }
            const int level = run >= 8 ? 3 : run >= 4 ? 2 : run >= 2 ? 1 : 0;
            const int code = level * VALUES + value;
            next += 1u << level;
            for (int i = 0; i < BITS; i++) {
                block[(bit + i) / 8] |= (uint8_t)((code >> (BITS - 1 - i) & 1) << (7 - (bit + i) % 8));
            }
        }
        for (int i = 0; i < BLOCK_SIZE; i++) {
            put(&array->blocks, block[i], 1);
        }
        put(&array->lengths, next - first - 1, 2);
        /* The middle of the last span may lie beyond the end: its entry names the last block, and more than it has. */
        for (uint64_t middle;
             (middle = (entries << SPAN) + (1u << (SPAN - 1))) < next || (next == count && (entries << SPAN) < count);
             entries++) {
            put(&array->sparse, array->block_count, 4);
            put(&array->sparse, middle - first, 2);
        }
        array->block_count++;
    }
}

static void put_header(output *out, const compressed *array, luft_tablebase_kind kind, luft_color side) {
    const int plies = TABLE_WIN_PLIES | TABLE_LOSS_PLIES;
    if (array->is_constant) {
        put(out, TABLE_CONSTANT, 1);
        put(out, kind == LUFT_TABLEBASE_WDL ? array->values[0] : 0, 1);
        return;
    }
    put(out, kind == LUFT_TABLEBASE_DTZ ? (uint64_t)(plies | (side == LUFT_BLACK ? TABLE_BLACK : 0)) : 0, 1);
    put(out, BLOCK_BITS, 1);
    put(out, SPAN, 1);
    put(out, 1, 1); /* padding of the lengths */
    put(out, array->block_count, 4);
    put(out, BITS, 1);
    put(out, BITS, 1);
    put(out, 0, 2); /* the lowest symbol */
    put(out, SYMBOLS, 2);
    for (unsigned i = 0; i < VALUES; i++) {
        put(out, i | (unsigned)SYMBOL_LEAF << 12, 3);
    }
    for (unsigned i = 0; i < SYMBOLS - VALUES; i++) {
        put(out, i | i << 12, 3);
    }
}

static void append(output *out, output *part) {
    for (size_t i = 0; i < part->size; i++) {
        put(out, part->bytes[i], 1);
    }
    free(part->bytes);
}

static void set_up_pairs(table_pairs *pairs, const table_numbers *numbers, luft_piece_type piece, int file) {
    const bool has_pawns = piece == LUFT_PAWN;
    const uint8_t pieces[3] = {has_pawns ? LUFT_WHITE_PAWN : LUFT_WHITE_KING,
                               has_pawns ? LUFT_WHITE_KING : LUFT_BLACK_KING,
                               has_pawns ? LUFT_BLACK_KING : (uint8_t)luft_make_piece(LUFT_WHITE, piece)};
    memcpy(pairs->pieces, pieces, sizeof pieces);
    pairs->group_count = has_pawns ? 3 : 1;
    memset(pairs->group_size, has_pawns ? 1 : 3, pairs->group_count);
    if (!luft_table_compute_factors(pairs, numbers, (const int[2]){0, -1}, file)) {
        abort();
    }
}

written_table write_table(ending_solver *solver, luft_piece_type piece, luft_tablebase_kind kind) {
    table_numbers numbers;
    luft_table_numbers_init(&numbers);
    table_layout layout = {.has_pawns = piece == LUFT_PAWN};
    compressed arrays[FILES][2] = {0};
    const int files = layout.has_pawns ? FILES : 1, sides = kind == LUFT_TABLEBASE_WDL ? 2 : 1;
    output out = {0};
    put(&out, kind == LUFT_TABLEBASE_WDL ? 0x5D23E871 : 0xA50C66D7, 4);
    put(&out, (uint64_t)(3 << 4 | layout.has_pawns << 1 | 1), 1);
    for (int file = 0; file < files; file++) {
        for (int side = 0; side < sides; side++) {
            set_up_pairs(&arrays[file][side].pairs, &numbers, piece, file);
        }
        layout.pairs[file][0] = arrays[file][0].pairs;
        put(&out, 0, 1);
        for (int i = 0; i < 3; i++) {
            const unsigned code = arrays[file][0].pairs.pieces[i];
            put(&out, code | (sides == 2 ? code << 4 : 0), 1);
        }
    }
    align(&out, 2);
    for (int file = 0; file < files; file++) {
        for (int side = 0; side < sides; side++) {
            compressed *array = &arrays[file][side];
            fill_values(array, &layout, &numbers, solver, luft_make_piece(LUFT_WHITE, piece), (luft_color)side, file,
                        kind);
            fill_gaps(array);
            if (!array->is_constant) {
                compress(array);
                put(&array->lengths, 0xFFFF, 2);
            }
            put_header(&out, array, kind, (luft_color)side);
            free(array->values);
        }
    }
    const size_t header_size = out.size;
    for (int part = 0; part < 3; part++) {
        for (int file = 0; file < files; file++) {
            for (int side = 0; side < sides; side++) {
                compressed *array = &arrays[file][side];
                if (part == 2 && !array->is_constant) {
                    align(&out, 64);
                }
                append(&out, part == 0 ? &array->sparse : part == 1 ? &array->lengths : &array->blocks);
            }
        }
    }
    align(&out, 64);
    put(&out, 0, 8);
    put(&out, 0, 8);
    const table_bytes bytes = {.memory = out.bytes, .size = out.size, .descriptor = -1};
    uint64_t sum[2];
    if (luft_table_checksum(sum, NULL, NULL, &bytes, 1u << 24) != TABLE_SOUND) {
        abort();
    }
    out.size -= CHECKSUM_SIZE;
    put(&out, sum[0], 8);
    put(&out, sum[1], 8);
    return (written_table){out.bytes, out.size, header_size};
}

void name_written_table(char name[16], luft_piece_type piece, luft_tablebase_kind kind) {
    memcpy(name, "K?vK.rtb?", 10);
    name[1] = luft_piece_letter(luft_make_piece(LUFT_WHITE, piece));
    name[8] = kind == LUFT_TABLEBASE_WDL ? 'w' : 'z';
}
