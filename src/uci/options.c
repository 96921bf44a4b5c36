/* SPDX-License-Identifier: MIT */
/*
 * The options of a UCI session: a table with the type, default and range of each. It
 * lists the options and checks their values. A value that is refused changes nothing.
 */
#include "session.h"

#include "engine/params.h"

#include <stdio.h>
#include <stdlib.h>

typedef enum option_type { OPTION_SPIN, OPTION_CHECK, OPTION_STRING, OPTION_BUTTON } option_type;

/* The new value of an option, in the field of its type. */
typedef struct option_value {
    int64_t number; /* of a spin */
    bool on;        /* of a check */
    uci_text text;  /* of a string; empty for <empty> */
} option_value;

typedef struct uci_option {
    const char *name;
    option_type type;
    int64_t preset, min, max; /* of a spin; of a check, `preset` is 0 or 1 */
    void (*set)(uci_session *uci, option_value value);
    int64_t (*max_here)(void); /* of a spin whose maximum is smaller on some machines, else NULL */
} uci_option;

/* --- What setting an option does ------------------------------------------------ */

static void set_hash(uci_session *uci, option_value value) {
    if (luft_engine_set_hash(uci->engine, (size_t)value.number) != LUFT_OK) {
        uci_send_error(uci, "option Hash: out of memory for a table of %lld MB; the old one stays",
                       (long long)value.number);
    }
}

static void clear_hash(uci_session *uci, option_value value) {
    (void)value;
    luft_engine_clear(uci->engine);
}

static void set_threads(uci_session *uci, option_value value) {
    if (luft_engine_set_threads(uci->engine, (int)value.number) != LUFT_OK) {
        uci_send_error(uci, "option Threads: out of memory for %lld threads; there are %d", (long long)value.number,
                       luft_engine_threads(uci->engine));
    }
}

/* The GUI decides when to ponder; the option says that Luft can. */
static void set_ponder(uci_session *uci, option_value value) {
    (void)uci;
    (void)value;
}

static void set_multipv(uci_session *uci, option_value value) {
    if (luft_engine_set_lines(uci->engine, (int)value.number) != LUFT_OK) {
        uci_send_error(uci, "option MultiPV: out of memory for %lld variations", (long long)value.number);
    }
}

static void set_overhead(uci_session *uci, option_value value) {
    luft_engine_set_overhead(uci->engine, (int)value.number);
}

static void set_chess960(uci_session *uci, option_value value) {
    uci_finish(uci);
    uci->chess960 = value.on;
}

static void set_node_rate(uci_session *uci, option_value value) {
    luft_engine_set_node_rate(uci->engine, (int)value.number);
}

static void set_show_wdl(uci_session *uci, option_value value) {
    uci_finish(uci);
    uci->show_wdl = value.on;
}

/* Sets the strength of the engine by the four options together. */
static void set_strength(uci_session *uci) {
    const bool by_elo = uci->limit_strength && !uci->analyse_mode;
    const bool by_skill = !uci->limit_strength && !uci->analyse_mode;
    luft_engine_set_elo(uci->engine, by_elo ? uci->elo : 0);
    luft_engine_set_level(uci->engine, by_skill ? uci->skill : LUFT_ENGINE_MAX_LEVEL);
}

static void set_limit_strength(uci_session *uci, option_value value) {
    uci->limit_strength = value.on;
    set_strength(uci);
}

static void set_elo(uci_session *uci, option_value value) {
    uci->elo = (int)value.number;
    set_strength(uci);
}

static void set_skill(uci_session *uci, option_value value) {
    uci->skill = (int)value.number;
    set_strength(uci);
}

static void set_analyse_mode(uci_session *uci, option_value value) {
    uci->analyse_mode = value.on;
    set_strength(uci);
}

/* The file name as a C string. False, with an error sent, if it cannot be one. */
static bool copy_path(uci_session *uci, const char *option, char *path, size_t size, uci_text text) {
    char quoted[TEXT_QUOTED_SIZE];
    if (text.length >= size || memchr(text.text, '\0', text.length)) {
        uci_send_error(uci, "option %s: invalid file name %s", option, text_quote(quoted, text.text, text.length));
        return false;
    }
    memcpy(path, text.text, text.length);
    path[text.length] = '\0';
    return true;
}

enum { PATH_SIZE = 4096 };

static void set_eval_file(uci_session *uci, option_value value) {
    char path[PATH_SIZE], unread[UCI_REASON_SIZE];
    const char *reason = "out of memory";
    size_t length = 0;
    bool good = false;
    if (value.text.length == 0) {
        good = luft_engine_set_network(uci->engine, NULL, 0, &reason) == LUFT_OK;
    } else if (!uci->host.read_file) {
        reason = "this build cannot read or write files";
    } else if (!copy_path(uci, "EvalFile", path, sizeof path, value.text)) {
        return;
    } else {
        /* One byte more than any network has, so that a longer file is refused. */
        const size_t limit = LUFT_ENGINE_MAX_NETWORK_SIZE + 1;
        uint8_t *bytes = uci->host.read_file(uci->host.payload, path, limit, &length, unread);
        reason = bytes ? reason : unread;
        good = bytes && luft_engine_set_network(uci->engine, bytes, length, &reason) == LUFT_OK;
        free(bytes);
    }
    if (!good) {
        uci_send_error(uci, "option EvalFile: %s; the evaluation stays as it is", reason);
    }
}

static void set_own_book(uci_session *uci, option_value value) {
    uci->own_book = value.on;
}

static void set_book_depth(uci_session *uci, option_value value) {
    uci->book_depth = (int)value.number;
}

static void set_book_variety(uci_session *uci, option_value value) {
    uci->book_variety = (int)value.number;
}

static void set_book_file(uci_session *uci, option_value value) {
    char path[PATH_SIZE], unread[UCI_REASON_SIZE] = "this build cannot read or write files";
    luft_book *book = NULL;
    luft_book_report report = {.reason = unread};
    size_t length = 0;
    if (value.text.length > 0) {
        if (!copy_path(uci, "BookFile", path, sizeof path, value.text)) {
            return;
        }
        /* One byte more than any book has, so that a longer file is refused. */
        uint8_t *bytes = uci->host.read_file ? uci->host.read_file(uci->host.payload, path,
                                                                   (size_t)LUFT_BOOK_MAX_SIZE + 1, &length, unread)
                                             : NULL;
        const bool good = bytes && luft_book_open_bytes(&book, bytes, length, &report) == LUFT_OK;
        free(bytes);
        if (!good) {
            uci_send_error(uci, "option BookFile: %s; the book stays as it is", report.reason);
            return;
        }
    }
    luft_book_free(uci->book);
    uci->book = book;
}

/* Reports the tables that were found to be damaged, each once. */
void uci_report_tables(uci_session *uci) {
    luft_tablebase_table fault;
    while (luft_tablebase_next_fault(&fault, uci->tablebase)) {
        uci_send(uci, "info string tablebase %s.%s is ignored: %s", fault.name,
                 fault.kind == LUFT_TABLEBASE_WDL ? "rtbw" : "rtbz", fault.reason);
    }
}

static void set_tablebase(uci_session *uci) {
    luft_engine_set_tablebase(uci->engine, uci->tablebase, uci->probe_depth, uci->probe_limit, uci->rule50);
}

static void set_syzygy_path(uci_session *uci, option_value value) {
    char path[PATH_SIZE];
    luft_tablebase *tablebase = NULL;
    if (value.text.length > 0) {
        if (!copy_path(uci, "SyzygyPath", path, sizeof path, value.text)) {
            return;
        }
        const luft_error error = uci->host.read_file ? luft_tablebase_open(&tablebase, path, LUFT_TABLEBASE_READ)
                                                     : LUFT_ERROR_READ; /* this build cannot read files */
        if (error != LUFT_OK) {
            uci_send_error(uci, "option SyzygyPath: %s; the tablebases stay as they are",
                           error == LUFT_ERROR_READ ? "a directory cannot be read" : luft_error_string(error));
            return;
        }
    }
    uci_finish(uci);
    luft_tablebase *old = uci->tablebase;
    uci->tablebase = tablebase;
    set_tablebase(uci);
    luft_tablebase_free(old);
    if (tablebase) {
        uci_send(uci, "info string found %zu tables of up to %d pieces", luft_tablebase_count(tablebase),
                 luft_tablebase_largest(tablebase));
        uci_report_tables(uci);
    }
}

static void set_probe_depth(uci_session *uci, option_value value) {
    uci->probe_depth = (int)value.number;
    set_tablebase(uci);
}

static void set_probe_limit(uci_session *uci, option_value value) {
    uci->probe_limit = (int)value.number;
    set_tablebase(uci);
}

static void set_rule50(uci_session *uci, option_value value) {
    uci->rule50 = value.on;
    set_tablebase(uci);
}

static void set_log_file(uci_session *uci, option_value value) {
    char path[PATH_SIZE], reason[UCI_REASON_SIZE] = "this build cannot read or write files";
    if (value.text.length == 0) {
        if (uci->host.set_log) {
            uci->host.set_log(uci->host.payload, NULL, reason);
        }
        return;
    }
    if (copy_path(uci, "Debug Log File", path, sizeof path, value.text) &&
        (!uci->host.set_log || !uci->host.set_log(uci->host.payload, path, reason))) {
        char quoted[TEXT_QUOTED_SIZE];
        uci_send_error(uci, "option Debug Log File: cannot write %s: %s",
                       text_quote(quoted, value.text.text, value.text.length), reason);
    }
}

/* --- The table ------------------------------------------------------------------ */

enum { ELO_PRESET = 1500 }; /* a club player; used once UCI_LimitStrength is on */
enum { BOOK_DEPTH_MAX = 1000 };

void uci_preset_options(uci_session *uci) {
    uci->elo = ELO_PRESET;
    uci->skill = LUFT_ENGINE_MAX_LEVEL;
    uci->own_book = false;
    uci->book_depth = BOOK_DEPTH_MAX;
    uci->book_variety = 100;
    uci->probe_depth = 1;
    uci->probe_limit = LUFT_TABLEBASE_PIECES_MAX;
    uci->rule50 = true;
}

static int64_t max_hash_here(void) {
    return (int64_t)luft_engine_max_hash_mb();
}

static int64_t max_threads_here(void) {
    return luft_engine_max_threads();
}

/* clang-format off */
static const uci_option options[] = {
    {"Hash", OPTION_SPIN, LUFT_ENGINE_DEFAULT_HASH_MB, 1, LUFT_ENGINE_MAX_HASH_MB, set_hash, max_hash_here},
    {"Clear Hash", OPTION_BUTTON, 0, 0, 0, clear_hash, NULL},
    {"Threads", OPTION_SPIN, 1, 1, LUFT_ENGINE_MAX_THREADS, set_threads, max_threads_here},
    {"Ponder", OPTION_CHECK, false, 0, 0, set_ponder, NULL},
    {"MultiPV", OPTION_SPIN, 1, 1, LUFT_ENGINE_MAX_LINES, set_multipv, NULL},
    {"Move Overhead", OPTION_SPIN, LUFT_ENGINE_DEFAULT_OVERHEAD_MS, 0, LUFT_ENGINE_MAX_OVERHEAD_MS, set_overhead, NULL},
    {"nodestime", OPTION_SPIN, 0, 0, LUFT_ENGINE_MAX_NODE_RATE, set_node_rate, NULL},
    {"UCI_Chess960", OPTION_CHECK, false, 0, 0, set_chess960, NULL},
    {"UCI_ShowWDL", OPTION_CHECK, false, 0, 0, set_show_wdl, NULL},
    {"UCI_AnalyseMode", OPTION_CHECK, false, 0, 0, set_analyse_mode, NULL},
    {"UCI_LimitStrength", OPTION_CHECK, false, 0, 0, set_limit_strength, NULL},
    {"UCI_Elo", OPTION_SPIN, ELO_PRESET, LUFT_ENGINE_MIN_ELO, LUFT_ENGINE_MAX_ELO, set_elo, NULL},
    {"Skill Level", OPTION_SPIN, LUFT_ENGINE_MAX_LEVEL, 0, LUFT_ENGINE_MAX_LEVEL, set_skill, NULL},
    {"EvalFile", OPTION_STRING, 0, 0, 0, set_eval_file, NULL},
    {"OwnBook", OPTION_CHECK, false, 0, 0, set_own_book, NULL},
    {"BookFile", OPTION_STRING, 0, 0, 0, set_book_file, NULL},
    {"BookDepth", OPTION_SPIN, BOOK_DEPTH_MAX, 1, BOOK_DEPTH_MAX, set_book_depth, NULL},
    {"BookVariety", OPTION_SPIN, 100, 0, 100, set_book_variety, NULL},
    {"SyzygyPath", OPTION_STRING, 0, 0, 0, set_syzygy_path, NULL},
    {"SyzygyProbeDepth", OPTION_SPIN, 1, 1, LUFT_ENGINE_MAX_PROBE_DEPTH, set_probe_depth, NULL},
    {"SyzygyProbeLimit", OPTION_SPIN, LUFT_TABLEBASE_PIECES_MAX, 0, LUFT_TABLEBASE_PIECES_MAX, set_probe_limit, NULL},
    {"Syzygy50MoveRule", OPTION_CHECK, true, 0, 0, set_rule50, NULL},
    {"Debug Log File", OPTION_STRING, 0, 0, 0, set_log_file, NULL},
};
/* clang-format on */

#define OPTION_COUNT (sizeof options / sizeof options[0])

static int64_t max_of(const uci_option *option) {
    return option->max_here ? option->max_here() : option->max;
}

void uci_list_options(uci_session *uci) {
    for (size_t i = 0; i < OPTION_COUNT; i++) {
        const uci_option *option = &options[i];
        switch (option->type) {
        case OPTION_SPIN:
            uci_send(uci, "option name %s type spin default %lld min %lld max %lld", option->name,
                     (long long)option->preset, (long long)option->min, (long long)max_of(option));
            break;
        case OPTION_CHECK:
            uci_send(uci, "option name %s type check default %s", option->name, option->preset ? "true" : "false");
            break;
        case OPTION_STRING: uci_send(uci, "option name %s type string default <empty>", option->name); break;
        case OPTION_BUTTON: uci_send(uci, "option name %s type button", option->name); break;
        }
    }
    for (const search_param *param = search_params; param->name; param++) {
        uci_send(uci, "option name %s type spin default %d min %d max %d", param->name, *param->value, param->min,
                 param->max);
    }
}

/* --- setoption ------------------------------------------------------------------ */

static char lower(char letter) {
    return letter >= 'A' && letter <= 'Z' ? (char)(letter + 32) : letter;
}

/* Names, true and false match in any case, with any run of blanks between two words. */
static bool is_same_name(uci_text text, const char *name) {
    size_t i = 0;
    for (; *name; name++) {
        if (i == text.length) {
            return false;
        }
        if (*name == ' ' && text_is_blank(text.text[i])) {
            while (i < text.length && text_is_blank(text.text[i])) {
                i++;
            }
        } else if (lower(text.text[i++]) != lower(*name)) {
            return false;
        }
    }
    return i == text.length;
}

/* A value that fits a larger machine is clamped, not refused: GUIs copy settings from one machine to another. */
static void clamp_to_machine(uci_session *uci, const uci_option *option, int64_t *number) {
    if (*number > max_of(option) && *number <= option->max) {
        *number = max_of(option);
        uci_send(uci, "info string option %s: reduced to %lld, the maximum here", option->name, (long long)*number);
    }
}

static void send_range_error(uci_session *uci, const char *name, int64_t min, int64_t max, uci_text text) {
    char quoted[TEXT_QUOTED_SIZE];
    uci_send_error(uci, "option %s: expected an integer from %lld to %lld, got %s", name, (long long)min,
                   (long long)max, text_quote(quoted, text.text, text.length));
}

static void apply(uci_session *uci, const uci_option *option, uci_text text) {
    char quoted[TEXT_QUOTED_SIZE];
    option_value value = {0};
    const bool is_number = uci_to_number(text, &value.number);
    clamp_to_machine(uci, option, &value.number);
    if (option->type == OPTION_SPIN && (!is_number || value.number < option->min || value.number > max_of(option))) {
        send_range_error(uci, option->name, option->min, max_of(option), text);
        return;
    }
    if (option->type == OPTION_CHECK) {
        value.on = is_same_name(text, "true");
        if (!value.on && !is_same_name(text, "false")) {
            uci_send_error(uci, "option %s: expected true or false, got %s", option->name,
                           text_quote(quoted, text.text, text.length));
            return;
        }
    }
    if (!uci_is(text, "<empty>")) {
        value.text = text;
    }
    option->set(uci, value);
}

/* A parameter of the search, in a tuning build. */
static void apply_param(uci_session *uci, const search_param *param, uci_text text) {
    int64_t number;
    if (!uci_to_number(text, &number) || number < param->min || number > param->max) {
        send_range_error(uci, param->name, param->min, param->max, text);
        return;
    }
    uci_finish(uci);
    *param->value = (int)number;
}

/* setoption name NAME [value VALUE]; both may contain blanks. */
void uci_setoption(uci_session *uci, uci_text line) {
    uci_text word;
    char quoted[TEXT_QUOTED_SIZE];
    if (!uci_take_word(&line, &word) || !uci_is(word, "name")) {
        uci_send_error(uci, "setoption: expected name");
        return;
    }
    text_trim(&line.text, &line.length);
    uci_text name = line, value = {line.text + line.length, 0};
    for (uci_text rest = line; uci_take_word(&rest, &word);) {
        if (uci_is(word, "value")) {
            name.length = (size_t)(word.text - name.text);
            value = rest;
            break;
        }
    }
    text_trim(&name.text, &name.length);
    text_trim(&value.text, &value.length);
    for (size_t i = 0; i < OPTION_COUNT; i++) {
        if (is_same_name(name, options[i].name)) {
            apply(uci, &options[i], value);
            return;
        }
    }
    for (const search_param *param = search_params; param->name; param++) {
        if (is_same_name(name, param->name)) {
            apply_param(uci, param, value);
            return;
        }
    }
    uci_send_error(uci, "unknown option %s", text_quote(quoted, name.text, name.length));
}
