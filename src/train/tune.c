/* SPDX-License-Identifier: MIT */
/*
 * `luft-train tune`: fits the weights of the evaluation to data. The evaluation is
 * a sum of weights times counts, so a position is kept as its counts, and the
 * gradient of the error is plain arithmetic. The target is a blend of the
 * game's result and the search's score, both as a chance to win.
 */
#include "arguments.h"
#include "aside.h"
#include "records.h"
#include "train.h"

#include "engine/eval.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char command[] = "tune";

/* One count that is not zero. */
typedef struct tune_feature {
    uint16_t term;
    int16_t count; /* for White less for Black */
} tune_feature;

typedef struct tune_sample {
    uint32_t first; /* of its features */
    uint16_t count;
    float middlegame; /* the part of the middlegame and of the endgame in the score */
    float endgame;
    float target; /* the chance that White wins */
} tune_sample;

typedef struct tune_data {
    tune_sample *samples;
    tune_feature *features;
    size_t sample_count, sample_room, feature_count, feature_room;
} tune_data;

static const double result_share = 0.5; /* of the result in the target; the rest is the score */
static const double score_unit = 250.0; /* centipawns: the chance to win is 1 / (1 + exp(-score / unit)) */

static double chance(double score) {
    return 1.0 / (1.0 + exp(-score / score_unit));
}

/* The position is the mover's view, so White is to move. */
static bool add_sample(tune_data *data, const luft_position *position, const record *entry) {
    eval_trace trace;
    eval_explain(&trace, position);
    if (data->sample_count == data->sample_room) {
        data->sample_room = data->sample_room ? 2 * data->sample_room : 1 << 16;
        tune_sample *samples = realloc(data->samples, data->sample_room * sizeof *samples);
        if (!samples) {
            return false;
        }
        data->samples = samples;
    }
    if (data->feature_count + TERM_COUNT > data->feature_room) {
        data->feature_room = data->feature_room ? 2 * data->feature_room : 1 << 20;
        tune_feature *features = realloc(data->features, data->feature_room * sizeof *features);
        if (!features) {
            return false;
        }
        data->features = features;
    }
    tune_sample *sample = &data->samples[data->sample_count++];
    sample->first = (uint32_t)data->feature_count;
    for (int term = 0; term < TERM_COUNT; term++) {
        const int count = trace.white[term] - trace.black[term];
        if (count != 0) {
            data->features[data->feature_count++] = (tune_feature){(uint16_t)term, (int16_t)count};
        }
    }
    sample->count = (uint16_t)(data->feature_count - sample->first);
    sample->middlegame = (float)trace.phase / 24;
    sample->endgame = (float)((24 - trace.phase) * trace.scale) / (24 * 64);
    const double share = record_result(entry) == RESULT_UNKNOWN ? 0 : result_share;
    sample->target = (float)(share * record_result(entry) / 2 + (1 - share) * chance(record_score(entry)));
    return true;
}

static bool read_file(tune_data *data, const char *path) {
    record_file file;
    const char *reason;
    if (!record_file_open(&file, path, &reason)) {
        complain(command, "%s: %s", path, reason);
        return false;
    }
    bool good = record_file_verify(&file);
    if (!good) {
        complain(command, "%s: the data are not those that were written", path);
    }
    for (uint64_t i = 0; good && i < file.header.count; i++) {
        luft_position position;
        good = record_unpack(&position, &file.records[i]) && add_sample(data, &position, &file.records[i]);
        if (!good) {
            complain(command, "%s: record %" PRIu64 " is damaged, or there is no memory", path, i + 1);
        }
    }
    record_file_close(&file);
    return good;
}

/* --- Fitting ----------------------------------------------------------------- */

typedef struct tune_weight {
    double value[2]; /* middlegame, endgame */
    double mean[2];  /* the moving averages of Adam */
    double square[2];
    double gradient[2];
} tune_weight;

static double score_of(const tune_data *data, const tune_sample *sample, const tune_weight *weights) {
    double middlegame = 0, endgame = 0;
    for (uint32_t i = sample->first; i < sample->first + sample->count; i++) {
        const tune_feature *feature = &data->features[i];
        middlegame += weights[feature->term].value[0] * feature->count;
        endgame += weights[feature->term].value[1] * feature->count;
    }
    return middlegame * sample->middlegame + endgame * sample->endgame;
}

/* The mean square error over every `step`-th sample from `begin` on. */
static double error_of(const tune_data *data, const tune_weight *weights, size_t begin, size_t step) {
    double sum = 0;
    size_t count = 0;
    for (size_t i = begin; i < data->sample_count; i += step, count++) {
        const double difference = chance(score_of(data, &data->samples[i], weights)) - data->samples[i].target;
        sum += difference * difference;
    }
    return count ? sum / (double)count : 0;
}

enum { BATCH = 16384, HELD_OUT = 20 }; /* every HELD_OUT-th sample is not learned from, but tested on */

static void learn_batch(const tune_data *data, tune_weight *weights, const uint32_t *order, size_t begin, size_t end,
                        double rate, long step) {
    for (size_t i = begin; i < end; i++) {
        const tune_sample *sample = &data->samples[order[i]];
        const double expected = chance(score_of(data, sample, weights));
        const double slope = (expected - sample->target) * expected * (1 - expected);
        for (uint32_t f = sample->first; f < sample->first + sample->count; f++) {
            tune_weight *weight = &weights[data->features[f].term];
            weight->gradient[0] += slope * sample->middlegame * data->features[f].count;
            weight->gradient[1] += slope * sample->endgame * data->features[f].count;
        }
    }
    const double first = 0.9, second = 0.999;
    for (int term = 0; term < TERM_COUNT; term++) {
        for (int part = 0; part < 2; part++) {
            tune_weight *weight = &weights[term];
            const double gradient = weight->gradient[part] / (double)(end - begin);
            weight->gradient[part] = 0;
            weight->mean[part] = first * weight->mean[part] + (1 - first) * gradient;
            weight->square[part] = second * weight->square[part] + (1 - second) * gradient * gradient;
            const double mean = weight->mean[part] / (1 - pow(first, (double)step));
            const double square = weight->square[part] / (1 - pow(second, (double)step));
            weight->value[part] -= rate * mean / (sqrt(square) + 1e-9);
        }
    }
}

static void fit(const tune_data *data, tune_weight *weights, uint32_t *order, size_t count, int epochs) {
    uint64_t random = 88172645463325252ull;
    long step = 0;
    for (int epoch = 1; epoch <= epochs; epoch++) {
        for (size_t i = count - 1; i > 0; i--) {
            random ^= random << 13;
            random ^= random >> 7;
            random ^= random << 17;
            const size_t j = random % (i + 1);
            const uint32_t swap = order[i];
            order[i] = order[j];
            order[j] = swap;
        }
        const double rate = epoch <= epochs * 6 / 10 ? 1.0 : epoch <= epochs * 9 / 10 ? 0.3 : 0.08;
        for (size_t begin = 0; begin < count; begin += BATCH) {
            learn_batch(data, weights, order, begin, begin + BATCH < count ? begin + BATCH : count, rate, ++step);
        }
        fprintf(stderr, "epoch %d: error %.6f on what it has not seen\n", epoch, error_of(data, weights, 0, HELD_OUT));
    }
}

/* --- Writing ----------------------------------------------------------------- */

/* The names of the terms in the order of eval_terms.h, each with its first place. */
typedef struct term_name {
    const char *name;
    int first;
} term_name;

#define NAME(term)                                                                                                     \
    { #term, term }
static const term_name names[] = {
    NAME(TERM_MATERIAL),
    NAME(TERM_SQUARE),
    NAME(TERM_MOBILITY_KNIGHT),
    NAME(TERM_MOBILITY_BISHOP),
    NAME(TERM_MOBILITY_ROOK),
    NAME(TERM_MOBILITY_QUEEN),
    NAME(TERM_BISHOP_PAIR),
    NAME(TERM_PAWN_DOUBLED),
    NAME(TERM_PAWN_ISOLATED),
    NAME(TERM_PAWN_BACKWARD),
    NAME(TERM_PAWN_SUPPORTED),
    NAME(TERM_PAWN_PHALANX),
    NAME(TERM_PASSED),
    NAME(TERM_PASSED_STOPPED),
    NAME(TERM_PASSED_SAFE),
    NAME(TERM_PASSED_OWN_KING),
    NAME(TERM_PASSED_THEIR_KING),
    NAME(TERM_ROOK_OPEN_FILE),
    NAME(TERM_ROOK_HALF_OPEN_FILE),
    NAME(TERM_ROOK_BEHIND_PASSED),
    NAME(TERM_KNIGHT_OUTPOST),
    NAME(TERM_BISHOP_OUTPOST),
    NAME(TERM_BISHOP_PAWNS),
    NAME(TERM_MINOR_BEHIND_PAWN),
    NAME(TERM_THREAT_BY_PAWN),
    NAME(TERM_THREAT_BY_MINOR),
    NAME(TERM_THREAT_BY_ROOK),
    NAME(TERM_THREAT_BY_KING),
    NAME(TERM_HANGING),
    NAME(TERM_THREAT_BY_PUSH),
    NAME(TERM_SHELTER),
    NAME(TERM_STORM),
    NAME(TERM_KING_OPEN_FILE),
    NAME(TERM_KING_ATTACKS),
    NAME(TERM_SAFE_CHECK),
    NAME(TERM_KING_WEAK_SQUARES),
    NAME(TERM_KING_DANGER),
    NAME(TERM_SPACE),
    NAME(TERM_TEMPO),
    {NULL, TERM_COUNT},
};

static const char head[] = "/* SPDX-License-Identifier: MIT */\n"
                           "/*\n"
                           " * The weights of the evaluation, written by `luft-train tune`. W(m, e) is m for the\n"
                           " * middlegame and e for the endgame, in one number as eval.c adds them up.\n"
                           " */\n"
                           "#ifndef LUFT_ENGINE_EVAL_WEIGHTS_H\n"
                           "#define LUFT_ENGINE_EVAL_WEIGHTS_H\n"
                           "\n"
                           "#include \"eval_terms.h\"\n"
                           "\n"
                           "#include <stdint.h>\n"
                           "\n"
                           "#define W(middlegame, endgame) ((int32_t)((uint32_t)(endgame) << 16) + (middlegame))\n"
                           "\n"
                           "/* clang-format off */\n"
                           "static const int32_t weights[TERM_COUNT] = {\n";

static bool write_weights(const char *path, const tune_weight *weights) {
    aside written;
    if (!aside_open(&written, path)) {
        perror(path);
        return false;
    }
    FILE *file = written.stream;
    fputs(head, file);
    for (int i = 0; names[i].name; i++) {
        fprintf(file, "    [%s] =", names[i].name);
        for (int term = names[i].first; term < names[i + 1].first; term++) {
            fputs((term - names[i].first) % 8 == 0 ? "\n        " : " ", file);
            fprintf(file, "W(%ld, %ld),", lround(weights[term].value[0]), lround(weights[term].value[1]));
        }
        fputc('\n', file);
    }
    fputs("};\n/* clang-format on */\n\n#endif\n", file);
    if (!aside_close(&written, true)) {
        perror(path);
        return false;
    }
    return true;
}

static int tune(const char *out, int epochs, const tune_data *data) {
    tune_weight *weights = calloc(TERM_COUNT, sizeof *weights);
    uint32_t *order = malloc(data->sample_count * sizeof *order);
    if (!weights || !order) {
        complain(command, "there is no memory");
        free(weights);
        free(order);
        return STATUS_FAILED;
    }
    for (int term = 0; term < TERM_COUNT; term++) {
        const eval_weight weight = eval_weight_of(term);
        weights[term].value[0] = weight.middlegame;
        weights[term].value[1] = weight.endgame;
    }
    size_t count = 0;
    for (size_t i = 0; i < data->sample_count; i++) {
        if (i % HELD_OUT != 0) {
            order[count++] = (uint32_t)i;
        }
    }
    fprintf(stderr, "%zu positions; error before: %.6f\n", data->sample_count, error_of(data, weights, 0, HELD_OUT));
    fit(data, weights, order, count, epochs);
    const bool written = write_weights(out, weights);
    free(weights);
    free(order);
    return written ? STATUS_OK : STATUS_FAILED;
}

int train_tune(int argc, char **argv) {
    const char *out = NULL;
    uint64_t epochs = 30;
    const argument arguments[] = {
        {.name = "out", .value = "FILE", .help = "the weights, as eval_weights.h; needed", .text = &out},
        {.name = "epochs",
         .value = "N",
         .help = "how often to go through the data (30)",
         .number = &epochs,
         .minimum = 1,
         .maximum = 100000},
    };
    size_t count = 0;
    const argument_table table = {
        .command = command,
        .usage = "--out FILE [--epochs N] FILE...",
        .about = "Fits the weights of the hand-written evaluation to files of records.\n",
        .arguments = arguments,
        .count = sizeof arguments / sizeof arguments[0],
        .operand_count = &count,
    };
    int status;
    if (arguments_read(&table, argc, argv, &status)) {
        tune_data data = {0};
        bool good = true;
        for (size_t i = 0; good && i < count; i++) {
            good = read_file(&data, argv[i]);
        }
        if (good && (!out || data.sample_count < HELD_OUT)) {
            complain(command, "--out FILE and data are needed");
            status = STATUS_USAGE;
        } else {
            status = good ? tune(out, (int)epochs, &data) : STATUS_FAILED;
        }
        free(data.samples);
        free(data.features);
    }
    return status;
}
