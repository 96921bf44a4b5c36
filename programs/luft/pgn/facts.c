/* SPDX-License-Identifier: MIT */
/* Reads values from tags. People write many things into tags: a value that cannot be read is unknown, not an error. */
#include "facts.h"

#include "util/date.h"
#include "util/text.h"

#include <string.h>

/* Empties the facts for the next game and keeps their memory. */
static void clear(pgn_facts *facts) {
    pgn_facts empty = {0};
    for (int side = 0; side < 2; side++) {
        buffer_clear(&facts->player[side]);
        empty.player[side] = facts->player[side];
    }
    buffer_clear(&facts->date_text);
    buffer_clear(&facts->event);
    buffer_clear(&facts->site);
    empty.date_text = facts->date_text;
    empty.event = facts->event;
    empty.site = facts->site;
    *facts = empty;
}

void pgn_facts_free_state(void *state) {
    pgn_facts *facts = state;
    buffer_free(&facts->player[0]);
    buffer_free(&facts->player[1]);
    buffer_free(&facts->date_text);
    buffer_free(&facts->event);
    buffer_free(&facts->site);
}

static char lower(char letter) {
    return letter >= 'A' && letter <= 'Z' ? (char)(letter + ('a' - 'A')) : letter;
}

bool pgn_name_contains(const buffer *name, const char *text) {
    const size_t length = strlen(text);
    for (size_t start = 0; start + length <= name->length; start++) {
        size_t same = 0;
        while (same < length && lower(name->data[start + same]) == lower(text[same])) {
            same++;
        }
        if (same == length) {
            return true;
        }
    }
    return false;
}

bool pgn_read_result(luft_result *result, const char *text, size_t length) {
    for (luft_result each = LUFT_RESULT_WHITE; each <= LUFT_RESULT_UNKNOWN; each++) {
        const char *name = luft_result_string(each);
        if (strlen(name) == length && memcmp(text, name, length) == 0) {
            *result = each;
            return true;
        }
    }
    return false;
}

static bool is_eco(const char *text, size_t length) {
    return length >= 3 && text[0] >= 'A' && text[0] <= 'E' && text[1] >= '0' && text[1] <= '9' && text[2] >= '0' &&
           text[2] <= '9';
}

static void read_elo(int *elo, const char *text, size_t length) {
    uint64_t number;
    text_trim(&text, &length);
    if (text_to_number(&number, text, length, 9999)) {
        *elo = (int)number;
    }
}

static bool is_named(const char *name, size_t length, const char *wanted) {
    return strlen(wanted) == length && memcmp(name, wanted, length) == 0;
}

/* The tags that matter. */
typedef enum fact {
    FACT_WHITE,
    FACT_BLACK,
    FACT_WHITE_ELO,
    FACT_BLACK_ELO,
    FACT_RESULT,
    FACT_ECO,
    FACT_DATE,
    FACT_EVENT,
    FACT_SITE,
    NO_FACT
} fact;

/* Compares with constants: a table of names makes filter a fifteenth slower. */
static fact find_fact(const char *name, size_t length) {
    return is_named(name, length, "White")      ? FACT_WHITE
           : is_named(name, length, "Black")    ? FACT_BLACK
           : is_named(name, length, "WhiteElo") ? FACT_WHITE_ELO
           : is_named(name, length, "BlackElo") ? FACT_BLACK_ELO
           : is_named(name, length, "Result")   ? FACT_RESULT
           : is_named(name, length, "ECO")      ? FACT_ECO
           : is_named(name, length, "Date")     ? FACT_DATE
           : is_named(name, length, "Event")    ? FACT_EVENT
           : is_named(name, length, "Site")     ? FACT_SITE
                                                : NO_FACT;
}

/* Reads a tag; of two with one name the first counts. False if out of memory. */
static bool read_tag(pgn_facts *facts, const char *name, size_t name_length, const char *value, size_t value_length) {
    const fact which = find_fact(name, name_length);
    const unsigned bit = 1u << which;
    if (facts->tags_seen & bit) {
        return true; /* the first counts */
    }
    facts->tags_seen |= bit;
    switch (which) {
    case FACT_WHITE: buffer_append(&facts->player[LUFT_WHITE], value, value_length); break;
    case FACT_BLACK: buffer_append(&facts->player[LUFT_BLACK], value, value_length); break;
    case FACT_WHITE_ELO: read_elo(&facts->elo[LUFT_WHITE], value, value_length); break;
    case FACT_BLACK_ELO: read_elo(&facts->elo[LUFT_BLACK], value, value_length); break;
    case FACT_RESULT: facts->has_tag_result = pgn_read_result(&facts->result, value, value_length); break;
    case FACT_ECO:
        if (is_eco(value, value_length)) {
            memcpy(facts->eco, value, 3);
        }
        break;
    case FACT_DATE:
        buffer_append(&facts->date_text, value, value_length);
        date_read(&facts->date, value, value_length);
        break;
    case FACT_EVENT: buffer_append(&facts->event, value, value_length); break;
    case FACT_SITE: buffer_append(&facts->site, value, value_length); break;
    case NO_FACT: break;
    }
    return !facts->player[LUFT_WHITE].failed && !facts->player[LUFT_BLACK].failed && !facts->date_text.failed &&
           !facts->event.failed && !facts->site.failed;
}

/* --- The visitor ----------------------------------------------------------- */

static pgn_facts *facts_of(void *payload) {
    return ((pgn_worker *)payload)->state;
}

luft_pgn_action pgn_facts_on_game_start(void *payload, const luft_pgn_place *place) {
    (void)place;
    clear(facts_of(payload));
    return LUFT_PGN_CONTINUE;
}

static luft_pgn_action on_tag(void *payload, const char *name, size_t name_length, const char *value,
                              size_t value_length) {
    pgn_worker *worker = payload;
    worker->output.failed |= !read_tag(worker->state, name, name_length, value, value_length);
    return LUFT_PGN_CONTINUE;
}

luft_pgn_action pgn_facts_on_move(void *payload, const luft_position *before, luft_move move,
                                  const luft_position *after) {
    (void)before, (void)move, (void)after;
    facts_of(payload)->plies++;
    return LUFT_PGN_CONTINUE;
}

static luft_pgn_action skip_variation(void *payload, const luft_position *before) {
    (void)payload, (void)before;
    return LUFT_PGN_SKIP_VARIATION;
}

static luft_pgn_action on_error(void *payload, const luft_pgn_error *error) {
    (void)error;
    facts_of(payload)->has_error = true;
    return LUFT_PGN_CONTINUE;
}

luft_pgn_action pgn_facts_on_game_end(void *payload, luft_result marker) {
    pgn_facts *facts = facts_of(payload);
    if (!facts->has_tag_result) {
        facts->result = marker;
    }
    return LUFT_PGN_CONTINUE;
}

luft_pgn_visitor pgn_facts_visitor(void) {
    return (luft_pgn_visitor){.game_start = pgn_facts_on_game_start,
                              .tag = on_tag,
                              .move = pgn_facts_on_move,
                              .variation_start = skip_variation,
                              .error = on_error,
                              .game_end = pgn_facts_on_game_end};
}
