/* SPDX-License-Identifier: MIT */
/*
 * Writes the table of opening names as a C source, once per build: `make_openings
 * openings.txt opening_table.c`. libluft plays every line of the text, so the table holds
 * the keys that the library computes. An error in the text ends the build and names its
 * file and line.
 *
 * The table goes to a temporary file, which replaces the old one when it is complete. An
 * interrupted build leaves no partial table.
 */
#include "games/opening_table.h"
#include "luft/notation.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LEVEL_MAX = 64, OPENING_MAX = UINT16_MAX, PATH_SIZE = 4096 };

/* A line of the text after its moves were played. */
typedef struct opening {
    uint64_t key;
    int side_to_move;
    char eco[4];
    const char *name; /* points into the text */
    size_t name_at;   /* offset in the pool of names */
    int line;
} opening;

typedef struct book {
    const char *path;
    int line; /* current line, from 1 */
    luft_position reached
        [LEVEL_MAX]; /* start position of the lines at each level: the initial position, then the ends of their parents */
    size_t level_count; /* number of elements in use */
    opening openings[OPENING_MAX];
    size_t count;
    unsigned longest; /* in plies */
} book;

/* --- Errors ---------------------------------------------------------------- */

/* Reports an error in the text. */
__attribute__((format(printf, 2, 3), noreturn)) static void fail(const book *from, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    fprintf(stderr, "%s:%d: ", from->path, from->line);
    vfprintf(stderr, format, arguments);
    fprintf(stderr, "\n");
    va_end(arguments);
    exit(1);
}

/* Reports an error of the operating system. */
__attribute__((noreturn)) static void fail_system(const char *what, const char *path) {
    fprintf(stderr, "make_openings: cannot %s %s: %s\n", what, path, strerror(errno));
    exit(1);
}

static void *allocate(size_t size) {
    void *memory = calloc(1, size);
    if (!memory) {
        fail_system("allocate", "memory");
    }
    return memory;
}

/* --- Reading --------------------------------------------------------------- */

/* Returns the whole file as a NUL-terminated text. */
static char *read_file(const char *path) {
    enum { SIZE_MAX_READ = 1 << 24 };
    FILE *file = fopen(path, "rb");
    if (!file) {
        fail_system("read", path);
    }
    char *text = allocate(SIZE_MAX_READ);
    const size_t length = fread(text, 1, SIZE_MAX_READ - 1, file);
    if (ferror(file)) {
        fail_system("read", path);
    }
    if (length == SIZE_MAX_READ - 1 || memchr(text, '\0', length)) {
        fprintf(stderr, "make_openings: %s: expected a text of less than 16 MB without NULs\n", path);
        exit(1);
    }
    fclose(file);
    return text;
}

/* Returns the next word of a line, NUL-terminated; "" at the end. Single blanks separate the words. */
static char *next_word(char **rest) {
    char *word = *rest;
    const size_t length = strcspn(word, " ");
    *rest = word + length;
    if (word[length] == ' ') {
        word[length] = '\0';
        ++*rest;
    }
    return word;
}

static bool is_eco(const char *word) {
    return strlen(word) == 3 && word[0] >= 'A' && word[0] <= 'E' && strspn(word + 1, "0123456789") == 2;
}

/*
 * Plays the moves of a line up to its ECO code and returns that. White's moves and the first move must have a
 * number.
 */
static const char *play_moves(const book *from, luft_position *position, char **rest) {
    bool first = true;
    for (;; first = false) {
        char *word = next_word(rest);
        if (is_eco(word) && !first) {
            return word;
        }
        if (first || position->side_to_move == LUFT_WHITE) {
            char number[16];
            snprintf(number, sizeof number, "%d.%s", position->fullmove_number,
                     position->side_to_move == LUFT_WHITE ? "" : "..");
            if (strcmp(word, number) != 0) {
                fail(from, "\"%s\": expected \"%s\"%s", word, number, first ? "" : " or the ECO code");
            }
            word = next_word(rest);
        }
        luft_move move;
        const luft_error error = luft_move_from_san(&move, position, word, strlen(word));
        if (error != LUFT_OK) {
            fail(from, "\"%s\": %s", word, luft_error_string(error));
        }
        luft_make(position, position, move);
    }
}

static void check_name(const book *from, const char *name) {
    const size_t length = strlen(name);
    if (length == 0) {
        fail(from, "expected a name after the ECO code");
    }
    if (name[0] == ' ' || name[length - 1] == ' ' || strstr(name, "  ")) {
        fail(from, "the name has an extra blank");
    }
    for (size_t i = 0; i < length; i++) {
        if ((unsigned char)name[i] < ' ' || name[i] == 127) {
            fail(from, "the name has a control character");
        }
    }
}

static void read_line(book *into, char *text) {
    const size_t level = strspn(text, " ");
    if (level >= into->level_count) {
        fail(into, "expected a line with one blank less above");
    }
    if (level + 1 >= LEVEL_MAX || into->count == OPENING_MAX) {
        fail(into, "the tree is too large");
    }
    luft_position position = into->reached[level];
    char *rest = text + level;
    const char *eco = play_moves(into, &position, &rest);
    check_name(into, rest);
    into->reached[level + 1] = position;
    into->level_count = level + 2;
    const unsigned plies = (position.fullmove_number - 1u) * 2 + position.side_to_move;
    into->longest = plies > into->longest ? plies : into->longest;
    opening *added = &into->openings[into->count++];
    *added =
        (opening){.key = luft_key(&position), .side_to_move = position.side_to_move, .name = rest, .line = into->line};
    memcpy(added->eco, eco, 3);
}

static void read_text(book *into, char *text) {
    while (*text != '\0') {
        char *line = text;
        text += strcspn(text, "\n");
        if (*text != '\0') {
            *text++ = '\0';
        }
        into->line++;
        if (line[0] != '\0' && line[0] != '#') {
            read_line(into, line);
        }
    }
    if (into->count == 0) {
        fail(into, "no openings");
    }
}

/* --- Ordering -------------------------------------------------------------- */

static int compare_names(const void *a, const void *b) {
    return strcmp(((const opening *)a)->name, ((const opening *)b)->name);
}

static int compare_keys(const void *a, const void *b) {
    const opening *x = a, *y = b;
    if (x->key != y->key) {
        return x->key < y->key ? -1 : 1;
    }
    return x->side_to_move != y->side_to_move ? x->side_to_move - y->side_to_move : x->line - y->line;
}

/* Gives each name its offset in the pool; equal names share one. */
static void place_names(book *from) {
    size_t end = 0;
    qsort(from->openings, from->count, sizeof from->openings[0], compare_names);
    for (size_t i = 0; i < from->count; i++) {
        opening *this = &from->openings[i];
        const bool repeats = i > 0 && strcmp(this->name, this[-1].name) == 0;
        this->name_at = repeats ? this[-1].name_at : end;
        end += repeats ? 0 : strlen(this->name) + 1;
    }
}

static void order_by_key(book *from) {
    qsort(from->openings, from->count, sizeof from->openings[0], compare_keys);
}

/* Refuses positions with two names. The openings must be sorted by key. */
static void check_positions(book *from) {
    for (size_t i = 1; i < from->count; i++) {
        const opening *this = &from->openings[i];
        if (this->key == this[-1].key && this->side_to_move == this[-1].side_to_move) {
            from->line = this->line;
            fail(from, "line %d leads to the same position", this[-1].line);
        }
    }
}

/* --- Writing --------------------------------------------------------------- */

/* Writes a name as a C string. Octal escapes have three digits, so a digit may follow. */
static void write_name(FILE *file, const char *name) {
    fputc('"', file);
    for (; *name != '\0'; name++) {
        const unsigned char byte = (unsigned char)*name;
        if (byte >= 127 || byte == '"' || byte == '\\' || byte == '?') {
            fprintf(file, "\\%03o", byte);
        } else {
            fputc(byte, file);
        }
    }
    fputs("\\0\"\n", file);
}

/* The openings must be sorted by name (place_names). */
static void write_names(FILE *file, const book *from) {
    fprintf(file, "\nconst char luft_opening_names[] =\n");
    for (size_t i = 0; i < from->count; i++) {
        if (i == 0 || from->openings[i].name_at != from->openings[i - 1].name_at) {
            write_name(file, from->openings[i].name);
        }
    }
    fprintf(file, ";\n");
}

/* The openings must be sorted by key. */
static void write_entries(FILE *file, const book *from) {
    fprintf(file, "\nconst uint16_t luft_opening_longest_line = %u;\n", from->longest);
    fprintf(file, "\nconst opening_entry luft_opening_entries[] = {\n");
    for (size_t i = 0; i < from->count; i++) {
        const opening *this = &from->openings[i];
        fprintf(file, "{0x%016llx, %zu, {'%c', '%c', '%c'}, %d},\n", (unsigned long long)this->key, this->name_at,
                this->eco[0], this->eco[1], this->eco[2], this->side_to_move);
    }
    fprintf(file, "};\n");
}

/* The openings must be sorted by key. */
static void write_index(FILE *file, const book *from) {
    uint64_t filter[OPENING_FILTER_WORDS] = {0};
    size_t next = 0;
    fprintf(file, "\nconst uint16_t luft_opening_first[OPENING_BUCKET_COUNT + 1] = {");
    for (size_t bucket = 0; bucket <= OPENING_BUCKET_COUNT; bucket++) {
        for (; next < from->count && opening_bucket(from->openings[next].key) < bucket; next++) {
            const size_t bit = opening_filter_bit(from->openings[next].key);
            filter[bit / 64] |= UINT64_C(1) << bit % 64;
        }
        fprintf(file, "%s%zu,", bucket % 16 == 0 ? "\n" : " ", next);
    }
    fprintf(file, "\n};\n\nconst uint64_t luft_opening_filter[OPENING_FILTER_WORDS] = {");
    for (size_t i = 0; i < OPENING_FILTER_WORDS; i++) {
        fprintf(file, "%s0x%016llx,", i % 6 == 0 ? "\n" : " ", (unsigned long long)filter[i]);
    }
    fprintf(file, "\n};\n");
}

static void write_table(book *from, const char *path) {
    char temporary_path[PATH_SIZE];
    const int length = snprintf(temporary_path, sizeof temporary_path, "%s.tmp", path);
    FILE *file = length > 0 && length < PATH_SIZE ? fopen(temporary_path, "w") : NULL;
    if (!file) {
        fail_system("write", path);
    }
    fprintf(file, "/* SPDX-License-Identifier: MIT */\n");
    fprintf(file, "/* Written by tools/make_openings.c during the build; do not edit. */\n");
    fprintf(file, "#include \"games/opening_table.h\"\n");
    place_names(from);
    write_names(file, from);
    order_by_key(from);
    write_entries(file, from);
    write_index(file, from);
    const bool written = fflush(file) == 0 && !ferror(file);
    if (fclose(file) != 0 || !written || rename(temporary_path, path) != 0) {
        fail_system("write", path);
    }
}

int main(int argc, char **argv) {
    if (argc != 3) {
        fprintf(stderr, "usage: make_openings OPENINGS.TXT OPENING_TABLE.C\n");
        return 2;
    }
    book *all = allocate(sizeof *all);
    char *text = read_file(argv[1]);
    all->path = argv[1];
    all->reached[0] = luft_start_position();
    all->level_count = 1;
    read_text(all, text);
    order_by_key(all);
    check_positions(all);
    write_table(all, argv[2]);
    free(text);
    free(all);
    return 0;
}
