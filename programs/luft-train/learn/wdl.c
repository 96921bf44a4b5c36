/* SPDX-License-Identifier: MIT */
/*
 * `luft-train wdl`: fits the win-draw-loss model of src/engine/wdl.c to data by maximum likelihood.
 *
 * Every fifth game is held out; a table compares the model with the results of its positions. Games are held out
 * rather than positions, because positions of one game are alike.
 */
#include "command.h"
#include "data/records.h"

#include "engine/wdl.h"
#include "util/options.h"
#include "util/output.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define NAME "luft-train wdl"

enum {
    DEGREE = 3,
    TERMS = DEGREE + 1,
    PARAMETERS = 2 * TERMS, /* the polynomial of a, then that of b */
    HELD_OUT = 5,
    ITERATIONS = 60,
    SAMPLES_MIN = 100,
    SCORE_LEARNED = 400 /* positions with greater scores are skipped: many are drawn endgames that spoil the model */
};

typedef struct wdl_sample {
    int16_t score;
    int8_t material;
    int8_t result; /* 0 lost, 1 drawn, 2 won */
    bool held_out;
} wdl_sample;

typedef struct wdl_data {
    wdl_sample *samples;
    size_t count, room;
} wdl_data;

static bool add_sample(wdl_data *data, const luft_position *position, const record *entry) {
    if (record_result(entry) == RESULT_UNKNOWN) {
        return true; /* nothing to learn */
    }
    if (data->count == data->room) {
        data->room = data->room ? 2 * data->room : 1 << 16;
        wdl_sample *samples = realloc(data->samples, data->room * sizeof *samples);
        if (!samples) {
            return false;
        }
        data->samples = samples;
    }
    data->samples[data->count++] = (wdl_sample){(int16_t)record_score(entry), (int8_t)wdl_material(position),
                                                (int8_t)record_result(entry), record_game(entry) % HELD_OUT == 0};
    return true;
}

/* Returns an exit status. */
static int read_file(wdl_data *data, const char *path) {
    record_file file;
    const char *reason = NULL;
    if (!record_file_open(&file, path, &reason)) {
        output_error(NAME, "%s: %s", path, reason);
        return STATUS_USAGE;
    }
    int status = record_file_verify(&file) ? STATUS_OK : STATUS_USAGE;
    for (uint64_t i = 0; status == STATUS_OK && i < file.header.count; i++) {
        luft_position position;
        if (!record_unpack(&position, &file.records[i])) {
            status = STATUS_USAGE;
        } else if (!add_sample(data, &position, &file.records[i])) {
            status = STATUS_FAILED;
        }
    }
    if (status == STATUS_USAGE) {
        output_error(NAME, "%s: the data is damaged", path);
    } else if (status == STATUS_FAILED) {
        output_error(NAME, "out of memory");
    }
    record_file_close(&file);
    return status;
}

static bool is_learned(const wdl_data *data, size_t index) {
    return !data->samples[index].held_out && abs(data->samples[index].score) <= SCORE_LEARNED;
}

/* --- The model ---------------------------------------------------------------- */

/* The chance p to win with this score, and its derivatives by a and by b. */
typedef struct wdl_side {
    double chance, by_a, by_b;
} wdl_side;

static wdl_side side_of(double score, double a, double b) {
    const double chance = 1 / (1 + exp((a - score) / b));
    const double slope = -chance * (1 - chance) / b;
    return (wdl_side){chance, slope, slope * (score - a) / b};
}

static double polynomial(const double *factors, double x) {
    double value = 0;
    for (int i = DEGREE; i >= 0; i--) {
        value = value * x + factors[i];
    }
    return value;
}

/* The log likelihood of the sample's result, and its derivatives by a and by b. */
static double likelihood(const double *parameters, const wdl_sample *sample, double *by_a, double *by_b) {
    const double x = wdl_scale(sample->material);
    const double a = polynomial(parameters, x), b = polynomial(parameters + TERMS, x);
    if (a <= 0 || b <= 1) {
        return -INFINITY; /* not a model: wins and losses would exceed all games */
    }
    const wdl_side win = side_of(sample->score, a, b), loss = side_of(-sample->score, a, b);
    const wdl_side draw = {1 - win.chance - loss.chance, -win.by_a - loss.by_a, -win.by_b - loss.by_b};
    const wdl_side *happened = sample->result == 2 ? &win : sample->result == 0 ? &loss : &draw;
    const double chance = happened->chance > 1e-9 ? happened->chance : 1e-9;
    *by_a = happened->by_a / chance;
    *by_b = happened->by_b / chance;
    return log(chance);
}

/* --- Fitting ------------------------------------------------------------------- */

/* The mean log likelihood over the training samples. */
static double mean_likelihood(const wdl_data *data, const double *parameters) {
    double sum = 0, by_a, by_b;
    size_t count = 0;
    for (size_t i = 0; i < data->count; i++) {
        if (is_learned(data, i)) {
            sum += likelihood(parameters, &data->samples[i], &by_a, &by_b);
            count++;
        }
    }
    return count ? sum / (double)count : 0;
}

/* Solves matrix * x = vector by elimination; x replaces the vector. */
static void solve(double matrix[PARAMETERS][PARAMETERS], double vector[PARAMETERS]) {
    for (int column = 0; column < PARAMETERS; column++) {
        int pivot = column;
        for (int row = column + 1; row < PARAMETERS; row++) {
            pivot = fabs(matrix[row][column]) > fabs(matrix[pivot][column]) ? row : pivot;
        }
        for (int k = 0; k < PARAMETERS; k++) {
            const double swap = matrix[pivot][k];
            matrix[pivot][k] = matrix[column][k];
            matrix[column][k] = swap;
        }
        const double swap = vector[pivot];
        vector[pivot] = vector[column];
        vector[column] = swap;
        for (int row = 0; row < PARAMETERS; row++) {
            if (row != column) {
                const double factor = matrix[row][column] / matrix[column][column];
                for (int k = column; k < PARAMETERS; k++) {
                    matrix[row][k] -= factor * matrix[column][k];
                }
                vector[row] -= factor * vector[column];
            }
        }
    }
    for (int i = 0; i < PARAMETERS; i++) {
        vector[i] /= matrix[i][i];
    }
}

/* A Newton step, with products of first derivatives instead of the second derivatives. */
static void find_step(const wdl_data *data, const double *parameters, double step[PARAMETERS]) {
    double matrix[PARAMETERS][PARAMETERS] = {{0}};
    for (int i = 0; i < PARAMETERS; i++) {
        step[i] = 0;
        matrix[i][i] = 1e-6; /* no data here: no step */
    }
    for (size_t i = 0; i < data->count; i++) {
        double by_a = 0, by_b = 0, slopes[PARAMETERS], power = 1;
        if (!is_learned(data, i)) {
            continue;
        }
        likelihood(parameters, &data->samples[i], &by_a, &by_b);
        for (int k = 0; k < TERMS; k++) {
            slopes[k] = by_a * power;
            slopes[TERMS + k] = by_b * power;
            power *= wdl_scale(data->samples[i].material);
        }
        for (int row = 0; row < PARAMETERS; row++) {
            step[row] += slopes[row];
            for (int column = 0; column < PARAMETERS; column++) {
                matrix[row][column] += slopes[row] * slopes[column];
            }
        }
    }
    solve(matrix, step);
}

static void fit(const wdl_data *data, double parameters[PARAMETERS]) {
    double now = mean_likelihood(data, parameters);
    for (int iteration = 0; iteration < ITERATIONS; iteration++) {
        double step[PARAMETERS], tried[PARAMETERS], then, length = 1;
        find_step(data, parameters, step);
        do {
            for (int i = 0; i < PARAMETERS; i++) {
                tried[i] = parameters[i] + length * step[i];
            }
            then = mean_likelihood(data, tried);
            length /= 2;
        } while (length > 1e-4 && !(then > now));
        if (!(then > now + 1e-9)) {
            break;
        }
        now = then;
        for (int i = 0; i < PARAMETERS; i++) {
            parameters[i] = tried[i];
        }
    }
}

/* --- Showing ------------------------------------------------------------------- */

static void print_polynomial(const char *name, const double *factors) {
    printf("static const double %s[] = {", name);
    for (int i = 0; i < TERMS; i++) {
        printf("%s%.3f", i ? ", " : "", factors[i]);
    }
    printf("};\n");
}

/* Compares the model with the results of the held-out positions. */
static void print_calibration(const wdl_data *data, const double *parameters) {
    static const int ends[] = {-600, -300, -150, -75, -25, 25, 75, 150, 300, 600, 32767};
    enum { RANGES = sizeof ends / sizeof ends[0] };
    double said[RANGES][3] = {{0}};
    long happened[RANGES][3] = {{0}};
    for (size_t i = 0; i < data->count; i++) {
        const wdl_sample *sample = &data->samples[i];
        int range = 0;
        while (range < RANGES - 1 && sample->score >= ends[range]) {
            range++;
        }
        if (sample->held_out) {
            const double x = wdl_scale(sample->material);
            const double a = polynomial(parameters, x), b = polynomial(parameters + TERMS, x);
            const double win = side_of(sample->score, a, b).chance, loss = side_of(-sample->score, a, b).chance;
            said[range][2] += win;
            said[range][1] += 1 - win - loss;
            said[range][0] += loss;
            happened[range][sample->result]++;
        }
    }
    printf("\nscore below  positions   said: win  draw  loss   happened: win  draw  loss\n");
    for (int range = 0; range < RANGES; range++) {
        const double count = (double)(happened[range][0] + happened[range][1] + happened[range][2]);
        if (count > 0) {
            printf("%11d  %9.0f  %10.3f %.3f %.3f  %14.3f %.3f %.3f\n", ends[range], count, said[range][2] / count,
                   said[range][1] / count, said[range][0] / count, (double)happened[range][2] / count,
                   (double)happened[range][1] / count, (double)happened[range][0] / count);
        }
    }
}

static int fit_and_print(const wdl_data *data) {
    double parameters[PARAMETERS] = {[0] = 150, [TERMS] = 100};
    fit(data, parameters);
    print_polynomial("half_won", parameters);
    print_polynomial("spread", parameters + TERMS);
    printf("\n%zu positions; mean logarithm of the likelihood: %.5f\n", data->count, mean_likelihood(data, parameters));
    print_calibration(data, parameters);
    return STATUS_OK;
}

int train_wdl(int argc, char **argv) {
    const char *const *paths;
    size_t count;
    const option_table table = {
        .command = NAME,
        .usage = "FILE...",
        .about = "Fits the model of wins, draws and losses to files of records and prints its constants for\n"
                 "src/engine/wdl.c.\n",
        .rest = &paths,
        .rest_count = &count,
    };
    int status;
    if (!options_read(&table, argc, argv, &status)) {
        return status;
    }
    wdl_data data = {0};
    status = STATUS_OK;
    for (size_t i = 0; status == STATUS_OK && i < count; i++) {
        status = read_file(&data, paths[i]);
    }
    if (status == STATUS_OK && data.count < SAMPLES_MIN) {
        output_error(NAME, "expected files with %d positions or more, got %zu positions", SAMPLES_MIN, data.count);
        status = STATUS_USAGE;
    } else if (status == STATUS_OK) {
        status = fit_and_print(&data);
    }
    free(data.samples);
    return status;
}
