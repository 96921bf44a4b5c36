/* SPDX-License-Identifier: MIT */
/* `luft db export`: games as PGN, as they were read; or chosen columns as CSV or NDJSON. */
#include "commands.h"
#include "common.h"

#include "util/date.h"
#include "util/json.h"
#include "util/output.h"
#include "util/output_file.h"
#include "util/text.h"

#include <inttypes.h>
#include <string.h>

#define NAME "luft db export"

static const char about[] =
    "Writes games of a database: as PGN with all tags, comments, variations and NAGs, or as a table of columns. The\n"
    "columns are id, white, black, white_elo, black_elo, result, date, event, site, round, eco, plies, time_control,\n"
    "fen, moves (in UCI notation) and san.\n";

#define OUTPUT_MAX ((size_t)1 << 20) /* bytes before they are written */

typedef enum column {
    COLUMN_ID,
    COLUMN_WHITE,
    COLUMN_BLACK,
    COLUMN_WHITE_ELO,
    COLUMN_BLACK_ELO,
    COLUMN_RESULT,
    COLUMN_DATE,
    COLUMN_EVENT,
    COLUMN_SITE,
    COLUMN_ROUND,
    COLUMN_ECO,
    COLUMN_PLIES,
    COLUMN_TIME_CONTROL,
    COLUMN_FEN,
    COLUMN_MOVES,
    COLUMN_SAN,
    COLUMNS
} column;

static const char *const column_names[COLUMNS] = {"id",           "white", "black", "white_elo", "black_elo", "result",
                                                  "date",         "event", "site",  "round",     "eco",       "plies",
                                                  "time_control", "fen",   "moves", "san"};

typedef enum format { FORMAT_PGN, FORMAT_CSV, FORMAT_NDJSON } format;

typedef struct exporting {
    const char *path, *output, *columns;
    int format;
    uint64_t game, limit;
    column chosen[COLUMNS];
    size_t chosen_count;
    luft_database *database;
    luft_database_cursor *cursor;
    buffer text, value; /* what is to be written; the value of a column */
} exporting;

/* --- Values ----------------------------------------------------------------- */

static luft_error append_moves(buffer *out, const luft_database_game *game, bool as_san) {
    luft_database_replay replay;
    luft_error error = luft_database_replay_start(&replay, game);
    luft_position before = replay.position;
    while (error == LUFT_OK && (error = luft_database_replay_next(&replay)) == LUFT_OK) {
        char text[LUFT_SAN_SIZE > LUFT_UCI_MOVE_SIZE ? LUFT_SAN_SIZE : LUFT_UCI_MOVE_SIZE] = "--";
        if (replay.move != LUFT_MOVE_NONE && as_san) {
            luft_move_to_san(text, sizeof text, &before, replay.move);
        } else if (replay.move != LUFT_MOVE_NONE) {
            luft_move_to_uci(text, sizeof text, replay.move,
                             game->fen.length > 0 ? LUFT_CASTLING_CHESS960 : LUFT_CASTLING_STANDARD);
        }
        buffer_append_text(out, replay.ply > 1 ? " " : "");
        buffer_append_text(out, text);
        before = replay.position;
    }
    return error == LUFT_ERROR_END ? LUFT_OK : error;
}

static luft_error append_name(buffer *out, luft_database_cursor *cursor, luft_database_name_kind kind,
                              uint32_t number) {
    luft_database_text name;
    const luft_error error = luft_database_cursor_name(&name, cursor, kind, number);
    if (error == LUFT_OK) {
        buffer_append(out, name.text, name.length);
    }
    return error;
}

static void append_number(buffer *out, uint64_t number) {
    if (number > 0) {
        buffer_printf(out, "%" PRIu64, number);
    }
}

/* The text of a column, empty if it is not known. */
static luft_error append_value(buffer *out, luft_database_cursor *cursor, const luft_database_game *game,
                               column which) {
    char date[DATE_TEXT_SIZE];
    luft_database_text site;
    luft_error error = LUFT_OK;
    switch (which) {
    case COLUMN_ID: append_number(out, game->id); break;
    case COLUMN_WHITE: return append_name(out, cursor, LUFT_DATABASE_PLAYER, game->player[LUFT_WHITE]);
    case COLUMN_BLACK: return append_name(out, cursor, LUFT_DATABASE_PLAYER, game->player[LUFT_BLACK]);
    case COLUMN_EVENT: return append_name(out, cursor, LUFT_DATABASE_EVENT, game->event);
    case COLUMN_SITE:
        error = luft_database_cursor_site(&site, cursor);
        if (error == LUFT_OK) {
            buffer_append(out, site.text, site.length);
        }
        return error;
    case COLUMN_TIME_CONTROL:
        return game->time_control ? append_name(out, cursor, LUFT_DATABASE_TEXT, game->time_control) : LUFT_OK;
    case COLUMN_WHITE_ELO: append_number(out, game->rating[LUFT_WHITE]); break;
    case COLUMN_BLACK_ELO: append_number(out, game->rating[LUFT_BLACK]); break;
    case COLUMN_RESULT: buffer_append_text(out, luft_result_string((luft_result)game->result)); break;
    case COLUMN_DATE: buffer_append_text(out, date_write(date, game->date)); break;
    case COLUMN_ROUND: buffer_append(out, game->round.text, game->round.length); break;
    case COLUMN_ECO: buffer_append_text(out, game->eco); break;
    case COLUMN_PLIES: buffer_printf(out, "%" PRIu32, game->plies); break;
    case COLUMN_FEN: buffer_append(out, game->fen.text, game->fen.length); break;
    case COLUMN_MOVES: return append_moves(out, game, false);
    case COLUMN_SAN: return append_moves(out, game, true);
    case COLUMNS: break;
    }
    return LUFT_OK;
}

static bool is_number(column which) {
    return which == COLUMN_ID || which == COLUMN_WHITE_ELO || which == COLUMN_BLACK_ELO || which == COLUMN_PLIES;
}

/* A field of CSV, in quotes if it needs them; bytes that are not UTF-8 are converted from Latin-1. */
static void append_csv(buffer *out, const buffer *value) {
    bool needs_quotes = false;
    for (size_t i = 0; i < value->length; i++) {
        needs_quotes |= memchr(",\"\r\n", value->data[i], 4) != NULL;
    }
    buffer_append_text(out, needs_quotes ? "\"" : "");
    for (size_t i = 0; i < value->length;) {
        buffer_append_text(out, value->data[i] == '"' ? "\"" : "");
        i += buffer_append_character(out, value->data + i, value->length - i);
    }
    buffer_append_text(out, needs_quotes ? "\"" : "");
}

/* --- Games ------------------------------------------------------------------ */

static bool to_buffer(void *payload, const char *text, size_t length) {
    buffer_append(payload, text, length);
    return true;
}

static luft_error write_row(exporting *it, const luft_database_game *game) {
    json out = {.text = &it->text};
    luft_error error = LUFT_OK;
    if (it->format == FORMAT_NDJSON) {
        json_open(&out, '{');
    }
    for (size_t i = 0; i < it->chosen_count && error == LUFT_OK; i++) {
        buffer_clear(&it->value);
        error = append_value(&it->value, it->cursor, game, it->chosen[i]);
        if (it->format == FORMAT_CSV) {
            buffer_append_text(&it->text, i > 0 ? "," : "");
            append_csv(&it->text, &it->value);
            continue;
        }
        json_key(&out, column_names[it->chosen[i]]);
        if (it->value.length == 0) {
            json_null(&out);
        } else if (is_number(it->chosen[i])) {
            buffer_append(&it->value, "", 1);
            json_literal(&out, it->value.data);
        } else {
            json_bytes(&out, it->value.data, it->value.length);
        }
    }
    if (it->format == FORMAT_NDJSON) {
        json_close(&out, '}');
    }
    buffer_append_text(&it->text, "\n");
    return error;
}

static luft_error write_game(exporting *it, const luft_database_game *game) {
    luft_pgn_writer writer;
    if (it->format != FORMAT_PGN) {
        return write_row(it, game);
    }
    luft_pgn_writer_init(&writer, to_buffer, &it->text);
    return luft_database_cursor_write(&writer, it->cursor);
}

static void write_heading(exporting *it) {
    for (size_t i = 0; it->format == FORMAT_CSV && i < it->chosen_count; i++) {
        buffer_printf(&it->text, "%s%s", i > 0 ? "," : "", column_names[it->chosen[i]]);
    }
    if (it->format == FORMAT_CSV) {
        buffer_append_text(&it->text, "\n");
    }
}

static int write_games(exporting *it, FILE *file) {
    luft_database_game game;
    luft_error error = LUFT_OK;
    bool good = true;
    uint64_t count = 0;
    write_heading(it);
    while (good && (it->limit == 0 || count < it->limit)) {
        error = it->game > 0 ? luft_database_cursor_seek(&game, it->cursor, it->game)
                             : luft_database_cursor_next(&game, it->cursor);
        error = error == LUFT_OK ? write_game(it, &game) : error;
        if (error != LUFT_OK) {
            break;
        }
        count++;
        if (it->text.length > OUTPUT_MAX) {
            good = output_write(NAME, file, &it->text);
        }
        if (it->game > 0) {
            error = LUFT_ERROR_END;
            break;
        }
    }
    good = good && output_write(NAME, file, &it->text);
    if (error == LUFT_ERROR_MISSING) {
        output_error(NAME, "%s has no game %" PRIu64, it->path, it->game);
        return STATUS_USAGE;
    }
    if (error != LUFT_OK && error != LUFT_ERROR_END) {
        output_error(NAME, "%s: %s", it->path, luft_error_string(error));
    }
    return good && (error == LUFT_OK || error == LUFT_ERROR_END) ? STATUS_OK : STATUS_FAILED;
}

/* --- The command ------------------------------------------------------------ */

/* Reads a list of columns, separated by commas. */
static bool read_columns(exporting *it) {
    const char *next =
        it->columns ? it->columns : "id,white,black,white_elo,black_elo,result,date,event,site,round,eco,plies,moves";
    while (*next) {
        const size_t length = strcspn(next, ",");
        column which = COLUMN_ID;
        while (which < COLUMNS &&
               !(strlen(column_names[which]) == length && memcmp(column_names[which], next, length) == 0)) {
            which++;
        }
        if (which == COLUMNS || it->chosen_count == COLUMNS) {
            char quoted[TEXT_QUOTED_SIZE];
            output_error(NAME, "option --columns: %s is not a column, or there are too many (luft db export --help)",
                         text_quote(quoted, next, length));
            return false;
        }
        it->chosen[it->chosen_count++] = which;
        next += length + (next[length] == ',');
    }
    return it->chosen_count > 0;
}

static int run(exporting *it, const luft_database_filter *filter) {
    output_file file;
    int status = STATUS_USAGE;
    if (luft_database_cursor_create(&it->cursor, it->database, filter) != LUFT_OK) {
        return db_failed(NAME, it->path, it->database);
    }
    if (output_file_open(&file, it->output, NAME)) {
        status = write_games(it, file.file);
        status = output_file_close(&file, status == STATUS_OK, NAME) ? status : STATUS_FAILED;
    }
    luft_database_cursor_free(it->cursor);
    buffer_free(&it->text);
    buffer_free(&it->value);
    return status;
}

int db_export(int argc, char **argv) {
    static const char *const formats[] = {"pgn", "csv", "ndjson", NULL};
    exporting it = {0};
    db_filter_arguments arguments = {0};
    luft_database_filter filter;
    int status;
    option options[DB_FILTER_OPTIONS + 5] = {
        option_choice("format", "FORMAT", "write pgn, csv or ndjson (default pgn)", &it.format, formats),
        option_text("columns", "LIST", "the columns of csv and ndjson, separated by commas", &it.columns),
        option_number("game", "N", "write game N only", &it.game, 1, UINT32_MAX),
        option_number("limit", "N", "write the first N games only", &it.limit, 1, UINT64_MAX),
        {.name = "output",
         .letter = 'o',
         .value = "FILE",
         .help = "write to FILE instead of standard output",
         .text = &it.output},
    };
    db_filter_options(options + 5, &arguments);
    const option operands[] = {{.name = "DATABASE", .help = "the file", .text = &it.path, .required = true}};
    const option_table table = {.command = NAME,
                                .usage = "[options] DATABASE",
                                .about = about,
                                .options = options,
                                .option_count = DB_FILTER_OPTIONS + 5,
                                .operands = operands,
                                .operand_count = 1};
    if (!options_read(&table, argc, argv, &status)) {
        return status;
    }
    if (!db_filter_read(&filter, NAME, &arguments) || !read_columns(&it) ||
        !(it.database = db_open(NAME, it.path, LUFT_DATABASE_READ))) {
        return STATUS_USAGE;
    }
    status = run(&it, &filter);
    luft_database_free(it.database);
    return status;
}
