/* SPDX-License-Identifier: MIT */
/*
 * A host of a UCI session that counts what the session writes. Lines of a search come from its own threads, so the
 * counts have a lock.
 *
 * The session is created once, because that takes longer than most conversations; session_begin resets all that a
 * conversation can change.
 */
#include "session.h"

#include "decode.h"

#include "uci/session.h"
#include "util/clock.h"

#include <stdio.h>
#include <stdlib.h>

enum { NODES = 150, LINE_MAX = 4096 };

static const char error_prefix[] = "info string error: ";

/* The answers that came, and the `go` that need one. */
typedef struct account {
    pthread_mutex_t lock;
    int errors, best_moves, ready;
    int searches;       /* each must have a best move */
    int maybe_searches; /* `go` with the word perft, which may be a search or not */
} account;

static account heard = {.lock = PTHREAD_MUTEX_INITIALIZER};
static uci_session *session;
static bool is_fresh; /* nothing was searched since the engine was cleared */

static void expect(bool condition, const char *what) {
    if (!condition) {
        report(luft_engine_position(session->engine), what);
    }
}

/* --- The host ------------------------------------------------------------------------ */

static void check_best_move(const char *text) {
    const luft_position *position = luft_engine_position(session->engine);
    const char *end = strchr(text, ' ');
    luft_move move;
    if (strcmp(text, "0000") == 0) {
        expect(!session->has_position || !luft_has_legal_move(position), "no best move");
        return;
    }
    const size_t length = end ? (size_t)(end - text) : strlen(text);
    expect(session->has_position && luft_move_from_uci(&move, position, text, length) == LUFT_OK, "a bad best move");
}

static bool write_lines(void *payload, const char *text) {
    (void)payload;
    pthread_mutex_lock(&heard.lock);
    for (const char *byte = text; *byte; byte++) {
        expect((*byte >= ' ' && *byte <= '~') || *byte == '\n', "a byte that is not printable");
    }
    if (strncmp(text, error_prefix, sizeof error_prefix - 1) == 0) {
        const size_t length = strlen(text) - (sizeof error_prefix - 1);
        expect(length > 0 && length <= 200 && !strchr(text, '\n'), "an error line of another form");
        heard.errors++;
    } else if (strncmp(text, "bestmove ", 9) == 0) {
        check_best_move(text + 9);
        heard.best_moves++;
    } else if (strcmp(text, "readyok") == 0) {
        heard.ready++;
    }
    pthread_mutex_unlock(&heard.lock);
    return true;
}

static int64_t now_us(void *payload) {
    (void)payload;
    return clock_microseconds();
}

/* No file is opened: a fuzzer would find all that there are. */
static uint8_t *read_file(void *payload, const char *path, size_t limit, size_t *length, char *reason) {
    (void)payload;
    (void)path;
    (void)limit;
    (void)length;
    snprintf(reason, UCI_REASON_SIZE, "no such file");
    return NULL;
}

static bool set_log(void *payload, const char *path, char *reason) {
    (void)payload;
    snprintf(reason, UCI_REASON_SIZE, "no such file");
    return !path;
}

/* --- Talking to it -------------------------------------------------------------------- */

void session_begin(void) {
    const luft_position start = luft_start_position();
    if (!session) {
        const uci_host host = {.write = write_lines, .now_us = now_us, .read_file = read_file, .set_log = set_log};
        session = uci_create(&host);
        if (!session) {
            abort();
        }
        is_fresh = true;
    }
    luft_engine *engine = session->engine;
    session->has_ended = session->chess960 = session->show_wdl = false;
    session->limit_strength = session->analyse_mode = false;
    session->has_position = true;
    session->ep_square = LUFT_NO_SQUARE;
    uci_preset_options(session);
    bool good = luft_engine_set_threads(engine, 1) == LUFT_OK && luft_engine_set_lines(engine, 1) == LUFT_OK;
    luft_engine_set_overhead(engine, LUFT_ENGINE_DEFAULT_OVERHEAD_MS);
    luft_engine_set_node_rate(engine, 0);
    luft_engine_set_elo(engine, 0);
    luft_engine_set_level(engine, LUFT_ENGINE_MAX_LEVEL);
    luft_engine_set_seed(engine, 1);
    good = good && luft_engine_set_position(engine, &start, NULL, 0, NULL) == LUFT_OK;
    if (!is_fresh) {
        good = good && luft_engine_set_hash(engine, 1) == LUFT_OK;
        luft_engine_clear(engine);
        is_fresh = true;
    }
    if (!good) {
        abort();
    }
    heard.errors = heard.best_moves = heard.ready = heard.searches = heard.maybe_searches = 0;
}

/* The line in lower case, to look for words in; cut to what fits. */
static void lower_case(char text[LINE_MAX], const char *line, size_t length) {
    size_t used = 0;
    for (; used < length && used < LINE_MAX - 1; used++) {
        text[used] = line[used] >= 'A' && line[used] <= 'Z' ? (char)(line[used] + 32) : line[used] ? line[used] : ' ';
    }
    text[used] = '\0';
}

/* Perft to more than two plies, more than two threads, a table of more than 2 MB, and all of bench. */
static bool takes_long(const char *text) {
    static const char *const words[] = {"perft", "threads", "hash"};
    const size_t digits = strcspn(text, "0123456789");
    const bool is_large = text[digits] > '2' || (text[digits] && strpbrk(text + digits + 1, "0123456789"));
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        if (strstr(text, words[i]) && is_large) {
            return true;
        }
    }
    return strstr(text, "bench") != NULL;
}

/* Runs lines that waited for perft, while there are any that can run. */
static void run_queued(void) {
    for (int errors = heard.errors; uci_run_queued(session); errors = heard.errors) {
        expect(heard.errors <= errors + 1, "more than one error line for a queued command");
    }
}

static bool receive(const char *line, size_t length) {
    const int errors = heard.errors;
    const bool more = uci_receive(session, line, length);
    expect(heard.errors <= errors + 1, "more than one error line for a command");
    run_queued();
    return more;
}

bool session_say(const char *line, size_t length) {
    char text[LINE_MAX], cut[LINE_MAX + 32];
    uci_text rest = {line, length}, word;
    lower_case(text, line, length);
    if (length >= LINE_MAX || takes_long(text)) {
        return true;
    }
    if (uci_take_word(&rest, &word) && uci_is(word, "go")) {
        const int limit = snprintf(cut + length, 32, " nodes %d", NODES);
        memcpy(cut, line, length);
        is_fresh = false;
        *(strstr(text, "perft") ? &heard.maybe_searches : &heard.searches) += 1;
        return receive(cut, length + (size_t)limit);
    }
    const bool more = receive(line, length);
    const int ready = heard.ready;
    if (more) {
        receive("isready", 7);
        expect(heard.ready == ready + 1, "isready is not answered");
    }
    return more;
}

void session_end(void) {
    session->has_ended = false; /* by `quit`: what waits is run all the same */
    uci_drain(session);
    expect(uci_queued(session) == 0 && uci_running_job(session) == UCI_JOB_NONE, "something is left to do");
    expect(heard.best_moves >= heard.searches, "too few best moves");
    expect(heard.best_moves <= heard.searches + heard.maybe_searches, "too many best moves");
    if (session->has_position) {
        expect(luft_position_status(luft_engine_position(session->engine)) == LUFT_STATUS_VALID,
               "the position is not valid");
    }
}
