/* SPDX-License-Identifier: MIT */
/*
 * The rules module, as JavaScript (web/package/rules.js) calls it. Text goes in through one buffer and out through
 * another, so that the caller owns no memory of the module: write the texts one after the other to rules_room, call with
 * their lengths, and read as many bytes at rules_text as the call returned. An answer is JSON in the form that index.d.ts
 * declares, or { "error": … }; an empty answer means that memory ran out.
 */
#ifndef LUFT_WASM_RULES_H
#define LUFT_WASM_RULES_H

#include "util/json.h"

#include "luft/luft.h"

#define WEB_EXPORT(name) __attribute__((export_name(name)))

/* --- The module ---------------------------------------------------------------------- */

/* Call it once, before everything else. */
WEB_EXPORT("rules_start") void web_rules_start(void);

/* The buffer for the texts of the next call, with new contents; NULL if out of memory. */
WEB_EXPORT("rules_room") char *web_rules_room(size_t size);

/* The last answer. */
WEB_EXPORT("rules_text") const char *web_rules_text(void);

/* --- Positions: rules.c ---------------------------------------------------------------- */

WEB_EXPORT("version") size_t web_version(void);
WEB_EXPORT("position") size_t web_position(size_t fen_length, bool chess960);
WEB_EXPORT("play") size_t web_play(size_t fen_length, size_t move_length, bool chess960);

/* Moves are in UCI notation, separated by blanks. */
WEB_EXPORT("status") size_t web_status(size_t fen_length, size_t moves_length, bool chess960);
WEB_EXPORT("opening") size_t web_opening(size_t fen_length, size_t moves_length);
WEB_EXPORT("san_line") size_t web_san_line(size_t fen_length, size_t moves_length);
WEB_EXPORT("chess960_start") size_t web_chess960_start(int number);

/* --- Inside a position: inside.c ---------------------------------------------------------- */

/* Sets of squares and keys are strings "0x" and 16 hexadecimal digits. */
WEB_EXPORT("inside") size_t web_inside(size_t fen_length);
WEB_EXPORT("inside_square") size_t web_inside_square(size_t fen_length, int square);
WEB_EXPORT("inside_move") size_t web_inside_move(size_t fen_length, size_t move_length);
WEB_EXPORT("perft_divide") size_t web_perft_divide(size_t fen_length, int depth, bool chess960);

/* --- Reading PGN: pgn_read.c, pgn_scan.c ------------------------------------------------- */

/* The first game, as a list of events of the reader: [["tag",…],["start",…],["move",…],…]. */
WEB_EXPORT("pgn_read") size_t web_pgn_read(size_t length);

/* Finds games in a text that comes in pieces. NULL if out of memory. */
typedef struct pgn_scan pgn_scan;
WEB_EXPORT("scan_create") pgn_scan *web_scan_create(void);
WEB_EXPORT("scan_free") void web_scan_free(pgn_scan *scan);

/* The next piece is in the buffer: returns the games that ended in it. */
WEB_EXPORT("scan_push") size_t web_scan_push(pgn_scan *scan, size_t length);

/* The text has ended: returns the last games. */
WEB_EXPORT("scan_finish") size_t web_scan_finish(pgn_scan *scan);

/* --- The explorer: explorer.c -------------------------------------------------------------- */

/* Counts the moves and results of many games. NULL if out of memory. */
typedef struct explorer explorer;
WEB_EXPORT("explorer_create") explorer *web_explorer_create(void);
WEB_EXPORT("explorer_free") void web_explorer_free(explorer *all);

/* From now on the scan adds its games to the explorer, which must outlive the scan. */
WEB_EXPORT("scan_explore") void web_scan_explore(pgn_scan *scan, explorer *all);

/* The moves that were played in a position, the most frequent first. */
WEB_EXPORT("explorer_find") size_t web_explorer_find(const explorer *all, size_t fen_length, bool chess960);

/* --- Writing PGN: pgn_write.c -------------------------------------------------------------- */

/* Begins a game: its start position, then its tags, each name and value with a NUL after it. False if the FEN is bad. */
WEB_EXPORT("write_begin") bool web_write_begin(size_t fen_length, size_t tags_length);

/* False if the move is not legal where it stands. */
WEB_EXPORT("write_move") bool web_write_move(size_t length);
WEB_EXPORT("write_nag") void web_write_nag(int nag);
WEB_EXPORT("write_comment") void web_write_comment(size_t length);

/* Begins a variation that replaces the last move. False if out of memory. */
WEB_EXPORT("write_open") bool web_write_open(void);
WEB_EXPORT("write_close") void web_write_close(void);

/* Ends the game: returns its text, which is PGN and not JSON. */
WEB_EXPORT("write_end") size_t web_write_end(luft_result result);

/* --- Opening books: book.c ------------------------------------------------------------------- */

/* A book of the bytes in the buffer: { "handle": …, "count": … }. */
WEB_EXPORT("book_open") size_t web_book_open(size_t length);
WEB_EXPORT("book_free") void web_book_free(luft_book *book);
WEB_EXPORT("book_find")
size_t web_book_find(const luft_book *book, size_t fen_length, size_t moves_length, bool chess960);

/* --- Tablebases: tablebase.c ------------------------------------------------------------------ */

/* A tablebase without tables. NULL if out of memory. */
typedef struct web_tables web_tables;
WEB_EXPORT("tables_create") web_tables *web_tables_create(void);
WEB_EXPORT("tables_free") void web_tables_free(web_tables *tables);

/* Adds the table whose bytes are in the buffer, then its name. The buffer is taken over. */
WEB_EXPORT("tables_add") size_t web_tables_add(web_tables *tables, size_t length, size_t name_length);
WEB_EXPORT("tables_info") size_t web_tables_info(const web_tables *tables);
WEB_EXPORT("tables_probe")
size_t web_tables_probe(const web_tables *tables, size_t fen_length, size_t moves_length, bool chess960);

/* --- What these files share ------------------------------------------------------------------ */

/* The texts of the caller. */
const char *web_input(void);

/* The buffer itself, cut to its first bytes. The caller frees it. */
char *web_take_input(size_t length);

/* The game of the FEN and the moves after it in the input. NULL, after web_refuse, if either is bad. */
luft_game *web_read_game(size_t fen_length, size_t moves_length);

/* The members uci and san of a move. */
void web_put_move_names(json *out, const luft_position *position, luft_move move, bool chess960);

/* The answer, empty, and a JSON writer into it. */
buffer *web_answer(void);
json *web_json(void);

/* The length of the answer; 0 if memory ran out. */
size_t web_answer_length(void);

/* { "error": … } and its length. */
size_t web_refuse(const char *reason);

/* Says why a move cannot be made. */
void web_refuse_move(const char *text, size_t length, luft_error error);

/* Reads the FEN at the start of the input. False, after web_refuse, if it is bad. */
bool web_read_fen(luft_position *position, size_t length);

#endif
