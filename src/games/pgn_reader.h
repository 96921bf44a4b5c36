/* SPDX-License-Identifier: MIT */
/*
 * The state of the PGN reader, and what its parts call each other for: pgn_reader.c has the games
 * and their comments, pgn_tags.c the tags, pgn_moves.c the moves and variations.
 *
 * A game that is skipped or cut is read to its end by the same functions, only muted. So
 * where games begin and end never depends on what a visitor asks for.
 */
#ifndef LUFT_GAMES_PGN_READER_H
#define LUFT_GAMES_PGN_READER_H

#include "core/board.h"
#include "games/pgn_input.h"
#include "luft/pgn.h"

enum {
    FIRST_LEVELS = 16,
    MAX_LEVELS = 1 << 17, /* 26 MB of positions; what nests deeper is refused as if memory had run out */
    NAMES_KEPT = 64,      /* of how many tags of a game the names are remembered */
    TOKEN_COPY = 128      /* how much of a bad FEN or variant is kept for the error */
};

/* One line of moves: the main line, or a variation that is open. */
typedef struct level {
    luft_position positions[2]; /* the present one and the one before the last move */
    uint8_t present;            /* which is which */
    bool has_move;              /* is there a last move? */
} level;

typedef enum muting {
    MUTE_NOTHING = 0,
    MUTE_VARIATION, /* until the variation at mute_depth is closed */
    MUTE_GAME
} muting;

/* What luft_pgn_reader_create_text reads from. */
typedef struct text_source {
    const char *text;
    size_t left;
} text_source;

struct luft_pgn_reader {
    const luft_pgn_visitor *visitor;
    void *payload;
    uint64_t games; /* how many have begun */

    /* The present game. */
    luft_result result;
    bool is_reading; /* a callback cannot read with this reader */
    bool is_stopped; /* the visitor wants no more */
    muting muted;
    size_t mute_depth;
    size_t depth;          /* open variations; those opened while muted have no level */
    level *levels;         /* levels[0] is the main line */
    size_t level_capacity; /* how many there is memory for */
    luft_position standard_start;
    luft_position start;  /* the position that the tags set up … */
    luft_pgn_error setup; /* … or why they set up none */
    bool has_fen;         /* a tag FEN, and one Variant, was there: the first of each counts */
    bool has_variant;
    char setup_token[TOKEN_COPY];
    uint32_t name_hashes[NAMES_KEPT]; /* the tags it has */
    int names;

    text_source text;
    pgn_input input;
};

/* --- Telling the visitor --------------------------------------------------- */

/* Does what a callback asked for, if it was something. What is muted already stays so. */
void luft_pgn_react(luft_pgn_reader *reader, luft_pgn_action action);

static inline void pgn_obey(luft_pgn_reader *reader, luft_pgn_action action) {
    if (UNLIKELY(action != LUFT_PGN_CONTINUE)) {
        luft_pgn_react(reader, action);
    }
}

/* The place of a byte in the buffer. */
luft_pgn_place luft_pgn_place_of(luft_pgn_reader *reader, const char *byte);

/* Reports an error unless the game is muted already, and cuts the game. */
void luft_pgn_report(luft_pgn_reader *reader, const luft_pgn_error *error);

/* The same for a token that is in the buffer. */
void luft_pgn_report_token(luft_pgn_reader *reader, luft_error error, const char *reason, const char *token,
                           size_t length);

/* --- The parts of a game --------------------------------------------------- */

/* Blanks, and lines that begin with a percent sign: true if something of that kind was passed over. */
bool luft_pgn_skip_blank(luft_pgn_reader *reader);

/* A comment of either kind: true if one was read. */
bool luft_pgn_read_comment(luft_pgn_reader *reader);

/* Reads to the end of the line, and passes that on as a comment if it is one. */
void luft_pgn_read_rest_of_line(luft_pgn_reader *reader, bool is_comment);

/* Comments, then tags, up to the first thing that is neither. */
void luft_pgn_read_tags(luft_pgn_reader *reader);

/* Sets up the position that the tags ask for. */
void luft_pgn_begin_moves(luft_pgn_reader *reader);

/* Reads to the result, to the tags of the next game or to the end. */
void luft_pgn_read_moves(luft_pgn_reader *reader);

/* What may still stand behind the result. */
void luft_pgn_read_after_result(luft_pgn_reader *reader);

#endif
