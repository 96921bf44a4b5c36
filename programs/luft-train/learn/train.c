/* SPDX-License-Identifier: MIT */
/*
 * `luft-train train`: fits a network to records. For every batch, each thread sums the gradient of its share of the
 * positions, then updates its share of the weights. The learning rate rises during a short warm-up and then falls along
 * a cosine to almost zero.
 *
 * Beside the checkpoint OUT.checkpoint there are a log and a plot of the errors. An interrupted training continues from
 * the checkpoint if it is started with the same arguments.
 */
#define _XOPEN_SOURCE 700

#include "command.h"

#include "checkpoint.h"
#include "curve.h"
#include "data.h"
#include "network.h"
#include "pool.h"
#include "start.h"

#include "util/clock.h"
#include "util/options.h"
#include "util/output.h"
#include "util/processors.h"
#include "util/progress.h"
#include "util/text.h"

#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
    POINTS = 64,             /* of the curves, and at least as many checkpoints */
    CHECKPOINT_SECONDS = 60, /* the most work that can be lost */
    WARM_UP_MAX = 500,       /* steps */
    SETTINGS_SIZE = 1024
};

#define NAME "luft-train train"

typedef struct train_options {
    const char *out;
    uint64_t hidden, buckets, king_buckets, epochs, batch, threads, seed, stop;
    bool mirrored;
    const char *start; /* a network file; NULL for random weights */
    const char *rate_text, *lambda_text;
    double rate, lambda;
} train_options;

typedef struct training {
    train_options options;
    nnue_shape shape;
    train_layout layout;
    train_target target;
    train_data data;
    train_batches batches;
    train_pool *pool;
    float *gradients[TRAIN_THREADS_MAX];
    train_workspace *work[TRAIN_THREADS_MAX];
    double errors[TRAIN_THREADS_MAX]; /* of each thread in the current step */
    float *outputs;                   /* for the held-out positions */
    train_checkpoint state;           /* weights and moments; the text is written again for each file */
    uint64_t step;                    /* done so far */
    uint64_t steps, steps_per_epoch;
    double running_error; /* since the last point */
    uint64_t running_steps;
    train_point points[POINTS + 2];
    size_t point_count;
    uint64_t start_signature;
    char settings[SETTINGS_SIZE];
    const record *batch;
    train_step adam;
    progress line;
    FILE *log;
} training;

/* --- The work of the threads ------------------------------------------------------------ */

static size_t part(size_t count, int index, int parts) {
    return count * (size_t)index / (size_t)parts;
}

static void learn_part(void *payload, int index, int parts) {
    training *run = payload;
    const size_t begin = part(run->options.batch, index, parts), end = part(run->options.batch, index + 1, parts);
    run->errors[index] = train_gradient(run->work[index], run->gradients[index], run->state.weights, run->shape,
                                        run->target, run->batch + begin, end - begin);
}

static void step_part(void *payload, int index, int parts) {
    training *run = payload;
    train_update(run->state.weights, run->state.moments, run->gradients, parts, &run->layout,
                 part(run->layout.count, index, parts), part(run->layout.count, index + 1, parts), run->adam);
}

static void validate_part(void *payload, int index, int parts) {
    training *run = payload;
    const size_t begin = part(run->data.validation_count, index, parts);
    const size_t count = part(run->data.validation_count, index + 1, parts) - begin;
    const record *entries = run->data.validation + begin;
    float *outputs = run->outputs + begin;
    double errors = 0;
    train_outputs(run->work[index], outputs, run->state.weights, run->shape, entries, count);
    for (size_t i = 0; i < count; i++) {
        const double difference = train_chance(outputs[i]) - train_wanted(&entries[i], run->target);
        errors += difference * difference;
    }
    run->errors[index] = errors;
}

static double sum_of_errors(const training *run) {
    double sum = 0;
    for (int i = 0; i < train_pool_size(run->pool); i++) {
        sum += run->errors[i];
    }
    return sum;
}

static double validate(training *run) {
    train_pool_run(run->pool, validate_part, run);
    return sum_of_errors(run) / (double)run->data.validation_count;
}

/* --- Steps ------------------------------------------------------------------------------ */

static double rate_at(const training *run, uint64_t step) {
    const double pi = 3.14159265358979323846, lowest = 0.001;
    const uint64_t warm_up = run->steps / 20 < WARM_UP_MAX ? run->steps / 20 : WARM_UP_MAX;
    if (step < warm_up) {
        return run->options.rate * (double)(step + 1) / (double)(warm_up + 1);
    }
    const double share = (double)(step - warm_up) / (double)(run->steps - warm_up);
    return run->options.rate * (lowest + (1 - lowest) * 0.5 * (1 + cos(pi * share)));
}

static void learn_batch(training *run) {
    run->adam = (train_step){.rate = (float)rate_at(run, run->step),
                             .decay = 0.01f,
                             .mean_bias = (float)(1 - pow(0.9, (double)(run->step + 1))),
                             .square_bias = (float)(1 - pow(0.999, (double)(run->step + 1))),
                             .gradient_scale = 1.0f / (float)run->options.batch};
    train_pool_run(run->pool, learn_part, run);
    run->running_error += sum_of_errors(run);
    train_pool_run(run->pool, step_part, run);
    run->running_steps++;
    run->step++;
}

/* --- Files beside the network ------------------------------------------------------------- */

/* OUT with a suffix; the caller frees it. */
static char *path_of(const training *run, const char *ending) {
    const size_t size = strlen(run->options.out) + strlen(ending) + 1;
    char *path = malloc(size);
    if (path) {
        snprintf(path, size, "%s%s", run->options.out, ending);
    }
    return path;
}

static void note(training *run, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void note(training *run, const char *format, ...) {
    va_list arguments, again;
    va_start(arguments, format);
    va_copy(again, arguments);
    progress_clear(&run->line);
    vprintf(format, arguments);
    putchar('\n');
    fflush(stdout);
    vfprintf(run->log, format, again);
    fputc('\n', run->log);
    fflush(run->log);
    va_end(again);
    va_end(arguments);
}

/* The settings in which a training must agree with a checkpoint to continue from it. */
static void write_settings(training *run) {
    const train_options *options = &run->options;
    snprintf(run->settings, sizeof run->settings,
             "hidden %d\nbuckets %d\nking-buckets %d\nmirror %d\nepochs %" PRIu64 "\nbatch %" PRIu64
             "\nrate %g\nlambda %g\nseed %" PRIu64 "\nsteps %" PRIu64 "\npositions %" PRIu64
             " held-out %zu\ndata %016" PRIx64 "\n",
             run->shape.hidden, run->shape.buckets, run->shape.king_buckets, run->shape.mirrored, options->epochs,
             options->batch, options->rate, options->lambda, options->seed, run->steps, run->data.training,
             run->data.validation_count, run->data.signature);
    if (options->start) {
        const size_t length = strlen(run->settings);
        snprintf(run->settings + length, sizeof run->settings - length, "start %016" PRIx64 "\n", run->start_signature);
    }
}

static bool save_checkpoint(training *run) {
    enum { ROOM = SETTINGS_SIZE + (POINTS + 4) * 96 };
    char text[ROOM];
    int used = snprintf(text, ROOM, "%s\nstep %" PRIu64 "\nrunning %.17g %" PRIu64 "\n", run->settings, run->step,
                        run->running_error, run->running_steps);
    for (size_t i = 0; i < run->point_count; i++) {
        used += snprintf(text + used, (size_t)(ROOM - used), "point %" PRIu64 " %.9g %.9g\n", run->points[i].step,
                         run->points[i].training, run->points[i].validation);
    }
    train_checkpoint state = run->state;
    state.text = text;
    char *path = path_of(run, ".checkpoint");
    const bool good = path && train_checkpoint_save(path, &state);
    if (!good) {
        output_error(NAME, "%s.checkpoint cannot be written", run->options.out);
    }
    free(path);
    return good;
}

/* Is there a point of the curves after this step? */
static bool is_point(const training *run, uint64_t step) {
    const uint64_t interval = (run->steps + POINTS - 1) / POINTS;
    return step % interval == 0 || step == run->steps;
}

/* Restores the progress from the text of a checkpoint, after its settings. */
static bool read_progress(training *run, const char *text) {
    if (!train_take(&text, "\nstep ") || !train_take_number(&text, &run->step) || run->step > run->steps ||
        !train_take(&text, "\nrunning ") || !train_take_real(&text, &run->running_error) || !train_take(&text, " ") ||
        !train_take_number(&text, &run->running_steps) || !train_take(&text, "\n")) {
        return false;
    }
    uint64_t last = 0; /* points are in order and where is_point puts them, so POINTS are enough */
    for (run->point_count = 0; *text; run->point_count++) {
        train_point point;
        if (!train_take(&text, "point ") || !train_take_number(&text, &point.step) || point.step <= last ||
            point.step > run->step || !is_point(run, point.step) || !train_take(&text, " ") ||
            !train_take_real(&text, &point.training) || !train_take(&text, " ") ||
            !train_take_real(&text, &point.validation) || !train_take(&text, "\n")) {
            return false;
        }
        run->points[run->point_count] = point;
        last = point.step;
    }
    return true;
}

/* False, after an error line, if there is a checkpoint that cannot be used; it is not overwritten. */
static bool resume(training *run) {
    char *path = path_of(run, ".checkpoint");
    const char *reason = "out of memory";
    train_checkpoint found;
    bool good = path && train_checkpoint_load(&found, path, &reason);
    if (!good && (!path || reason)) {
        output_error(NAME, "%s.checkpoint: %s", run->options.out, reason);
    } else if (!good) {
        good = true; /* no checkpoint: a new training */
    } else if (strncmp(found.text, run->settings, strlen(run->settings)) != 0 || found.count != run->layout.count ||
               !read_progress(run, found.text + strlen(run->settings))) {
        output_error(NAME, "%s.checkpoint belongs to another training; remove it or choose another --out",
                     run->options.out);
        train_checkpoint_free(&found);
        good = false;
    } else {
        train_checkpoint_free(&run->state);
        run->state = found;
    }
    free(path);
    return good;
}

static void draw_curve(training *run) {
    char title[96];
    char *path = path_of(run, ".svg");
    snprintf(title, sizeof title, "(768 x %d to %d) x 2 to %d%s, error by batches of %" PRIu64, run->shape.king_buckets,
             run->shape.hidden, run->shape.buckets, run->shape.mirrored ? ", mirrored" : "", run->options.batch);
    if (!path || !train_curve_write(path, title, run->points, run->point_count, run->steps)) {
        output_error(NAME, "%s.svg cannot be written", run->options.out);
    }
    free(path);
}

/* --- The course of a training ---------------------------------------------------------- */

static void add_point(training *run) {
    char speed[PROGRESS_TEXT_SIZE];
    const double positions = (double)(run->running_steps * run->options.batch);
    const train_point point = {run->step, run->running_error / positions, validate(run)};
    run->points[run->point_count++] = point;
    run->running_error = 0;
    run->running_steps = 0;
    note(run, "batch %" PRIu64 " of %" PRIu64 ", epoch %.2f: error %.6f, held out %.6f, rate %.6f; %s", run->step,
         run->steps, (double)run->step / (double)run->steps_per_epoch, point.training, point.validation,
         rate_at(run, run->step - 1), progress_text(&run->line, speed));
    draw_curve(run);
}

/* Trains to the end, or for --stop steps. False, after an error line, if it cannot. */
static bool learn(training *run) {
    const uint64_t last = run->options.stop > 0 && run->step + run->options.stop < run->steps
                              ? run->step + run->options.stop
                              : run->steps;
    double saved = clock_seconds();
    progress_start_goal(&run->line, "positions", run->step * run->options.batch, run->steps * run->options.batch);
    while (run->step < last) {
        train_batches_start(&run->batches, run->step / run->steps_per_epoch);
        for (uint64_t skip = run->step % run->steps_per_epoch; skip > 0; skip--) {
            train_batches_next(&run->batches, run->options.batch);
        }
        do {
            run->batch = train_batches_next(&run->batches, run->options.batch);
            if (!run->batch) {
                output_error(NAME, "the data changed while it was read");
                return false;
            }
            learn_batch(run);
            progress_set(&run->line, run->step * run->options.batch);
            const bool point = is_point(run, run->step);
            if (point) {
                add_point(run);
            }
            if (point || run->step == last || clock_seconds() - saved > CHECKPOINT_SECONDS) {
                if (!save_checkpoint(run)) {
                    return false;
                }
                saved = clock_seconds();
            }
        } while (run->step < last && run->step % run->steps_per_epoch != 0);
    }
    progress_clear(&run->line);
    return true;
}

/* --- Setting up ---------------------------------------------------------------------- */

static bool allocate(training *run) {
    const size_t count = run->layout.count;
    run->state = (train_checkpoint){
        .count = count, .weights = train_floats(count), .moments = {train_floats(count), train_floats(count)}};
    bool good = run->state.weights && run->state.moments.mean && run->state.moments.square;
    run->pool = train_pool_create((int)run->options.threads);
    for (int i = 0; run->pool && i < train_pool_size(run->pool); i++) {
        run->gradients[i] = train_floats(count);
        run->work[i] = train_workspace_create(run->shape);
        good = good && run->gradients[i] && run->work[i];
    }
    run->outputs = train_floats(run->data.validation_count);
    good = good && run->pool && run->outputs &&
           train_batches_open(&run->batches, &run->data, run->options.seed, (size_t)run->options.batch);
    if (!good) {
        output_error(NAME, "out of memory or threads");
    }
    return good;
}

static void release(training *run) {
    for (int i = 0; run->pool && i < train_pool_size(run->pool); i++) {
        free(run->gradients[i]);
        train_workspace_free(run->work[i]);
    }
    free(run->outputs);
    train_pool_free(run->pool);
    train_batches_close(&run->batches);
    train_checkpoint_free(&run->state);
    train_data_close(&run->data);
    if (run->log) {
        fclose(run->log);
    }
    free(run);
}

/* Locks the log: two processes training the same network would overwrite each other's checkpoints. */
static bool open_log(training *run) {
    char *path = path_of(run, ".log");
    run->log = path ? fopen(path, "a") : NULL;
    free(path);
    const bool good = run->log && lockf(fileno(run->log), F_TLOCK, 0) == 0;
    if (!good) {
        output_error(NAME, "%s.log: %s", run->options.out,
                     run->log ? "another process is writing it" : "cannot be written");
    }
    return good;
}

/* Reads a number such as 0.3 within bounds. */
static bool read_fraction(double *value, const char *name, const char *text, double lowest, double highest) {
    char quoted[TEXT_QUOTED_SIZE], *end;
    *value = strtod(text, &end);
    if (*end != '\0' || end == text || !(*value >= lowest && *value <= highest)) {
        output_error(NAME, "--%s: expected a number from %g to %g, got %s", name, lowest, highest,
                     text_quote(quoted, text, strlen(text)));
        return false;
    }
    return true;
}

static nnue_shape shape_of(const train_options *options) {
    return (nnue_shape){.hidden = (int)options->hidden,
                        .buckets = (int)options->buckets,
                        .king_buckets = (int)options->king_buckets,
                        .mirrored = options->mirrored};
}

static bool check_options(train_options *options, size_t files) {
    if (files == 0) {
        output_error(NAME, "there is no file to read (see " NAME " --help)");
        return false;
    }
    if (!nnue_shape_is_possible(shape_of(options))) {
        output_error(NAME,
                     "expected a multiple of %d for --hidden, 1 or %d for --buckets, and 1 or, with --mirror, %d for "
                     "--king-buckets",
                     NNUE_HIDDEN_STEP, NNUE_BUCKETS_MAX, NNUE_KING_BUCKETS_MAX);
        return false;
    }
    return read_fraction(&options->rate, "rate", options->rate_text, 1e-6, 1) &&
           read_fraction(&options->lambda, "lambda", options->lambda_text, 0, 1);
}

static int run_training(training *run, const char *const *paths, size_t count) {
    train_options *options = &run->options;
    if (!train_data_open(&run->data, paths, count, NAME)) {
        return STATUS_USAGE;
    }
    if (run->data.training < 1 || run->data.validation_count < 1) {
        output_error(NAME, "too few games: there must be some to learn from and some to hold out");
        return STATUS_USAGE;
    }
    options->batch = options->batch < run->data.training ? options->batch : run->data.training;
    run->steps_per_epoch = run->data.training / options->batch;
    run->steps = run->steps_per_epoch * options->epochs;
    run->shape = shape_of(options);
    run->layout = train_layout_of(run->shape);
    run->target = (train_target){(float)options->lambda};
    if (!allocate(run)) {
        return STATUS_FAILED;
    }
    const char *reason;
    train_initialise(run->state.weights, run->shape, options->seed);
    if (options->start &&
        !train_start(run->state.weights, run->shape, options->start, &run->start_signature, &reason)) {
        output_error(NAME, "--start: %s: %s", options->start, reason);
        return STATUS_USAGE;
    }
    write_settings(run);
    if (!open_log(run) || !resume(run)) {
        return STATUS_USAGE;
    }
    if (run->step > 0) {
        note(run, "continues after batch %" PRIu64, run->step);
    } else {
        note(run,
             "%" PRIu64 " positions to learn from, %zu held out, %" PRIu64 " batches of %" PRIu64 ", %d threads\n%s",
             run->data.training, run->data.validation_count, run->steps, options->batch, train_pool_size(run->pool),
             run->settings);
        for (size_t i = 0; i < run->data.file_count; i++) {
            if (!(run->data.files[i].header.flags & FILE_SHUFFLED)) {
                note(run, "%s is not shuffled, so neighbouring positions are alike; use luft-train shuffle", paths[i]);
            }
        }
    }
    return learn(run) ? STATUS_OK : STATUS_FAILED;
}

int train_train(int argc, char **argv) {
    training *run = calloc(1, sizeof *run);
    size_t path_count = 0;
    if (!run) {
        output_error(NAME, "out of memory");
        return STATUS_FAILED;
    }
    run->options = (train_options){.hidden = 128,
                                   .buckets = 1,
                                   .king_buckets = 1,
                                   .epochs = 20,
                                   .batch = 16384,
                                   .threads = processors_count(TRAIN_THREADS_MAX),
                                   .seed = 1,
                                   .rate_text = "0.001",
                                   .lambda_text = "0.3"};
    train_options *options = &run->options;
    const option list[] = {
        {.name = "out",
         .value = "NAME",
         .help = "write NAME.checkpoint, NAME.log and NAME.svg; required",
         .text = &options->out,
         .required = true},
        option_number("hidden", "N", "neurons of a perspective, a multiple of 16 (default 128)", &options->hidden, 16,
                      NNUE_HIDDEN_MAX),
        option_number("buckets", "N", "outputs: 1, or 8 by the number of pieces (default 1)", &options->buckets, 1, 8),
        option_number("king-buckets", "N",
                      "sets of input weights: 1, or 4 by the square of the king, with --mirror (default 1)",
                      &options->king_buckets, 1, NNUE_KING_BUCKETS_MAX),
        option_text("start", "NETWORK", "begin with the weights of a network file (default: random weights)",
                    &options->start),
        option_flag("mirror", "mirror perspectives so that the king stands on files a to d", &options->mirrored),
        option_number("epochs", "N", "learn from every position N times (default 20)", &options->epochs, 1, 100000),
        option_number("batch", "N", "positions of a batch (default 16384)", &options->batch, 1, 1 << 20),
        option_text("rate", "X", "highest learning rate (default 0.001)", &options->rate_text),
        option_text("lambda", "X", "weight of the game result in the target, the rest is the score (default 0.3)",
                    &options->lambda_text),
        option_number("threads", "N", "train with N threads; 1 gives the same bytes in every run (default: all cores)",
                      &options->threads, 1, TRAIN_THREADS_MAX),
        option_number("seed", "N", "seed of the initial weights and of the order (default 1)", &options->seed, 0,
                      UINT64_MAX),
        option_number("stop", "N", "stop after N batches; the same command continues (default 0: never)",
                      &options->stop, 0, UINT64_MAX / 2),
    };
    const char *const *paths;
    const option_table table = {
        .command = NAME,
        .usage = "[options] --out NAME FILE...",
        .about = "Trains a network on files of records. Started again with the same arguments, it continues from the\n"
                 "last checkpoint. luft-train quantise converts the checkpoint to a network for the engine.\n",
        .options = list,
        .option_count = sizeof list / sizeof list[0],
        .rest = &paths,
        .rest_count = &path_count,
    };
    int status;
    if (options_read(&table, argc, argv, &status)) {
        status = check_options(options, path_count) ? run_training(run, paths, path_count) : STATUS_USAGE;
    }
    release(run);
    return status;
}
