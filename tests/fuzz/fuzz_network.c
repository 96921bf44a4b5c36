/* SPDX-License-Identifier: MIT */
/*
 * Fuzz target: arbitrary bytes as the file of a network. As they stand they are hardly ever one, so they are tried a
 * second time: the first 64 are the header, what follows is repeated as far as a file of that size goes, and the
 * checksum is made to fit. A network that loads is saved as the same bytes, evaluates any
 * position within bounds, and incremental evaluations equal those from scratch.
 */
#include "decode.h"

#include "engine/nnue.h"
#include "engine/score.h"

#include <stdlib.h>
#include <string.h>

enum { HEADER_SIZE = 64, CHECKSUM_AT = 56, TEXT_AT = 12, HIDDEN_AT = 20, BUCKETS_AT = 24 };

static uint32_t get(const uint8_t *bytes) {
    return bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 | (uint32_t)bytes[3] << 24;
}

/* FNV-1a of all but the eight bytes of the checksum itself, as docs/network.md says. */
static void put_checksum(uint8_t *bytes, size_t length) {
    uint64_t hash = 0xcbf29ce484222325u;
    for (size_t i = 0; i < length; i++) {
        if (i < CHECKSUM_AT || i >= HEADER_SIZE) {
            hash = (hash ^ bytes[i]) * 0x100000001b3u;
        }
    }
    for (int i = 0; i < 8; i++) {
        bytes[CHECKSUM_AT + i] = (uint8_t)(hash >> 8 * i);
    }
}

static int bounded(const luft_position *position, int score) {
    if (score <= -SCORE_EVAL_BOUND || score >= SCORE_EVAL_BOUND) {
        report(position, "an evaluation out of bounds");
    }
    return score;
}

/* Two plies from a few positions: incremental values must equal recomputed ones. */
static void check_evaluations(const nnue_network *network, const uint8_t *data, size_t size) {
    nnue_stack *line = nnue_stack_create(network, 4), *alone = nnue_stack_create(network, 1);
    luft_position position = luft_start_position();
    if (!line || !alone) {
        abort();
    }
    nnue_set_root(line, &position);
    for (int ply = 0; ply < 3; ply++) {
        luft_move_list list;
        nnue_set_root(alone, &position);
        const int score = bounded(&position, nnue_evaluate(line, ply, &position));
        expect_equal((uint64_t)nnue_evaluate(alone, 0, &position), (uint64_t)score, &position,
                     "an evaluation from scratch");
        if (luft_generate(&list, &position, LUFT_ALL_MOVES) == 0) {
            break;
        }
        const luft_move move = list.moves[data[size - 1 - (size_t)ply % size] % list.count];
        nnue_push(line, ply, &position, move);
        luft_make(&position, &position, move);
    }
    if (position_from_bytes(&position, data, size)) {
        nnue_set_root(alone, &position);
        bounded(&position, nnue_evaluate(alone, 0, &position));
    }
    nnue_stack_free(line);
    nnue_stack_free(alone);
}

static void check_file(const uint8_t *bytes, size_t length, const uint8_t *data, size_t size) {
    const luft_position start = luft_start_position();
    const char *reason = NULL;
    nnue_network *network = NULL;
    if (nnue_load(&network, bytes, length, &reason) != LUFT_OK) {
        if (!reason || reason[0] == '\0') {
            report(&start, "a refusal without a reason");
        }
        return;
    }
    uint8_t *saved = malloc(length);
    if (!saved || nnue_save(saved, length, network) != length || memcmp(saved, bytes, length) != 0) {
        report(&start, "it is saved as other bytes");
    }
    free(saved);
    check_evaluations(network, data, size);
    nnue_free(network);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    if (size == 0) {
        return 0;
    }
    check_file(data, size, data, size);
    if (size <= HEADER_SIZE) {
        return 0;
    }
    /* No more than the smallest sizes: a large network is the same, but slower. */
    const size_t text = get(data + TEXT_AT), hidden = get(data + HIDDEN_AT), buckets = get(data + BUCKETS_AT);
    if (text > 64 || hidden > 2 * NNUE_HIDDEN_STEP || buckets > NNUE_BUCKETS_MAX) {
        return 0;
    }
    const size_t weights = (NNUE_INPUTS * hidden + hidden + buckets * 2 * hidden) * 2 + buckets * 4;
    const size_t length = HEADER_SIZE + text + weights;
    uint8_t *bytes = malloc(length);
    if (!bytes) {
        abort();
    }
    memcpy(bytes, data, HEADER_SIZE);
    for (size_t i = HEADER_SIZE; i < length; i++) {
        bytes[i] = data[HEADER_SIZE + (i - HEADER_SIZE) % (size - HEADER_SIZE)];
    }
    put_checksum(bytes, length);
    check_file(bytes, length, data, size);
    free(bytes);
    return 0;
}
