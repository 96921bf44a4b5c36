/* SPDX-License-Identifier: MIT */
/*
 * Reading and writing networks. Input is not trusted: every size is checked before its use, then the checksum, then the
 * weights against the bounds that nnue.c relies on.
 *
 * All numbers are little-endian:
 *
 *     0-7     "LUFTNNUE"
 *     8-11    version of the format: 1
 *     12-15   length of the text
 *     16-19   inputs of a perspective: 768
 *     20-23   neurons of an accumulator
 *     24-27   output buckets: 1, or 8 by the number of pieces
 *     28-31   king buckets: 1, or 4 if mirrored
 *     32-35   1 if a perspective is mirrored when its king stands on files e to h, else 0
 *     36-39   activation: 1, squared clipped ReLU
 *     40-41   QA: 255; 42-43 QB: 64, 128 or 256; 44-47 scale: 400
 *     48-55   zero
 *     56-63   64-bit FNV-1a of all other bytes
 *     64-     text, UTF-8, no NUL
 *             then 16-bit input weights, for each king bucket a row of neurons for each input; 16-bit biases of the neurons; 16-bit output
 *             weights, for each bucket the side to move first; 32-bit output biases
 */
#include "nnue.h"

#include <stdlib.h>
#include <string.h>

enum { HEADER_SIZE = 64, VERSION = 1, ACTIVATION_SCRELU = 1, CHECKSUM_AT = 56, TEXT_MAX = 1 << 20, ALIGNMENT = 64 };

static const char magic[8] = {'L', 'U', 'F', 'T', 'N', 'N', 'U', 'E'};

/* --- Bytes --------------------------------------------------------------------- */

static uint32_t get(const uint8_t *bytes, int size) {
    uint32_t value = 0;
    for (int i = 0; i < size; i++) {
        value |= (uint32_t)bytes[i] << 8 * i;
    }
    return value;
}

static void put(uint8_t *bytes, uint64_t value, int size) {
    for (int i = 0; i < size; i++) {
        bytes[i] = (uint8_t)(value >> 8 * i);
    }
}

static uint64_t checksum(const uint8_t *bytes, size_t length) {
    uint64_t hash = 0xcbf29ce484222325u;
    for (size_t i = 0; i < length; i++) {
        if (i < CHECKSUM_AT || i >= HEADER_SIZE) {
            hash = (hash ^ bytes[i]) * 0x100000001b3u;
        }
    }
    return hash;
}

/* --- Memory ---------------------------------------------------------------------- */

/* The number of rows of input weights. */
static size_t input_rows(nnue_shape shape) {
    return NNUE_INPUTS * (size_t)shape.king_buckets;
}

static size_t size_of_weights(nnue_shape shape) {
    const size_t width = (size_t)shape.hidden, outputs = (size_t)shape.buckets;
    return (input_rows(shape) * width + width + outputs * 2 * width) * 2 + outputs * 4;
}

static size_t round_up(size_t size) {
    return (size + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
}

bool nnue_shape_is_possible(nnue_shape shape) {
    return shape.hidden >= NNUE_HIDDEN_STEP && shape.hidden <= NNUE_HIDDEN_MAX &&
           shape.hidden % NNUE_HIDDEN_STEP == 0 && (shape.buckets == 1 || shape.buckets == NNUE_BUCKETS_MAX) &&
           (shape.king_buckets == 1 || (shape.king_buckets == NNUE_KING_BUCKETS_MAX && shape.mirrored));
}

static bool is_unit(uint32_t qb) {
    return qb == NNUE_QB_MIN || qb == 2 * NNUE_QB_MIN || qb == NNUE_QB_MAX;
}

nnue_network *nnue_create(nnue_shape shape, const char *text, size_t text_length) {
    if (!nnue_shape_is_possible(shape) || text_length > TEXT_MAX) {
        return NULL;
    }
    const size_t width = (size_t)shape.hidden * sizeof(int16_t), outputs = (size_t)shape.buckets;
    const size_t sizes[5] = {round_up(input_rows(shape) * width), round_up(width), round_up(2 * width * outputs),
                             round_up(outputs * sizeof(int32_t)), text_length + 1};
    size_t total = ALIGNMENT;
    for (int i = 0; i < 5; i++) {
        total += sizes[i];
    }
    nnue_network *network = malloc(sizeof *network);
    void *memory = malloc(total);
    if (!network || !memory) {
        free(network);
        free(memory);
        return NULL;
    }
    uint8_t *next =
        (uint8_t *)memory + (ALIGNMENT - (uintptr_t)memory % ALIGNMENT); /* the allocation has so much more room */
    memset(next, 0, total - ALIGNMENT);
    *network = (nnue_network){.shape = shape, .qb = NNUE_QB_MIN, .memory = memory};
    network->feature_weights = (int16_t *)(void *)next;
    network->feature_biases = (int16_t *)(void *)(next += sizes[0]);
    network->output_weights = (int16_t *)(void *)(next += sizes[1]);
    network->output_biases = (int32_t *)(void *)(next += sizes[2]);
    network->text = (char *)(next + sizes[3]);
    memcpy(network->text, text, text_length);
    return network;
}

void nnue_free(nnue_network *network) {
    if (network) {
        free(network->memory);
        free(network);
    }
}

/* --- Reading ----------------------------------------------------------------------- */

/* False if one is out of range. Advances `from` past the weights. */
static bool read_weights(int16_t *to, const uint8_t **from, size_t count, int max) {
    for (size_t i = 0; i < count; i++, *from += 2) {
        to[i] = (int16_t)(uint16_t)get(*from, 2);
        if (to[i] > max || to[i] < -max) {
            return false;
        }
    }
    return true;
}

static bool read_all(nnue_network *network, const uint8_t *bytes) {
    const uint8_t *from = bytes + HEADER_SIZE + get(bytes + 12, 4);
    network->qb = (int)get(bytes + 42, 2);
    const size_t width = (size_t)network->shape.hidden, outputs = (size_t)network->shape.buckets;
    const bool good =
        read_weights(network->feature_weights, &from, input_rows(network->shape) * width, NNUE_WEIGHT_MAX) &&
        read_weights(network->feature_biases, &from, width, NNUE_BIAS_MAX) &&
        read_weights(network->output_weights, &from, outputs * 2 * width, NNUE_OUTPUT_MAX);
    for (size_t i = 0; i < outputs && good; i++) {
        network->output_biases[i] = (int32_t)get(from + 4 * i, 4);
    }
    return good;
}

/* The shape that a header states. Numbers beyond all limits stay impossible. */
static nnue_shape read_shape(const uint8_t *bytes) {
    const uint32_t most = INT16_MAX, hidden = get(bytes + 20, 4), buckets = get(bytes + 24, 4);
    const uint32_t king_buckets = get(bytes + 28, 4);
    return (nnue_shape){.hidden = (int)(hidden < most ? hidden : most),
                        .buckets = (int)(buckets < most ? buckets : most),
                        .king_buckets = (int)(king_buckets < most ? king_buckets : most),
                        .mirrored = get(bytes + 32, 4) != 0};
}

/* Why these bytes cannot be used; NULL if nothing is wrong so far. */
static const char *fault_of(const uint8_t *bytes, size_t length) {
    if (!bytes || length < HEADER_SIZE || memcmp(bytes, magic, sizeof magic) != 0) {
        return "the file is not a network of Luft";
    }
    if (get(bytes + 8, 4) != VERSION) {
        return "the network is of another version";
    }
    const uint32_t text_length = get(bytes + 12, 4);
    const nnue_shape shape = read_shape(bytes);
    if (get(bytes + 16, 4) != NNUE_INPUTS || !nnue_shape_is_possible(shape) || get(bytes + 32, 4) > 1 ||
        get(bytes + 36, 4) != ACTIVATION_SCRELU || get(bytes + 40, 2) != NNUE_QA || !is_unit(get(bytes + 42, 2)) ||
        get(bytes + 44, 4) != NNUE_SCALE || get(bytes + 48, 4) != 0 || get(bytes + 52, 4) != 0 ||
        text_length > TEXT_MAX) {
        return "the network has an architecture that is not known here";
    }
    if (length != HEADER_SIZE + text_length + size_of_weights(shape)) {
        return "the network is cut off or too long";
    }
    if (memchr(bytes + HEADER_SIZE, '\0', text_length)) {
        return "the text of the network holds a NUL";
    }
    const uint64_t expected = get(bytes + CHECKSUM_AT, 4) | (uint64_t)get(bytes + CHECKSUM_AT + 4, 4) << 32;
    return checksum(bytes, length) != expected ? "the network is damaged: its checksum is wrong" : NULL;
}

luft_error nnue_load(nnue_network **out, const void *data, size_t length, const char **reason) {
    const uint8_t *bytes = data;
    const char *fault = fault_of(bytes, length);
    if (fault) {
        *reason = fault;
        return LUFT_ERROR_NETWORK;
    }
    nnue_network *network = nnue_create(read_shape(bytes), (const char *)bytes + HEADER_SIZE, get(bytes + 12, 4));
    if (!network) {
        *reason = "out of memory";
        return LUFT_ERROR_MEMORY;
    }
    if (!read_all(network, bytes)) {
        *reason = "the network has a weight that is out of range";
        nnue_free(network);
        return LUFT_ERROR_NETWORK;
    }
    *out = network;
    return LUFT_OK;
}

/* --- Writing ----------------------------------------------------------------------- */

static uint8_t *write_weights(uint8_t *to, const int16_t *weights, size_t count) {
    for (size_t i = 0; i < count; i++, to += 2) {
        put(to, (uint16_t)weights[i], 2);
    }
    return to;
}

size_t nnue_save(void *data, size_t size, const nnue_network *network) {
    const nnue_shape shape = network->shape;
    const size_t width = (size_t)shape.hidden, outputs = (size_t)shape.buckets;
    const size_t text_length = strlen(network->text);
    const size_t length = HEADER_SIZE + text_length + size_of_weights(shape);
    if (size < length) {
        return length;
    }
    uint8_t *bytes = data;
    memset(bytes, 0, HEADER_SIZE);
    memcpy(bytes, magic, sizeof magic);
    put(bytes + 8, VERSION, 4);
    put(bytes + 12, text_length, 4);
    put(bytes + 16, NNUE_INPUTS, 4);
    put(bytes + 20, width, 4);
    put(bytes + 24, outputs, 4);
    put(bytes + 28, (uint64_t)shape.king_buckets, 4);
    put(bytes + 32, shape.mirrored, 4);
    put(bytes + 36, ACTIVATION_SCRELU, 4);
    put(bytes + 40, NNUE_QA, 2);
    put(bytes + 42, (uint64_t)network->qb, 2);
    put(bytes + 44, NNUE_SCALE, 4);
    memcpy(bytes + HEADER_SIZE, network->text, text_length);
    uint8_t *to = bytes + HEADER_SIZE + text_length;
    to = write_weights(to, network->feature_weights, input_rows(shape) * width);
    to = write_weights(to, network->feature_biases, width);
    to = write_weights(to, network->output_weights, outputs * 2 * width);
    for (size_t i = 0; i < outputs; i++, to += 4) {
        put(to, (uint32_t)network->output_biases[i], 4);
    }
    put(bytes + CHECKSUM_AT, checksum(bytes, length), 8);
    return length;
}
