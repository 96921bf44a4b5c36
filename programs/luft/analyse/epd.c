/* SPDX-License-Identifier: MIT */
/*
 * `luft analyse --epd`: solves a suite of positions with moves to find. Each is searched with an empty hash table, so
 * that no result depends on the positions before. With --jobs several engines search, and each waits for its turn to
 * print, so the output is in the order of the file.
 */
#define _POSIX_C_SOURCE 200809L

#include "analyse.h"

#include "command.h"
#include "epd/reader.h"
#include "util/output.h"
#include "util/text.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    ID_MAX = 64,    /* bytes of an id that are kept */
    ID_COLUMNS = 20 /* minimum width of its column */
};

/* What a position asks for; the answer must meet every condition. */
typedef struct question {
    luft_position position;
    char id[ID_MAX + 1]; /* any bytes but 0; "line N" if there is none */
    int best_count;      /* of bm, 0 for none */
    int avoid_count;     /* of am, 0 for none */
    luft_move best[LUFT_MAX_MOVES];
    luft_move avoid[LUFT_MAX_MOVES];
    bool has_goal;   /* there is something to find; else the position is only analysed */
    int64_t mate_in; /* moves, of dm; negative if the side to move is mated; 0 for none */
} question;

/* The answer, and from which node and time on it was right. */
typedef struct answer {
    const question *asked;
    bool solved;
    int64_t nodes;
    int64_t time_ms;
} answer;

typedef struct suite {
    const analyse_settings *settings;
    epd_reader reader;
    thinking_interrupt interrupt;
    pthread_mutex_t mutex; /* guards all of the following, and the reader */
    pthread_cond_t printed;
    uint64_t asked;  /* positions given to workers */
    uint64_t turn;   /* the position whose result is printed next */
    uint64_t solved; /* so far */
    uint64_t done;   /* positions with a goal whose search was completed */
    int64_t nodes;
    bool failed; /* out of memory, or the output cannot be written: the search ends */
} suite;

typedef struct worker {
    suite *suite;
    luft_engine *engine;
    pthread_t thread;
    bool started;
    question question;
    thinking found;
} worker;

/* --- Questions ----------------------------------------------------------------------- */

/* The moves of bm or am. Sets `mate_in` if bm has "#3" among them. */
static int read_moves(luft_move moves[LUFT_MAX_MOVES], int64_t *mate_in, const epd_record *record, const char *opcode) {
    luft_epd_operation operation;
    luft_epd_operand operand;
    int count = 0;
    if (luft_epd_find(&operation, &record->operations, opcode) != LUFT_OK) {
        return 0;
    }
    luft_epd_cursor operands = operation.operands;
    while (count < LUFT_MAX_MOVES && luft_epd_next_operand(&operand, &operands) == LUFT_OK) {
        if (!epd_read_mate(mate_in, &operation, &operand)) {
            count += epd_read_move(&moves[count], &record->position, &operation, &operand) == LUFT_OK;
        }
    }
    return count;
}

static void read_id(char id[ID_MAX + 1], const epd_record *record, uint64_t line) {
    luft_epd_operation operation;
    luft_epd_operand operand;
    snprintf(id, ID_MAX + 1, "line %" PRIu64, line);
    if (luft_epd_find(&operation, &record->operations, "id") == LUFT_OK &&
        luft_epd_next_operand(&operand, &operation.operands) == LUFT_OK && operand.length > 0) {
        operand.length = operand.length < ID_MAX ? operand.length : ID_MAX;
        luft_epd_unescape(id, ID_MAX + 1, &operand);
    }
}

/* The next position; false if there is none. */
static bool next_question(epd_reader *reader, question *out) {
    epd_record record;
    if (epd_next(reader, &record)) {
        luft_epd_operation operation;
        luft_epd_operand operand;
        out->position = record.position;
        out->mate_in = 0;
        out->best_count = read_moves(out->best, &out->mate_in, &record, "bm");
        out->avoid_count = read_moves(out->avoid, &out->mate_in, &record, "am");
        if (luft_epd_find(&operation, &record.operations, "dm") == LUFT_OK &&
            luft_epd_next_operand(&operand, &operation.operands) == LUFT_OK) {
            epd_read_number(&out->mate_in, &operand);
        }
        out->has_goal = out->best_count > 0 || out->avoid_count > 0 || out->mate_in != 0;
        read_id(out->id, &record, reader->lines.number);
        return true;
    }
    return false;
}

/* --- Answers --------------------------------------------------------------------------- */

static bool is_among(luft_move move, const luft_move *moves, int count) {
    while (count > 0 && moves[count - 1] != move) {
        count--;
    }
    return count > 0;
}

/* A mate must be as short as asked for. */
static bool is_right(const question *asked, const thinking_line *line) {
    const luft_move move = line->moves[0];
    const bool white = asked->position.side_to_move == LUFT_WHITE;
    const int score = white ? line->score : -line->score;
    const int mate = thinking_is_mate(score) ? thinking_mate_in(score) : 0;
    return (asked->best_count == 0 || is_among(move, asked->best, asked->best_count)) &&
           !is_among(move, asked->avoid, asked->avoid_count) &&
           (asked->mate_in == 0 ||
            (asked->mate_in > 0 ? mate > 0 && mate <= asked->mate_in : mate < 0 && mate >= asked->mate_in));
}

static void watch_line(void *payload, const thinking_line *line, int number) {
    answer *given = payload;
    const bool right = number == 1 && is_right(given->asked, line);
    if (right && !given->solved) {
        given->nodes = line->nodes;
        given->time_ms = line->time_ms;
    }
    given->solved = right;
}

/* "bm Qg6 Rg3, am Kh1, dm 3" */
static void append_wanted(buffer *out, const question *asked) {
    const struct {
        const char *opcode;
        const luft_move *moves;
        int count;
    } lists[] = {{"bm", asked->best, asked->best_count}, {"am", asked->avoid, asked->avoid_count}};
    const char *comma = "";
    for (int i = 0; i < 2; i++) {
        if (lists[i].count == 0) {
            continue;
        }
        buffer_printf(out, "%s%s", comma, lists[i].opcode);
        for (int j = 0; j < lists[i].count; j++) {
            char san[LUFT_SAN_SIZE] = "";
            luft_move_to_san(san, sizeof san, &asked->position, lists[i].moves[j]);
            buffer_printf(out, " %s", san);
        }
        comma = ", ";
    }
    if (asked->mate_in != 0) {
        buffer_printf(out, "%sdm %" PRId64, comma, asked->mate_in);
    }
}

/* Pads the id to its column; a character of several bytes is one column wide. */
static void append_id(buffer *out, const char *id) {
    size_t at = out->length;
    buffer_append_readable(out, id, strlen(id));
    int columns = 0;
    for (; at < out->length; at++) {
        columns += ((unsigned char)out->data[at] & 0xc0) != 0x80;
    }
    buffer_printf(out, "%*s", columns < ID_COLUMNS ? ID_COLUMNS - columns : 0, "");
}

static void append_answer(buffer *out, const question *asked, const answer *given, const thinking *found) {
    char san[LUFT_SAN_SIZE] = "-", nodes[TEXT_COUNT_SIZE];
    if (found->best != LUFT_MOVE_NONE) {
        luft_move_to_san(san, sizeof san, &asked->position, found->best);
    }
    buffer_printf(out, "%-3s  ", !asked->has_goal ? "-" : given->solved ? "yes" : "no");
    append_id(out, asked->id);
    buffer_printf(out, "  %-7s  ", san);
    if (!asked->has_goal) {
        char score[THINKING_SCORE_SIZE];
        const bool searched = found->line_count > 0;
        buffer_printf(out, "%s\n", searched ? thinking_score_text(score, found->lines[0].score) : "");
    } else if (given->solved) {
        text_count(nodes, (luft_count){(uint64_t)given->nodes, 0}, true);
        buffer_printf(out, "%13s nodes %8.3f s\n", nodes, (double)given->time_ms / 1000);
    } else {
        buffer_append_text(out, "wanted: ");
        append_wanted(out, asked);
        buffer_append_text(out, "\n");
    }
}

static void append_json_answer(buffer *text, const suite *run, const question *asked, const answer *given,
                               const thinking *found) {
    char san[LUFT_SAN_SIZE] = "";
    json out = {.text = text};
    buffer wanted = {0};
    append_wanted(&wanted, asked);
    json_open(&out, '{');
    json_member(&out, "id", asked->id);
    analyse_write_fen(&out, &asked->position);
    if (asked->has_goal) {
        json_key(&out, "wanted");
        json_bytes(&out, wanted.data ? wanted.data : "", wanted.length);
        json_key(&out, "solved");
        json_bool(&out, given->solved);
    }
    if (found->best != LUFT_MOVE_NONE) {
        const thinking_line *best = &found->lines[0];
        luft_move_to_san(san, sizeof san, &asked->position, found->best);
        json_member(&out, "san", san);
        analyse_write_score(&out, best->score);
        json_count(&out, "depth", (uint64_t)best->depth);
        json_count(&out, "nodes", (uint64_t)best->nodes);
        json_count(&out, "time_ms", (uint64_t)best->time_ms);
        analyse_write_moves(&out, "pv", run->settings, &asked->position, best->moves, best->length);
    }
    if (asked->has_goal && given->solved) {
        json_count(&out, "solution_nodes", (uint64_t)given->nodes);
        json_count(&out, "solution_time_ms", (uint64_t)given->time_ms);
    }
    json_close(&out, '}');
    buffer_append_text(text, "\n");
    text->failed |= wanted.failed;
    buffer_free(&wanted);
}

/* --- Workers ----------------------------------------------------------------------------- */

/* Searches the position of the worker. False if the search was not completed. */
static bool search(worker *self, answer *given) {
    const suite *run = self->suite;
    const question *asked = &self->question;
    *given = (answer){.asked = asked};
    luft_engine_clear(self->engine);
    if (luft_engine_set_position(self->engine, &asked->position, NULL, 0, NULL) != LUFT_OK ||
        atomic_load(&run->interrupt.interrupted) ||
        !thinking_run(&self->found, self->engine, &run->settings->limits, watch_line, given) ||
        atomic_load(&run->interrupt.interrupted)) {
        return false;
    }
    if (self->found.line_count > 0) { /* the best move decides, also if the threads voted against the last variation */
        const thinking_line *best = &self->found.lines[0];
        const bool right = is_right(asked, best);
        if (right && !given->solved) {
            given->nodes = best->nodes;
            given->time_ms = best->time_ms;
        }
        given->solved = right;
    }
    return true;
}

/* Prints the result after all results before it. The caller holds the mutex. */
static void print_in_turn(worker *self, uint64_t place, bool searched, const answer *given) {
    suite *run = self->suite;
    buffer text = {0};
    while (run->turn != place) {
        pthread_cond_wait(&run->printed, &run->mutex);
    }
    if (searched && !run->failed) {
        run->done += self->question.has_goal;
        run->solved += self->question.has_goal && given->solved;
        run->nodes += self->found.line_count > 0 ? self->found.lines[0].nodes : 0;
        if (run->settings->json) {
            append_json_answer(&text, run, &self->question, given, &self->found);
        } else {
            append_answer(&text, &self->question, given, &self->found);
        }
        run->failed |= !analyse_print(&text);
    } else if (!run->failed && !atomic_load(&run->interrupt.interrupted)) {
        output_error(ANALYSE_NAME, "cannot start the search: out of memory or threads");
        run->failed = true;
    }
    run->turn++;
    pthread_cond_broadcast(&run->printed);
    buffer_free(&text);
}

static void *work(void *argument) {
    worker *self = argument;
    suite *run = self->suite;
    pthread_mutex_lock(&run->mutex);
    while (!run->failed && !atomic_load(&run->interrupt.interrupted) && next_question(&run->reader, &self->question)) {
        const uint64_t place = run->asked++;
        answer given;
        pthread_mutex_unlock(&run->mutex);
        const bool searched = search(self, &given);
        pthread_mutex_lock(&run->mutex);
        print_in_turn(self, place, searched, &given);
    }
    pthread_mutex_unlock(&run->mutex);
    return NULL;
}

/* --- The suite ------------------------------------------------------------------------------ */

/* False if it cannot be printed. */
static bool print_total(const suite *run) {
    buffer text = {0};
    char summary[64];
    snprintf(summary, sizeof summary, "solved %" PRIu64 " of %" PRIu64, run->solved, run->done);
    if (run->settings->json) {
        json out = {.text = &text};
        json_open(&out, '{');
        json_count(&out, "solved", run->solved);
        json_count(&out, "of", run->done);
        json_count(&out, "nodes", (uint64_t)run->nodes);
        json_member(&out, "summary", summary);
        json_close(&out, '}');
        buffer_append_text(&text, "\n");
    } else {
        buffer_printf(&text, "%s\n", summary);
    }
    const bool printed = analyse_print(&text);
    buffer_free(&text);
    return printed;
}

/* Runs the workers to the end of the file. */
static void run_workers(suite *run, worker *workers, luft_engine *const *engines, size_t count) {
    thinking_watch(&run->interrupt, engines, count, NULL);
    for (size_t i = 1; i < count; i++) {
        workers[i].started = pthread_create(&workers[i].thread, NULL, work, &workers[i]) == 0;
    }
    work(&workers[0]); /* the main thread is the first worker */
    for (size_t i = 1; i < count; i++) {
        if (workers[i].started) {
            pthread_join(workers[i].thread, NULL);
        }
    }
    thinking_unwatch(&run->interrupt);
}

/* Reads the file and prints the results. Returns an exit status. */
static int run_suite(suite *run, worker *workers, luft_engine *const *engines, size_t count, const char *path) {
    pthread_mutex_init(&run->mutex, NULL);
    pthread_cond_init(&run->printed, NULL);
    epd_open(&run->reader, path);
    run_workers(run, workers, engines, count);
    const bool was_read = epd_close(&run->reader, ANALYSE_NAME);
    if (was_read || run->done > 0) {
        run->failed |= !print_total(run);
    }
    pthread_mutex_destroy(&run->mutex);
    pthread_cond_destroy(&run->printed);
    const bool is_whole = !run->failed && !atomic_load(&run->interrupt.interrupted) && run->reader.errors == 0;
    return !was_read ? STATUS_USAGE : is_whole ? STATUS_OK : STATUS_FAILED;
}

int analyse_suite(const analyse_settings *settings, const char *path) {
    suite *run = calloc(1, sizeof *run);
    worker *workers = calloc(settings->batch.jobs, sizeof *workers);
    luft_engine **engines =
        calloc(settings->batch.jobs, sizeof *engines); // NOLINT(bugprone-sizeof-expression): pointers
    const size_t wanted = settings->batch.jobs;
    size_t count = 0;
    int status = STATUS_USAGE;
    if (run && workers && engines) {
        run->settings = settings;
        for (; count < wanted && (engines[count] = analyse_create_engine(settings)) != NULL; count++) {
            workers[count].suite = run;
            workers[count].engine = engines[count];
        }
        if (count == wanted) {
            status = run_suite(run, workers, engines, wanted, path);
        }
    } else {
        output_error(ANALYSE_NAME, "out of memory");
    }
    for (size_t i = 0; i < count; i++) {
        luft_engine_free(engines[i]);
    }
    free(engines);
    free(workers);
    free(run);
    return status;
}
