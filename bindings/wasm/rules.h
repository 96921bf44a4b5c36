/* SPDX-License-Identifier: MIT */
/*
 * The module of the rules, as JavaScript (web/package/rules.js) calls it. Texts go in through one
 * room and come out in another, so that the caller owns no memory of the module: put the
 * texts one behind the other into rules_room, call with their lengths, and read as many
 * bytes at rules_text as the call returned. An answer is JSON in the form that index.d.ts
 * promises, or { "error": … }; one of no length means that there was no memory.
 */
#ifndef LUFT_WASM_RULES_H
#define LUFT_WASM_RULES_H

#include "util/json.h"

#include "luft/luft.h"

#define WEB_EXPORT(name) __attribute__((export_name(name)))

/* --- The module ---------------------------------------------------------------------- */

/* Once, before everything else. */
WEB_EXPORT("rules_start") void web_rules_start(void);

/* Room for the texts of the next call; NULL if there is no memory. What was in it is gone. */
WEB_EXPORT("rules_room") char *web_rules_room(size_t size);

/* The last answer. */
WEB_EXPORT("rules_text") const char *web_rules_text(void);

/* --- Positions: rules.c ---------------------------------------------------------------- */

WEB_EXPORT("version") size_t web_version(void);
WEB_EXPORT("position") size_t web_position(size_t fen_length, bool chess960);
WEB_EXPORT("play") size_t web_play(size_t fen_length, size_t move_length, bool chess960);

/* Moves are UCI, parted by blanks. */
WEB_EXPORT("status") size_t web_status(size_t fen_length, size_t moves_length, bool chess960);
WEB_EXPORT("opening") size_t web_opening(size_t fen_length, size_t moves_length);
WEB_EXPORT("san_line") size_t web_san_line(size_t fen_length, size_t moves_length);
WEB_EXPORT("chess960_start") size_t web_chess960_start(int number);

/* --- Reading PGN: pgn_read.c, pgn_scan.c ------------------------------------------------- */

/* The first game, as a list of what the reader met: [["tag",…],["start",…],["move",…],…]. */
WEB_EXPORT("pgn_read") size_t web_pgn_read(size_t length);

/* Games one after the other out of pieces of text. NULL if there is no memory. */
typedef struct pgn_scan pgn_scan;
WEB_EXPORT("scan_create") pgn_scan *web_scan_create(void);
WEB_EXPORT("scan_free") void web_scan_free(pgn_scan *scan);

/* The next piece is in the room: the games that have ended in it. */
WEB_EXPORT("scan_push") size_t web_scan_push(pgn_scan *scan, size_t length);

/* There is no more: the last games. */
WEB_EXPORT("scan_finish") size_t web_scan_finish(pgn_scan *scan);

/* --- Writing PGN: pgn_write.c -------------------------------------------------------------- */

/* Begins a game: its start position, then its tags, each name and value ended by a NUL. False if the FEN is bad. */
WEB_EXPORT("write_begin") bool web_write_begin(size_t fen_length, size_t tags_length);

/* False if the move is not legal where it stands. */
WEB_EXPORT("write_move") bool web_write_move(size_t length);
WEB_EXPORT("write_nag") void web_write_nag(int nag);
WEB_EXPORT("write_comment") void web_write_comment(size_t length);

/* A variation in place of the last move. False if there is no memory. */
WEB_EXPORT("write_open") bool web_write_open(void);
WEB_EXPORT("write_close") void web_write_close(void);

/* Ends the game: the whole text, which is PGN and not JSON. */
WEB_EXPORT("write_end") size_t web_write_end(luft_result result);

/* --- What these files share ------------------------------------------------------------------ */

/* The texts that are in the room, and the answer, empty. */
const char *web_input(void);
json *web_answer(void);

/* How long the answer is; 0 if it is not whole. */
size_t web_answer_length(void);

/* { "error": … } and its length. */
size_t web_refuse(const char *reason);

#endif
