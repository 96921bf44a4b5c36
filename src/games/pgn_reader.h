/* SPDX-License-Identifier: MIT */
/*
 * The state of the PGN reader, and the functions its parts share. pgn_reader.c reads games
 * and comments, pgn_tags.c the tags, pgn_moves.c the moves and variations.
 *
 * The same functions read a skipped or cut game to its end, only muted. So the bounds of
 * games never depend on what a visitor asks for.
 */
#ifndef LUFT_GAMES_PGN_READER_H
#define LUFT_GAMES_PGN_READER_H

#include "core/board.h"
#include "games/pgn_input.h"
#include "luft/pgn.h"

enum {
    FIRST_LEVELS = 16,
    MAX_LEVELS = 1 << 17, /* 26 MB of positions; deeper nesting fails with LUFT_ERROR_MEMORY */
    NAMES_KEPT = 64,      /* tag names remembered per game */
    TOKEN_COPY = 128      /* bytes of a bad FEN or variant kept for the error */
};

/* The main line or an open variation. */
typedef struct level {
    luft_position positions[2]; /* the current position and the one before the last move */
    uint8_t current;            /* index of the current position */
    bool has_move;              /* there is a last move */
} level;

typedef enum muting {
    MUTE_NOTHING = 0,
    MUTE_VARIATION, /* until the variation at mute_depth is closed */
    MUTE_GAME
} muting;

/* Source of luft_pgn_reader_create_text. */
typedef struct text_source {
    const char *text;
    size_t left;
} text_source;

struct luft_pgn_reader {
    const luft_pgn_visitor *visitor;
    void *payload;
    uint64_t games; /* number of games begun */

    /* The current game. */
    luft_result result;
    bool is_reading; /* set during callbacks: they must not read with this reader */
    bool is_stopped; /* the visitor asked to stop */
    muting muted;
    size_t mute_depth;
    size_t depth;          /* open variations; those opened while muted have no level */
    level *levels;         /* levels[0] is the main line */
    size_t level_capacity; /* allocated levels */
    luft_position standard_start;
    luft_position start;  /* position set up by the tags, if setup.error is LUFT_OK */
    luft_pgn_error setup; /* why the tags set up no position */
    bool has_fen;         /* a FEN tag was read; later ones are ignored, as with has_variant */
    bool has_variant;
    char setup_token[TOKEN_COPY];
    bool is_tagged;                   /* a tag was read, even a malformed one */
    uint32_t name_hashes[NAMES_KEPT]; /* hashes of the tag names of this game */
    int names;

    text_source text;
    pgn_input input;
};

/* --- Visitor calls --------------------------------------------------------- */

/* Does what a callback asks for. A muted game stays muted. */
void luft_pgn_handle_action(luft_pgn_reader *reader, luft_pgn_action action);

static inline void pgn_handle_action(luft_pgn_reader *reader, luft_pgn_action action) {
    if (UNLIKELY(action != LUFT_PGN_CONTINUE)) {
        luft_pgn_handle_action(reader, action);
    }
}

/* Returns the place of a byte in the buffer. */
luft_pgn_place luft_pgn_place_of(luft_pgn_reader *reader, const char *byte);

/* Reports an error and cuts the game, unless the game is muted. */
void luft_pgn_report(luft_pgn_reader *reader, const luft_pgn_error *error);

/* The same for a token in the buffer. */
void luft_pgn_report_token(luft_pgn_reader *reader, luft_error error, const char *reason, const char *token,
                           size_t length);

/* --- The parts of a game --------------------------------------------------- */

/* Skips a blank, or a line that begins with a percent sign; true if there was one. */
bool luft_pgn_skip_blank(luft_pgn_reader *reader);

/* Reads a comment of either kind; true if there was one. */
bool luft_pgn_read_comment(luft_pgn_reader *reader);

/* Reads to the end of the line. Passes the text to the visitor if it is a comment. */
void luft_pgn_read_rest_of_line(luft_pgn_reader *reader, bool is_comment);

/* Reads comments and tags up to the first other token. */
void luft_pgn_read_tags(luft_pgn_reader *reader);

/* Sets up the position that the tags give. */
void luft_pgn_begin_moves(luft_pgn_reader *reader);

/*
 * Reads up to the result, the tags of the next game or the end of the input. A game without tags also ends before
 * moves that begin after an empty line.
 */
void luft_pgn_read_moves(luft_pgn_reader *reader);

/* Reads comments and annotations after the result. Skips other text up to an empty line or the next game. */
void luft_pgn_read_after_result(luft_pgn_reader *reader);

#endif
