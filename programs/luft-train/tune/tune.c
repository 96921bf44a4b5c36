/* SPDX-License-Identifier: MIT */
/*
 * `luft-train spsa`: tunes the parameters of the search by games between two settings of them. spsa.c has the
 * arithmetic, duel.c the games. Only a tuning build has parameters that can be changed.
 *
 * The state is a text file, written atomically, from which the same command continues.
 */
#define _XOPEN_SOURCE 700

#include "command.h"
#include "duel.h"
#include "spsa.h"

#include "learn/checkpoint.h"

#include "engine/params.h"
#include "util/atomic_file.h"
#include "util/buffer.h"
#include "util/clock.h"
#include "util/input.h"
#include "util/interrupt.h"
#include "util/options.h"
#include "util/output.h"
#include "util/processors.h"
#include "util/progress.h"
#include "util/random.h"
#include "util/text.h"

#include <inttypes.h>
#include <math.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#define NAME "luft-train spsa"

enum { WORKERS_MAX = 256, SECONDS_BETWEEN_STATES = 30, SETTINGS_SIZE = 256 };

typedef struct spsa_settings {
    const char *out;
    const char *book;
    const char *only;
    uint64_t pairs, nodes, threads, seed, hash_mb;
    uint64_t step; /* perturbation of a parameter, as a percentage of its value */
    uint64_t rate; /* in thousandths */
} spsa_settings;

typedef struct spsa_run {
    const spsa_settings *settings;
    spsa state;
    spsa_param params[DUEL_PARAMS_MAX];
    duel_settings duel;
    duel_worker workers[WORKERS_MAX];
    bool busy[WORKERS_MAX];
    uint64_t worker_count;
    uint64_t next;         /* the number of the next pair */
    int64_t points, games; /* of this run: plus less minus, only to show that they are alike */
    atomic_bool stop;
    progress line;
    char text[SETTINGS_SIZE]; /* the settings that a state must agree with */
} spsa_run;

/* --- Which parameters ------------------------------------------------------------ */

/* Is the name in the list, which is separated by commas? */
static bool is_listed(const char *list, const char *name) {
    const size_t length = strlen(name);
    for (const char *at = list; at; at = strchr(at, ',')) {
        at += *at == ',';
        if (strncmp(at, name, length) == 0 && (at[length] == ',' || at[length] == '\0')) {
            return true;
        }
    }
    return false;
}

/* Every name of the list must be that of a parameter. */
static bool are_known(const char *list) {
    char quoted[TEXT_QUOTED_SIZE];
    for (const char *at = list; *at;) {
        const size_t length = strcspn(at, ",");
        const search_param *param = search_params;
        while (param->name && (strlen(param->name) != length || strncmp(param->name, at, length) != 0)) {
            param++;
        }
        if (!param->name) {
            output_error(NAME, "--only: there is no parameter %s", text_quote(quoted, at, length));
            return false;
        }
        at += length + (at[length] == ',');
    }
    return true;
}

/* Chooses the parameters. Without --only, leaves out those at a limit, which often means that a rule is switched off. */
static bool choose_params(spsa_run *run) {
    const spsa_settings *settings = run->settings;
    if (!search_params[0].name) {
        output_error(NAME, "this program has no parameters to tune; build it by `make TUNE=1 train`");
        return false;
    }
    if (settings->only && !are_known(settings->only)) {
        return false;
    }
    run->state = (spsa){.params = run->params,
                        .rate = (double)settings->rate / 1000.0,
                        .goal = settings->pairs,
                        .seed = random_mix(settings->seed)};
    for (size_t i = 0; search_params[i].name && run->state.count < DUEL_PARAMS_MAX; i++) {
        const search_param *param = &search_params[i];
        const int value = *param->value;
        if (settings->only ? !is_listed(settings->only, param->name) : value == param->min || value == param->max) {
            continue;
        }
        run->duel.params[run->state.count] = i;
        run->params[run->state.count++] = (spsa_param){.name = param->name,
                                                       .value = value,
                                                       .start = value,
                                                       .min = param->min,
                                                       .max = param->max,
                                                       .step = fmax(abs(value) * (double)settings->step / 100.0, 0.5)};
    }
    run->duel.param_count = run->state.count;
    return true;
}

/* --- The state ------------------------------------------------------------------- */

static void write_settings(spsa_run *run) {
    const spsa_settings *settings = run->settings;
    snprintf(run->text, sizeof run->text,
             "luft-spsa 1\npairs %" PRIu64 "\nnodes %" PRIu64 "\nhash %" PRIu64 "\nseed %" PRIu64 "\nstep %" PRIu64
             "\nrate %" PRIu64 "\nparameters %zu\n",
             settings->pairs, settings->nodes, settings->hash_mb, settings->seed, settings->step, settings->rate,
             run->state.count);
}

static bool save(const spsa_run *run) {
    buffer text = {0};
    buffer_printf(&text, "%sdone %" PRIu64 "\n", run->text, run->state.steps);
    for (size_t i = 0; i < run->state.count; i++) {
        const spsa_param *param = &run->params[i];
        buffer_printf(&text, "%s %d %.17g\n", param->name, param->start, param->value);
    }
    atomic_file file;
    const bool good = !text.failed && atomic_file_open(&file, run->settings->out) &&
                      atomic_file_close(&file, fwrite(text.data, 1, text.length, file.stream) == text.length);
    buffer_free(&text);
    if (!good) {
        output_error(NAME, "%s cannot be written", run->settings->out);
    }
    return good;
}

/* Reads the state of a run with the same settings. */
static bool read_state(spsa_run *run, const char *text) {
    if (!train_take(&text, run->text) || !train_take(&text, "done ") || !train_take_number(&text, &run->state.steps) ||
        !train_take(&text, "\n") || run->state.steps > run->state.goal) {
        return false;
    }
    for (size_t i = 0; i < run->state.count; i++) {
        spsa_param *param = &run->params[i];
        uint64_t start;
        if (!train_take(&text, param->name) || !train_take(&text, " ") || !train_take_number(&text, &start) ||
            start != (uint64_t)param->start || !train_take(&text, " ") || !train_take_real(&text, &param->value) ||
            !(param->value >= param->min && param->value <= param->max) || !train_take(&text, "\n")) {
            return false;
        }
    }
    return *text == '\0';
}

/* Continues from the state, if there is one. False after an error line. */
static bool resume(spsa_run *run) {
    FILE *file = fopen(run->settings->out, "rb");
    char *text = NULL;
    bool good = true;
    if (file) {
        enum { ROOM = 1 << 16 };
        text = malloc(ROOM);
        const size_t length = text ? fread(text, 1, ROOM - 1, file) : 0;
        fclose(file);
        if (text) {
            text[length] = '\0';
        }
        good = text && read_state(run, text);
        if (!good) {
            output_error(NAME, "%s belongs to another run; remove it or choose another --out", run->settings->out);
        }
    }
    free(text);
    return good;
}

/* --- The loop ---------------------------------------------------------------------- */

static void on_signal(void *payload, int number) {
    (void)number;
    spsa_run *run = payload;
    atomic_store(&run->stop, true);
}

/* Gives a worker the next pair, if there is one. False if it has ended. */
static bool give(spsa_run *run, uint64_t worker) {
    if (run->next >= run->state.goal || atomic_load(&run->stop)) {
        return true;
    }
    duel_pair pair = {.number = run->next, .seed = random_mix(run->settings->seed) + run->next};
    spsa_points(&run->state, run->next, pair.values[0], pair.values[1]);
    run->next++;
    run->busy[worker] = true;
    return duel_worker_give(&run->workers[worker], &pair);
}

static bool take(spsa_run *run, uint64_t worker) {
    duel_result result;
    run->busy[worker] = false;
    if (!duel_worker_take(&run->workers[worker], &result)) {
        return false;
    }
    run->points += result.points;
    run->games += 2;
    spsa_update(&run->state, result.number, result.points);
    progress_set(&run->line, run->state.steps);
    return true;
}

/* Waits until a worker has a result. Returns how many are busy. */
static size_t wait_for_results(const spsa_run *run, struct pollfd *files) {
    size_t busy = 0;
    for (uint64_t i = 0; i < run->worker_count; i++) {
        files[i] = (struct pollfd){.fd = run->busy[i] ? run->workers[i].results : -1, .events = POLLIN};
        busy += run->busy[i];
    }
    if (busy > 0 && poll(files, (nfds_t)run->worker_count, 200) < 0) {
        for (uint64_t i = 0; i < run->worker_count; i++) {
            files[i].revents = 0;
        }
    }
    return busy;
}

/* Plays until the goal or a signal. False after an error line. */
static bool play(spsa_run *run) {
    struct pollfd files[WORKERS_MAX];
    bool good = true;
    double saved = clock_seconds();
    for (uint64_t i = 0; i < run->worker_count && good; i++) {
        good = give(run, i);
    }
    while (good && wait_for_results(run, files) > 0) {
        for (uint64_t i = 0; i < run->worker_count && good; i++) {
            if (run->busy[i] && files[i].revents) {
                good = take(run, i) && give(run, i);
            }
        }
        if (good && clock_seconds() - saved > SECONDS_BETWEEN_STATES) {
            if (!save(run)) {
                return false;
            }
            saved = clock_seconds();
        }
    }
    progress_clear(&run->line);
    if (!good) {
        output_error(NAME, "a process that plays has ended: no balanced opening was found, or out of memory");
    }
    return save(run) && good;
}

static void print_params(const spsa_run *run) {
    printf("%" PRIu64 " of %" PRIu64 " pairs; in this run the first of each pair scored %+" PRId64
           " points more in %" PRId64 " games\n",
           run->state.steps, run->state.goal, run->points, run->games);
    for (size_t i = 0; i < run->state.count; i++) {
        const spsa_param *param = &run->params[i];
        printf("%-28s %6d  from %6d  (%.2f)\n", param->name, (int)lround(param->value), param->start, param->value);
    }
}

static int tune(spsa_run *run) {
    if (!choose_params(run)) {
        return STATUS_USAGE;
    }
    write_settings(run);
    if (!resume(run)) {
        return STATUS_USAGE;
    }
    signal(SIGPIPE, SIG_IGN); /* a worker that has ended is an error of the write */
    while (run->worker_count < run->settings->threads &&
           duel_worker_start(&run->workers[run->worker_count], &run->duel)) {
        run->worker_count++;
    }
    if (run->worker_count == 0) {
        output_error(NAME, "cannot start a process");
        return STATUS_FAILED;
    }
    interrupt signals;
    interrupt_start(&signals, on_signal, run);
    run->next = run->state.steps;
    progress_start_goal(&run->line, "pairs", run->state.steps, run->state.goal);
    const bool good = play(run);
    interrupt_stop(&signals);
    duel_workers_stop(run->workers, run->worker_count);
    print_params(run);
    return good ? STATUS_OK : STATUS_FAILED;
}

int train_spsa(int argc, char **argv) {
    spsa_settings settings = {.pairs = 25000,
                              .nodes = 8000,
                              .threads = processors_count(WORKERS_MAX),
                              .seed = 1,
                              .hash_mb = 4,
                              .step = 12,
                              .rate = 2};
    openings starts = {.book_percent = 100, .random_plies = 8, .book_plies = 0};
    const option options[] = {
        {.name = "out",
         .value = "FILE",
         .help = "keep the state in FILE; required",
         .text = &settings.out,
         .required = true},
        option_number("pairs", "N", "play N pairs of games (default 25000)", &settings.pairs, 1, 100000000),
        option_number("nodes", "N", "search each move with N nodes (default 8000)", &settings.nodes, 1, 100000000),
        option_number("threads", "N", "play N games at a time (default: one for each core)", &settings.threads, 1,
                      WORKERS_MAX),
        option_number("seed", "N", "seed of openings and perturbations (default 1)", &settings.seed, 0, UINT64_MAX / 2),
        option_number("hash", "MB", "hash table of each engine (default 4)", &settings.hash_mb, 1, 1024),
        option_text("book", "FILE", "start from the positions of an EPD file, or the last ones of PGN games",
                    &settings.book),
        option_text("only", "NAMES", "tune these parameters, separated by commas (default: all not at a limit)",
                    &settings.only),
        option_number("step", "PERCENT", "change each parameter by this share of its value (default 12)",
                      &settings.step, 1, 100),
        option_number("rate", "N", "learning rate in thousandths (default 2)", &settings.rate, 1, 1000),
    };
    const option_table table = {
        .command = NAME,
        .usage = "--out FILE [--pairs N] [--nodes N] [--threads N] [--book FILE] [--only NAMES]",
        .about =
            "Tunes the parameters of the search by SPSA: pairs of games between two settings near the present one.\n"
            "Needs a tuning build (make TUNE=1 train). Started again, it continues.\n",
        .options = options,
        .option_count = sizeof options / sizeof options[0],
    };
    int status;
    if (!options_read(&table, argc, argv, &status)) {
        return status;
    }
    if (settings.book && input_is_among(settings.out, &settings.book, 1)) {
        output_error(NAME, "--out: %s is also a file to read", settings.out);
        return STATUS_USAGE;
    }
    if (!openings_read_option(&starts, settings.book, NAME)) {
        openings_free(&starts);
        return STATUS_USAGE;
    }
    spsa_run *run = calloc(1, sizeof *run);
    if (run) {
        run->settings = &settings;
        run->duel = (duel_settings){.starts = &starts, .nodes = settings.nodes, .hash_mb = settings.hash_mb};
        status = tune(run);
    } else {
        output_error(NAME, "out of memory");
        status = STATUS_FAILED;
    }
    free(run);
    openings_free(&starts);
    return status;
}
