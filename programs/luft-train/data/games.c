/* SPDX-License-Identifier: MIT */
/*
 * Encodes and decodes games. A move is its index among the legal moves in ascending order of their 16 bits: an order
 * of the format, independent of the generator. One byte is enough: even fifteen queens have only 241 moves.
 */
#define _POSIX_C_SOURCE 200809L

#include "games.h"

#include "util/atomic_file.h"
#include "util/input.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
    RESULT_BITS = 3,     /* the first byte of a game: 0 to 2 for White */
    ENDING_SHIFT = 2,    /* three bits */
    HAS_LAST = 1 << 5,   /* a score without a move follows the last ply */
    OWN_START = 1 << 6,  /* a compact position, not a number, is the start */
    UNKNOWN_BIT = 1 << 7 /* must be zero */
};

/* --- Numbers ----------------------------------------------------------------- */

static bool put_bytes(buffer *out, const void *bytes, size_t count) {
    buffer_append(out, bytes, count);
    return !out->failed;
}

/* Writes seven bits a byte, the lowest first; the high bit means that more follow. */
static bool put_number(buffer *out, uint32_t number) {
    uint8_t bytes[5];
    size_t count = 0;
    while (number > 127) {
        bytes[count++] = (uint8_t)(number | 128);
        number >>= 7;
    }
    bytes[count++] = (uint8_t)number;
    return put_bytes(out, bytes, count);
}

static bool get_bytes(void *bytes, size_t count, const uint8_t **cursor, const uint8_t *end) {
    if ((size_t)(end - *cursor) < count) {
        return false;
    }
    memcpy(bytes, *cursor, count);
    *cursor += count;
    return true;
}

static bool get_number(uint32_t *number, const uint8_t **cursor, const uint8_t *end) {
    *number = 0;
    for (int shift = 0; shift < 28; shift += 7) {
        uint8_t byte;
        if (!get_bytes(&byte, 1, cursor, end)) {
            return false;
        }
        *number |= (uint32_t)(byte & 127) << shift;
        if (byte < 128) {
            return true;
        }
    }
    return false;
}

/* --- Scores ------------------------------------------------------------------ */

/* The predicted score of a ply: that of the ply before, negated. */
static int expected_score(const game_data *game, int ply) {
    return ply > game->opening ? -game->ply[ply - 1].score : 0;
}

/* Writes the difference with its sign in bit 1, and in bit 0 whether the position is kept. */
static bool put_score(buffer *out, const game_data *game, int ply) {
    const int difference = game->ply[ply].score - expected_score(game, ply);
    const uint32_t folded = difference < 0 ? (uint32_t)(-difference) * 2 - 1 : (uint32_t)difference * 2;
    return put_number(out, folded * 2 + game->ply[ply].kept);
}

static bool get_score(game_data *game, int ply, const uint8_t **cursor, const uint8_t *end) {
    uint32_t number;
    if (!get_number(&number, cursor, end)) {
        return false;
    }
    const uint32_t folded = number >> 1;
    const int difference = folded & 1 ? -(int)(folded / 2) - 1 : (int)(folded / 2);
    const int score = expected_score(game, ply) + difference;
    if (score < -GAME_SCORE_MAX || score > GAME_SCORE_MAX) {
        return false;
    }
    game->ply[ply].score = (int16_t)score;
    game->ply[ply].kept = number & 1;
    return true;
}

/* --- Moves ------------------------------------------------------------------- */

static bool put_move(buffer *out, const luft_position *position, luft_move move) {
    luft_move_list list;
    int index = 0;
    luft_generate(&list, position, LUFT_ALL_MOVES);
    for (int i = 0; i < list.count; i++) {
        index += list.moves[i] < move;
    }
    const uint8_t byte = (uint8_t)index;
    return index <= UINT8_MAX && put_bytes(out, &byte, 1);
}

/* The move at this index in ascending order; LUFT_MOVE_NONE if there is none. */
static luft_move move_at(const luft_position *position, int index) {
    luft_move_list list;
    if (luft_generate(&list, position, LUFT_ALL_MOVES) <= index) {
        return LUFT_MOVE_NONE;
    }
    for (int i = 0; i < list.count; i++) {
        int smaller = 0;
        for (int j = 0; j < list.count; j++) {
            smaller += list.moves[j] < list.moves[i];
        }
        if (smaller == index) {
            return list.moves[i];
        }
    }
    return LUFT_MOVE_NONE;
}

static bool get_move(game_data *game, int ply, const uint8_t **cursor, const uint8_t *end) {
    uint8_t index;
    if (!get_bytes(&index, 1, cursor, end)) {
        return false;
    }
    const luft_move move = move_at(&game->positions[ply], index);
    if (move == LUFT_MOVE_NONE) {
        return false;
    }
    game->ply[ply] = (game_ply){.move = move};
    luft_make(&game->positions[ply + 1], &game->positions[ply], move);
    return true;
}

/* --- Games ------------------------------------------------------------------- */

int game_kept(const game_data *game) {
    int kept = 0;
    for (int i = game->opening; i < game->plies + game->has_last; i++) {
        kept += game->ply[i].kept;
    }
    return kept;
}

static bool put_start(buffer *out, const game_data *game) {
    luft_compact compact;
    if (game->start_number >= 0) {
        const uint8_t bytes[2] = {(uint8_t)(game->start_number & 255), (uint8_t)(game->start_number >> 8)};
        return put_bytes(out, bytes, sizeof bytes);
    }
    return luft_compact_pack(&compact, &game->positions[0]) == LUFT_OK &&
           put_bytes(out, compact.bytes, sizeof compact.bytes);
}

bool game_encode(buffer *out, const game_data *game) {
    const uint8_t first = (uint8_t)(game->result | game->ending << ENDING_SHIFT | (game->has_last ? HAS_LAST : 0) |
                                    (game->start_number < 0 ? OWN_START : 0));
    bool good = put_bytes(out, &first, 1) && put_start(out, game) && put_number(out, (uint32_t)game->opening) &&
                put_number(out, (uint32_t)(game->plies - game->opening));
    for (int i = 0; good && i < game->plies; i++) {
        good = put_move(out, &game->positions[i], game->ply[i].move);
        if (i >= game->opening) {
            good = good && put_score(out, game, i);
        }
    }
    return good && (!game->has_last || put_score(out, game, game->plies));
}

static bool get_start(game_data *game, bool own, const uint8_t **cursor, const uint8_t *end) {
    luft_compact compact;
    uint8_t number[2];
    if (own) {
        game->start_number = -1;
        return get_bytes(compact.bytes, sizeof compact.bytes, cursor, end) &&
               luft_compact_unpack(&game->positions[0], &compact) == LUFT_OK;
    }
    if (!get_bytes(number, sizeof number, cursor, end)) {
        return false;
    }
    game->start_number = number[0] | number[1] << 8;
    return luft_chess960_position(&game->positions[0], game->start_number) == LUFT_OK;
}

bool game_decode(game_data *game, const uint8_t **cursor, const uint8_t *end) {
    uint8_t first;
    uint32_t opening, searched;
    if (!get_bytes(&first, 1, cursor, end) || (first & UNKNOWN_BIT) ||
        (first >> ENDING_SHIFT & 7) >= GAME_ENDING_COUNT || !get_start(game, first & OWN_START, cursor, end) ||
        !get_number(&opening, cursor, end) || !get_number(&searched, cursor, end) || opening > GAME_PLIES_MAX ||
        searched > GAME_PLIES_MAX - opening) {
        return false;
    }
    game->result = first & RESULT_BITS;
    game->ending = (game_ending)(first >> ENDING_SHIFT & 7);
    if ((game->result == RESULT_UNKNOWN) != (game->ending == GAME_DETOUR)) {
        return false;
    }
    game->has_last = first & HAS_LAST;
    game->opening = (int)opening;
    game->plies = (int)(opening + searched);
    for (int i = 0; i < game->plies; i++) {
        if (!get_move(game, i, cursor, end) || (i >= game->opening && !get_score(game, i, cursor, end))) {
            return false;
        }
    }
    game->ply[game->plies] = (game_ply){0};
    return !game->has_last || get_score(game, game->plies, cursor, end);
}

/* --- Files ------------------------------------------------------------------- */

bool game_file_write(const char *path, const file_header *header, const buffer *games) {
    uint8_t bytes[FILE_HEADER_SIZE];
    atomic_file file;
    if (!atomic_file_open(&file, path)) {
        return false;
    }
    file_header complete = *header;
    complete.data_checksum = checksum_of(games->data, games->length);
    file_header_pack(bytes, &complete);
    return atomic_file_close(&file, fwrite(bytes, 1, sizeof bytes, file.stream) == sizeof bytes &&
                                        fwrite(games->data, 1, games->length, file.stream) == games->length);
}

const char game_file_no_memory[] = "out of memory";

static const char *read_whole(game_file *file, int descriptor) {
    struct stat status;
    if (fstat(descriptor, &status) != 0) {
        return "it cannot be read";
    }
    const size_t size = (size_t)status.st_size;
    if (size < FILE_HEADER_SIZE) {
        return "it is too short";
    }
    file->bytes = malloc(size);
    if (!file->bytes) {
        return game_file_no_memory;
    }
    for (size_t done = 0; done < size;) {
        const ssize_t count = read(descriptor, file->bytes + done, size - done);
        if (count <= 0) {
            return "it cannot be read";
        }
        done += (size_t)count;
    }
    const char *reason = file_header_unpack(&file->header, file->bytes, FILE_KIND_GAMES);
    if (reason) {
        return reason;
    }
    file->cursor = file->bytes + FILE_HEADER_SIZE;
    file->end = file->bytes + size;
    file->games_left = file->header.count;
    return checksum_of(file->cursor, size - FILE_HEADER_SIZE) == file->header.data_checksum
               ? NULL
               : "it is truncated or damaged: wrong checksum";
}

bool game_file_open(game_file *file, const char *path, const char **reason) {
    *file = (game_file){0};
    const int descriptor = input_is_regular_file(path) ? open(path, O_RDONLY) : -1;
    *reason = descriptor < 0 ? "it cannot be opened, or is not a regular file" : read_whole(file, descriptor);
    if (descriptor >= 0) {
        close(descriptor);
    }
    if (*reason) {
        game_file_close(file);
    }
    return *reason == NULL;
}

void game_file_close(game_file *file) {
    free(file->bytes);
    *file = (game_file){0};
}

game_read game_file_next(game_file *file, game_data *game) {
    if (file->games_left == 0) {
        return file->cursor == file->end ? GAME_NO_MORE : GAME_DAMAGED;
    }
    file->games_left--;
    return game_decode(game, &file->cursor, file->end) ? GAME_READ : GAME_DAMAGED;
}
