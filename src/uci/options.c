/* SPDX-License-Identifier: MIT */
/*
 * The options of the UCI session: a table with the type, default and range of each,
 * which both announces them and checks what is set. A value that does not fit is
 * refused, and what was in force stays in force.
 */
#include "session.h"

#include "engine/params.h"

typedef enum option_type { OPTION_SPIN, OPTION_CHECK, OPTION_STRING, OPTION_BUTTON } option_type;

/* What an option is set to; which part counts is a matter of its type. */
typedef struct option_value {
    int64_t number; /* of a spin */
    bool on;        /* of a check */
    uci_text text;  /* of a string; of no length for <empty> */
} option_value;

typedef struct uci_option {
    const char *name;
    option_type type;
    int64_t preset, least, most; /* of a spin; of a check, `preset` is 0 or 1 */
    void (*set)(uci_session *uci, option_value value);
    int64_t most_anywhere; /* of a spin that other machines can have more of; 0 if there are none */
} uci_option;

/* --- What setting an option does ------------------------------------------------ */

static void set_hash(uci_session *uci, option_value value) {
    if (!engine_set_hash(uci->engine, (size_t)value.number)) {
        uci_refuse(uci, "no memory for a hash table of %lld MB; the old one stays", (long long)value.number);
    }
}

static void clear_hash(uci_session *uci, option_value value) {
    (void)value;
    engine_clear(uci->engine);
}

static void set_threads(uci_session *uci, option_value value) {
    const int count = engine_set_threads(uci->engine, (int)value.number);
    if (count != value.number) {
        uci_refuse(uci, "no memory for %lld threads; there are %d", (long long)value.number, count);
    }
}

/* Pondering is the GUI's choice; the option only tells it that Luft can. */
static void set_ponder(uci_session *uci, option_value value) {
    (void)uci;
    (void)value;
}

static void set_multipv(uci_session *uci, option_value value) {
    engine_set_multipv(uci->engine, (int)value.number);
}

static void set_overhead(uci_session *uci, option_value value) {
    engine_set_overhead(uci->engine, (int)value.number);
}

static void set_chess960(uci_session *uci, option_value value) {
    uci_finish(uci);
    uci->chess960 = value.on;
}

static void set_node_rate(uci_session *uci, option_value value) {
    engine_set_node_rate(uci->engine, (int)value.number);
}

static void set_show_wdl(uci_session *uci, option_value value) {
    uci_finish(uci);
    uci->show_wdl = value.on;
}

/* Tells the engine what follows from the four options of strength. */
static void set_strength(uci_session *uci) {
    const bool by_elo = uci->limit_strength && !uci->analyse_mode;
    const bool by_skill = !uci->limit_strength && !uci->analyse_mode;
    engine_set_elo(uci->engine, by_elo ? uci->elo : 0);
    engine_set_skill(uci->engine, by_skill ? uci->skill : ENGINE_SKILL_MAX);
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

static void set_eval_file(uci_session *uci, option_value value) {
    uci_set_eval_file(uci, value.text);
}

static void set_log_file(uci_session *uci, option_value value) {
    uci_set_log_file(uci, value.text);
}

/* --- The table ------------------------------------------------------------------ */

enum { ELO_PRESET = 1500 }; /* a club player; it counts only once UCI_LimitStrength is on */

void uci_preset_options(uci_session *uci) {
    uci->elo = ELO_PRESET;
    uci->skill = ENGINE_SKILL_MAX;
}

/* clang-format off */
static const uci_option options[] = {
    {"Hash", OPTION_SPIN, ENGINE_HASH_DEFAULT_MB, 1, ENGINE_HASH_MAX_MB, set_hash, ENGINE_HASH_ANYWHERE_MB},
    {"Clear Hash", OPTION_BUTTON, 0, 0, 0, clear_hash, 0},
    {"Threads", OPTION_SPIN, 1, 1, ENGINE_THREADS_MAX, set_threads, ENGINE_THREADS_ANYWHERE},
    {"Ponder", OPTION_CHECK, false, 0, 0, set_ponder, 0},
    {"MultiPV", OPTION_SPIN, 1, 1, ENGINE_MULTIPV_MAX, set_multipv, 0},
    {"Move Overhead", OPTION_SPIN, ENGINE_OVERHEAD_DEFAULT_MS, 0, ENGINE_OVERHEAD_MAX_MS, set_overhead, 0},
    {"nodestime", OPTION_SPIN, 0, 0, ENGINE_NODE_RATE_MAX, set_node_rate, 0},
    {"UCI_Chess960", OPTION_CHECK, false, 0, 0, set_chess960, 0},
    {"UCI_ShowWDL", OPTION_CHECK, false, 0, 0, set_show_wdl, 0},
    {"UCI_AnalyseMode", OPTION_CHECK, false, 0, 0, set_analyse_mode, 0},
    {"UCI_LimitStrength", OPTION_CHECK, false, 0, 0, set_limit_strength, 0},
    {"UCI_Elo", OPTION_SPIN, ELO_PRESET, ENGINE_ELO_MIN, ENGINE_ELO_MAX, set_elo, 0},
    {"Skill Level", OPTION_SPIN, ENGINE_SKILL_MAX, 0, ENGINE_SKILL_MAX, set_skill, 0},
    {"EvalFile", OPTION_STRING, 0, 0, 0, set_eval_file, 0},
    {"Debug Log File", OPTION_STRING, 0, 0, 0, set_log_file, 0},
};
/* clang-format on */

#define OPTION_COUNT (sizeof options / sizeof options[0])

void uci_list_options(uci_session *uci) {
    for (size_t i = 0; i < OPTION_COUNT; i++) {
        const uci_option *option = &options[i];
        switch (option->type) {
        case OPTION_SPIN:
            uci_say(uci, "option name %s type spin default %lld min %lld max %lld", option->name,
                    (long long)option->preset, (long long)option->least, (long long)option->most);
            break;
        case OPTION_CHECK:
            uci_say(uci, "option name %s type check default %s", option->name, option->preset ? "true" : "false");
            break;
        case OPTION_STRING: uci_say(uci, "option name %s type string default <empty>", option->name); break;
        case OPTION_BUTTON: uci_say(uci, "option name %s type button", option->name); break;
        }
    }
    for (const search_param *param = search_params; param->name; param++) {
        uci_say(uci, "option name %s type spin default %d min %d max %d", param->name, *param->value, param->min,
                param->max);
    }
}

/* --- setoption ------------------------------------------------------------------ */

static char lower(char letter) {
    return letter >= 'A' && letter <= 'Z' ? (char)(letter + 32) : letter;
}

/* Names and true or false are understood in any case, with any run of blanks between two words. */
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

/* A setting from a larger machine is no mistake: it is cut to what this one has. */
static void cut_to_machine(uci_session *uci, const uci_option *option, int64_t *number) {
    if (*number > option->most && *number <= option->most_anywhere) {
        *number = option->most;
        uci_say(uci, "info string %s: %lld is the most here", option->name, (long long)option->most);
    }
}

static void apply(uci_session *uci, const uci_option *option, uci_text text) {
    char quoted[TEXT_QUOTED_SIZE];
    option_value value = {0};
    const bool is_number = uci_to_number(text, &value.number);
    cut_to_machine(uci, option, &value.number);
    if (option->type == OPTION_SPIN && (!is_number || value.number < option->least || value.number > option->most)) {
        uci_refuse(uci, "option %s needs a number from %lld to %lld, not %s", option->name, (long long)option->least,
                   (long long)option->most, text_quote(quoted, text.text, text.length));
        return;
    }
    if (option->type == OPTION_CHECK) {
        value.on = is_same_name(text, "true");
        if (!value.on && !is_same_name(text, "false")) {
            uci_refuse(uci, "option %s needs true or false, not %s", option->name,
                       text_quote(quoted, text.text, text.length));
            return;
        }
    }
    if (!uci_is(text, "<empty>")) {
        value.text = text;
    }
    option->set(uci, value);
}

/* A number of the search, in a tuning build. */
static void apply_param(uci_session *uci, const search_param *param, uci_text text) {
    char quoted[TEXT_QUOTED_SIZE];
    int64_t number;
    if (!uci_to_number(text, &number) || number < param->min || number > param->max) {
        uci_refuse(uci, "option %s needs a number from %d to %d, not %s", param->name, param->min, param->max,
                   text_quote(quoted, text.text, text.length));
        return;
    }
    engine_stop(uci->engine);
    engine_wait(uci->engine);
    *param->value = (int)number;
}

/* setoption name NAME [value VALUE]; both may hold blanks. */
void uci_setoption(uci_session *uci, uci_text line) {
    uci_text word;
    char quoted[TEXT_QUOTED_SIZE];
    if (!uci_take_word(&line, &word) || !uci_is(word, "name")) {
        uci_refuse(uci, "setoption needs name");
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
    uci_refuse(uci, "unknown option %s", text_quote(quoted, name.text, name.length));
}
