/* SPDX-License-Identifier: MIT */
/*
 * Opens a tablebase: finds the tables by name, keeps them in order and in a hash table by material, and loads the layout
 * of each when it is first used.
 *
 * Threads that use a table for the first time at the same time each load it; the first one to finish publishes its
 * layout, and the others free theirs. So there is no lock. A layout stays until the tablebase is freed.
 */
#ifdef __wasm__
#define LUFT_NO_FILES
#else
#define _POSIX_C_SOURCE 200809L
#endif

#include "games/tablebase_internal.h"

#include <stdlib.h>
#include <string.h>

#ifndef LUFT_NO_FILES
#include <dirent.h>
#include <sys/stat.h>
#endif

#ifdef _WIN32
#define LIST_SEPARATOR ';'
#else
#define LIST_SEPARATOR ':'
#endif

/* --- Names and material ----------------------------------------------------------- */

enum { MATERIAL_BITS = 4, SIDE_BITS = 5 * MATERIAL_BITS, SIDE_MASK = (1 << SIDE_BITS) - 1 };

uint64_t luft_tablebase_material(const luft_board *board) {
    const luft_bitboard white = board->color[LUFT_WHITE], black = board->color[LUFT_BLACK];
    const luft_bitboard sets[5] = {board->pawns, board->knights, luft_bishops(board), luft_rooks(board),
                                   luft_queens(board)};
    uint64_t material = 0;
    for (int i = 0; i < 5; i++) {
        material |= (uint64_t)luft_popcount(sets[i] & white) << MATERIAL_BITS * i;
        material |= (uint64_t)luft_popcount(sets[i] & black) << (SIDE_BITS + MATERIAL_BITS * i);
    }
    return material;
}

static uint64_t material_of_piece(int piece) {
    return 1ull << (MATERIAL_BITS * ((piece & 7) - 1) + (piece >> 3) * SIDE_BITS);
}

/* 0 unless there is one king of each side, and for numbers that are not pieces. */
uint64_t luft_tablebase_material_of(const uint8_t *pieces, int count) {
    uint64_t material = 0;
    int kings[2] = {0};
    for (int i = 0; i < count; i++) {
        const int type = pieces[i] & 7;
        if (type < LUFT_PAWN || type > LUFT_KING) {
            return 0;
        }
        kings[pieces[i] >> 3] += type == LUFT_KING;
        material += type == LUFT_KING ? 0 : material_of_piece(pieces[i]);
    }
    return kings[0] == 1 && kings[1] == 1 ? material : 0;
}

uint64_t luft_tablebase_swap_material(uint64_t material) {
    return material >> SIDE_BITS | (material & SIDE_MASK) << SIDE_BITS;
}

/* One side of a name: a king and other pieces, the strongest first. Returns its length, 0 if it is none. */
static size_t read_side(const char *name, luft_color color, uint8_t *pieces, int *count) {
    size_t length = 0;
    luft_piece_type last = LUFT_KING;
    while (name[length] >= 'B' && name[length] <= 'R') {
        const luft_piece piece = luft_piece_from_letter(name[length]);
        const luft_piece_type type = luft_piece_type_of(piece);
        const bool is_king = type == LUFT_KING;
        if (piece == LUFT_NO_PIECE || is_king != (length == 0) || type > last || *count == PIECES_MAX) {
            return 0;
        }
        pieces[(*count)++] = (uint8_t)luft_make_piece(color, type);
        last = is_king ? LUFT_QUEEN : type;
        length++;
    }
    return length;
}

/* Does the first side come first in a name? It has more pieces, or the stronger ones. */
static bool is_in_order(const uint8_t *pieces, int first, int count) {
    if (first != count - first) {
        return first > count - first;
    }
    for (int i = 0; i < first; i++) {
        const int own = pieces[i] & 7, other = pieces[first + i] & 7;
        if (own != other) {
            return own > other;
        }
    }
    return true;
}

/* Reads a name such as KQvKR.rtbw into a table. False if it is not one, as for KvKQ.rtbw. */
static bool read_name(luft_table *table, const char *name) {
    uint8_t pieces[PIECES_MAX];
    int count = 0;
    const size_t first = read_side(name, LUFT_WHITE, pieces, &count);
    const int first_count = count;
    if (first == 0 || name[first] != 'v') {
        return false;
    }
    const size_t second = read_side(name + first + 1, LUFT_BLACK, pieces, &count);
    const size_t length = first + 1 + second;
    if (second == 0 || count < 3 || !is_in_order(pieces, first_count, count)) {
        return false;
    }
    const char *suffix = name + length;
    if (strlen(suffix) != 5 || memcmp(suffix, ".rtb", 4) != 0 || (suffix[4] != 'w' && suffix[4] != 'z')) {
        return false;
    }
    memcpy(table->name, name, length);
    table->name[length] = '\0';
    table->kind = suffix[4] == 'w' ? LUFT_TABLEBASE_WDL : LUFT_TABLEBASE_DTZ;
    table->piece_count = count;
    table->material = luft_tablebase_material_of(pieces, count);
    return true;
}

/* --- The list and the hash table ------------------------------------------------------ */

/* Below 0 if `a` comes before `b`. */
static int compare_tables(const luft_table *a, const luft_table *b) {
    if (a->piece_count != b->piece_count) {
        return a->piece_count - b->piece_count;
    }
    const int names = memcmp(a->name, b->name, sizeof a->name);
    return names != 0 ? names : (int)a->kind - (int)b->kind;
}

/* The place of a table in the list, or that where it would be inserted. */
static size_t find_place(const luft_tablebase *tablebase, const luft_table *table, bool *is_there) {
    size_t low = 0, high = tablebase->count;
    *is_there = false;
    while (low < high) {
        const size_t middle = (low + high) / 2;
        const int order = compare_tables(tablebase->tables[middle], table);
        if (order == 0) {
            *is_there = true;
            return middle;
        }
        low = order < 0 ? middle + 1 : low;
        high = order < 0 ? high : middle;
    }
    return low;
}

static ending_slot *find_slot(ending_slot *slots, size_t count, uint64_t material) {
    size_t at = (size_t)((material * 0x9E3779B97F4A7C15) >> 32);
    while (slots[at & (count - 1)].material != 0 && slots[at & (count - 1)].material != material) {
        at++;
    }
    return &slots[at & (count - 1)];
}

const ending_slot *luft_tablebase_find(const luft_tablebase *tablebase, uint64_t material) {
    const ending_slot *slot =
        tablebase->slot_count ? find_slot(tablebase->slots, tablebase->slot_count, material) : NULL;
    return slot && slot->material != 0 ? slot : NULL;
}

/* Keeps at least half of the slots empty after two more endings. */
static bool reserve_slots(luft_tablebase *tablebase) {
    if (2 * (tablebase->slots_used + 2) <= tablebase->slot_count) {
        return true;
    }
    const size_t count = tablebase->slot_count ? 2 * tablebase->slot_count : 256;
    ending_slot *slots = malloc(count * sizeof *slots);
    if (!slots) {
        return false;
    }
    memset(slots, 0, count * sizeof *slots);
    for (size_t i = 0; i < tablebase->slot_count; i++) {
        if (tablebase->slots[i].material != 0) {
            *find_slot(slots, count, tablebase->slots[i].material) = tablebase->slots[i];
        }
    }
    free(tablebase->slots);
    tablebase->slots = slots;
    tablebase->slot_count = count;
    return true;
}

static void put_slot(luft_tablebase *tablebase, uint64_t material, luft_table *table, bool is_swapped) {
    ending_slot *slot = find_slot(tablebase->slots, tablebase->slot_count, material);
    tablebase->slots_used += slot->material == 0;
    slot->material = material;
    slot->table[table->kind] = table;
    slot->is_swapped = is_swapped;
}

static bool reserve_table(luft_tablebase *tablebase) {
    if (tablebase->count < tablebase->capacity) {
        return true;
    }
    const size_t capacity = tablebase->capacity ? 2 * tablebase->capacity : 64;
    luft_table **grown = realloc(tablebase->tables, capacity * sizeof(luft_table *));
    if (!grown) {
        return false;
    }
    tablebase->tables = grown;
    tablebase->capacity = capacity;
    return true;
}

/* Adds a table and owns it from then on; frees it if the tablebase has one of this name. */
static luft_error insert(luft_tablebase *tablebase, luft_table *table) {
    bool is_there;
    const size_t place = find_place(tablebase, table, &is_there);
    if (is_there) {
        free(table);
        return LUFT_OK;
    }
    if (!reserve_slots(tablebase) || !reserve_table(tablebase)) {
        free(table);
        return LUFT_ERROR_MEMORY;
    }
    memmove(tablebase->tables + place + 1, tablebase->tables + place,
            (tablebase->count - place) * sizeof(luft_table *));
    tablebase->tables[place] = table;
    tablebase->count++;
    table->number = (uint32_t)tablebase->count;
    const uint64_t swapped = luft_tablebase_swap_material(table->material);
    put_slot(tablebase, table->material, table, false);
    if (swapped != table->material) {
        put_slot(tablebase, swapped, table, true);
    }
    const bool is_sound = atomic_load_explicit(&table->fault, memory_order_relaxed) == TABLE_SOUND;
    if (is_sound && table->kind == LUFT_TABLEBASE_WDL && table->piece_count > tablebase->largest) {
        tablebase->largest = table->piece_count;
    }
    return LUFT_OK;
}

/* A table of this name with room for a path; NULL if out of memory. */
static luft_table *new_table(const luft_table *named, size_t path_size) {
    luft_table *table = malloc(sizeof *table + path_size);
    if (table) {
        *table = (luft_table){.kind = named->kind, .piece_count = named->piece_count, .material = named->material};
        memcpy(table->name, named->name, sizeof table->name);
        memset(table->path, 0, path_size);
    }
    return table;
}

/* --- Directories ----------------------------------------------------------------------- */

#ifdef LUFT_NO_FILES

static luft_error add_directory(luft_tablebase *tablebase, const char *directory, size_t length) {
    (void)tablebase, (void)directory, (void)length;
    return LUFT_ERROR_READ;
}

#else

/* A file that cannot be a table by its kind or size is added with its fault, so that it is reported. */
static luft_error add_file(luft_tablebase *tablebase, const char *directory, size_t length, const char *name) {
    luft_table named = {.name = ""};
    if (!read_name(&named, name)) {
        return LUFT_OK;
    }
    const size_t name_size = strlen(name) + 1;
    luft_table *table = new_table(&named, length + 1 + name_size);
    if (!table) {
        return LUFT_ERROR_MEMORY;
    }
    memcpy(table->path, directory, length);
    table->path[length] = '/';
    memcpy(table->path + length + 1, name, name_size);
    struct stat status;
    if (stat(table->path, &status) != 0) {
        atomic_init(&table->fault, TABLE_NOT_OPENED);
    } else if (!S_ISREG(status.st_mode)) {
        atomic_init(&table->fault, TABLE_NOT_A_FILE);
    } else {
        table->size = (uint64_t)status.st_size;
        atomic_init(&table->fault, status.st_size % 64 == CHECKSUM_SIZE ? TABLE_SOUND : TABLE_BAD_SIZE);
    }
    if (tablebase->access == LUFT_TABLEBASE_READ && !tablebase->cache) {
        tablebase->cache = luft_page_cache_create();
        if (!tablebase->cache) {
            free(table);
            return LUFT_ERROR_MEMORY;
        }
    }
    return insert(tablebase, table);
}

static luft_error add_directory(luft_tablebase *tablebase, const char *directory, size_t length) {
    char *path = malloc(length + 1);
    if (!path) {
        return LUFT_ERROR_MEMORY;
    }
    memcpy(path, directory, length);
    path[length] = '\0';
    DIR *files = opendir(path);
    luft_error error = files ? LUFT_OK : LUFT_ERROR_READ;
    const struct dirent *file;
    while (error == LUFT_OK && (file = readdir(files)) != NULL) {
        error = add_file(tablebase, path, length, file->d_name);
    }
    if (files) {
        closedir(files);
    }
    free(path);
    return error;
}

#endif

luft_error luft_tablebase_open(luft_tablebase **tablebase, const char *directories, luft_tablebase_access access) {
    if (!tablebase || (access != LUFT_TABLEBASE_READ && access != LUFT_TABLEBASE_MAP)) {
        return LUFT_ERROR_ARGUMENT;
    }
    luft_tablebase *opened = malloc(sizeof *opened);
    if (!opened) {
        return LUFT_ERROR_MEMORY;
    }
    *opened = (luft_tablebase){.access = access};
    luft_table_numbers_init(&opened->numbers);
    luft_error error = LUFT_OK;
    const char *next = directories ? directories : "";
    while (*next && error == LUFT_OK) {
        const char *end = next;
        while (*end && *end != LIST_SEPARATOR) {
            end++;
        }
        if (end > next) {
            error = add_directory(opened, next, (size_t)(end - next));
        }
        next = end + (*end != '\0');
    }
    if (error != LUFT_OK) {
        luft_tablebase_free(opened);
        return error;
    }
    *tablebase = opened;
    return LUFT_OK;
}

luft_error luft_tablebase_add(luft_tablebase *tablebase, const char *name, const void *bytes, size_t size) {
    luft_table named = {.name = ""};
    if (!tablebase || !name || !bytes || !read_name(&named, name)) {
        return LUFT_ERROR_ARGUMENT;
    }
    luft_table *table = new_table(&named, 1);
    if (!table) {
        return LUFT_ERROR_MEMORY;
    }
    table->memory = bytes;
    table->size = size;
    atomic_init(&table->fault, size % 64 == CHECKSUM_SIZE ? TABLE_SOUND : TABLE_BAD_SIZE);
    return insert(tablebase, table);
}

void luft_tablebase_free(luft_tablebase *tablebase) {
    if (tablebase) {
        for (size_t i = 0; i < tablebase->count; i++) {
            luft_table_layout_free(atomic_load_explicit(&tablebase->tables[i]->layout, memory_order_relaxed),
                                   tablebase->cache);
            free(tablebase->tables[i]);
        }
        free(tablebase->tables);
        free(tablebase->slots);
        free(tablebase->cache);
        free(tablebase);
    }
}

size_t luft_tablebase_count(const luft_tablebase *tablebase) {
    return tablebase ? tablebase->count : 0;
}

int luft_tablebase_largest(const luft_tablebase *tablebase) {
    return tablebase ? tablebase->largest : 0;
}

/* --- Use and faults ----------------------------------------------------------------------- */

static luft_error error_of(table_fault fault) {
    switch (fault) {
    case TABLE_SOUND: return LUFT_OK;
    case TABLE_NO_MEMORY: return LUFT_ERROR_MEMORY;
    case TABLE_NO_DESCRIPTOR:
    case TABLE_NOT_OPENED:
    case TABLE_NOT_A_FILE:
    case TABLE_UNREADABLE: return LUFT_ERROR_READ;
    default: return LUFT_ERROR_DAMAGED;
    }
}

static const char *reason_of(table_fault fault) {
    switch (fault) {
    case TABLE_SOUND:
    case TABLE_NO_MEMORY:
    case TABLE_NO_DESCRIPTOR: break;
    case TABLE_NOT_OPENED: return "it cannot be opened";
    case TABLE_NOT_A_FILE: return "it is not a regular file";
    case TABLE_BAD_SIZE: return "its size is not 16 more than a multiple of 64";
    case TABLE_UNREADABLE: return "it cannot be read to its end";
    case TABLE_BAD_MAGIC: return "it does not begin like a table of this kind";
    case TABLE_BAD_MATERIAL: return "it has other pieces than its name";
    case TABLE_BAD_ORDER: return "the order of its pieces is invalid";
    case TABLE_BAD_CODES: return "its sizes or codes are invalid";
    case TABLE_BAD_SYMBOLS: return "its tree of symbols is invalid";
    case TABLE_BAD_EXTENT: return "its parts do not fit into the file";
    case TABLE_BAD_DATA: return "its data is damaged";
    case TABLE_BAD_CHECKSUM: return "its checksum does not match";
    }
    return NULL;
}

luft_error luft_table_fail(luft_table *table, table_fault fault) {
    int sound = TABLE_SOUND;
    if (fault != TABLE_NO_MEMORY && fault != TABLE_NO_DESCRIPTOR) {
        atomic_compare_exchange_strong(&table->fault, &sound, (int)fault); /* the first fault stays */
    }
    return error_of(fault);
}

luft_error luft_table_use(const table_layout **layout, const luft_tablebase *tablebase, luft_table *table) {
    if (atomic_load_explicit(&table->fault, memory_order_relaxed) != TABLE_SOUND) {
        return LUFT_ERROR_MISSING;
    }
    table_layout *known = atomic_load_explicit(&table->layout, memory_order_acquire);
    if (!known) {
        table_layout *loaded = NULL;
        const table_fault fault = luft_table_layout_load(&loaded, tablebase, table);
        if (fault != TABLE_SOUND) {
            return luft_table_fail(table, fault);
        }
        if (atomic_compare_exchange_strong_explicit(&table->layout, &known, loaded, memory_order_acq_rel,
                                                    memory_order_acquire)) {
            known = loaded;
        } else {
            luft_table_layout_free(loaded, tablebase->cache);
        }
    }
    *layout = known;
    return LUFT_OK;
}

static void describe(luft_tablebase_table *description, const luft_table *table) {
    const table_fault fault = (table_fault)atomic_load_explicit(&table->fault, memory_order_relaxed);
    *description = (luft_tablebase_table){.kind = table->kind,
                                          .piece_count = table->piece_count,
                                          .size = table->size,
                                          .path = table->memory ? NULL : table->path,
                                          .error = error_of(fault),
                                          .reason = reason_of(fault)};
    memcpy(description->name, table->name, sizeof table->name);
}

luft_error luft_tablebase_get_table(luft_tablebase_table *table, const luft_tablebase *tablebase, size_t number) {
    if (!table || !tablebase || number >= tablebase->count) {
        return LUFT_ERROR_ARGUMENT;
    }
    describe(table, tablebase->tables[number]);
    return LUFT_OK;
}

luft_error luft_tablebase_check_table(const luft_tablebase *tablebase, size_t number) {
    if (!tablebase || number >= tablebase->count) {
        return LUFT_ERROR_ARGUMENT;
    }
    luft_table *table = tablebase->tables[number];
    const table_layout *layout;
    const luft_error error = luft_table_use(&layout, tablebase, table);
    return error != LUFT_ERROR_MISSING ? error : error_of((table_fault)atomic_load(&table->fault));
}

bool luft_tablebase_next_fault(luft_tablebase_table *table, const luft_tablebase *tablebase) {
    for (size_t i = 0; table && i < luft_tablebase_count(tablebase); i++) {
        luft_table *suspect = tablebase->tables[i];
        if (atomic_load_explicit(&suspect->fault, memory_order_relaxed) != TABLE_SOUND &&
            !atomic_exchange(&suspect->is_reported, true)) {
            describe(table, suspect);
            return true;
        }
    }
    return false;
}
