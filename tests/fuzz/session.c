/* SPDX-License-Identifier: MIT */
/*
 * The session's own code with another outside: this file stands where uci_files.c and uci_loop.c do in the
 * program. Lines of the search come from its own threads, so that what is heard is counted under a lock.
 *
 * The engine is made once, because that takes longer than most conversations; session_begin sets all that a
 * conversation can change to what it was.
 */
#include "session.h"

#include "decode.h"

#include "uci/session.h"

#include <stdlib.h>

enum { NODES = 150, LINE_MAX = 4096 };

static const char error_prefix[] = "info string error: ";

/* What was heard, and what has to be. */
typedef struct account {
    pthread_mutex_t lock;
    int errors, best_moves, answers;
    int goes;    /* that must have a best move */
    int perhaps; /* that may be perft and have none */
} account;

static account heard = {.lock = PTHREAD_MUTEX_INITIALIZER};
static uci_session session;
static bool is_fresh; /* nothing was searched since the engine was cleared */

static void expect(bool condition, const char *what) {
    if (!condition) {
        report(engine_position(session.engine), what);
    }
}

/* --- The outside of the session ------------------------------------------------------ */

static void check_best_move(const uci_session *uci, const char *text) {
    const luft_position *position = engine_position(uci->engine);
    const char *end = strchr(text, ' ');
    luft_move move;
    if (strcmp(text, "0000") == 0) {
        expect(!uci->has_position || !luft_has_legal_move(position), "no best move");
        return;
    }
    const size_t length = end ? (size_t)(end - text) : strlen(text);
    expect(uci->has_position && luft_move_from_uci(&move, position, text, length) == LUFT_OK, "a bad best move");
}

void uci_write(uci_session *uci, const char *text) {
    pthread_mutex_lock(&heard.lock);
    for (const char *byte = text; *byte; byte++) {
        expect((*byte >= ' ' && *byte <= '~') || *byte == '\n', "a byte that is not printable");
    }
    if (strncmp(text, error_prefix, sizeof error_prefix - 1) == 0) {
        const size_t length = strlen(text) - (sizeof error_prefix - 1);
        expect(length > 0 && length <= 200 && !strchr(text, '\n'), "an error line of another form");
        heard.errors++;
    } else if (strncmp(text, "bestmove ", 9) == 0) {
        check_best_move(uci, text + 9);
        heard.best_moves++;
    } else if (strcmp(text, "readyok") == 0) {
        heard.answers++;
    }
    pthread_mutex_unlock(&heard.lock);
}

void uci_log_input(uci_session *uci, uci_text line) {
    (void)uci;
    (void)line;
}

void uci_log_close(uci_session *uci) {
    (void)uci;
}

/* No file is opened: a fuzzer would find all that there are. */
void uci_set_eval_file(uci_session *uci, uci_text name) {
    char quoted[TEXT_QUOTED_SIZE];
    uci_refuse(uci, "EvalFile: %s", text_quote(quoted, name.text, name.length));
}

void uci_set_log_file(uci_session *uci, uci_text name) {
    char quoted[TEXT_QUOTED_SIZE];
    uci_refuse(uci, "Debug Log File: %s", text_quote(quoted, name.text, name.length));
}

/* --- Talking to it -------------------------------------------------------------------- */

void session_begin(void) {
    const luft_position start = luft_start_position();
    if (!session.engine) {
        if (!uci_open(&session)) {
            abort();
        }
        is_fresh = true;
    }
    luft_engine *engine = session.engine;
    session = (uci_session){.engine = engine, .has_position = true};
    uci_preset_options(&session);
    engine_set_threads(engine, 1);
    engine_set_multipv(engine, 1);
    engine_set_overhead(engine, ENGINE_OVERHEAD_DEFAULT_MS);
    engine_set_node_rate(engine, 0);
    engine_set_elo(engine, 0);
    engine_set_skill(engine, ENGINE_SKILL_MAX);
    engine_set_seed(engine, 1);
    engine_set_position(engine, &start, NULL, 0, NULL);
    if (!is_fresh) {
        engine_set_hash(engine, 1);
        engine_clear(engine);
        is_fresh = true;
    }
    heard.errors = heard.best_moves = heard.answers = heard.goes = heard.perhaps = 0;
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

static bool obey(const char *line, size_t length) {
    const int errors = heard.errors;
    const bool more = uci_obey(&session, (uci_text){line, length});
    uci_work_wait(&session); /* the loop of the program would queue what comes next */
    expect(heard.errors <= errors + 1, "more than one error line for a command");
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
        *(strstr(text, "perft") ? &heard.perhaps : &heard.goes) += 1;
        return obey(cut, length + (size_t)limit);
    }
    const bool more = obey(line, length);
    const int answers = heard.answers;
    obey("isready", 7);
    expect(heard.answers == answers + 1, "isready is not answered");
    return more;
}

void session_end(void) {
    uci_finish(&session);
    expect(heard.best_moves >= heard.goes, "too few best moves");
    expect(heard.best_moves <= heard.goes + heard.perhaps, "too many best moves");
    if (session.has_position) {
        expect(luft_position_status(engine_position(session.engine)) == LUFT_STATUS_VALID, "the position is not valid");
    }
}
