/* SPDX-License-Identifier: MIT */
/*
 * What the parts of the tablebase share. From the top: a tablebase has tables; a table that is in use has a layout, which is
 * its checked header; a layout has up to eight pairs, each an array of values compressed by pairing symbols. Squares are
 * numbered from A1 = 0 here, as in the format.
 *
 *     tablebase.c           opening, names, the tables and their faults
 *     tablebase_bytes.c     where bytes come from: memory, a mapping, or a file through a cache of pages
 *     tablebase_layout.c    reads and checks a header
 *     tablebase_index.c     from a position to its index in the array
 *     tablebase_value.c     from an index to its value: decompression
 *     tablebase_probe.c     from values to results: captures, en passant, root moves
 *     tablebase_sum.c       the checksum
 */
#ifndef LUFT_TABLEBASE_INTERNAL_H
#define LUFT_TABLEBASE_INTERNAL_H

#include "luft/tablebase.h"

#include <stdatomic.h>

/* Fuzzers look up codes by few bits, so that they meet long codes too and load a table faster. */
#ifdef LUFT_SMALL_WINDOW
enum { QUICK_BITS = 4 };
#else
enum { QUICK_BITS = 10 }; /* codes are looked up by so many bits: table_quick */
#endif

enum {
    PIECES_MAX = LUFT_TABLEBASE_PIECES_MAX,
    GROUPS_MAX = PIECES_MAX,
    PAWN_FILES = 4,     /* the leading pawn stands on the a- to d-file after reflection */
    CODE_LENGTHS = 32,  /* lengths of codes, in bits */
    BLOCK_MAX = 1024,   /* bytes of a compressed block */
    BLOCK_AFTER = 8,    /* bytes after a block that decoding may read, but never uses */
    CHECKSUM_SIZE = 16, /* at the end of each table */
    SYMBOL_LEAF = 0xFFF /* the right child of a symbol that is a value */
};

/* What can be wrong with a table. */
typedef enum table_fault {
    TABLE_SOUND = 0,
    TABLE_NOT_OPENED,
    TABLE_NOT_A_FILE,
    TABLE_BAD_SIZE,
    TABLE_UNREADABLE,
    TABLE_BAD_MAGIC,
    TABLE_BAD_MATERIAL,
    TABLE_BAD_ORDER,
    TABLE_BAD_CODES,
    TABLE_BAD_SYMBOLS,
    TABLE_BAD_EXTENT,
    TABLE_BAD_DATA,
    TABLE_BAD_CHECKSUM,
    TABLE_NO_MEMORY,    /* this and the next are not faults of the table: it is tried again */
    TABLE_NO_DESCRIPTOR /* the process has too many files open */
} table_fault;

/* --- Bytes ------------------------------------------------------------------ */

typedef struct table_bytes {
    const uint8_t *memory; /* all bytes: a mapping or the caller's; NULL if they are read from the descriptor */
    uint64_t size;
    int descriptor;   /* -1 without one */
    const char *path; /* of a file that is opened for each page, because too many are open; else NULL */
    bool is_mapped;
} table_bytes;

/* A cache of pages of files, shared by all threads; see tablebase_bytes.c. */
typedef struct page_cache page_cache;

/* NULL if out of memory. Freed with free(). */
page_cache *luft_page_cache_create(void);

/*
 * Maps a file if there is no cache; opens it for reading through the cache, which counts open files. The result is
 * TABLE_SOUND or the fault. The path must outlive the bytes.
 */
table_fault luft_table_bytes_open(table_bytes *bytes, page_cache *cache, const char *path);

void luft_table_bytes_close(table_bytes *bytes, page_cache *cache);

/* --- The layout of a table -------------------------------------------------- */

/* A node of the tree of symbols: a value, or a pair of symbols. */
typedef struct table_symbol {
    uint16_t left;      /* the first symbol, or the value */
    uint16_t right;     /* the second symbol, or SYMBOL_LEAF */
    uint16_t more;      /* how many values it stands for, less one */
    uint16_t left_more; /* the same of the first symbol; 0 for a value */
} table_symbol;

/*
 * What the next QUICK_BITS bits of a block begin with, in 32 bits. A group is all codes that lie completely within these
 * bits, so that decoding can skip it in one step. All are 0 if the first code is longer or leads to no symbol.
 */
typedef uint32_t table_quick;

static inline table_quick make_quick(uint32_t group_bits, uint32_t group_values, uint32_t bits, uint32_t symbol) {
    return group_bits | group_values << 4 | bits << 16 | symbol << 20;
}

static inline int quick_group_bits(table_quick quick) {
    return (int)(quick & 15);
}

static inline uint32_t quick_group_values(table_quick quick) {
    return quick >> 4 & 0xFFF; /* at most QUICK_BITS symbols of 256 values */
}

/* The length of the first code. */
static inline int quick_bits(table_quick quick) {
    return (int)(quick >> 16 & 15);
}

static inline uint32_t quick_symbol(table_quick quick) {
    return quick >> 20;
}

/* One compressed array: for a side to move, and for a file of the leading pawn. */
typedef struct table_pairs {
    /* How a position becomes an index. */
    uint8_t pieces[PIECES_MAX];     /* luft_piece, in the order in which they are encoded */
    uint8_t group_size[GROUPS_MAX]; /* pieces that are encoded together */
    uint8_t group_count;
    uint64_t factor[GROUPS_MAX]; /* of each group in the index */
    uint64_t index_count;

    /* How an index becomes a value. */
    bool is_constant; /* all values are `constant`, nothing below is used */
    uint8_t constant;
    uint8_t flags; /* of DTZ tables: table_flag */
    uint8_t span_bits;
    uint8_t min_bits;     /* the length of the shortest code */
    uint8_t length_count; /* how many lengths there are */
    uint16_t symbol_count;
    uint32_t block_size;
    uint32_t block_count;
    uint32_t length_entries;        /* blocks and padding */
    uint64_t base[CODE_LENGTHS];    /* by length: the lowest code, left-aligned in 64 bits */
    uint16_t lowest[CODE_LENGTHS];  /* by length: the symbol of that code */
    table_symbol *symbols;          /* part of the block of the layout */
    const table_quick *quick;       /* by the next QUICK_BITS bits */
    uint64_t sparse_at, lengths_at; /* offsets in the file */
    uint64_t data_at;

    /* How a value becomes a distance, if TABLE_MAPPED: by wins, losses, cursed wins, blessed losses. */
    uint64_t map_at[4];
    uint32_t map_count[4];
} table_pairs;

typedef enum table_flag {
    TABLE_BLACK = 1,      /* holds positions with Black to move */
    TABLE_MAPPED = 2,     /* values are numbers in a list of distances */
    TABLE_WIN_PLIES = 4,  /* distances of wins are plies, not moves */
    TABLE_LOSS_PLIES = 8, /* likewise those of losses */
    TABLE_WIDE = 16,      /* the list has 16 bits for each distance */
    TABLE_CONSTANT = 128  /* only one value */
} table_flag;

typedef struct table_layout {
    table_bytes bytes;
    bool has_pawns;
    bool is_symmetric; /* both sides have the same pieces */
    int file_count;    /* 4 with pawns, else 1 */
    int side_count;    /* sides to move: 2 in WDL tables of unequal sides, else 1 */
    table_pairs pairs[PAWN_FILES][2];
    table_symbol *symbols; /* of all pairs */
    table_quick *quick;    /* likewise; NULL if all pairs are constant */
} table_layout;

/* --- Tables and the tablebase ------------------------------------------------ */

typedef struct luft_table {
    _Atomic(table_layout *) layout; /* NULL until it is first needed */
    atomic_int fault;               /* a table_fault; once it is set, the table counts as missing */
    atomic_bool is_reported;
    uint32_t number; /* of the table in the tablebase's cache, from 1 */
    luft_tablebase_kind kind;
    int piece_count;
    uint64_t material; /* of the side named first as White: luft_tablebase_material */
    uint64_t size;
    const uint8_t *memory; /* NULL for a file */
    char name[LUFT_TABLEBASE_NAME_SIZE];
    char path[]; /* empty for a table in memory */
} luft_table;

/* An entry of the hash table of endings. */
typedef struct ending_slot {
    uint64_t material;    /* 0 for an empty slot */
    luft_table *table[2]; /* by kind; NULL if missing */
    bool is_swapped;      /* the tables have the colours the other way round */
} ending_slot;

/* The numbers from which indices are made; computed once for each tablebase, so that there is no global. */
typedef struct table_numbers {
    uint32_t binomial[PIECES_MAX][64]; /* [k][n]: n over k */
    uint8_t triangle[64];              /* squares a1-d1-d4: off the diagonal 0 to 5, on it 6 to 9 */
    uint8_t below[64];                 /* squares below the diagonal a1-h8: 0 to 27, and their reflections */
    uint16_t kings[10][64];            /* both kings, the first in the triangle: 0 to 461 */
    uint8_t pawn_order[64];            /* pawn squares: 47 for a2, 46 for h2, 45 for a3 … 0 for e7 */
    uint32_t lead_pawns[PIECES_MAX - 1]
                       [64]; /* [count][square of the first]: the index of the leading pawns begins here */
    uint32_t lead_pawns_size[PIECES_MAX - 1][PAWN_FILES];
} table_numbers;

struct luft_tablebase {
    luft_tablebase_access access;
    int largest;
    size_t count;
    size_t capacity;
    luft_table **tables; /* in the order of luft_tablebase_get_table */
    ending_slot *slots;  /* slot_count of them, a power of two */
    size_t slot_count;
    size_t slots_used;
    page_cache *cache; /* NULL until a file is added; only for LUFT_TABLEBASE_READ */
    table_numbers numbers;
};

/*
 * `size` bytes of a table from an offset, at most BLOCK_MAX: a pointer into its memory, or into `scratch`, which has room
 * for SCRATCH_SIZE bytes. NULL if they are not all there or reading fails.
 */
enum { SCRATCH_SIZE = BLOCK_MAX + 16 + BLOCK_AFTER };
const uint8_t *luft_table_view(const luft_tablebase *tablebase, const luft_table *table, const table_bytes *bytes,
                               uint64_t offset, size_t size, uint8_t *scratch);

/*
 * The pieces of a board as a number: four bits for each kind of piece but the kings, from white pawns in the lowest to
 * black queens. More than fifteen of a kind overflow, but tables have at most seven pieces.
 */
#define WHITE_PAWNS 0x0000000Full
#define BLACK_PAWNS 0x00F00000ull
uint64_t luft_tablebase_material(const luft_board *board);

/* The same of a list of pieces, and of the material with the colours exchanged. */
uint64_t luft_tablebase_material_of(const uint8_t *pieces, int count);
uint64_t luft_tablebase_swap_material(uint64_t material);

/* Reads and checks the header. TABLE_SOUND gives a new layout, freed with luft_table_layout_free. */
table_fault luft_table_layout_load(table_layout **layout, const luft_tablebase *tablebase, const luft_table *table);
void luft_table_layout_free(table_layout *layout, page_cache *cache);

/* The tables of a material; NULL if there are none. */
const ending_slot *luft_tablebase_find(const luft_tablebase *tablebase, uint64_t material);

/* The layout of a table, loaded if this is its first use. An error marks the table as damaged. */
luft_error luft_table_use(const table_layout **layout, const luft_tablebase *tablebase, luft_table *table);

/* Marks a table as damaged and returns the error that says so. */
luft_error luft_table_fail(luft_table *table, table_fault fault);

void luft_table_numbers_init(table_numbers *numbers);

/* Computes the factors of the groups, for the header. False if the order of the groups is not one. */
bool luft_table_compute_factors(table_pairs *pairs, const table_numbers *numbers, const int order[2], int file);

/*
 * The index of a board in the pairs. `is_swapped` exchanges the colours and reflects the ranks. `file` is the file of
 * the leading pawn, for tables with pawns: luft_table_lead_file.
 */
int luft_table_lead_file(const table_layout *layout, const table_numbers *numbers, const luft_board *board,
                         bool is_swapped);
uint64_t luft_table_index(const table_layout *layout, const table_pairs *pairs, const table_numbers *numbers,
                          const luft_board *board, bool is_swapped);

/* The value at an index. */
table_fault luft_table_value(unsigned *value, const luft_tablebase *tablebase, const luft_table *table,
                             const table_layout *layout, const table_pairs *pairs, uint64_t index);

/* The checksum of all bytes but the last 16, hashed in chunks of this size: 16 MB in tables. */
table_fault luft_table_checksum(uint64_t sum[2], const luft_tablebase *tablebase, const luft_table *table,
                                const table_bytes *bytes, uint64_t chunk_size);

/* Little-endian numbers. */
static inline uint32_t read_16(const uint8_t *bytes) {
    return (uint32_t)bytes[0] | (uint32_t)bytes[1] << 8;
}

static inline uint32_t read_32(const uint8_t *bytes) {
    return read_16(bytes) | read_16(bytes + 2) << 16;
}

#endif
