/* SPDX-License-Identifier: MIT */
/*
 * Portable Game Notation: a reader that streams and a writer in export format.
 *
 * The reader takes bytes from anywhere, keeps a buffer of fixed size whatever the
 * file, checks every move, and reports what it finds to a visitor. Text is passed on
 * byte for byte, be it UTF-8 or Latin-1. A mistake cuts the game where it stands,
 * is reported, and reading continues with the next game.
 *
 * A line that begins with `[Event "` begins a game, even where a comment or a variation
 * was never closed, unless the line above it ends in a tag pair: some programs write other
 * tags before Event. luft_pgn_can_cut finds these lines. A file may be cut before any of
 * them and its parts read apart from each other, with the same result.
 *
 * A reader or a writer belongs to one thread at a time; each thread may have its own.
 */
#ifndef LUFT_PGN_H
#define LUFT_PGN_H

#include "notation.h"

#ifdef __cplusplus
extern "C" {
#endif

/* --- Callbacks of the reader ----------------------------------------------- */

/* What a callback wants next. */
typedef enum luft_pgn_action {
    LUFT_PGN_CONTINUE = 0,
    LUFT_PGN_SKIP_VARIATION, /* the rest of the innermost variation; outside of one, the rest of the game */
    LUFT_PGN_SKIP_GAME,      /* the rest of the game, unchecked; game_end is still called */
    LUFT_PGN_STOP            /* no more callbacks: after the end of this game LUFT_ERROR_STOPPED is returned */
} luft_pgn_action;

typedef enum luft_result {
    LUFT_RESULT_NONE = 0, /* no marker at the end of the moves */
    LUFT_RESULT_WHITE,    /* 1-0 */
    LUFT_RESULT_BLACK,    /* 0-1 */
    LUFT_RESULT_DRAW,     /* 1/2-1/2 */
    LUFT_RESULT_UNKNOWN   /* * */
} luft_result;

/* "1-0" and so on; "*" for none. Never NULL. */
LUFT_API const char *luft_result_string(luft_result result);

/* A place in the input, everything counted from 1. A line ends with LF, CRLF or CR. */
typedef struct luft_pgn_place {
    uint64_t game;
    uint64_t line;
    uint64_t column; /* in bytes */
} luft_pgn_place;

typedef struct luft_pgn_error {
    luft_error error;
    luft_pgn_place place;
    const char *reason; /* one clause of English, a constant */
    const char *token;  /* the text at fault, not terminated; may be empty, never NULL */
    size_t token_length;
} luft_pgn_error;

/*
 * What to call; each may be NULL. Pointers that are passed hold until the callback returns.
 * The order within a game: game_start, tags, moves_start, then moves, NAGs, comments and
 * variations as they stand, game_end. A comment before the first tag comes after game_start; but before a
 * line for which luft_pgn_can_cut is true it belongs to no game and is not passed on.
 */
typedef struct luft_pgn_visitor {
    luft_pgn_action (*game_start)(void *payload, const luft_pgn_place *place);
    /* The value is without its escapes. A tag that comes twice is passed twice. */
    luft_pgn_action (*tag)(void *payload, const char *name, size_t name_length, const char *value, size_t value_length);
    /* After the tags, with the position that they set up. Not called if they set up none. */
    luft_pgn_action (*moves_start)(void *payload, const luft_position *start);
    /* A legal move and the positions around it; a null move is LUFT_MOVE_NONE. */
    luft_pgn_action (*move)(void *payload, const luft_position *before, luft_move move, const luft_position *after);
    /* $1 and !, $2 and ? … the number that stands there, 0 to 255. */
    luft_pgn_action (*nag)(void *payload, int nag);
    /*
     * A comment without its braces. One of more than 60 kB comes in parts; `more` is true for all but the last, in
     * whose place there is an error if the comment is never closed.
     */
    luft_pgn_action (*comment)(void *payload, const char *text, size_t length, bool more);
    /*
     * A variation replaces the last move: `before` is the position in which that was played. One that is skipped has
     * its end all the same. More than 131,071 inside each other are refused as if memory had run out.
     */
    luft_pgn_action (*variation_start)(void *payload, const luft_position *before);
    luft_pgn_action (*variation_end)(void *payload);
    /* Something is wrong. Nothing more of this game is passed on but its end, so there is at most one for each game. */
    luft_pgn_action (*error)(void *payload, const luft_pgn_error *error);
    /* Called once for each game_start, whatever happened between, but not after LUFT_PGN_STOP. */
    luft_pgn_action (*game_end)(void *payload, luft_result result);
} luft_pgn_visitor;

/* --- The reader ------------------------------------------------------------ */

/* Puts at most `size` bytes into the buffer and returns how many: 0 at the end, LUFT_PGN_READ_FAILED if it cannot. */
typedef size_t (*luft_pgn_source)(void *payload, char *buffer, size_t size);

#define LUFT_PGN_READ_FAILED SIZE_MAX

typedef struct luft_pgn_reader luft_pgn_reader;

/* A reader of what `source` gives, called with `payload`. Free it with luft_pgn_reader_free. */
LUFT_API LUFT_NODISCARD luft_error luft_pgn_reader_create(luft_pgn_reader **reader, luft_pgn_source source,
                                                          void *payload);

/* A reader of `length` bytes of text, which must outlive the reader. Free it with luft_pgn_reader_free. */
LUFT_API LUFT_NODISCARD luft_error luft_pgn_reader_create_text(luft_pgn_reader **reader, const char *text,
                                                               size_t length);

/* Frees the reader; the source stays as it is. NULL is fine. */
LUFT_API void luft_pgn_reader_free(luft_pgn_reader *reader);

/*
 * Reads one game. LUFT_OK also for a game with mistakes, which were reported to the visitor; LUFT_ERROR_END if
 * there is no more game, LUFT_ERROR_READ if the source failed, LUFT_ERROR_STOPPED if the visitor said so:
 * the next call then continues with the next game. A callback cannot read with the reader that calls it:
 * LUFT_ERROR_ARGUMENT; nor may it free that reader.
 */
LUFT_API LUFT_NODISCARD luft_error luft_pgn_read_game(luft_pgn_reader *reader, const luft_pgn_visitor *visitor,
                                                      void *payload);

/* Reads all games that are left: LUFT_OK at the end, else as above. */
LUFT_API LUFT_NODISCARD luft_error luft_pgn_read_all(luft_pgn_reader *reader, const luft_pgn_visitor *visitor,
                                                     void *payload);

/* Where the reader stands. */
LUFT_API luft_pgn_place luft_pgn_reader_place(const luft_pgn_reader *reader);

/* --- Cutting a text -------------------------------------------------------- */

/* The bytes that luft_pgn_can_cut looks at: before the place of the cut, and from there on. */
#define LUFT_PGN_CUT_BEFORE 32
#define LUFT_PGN_CUT_AFTER 8

/*
 * True if a text of `length` bytes may be cut before the byte `at`: a line begins there with `[Event "`, and the line
 * above it does not end in a tag pair. A tag pair ends in a quote and a bracket, with spaces and tabs between and after
 * them; of more than LUFT_PGN_CUT_BEFORE bytes with the line end, it does not count. False for the first byte, and where
 * fewer than LUFT_PGN_CUT_AFTER bytes follow. A text that begins elsewhere in a file gives the answer of the file for
 * all but its first LUFT_PGN_CUT_BEFORE bytes.
 */
LUFT_API bool luft_pgn_can_cut(const char *text, size_t length, size_t at);

/* --- The writer ------------------------------------------------------------ */

/* Takes the next bytes of the text; false if it cannot, which every later call then returns as LUFT_ERROR_WRITE. */
typedef bool (*luft_pgn_sink)(void *payload, const char *text, size_t length);

typedef struct luft_pgn_tag {
    const char *name;
    const char *value;
    size_t name_length;
    size_t value_length;
} luft_pgn_tag;

/* Fill it with luft_pgn_writer_init; its fields are private. Nothing is allocated. */
typedef struct luft_pgn_writer {
    luft_pgn_sink sink;
    void *payload;
    size_t column;     /* bytes on the present line */
    bool failed;       /* the sink refused */
    bool needs_number; /* the next move has its number before it even if it is Black's */
    bool is_opening;   /* a parenthesis waits for what follows it */
} luft_pgn_writer;

/* A writer into `sink`, called with `payload`. Nothing is written yet, and there is nothing to free. */
LUFT_API void luft_pgn_writer_init(luft_pgn_writer *writer, luft_pgn_sink sink, void *payload);

/*
 * A game is written by its tags, then its moves and what stands between them, then its result.
 * The Seven Tag Roster comes first, with "?" and the like for what is missing, then the other tags as given.
 * Once the sink has refused, LUFT_ERROR_WRITE; LUFT_ERROR_MOVE_ILLEGAL, and nothing written, for a move that is not legal.
 * The null move, LUFT_MOVE_NONE, counts as legal unless its side is in check.
 */
LUFT_API luft_error luft_pgn_write_tags(luft_pgn_writer *writer, const luft_pgn_tag *tags, size_t count);
LUFT_API luft_error luft_pgn_write_move(luft_pgn_writer *writer, const luft_position *before, luft_move move);
LUFT_API luft_error luft_pgn_write_nag(luft_pgn_writer *writer, int nag);
/* A closing brace in the text is written as a parenthesis: the format has no way to quote it. */
LUFT_API luft_error luft_pgn_write_comment(luft_pgn_writer *writer, const char *text, size_t length);
/* Begins a variation, which replaces the last move written, and ends it. */
LUFT_API luft_error luft_pgn_write_variation_start(luft_pgn_writer *writer);
LUFT_API luft_error luft_pgn_write_variation_end(luft_pgn_writer *writer);
/* The result and the empty line after the game. */
LUFT_API luft_error luft_pgn_write_result(luft_pgn_writer *writer, luft_result result);

#ifdef __cplusplus
}
#endif

#endif
