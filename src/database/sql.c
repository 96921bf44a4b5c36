/* SPDX-License-Identifier: MIT */
/* SQLite with the errors of Luft; see sql.h. */
#include "database/sql.h"

#include <string.h>

luft_error sql_error(int code) {
    switch (code & 0xff) {
    case SQLITE_OK:
    case SQLITE_ROW:
    case SQLITE_DONE: return LUFT_OK;
    case SQLITE_BUSY:
    case SQLITE_LOCKED: return LUFT_ERROR_BUSY;
    case SQLITE_NOMEM: return LUFT_ERROR_MEMORY;
    case SQLITE_FULL:
    case SQLITE_READONLY:
    case SQLITE_PERM: return LUFT_ERROR_WRITE;
    case SQLITE_IOERR:
        return code == SQLITE_IOERR_NOMEM                                     ? LUFT_ERROR_MEMORY
               : code == SQLITE_IOERR_READ || code == SQLITE_IOERR_SHORT_READ ? LUFT_ERROR_READ
                                                                              : LUFT_ERROR_WRITE;
    case SQLITE_CANTOPEN:
    case SQLITE_AUTH: return LUFT_ERROR_READ;
    case SQLITE_INTERRUPT: return LUFT_ERROR_STOPPED;
    case SQLITE_TOOBIG: return LUFT_ERROR_OVERFLOW;
    default: return LUFT_ERROR_DAMAGED; /* SQLITE_CORRUPT, SQLITE_NOTADB, and a schema that is not ours */
    }
}

luft_error sql_prepare(sqlite3_stmt **statement, sqlite3 *handle, const char *text) {
    return sql_error(sqlite3_prepare_v3(handle, text, -1, SQLITE_PREPARE_PERSISTENT, statement, NULL));
}

luft_error sql_run(sqlite3 *handle, const char *text) {
    return sql_error(sqlite3_exec(handle, text, NULL, NULL, NULL));
}

luft_error sql_step(sqlite3_stmt *statement) {
    const luft_error error = sql_error(sqlite3_step(statement));
    const luft_error reset = sql_error(sqlite3_reset(statement));
    return error != LUFT_OK ? error : reset;
}

luft_error sql_number(int64_t *number, sqlite3 *handle, const char *text) {
    sqlite3_stmt *statement = NULL;
    luft_error error = sql_prepare(&statement, handle, text);
    if (error == LUFT_OK) {
        const int code = sqlite3_step(statement);
        error = code == SQLITE_DONE ? LUFT_ERROR_MISSING : sql_error(code);
        if (code == SQLITE_ROW) {
            *number = sqlite3_column_int64(statement, 0);
        }
    }
    sqlite3_finalize(statement);
    return error;
}

/* The length of a UTF-8 character of several bytes at the start of the text, 0 if there is none. */
static size_t utf8_length(const unsigned char *text, size_t length) {
    static const uint32_t least[5] = {0, 0, 0x80, 0x800, 0x10000};
    const size_t count = text[0] >= 0xf0 && text[0] < 0xf5 ? 4 : text[0] >= 0xe0 ? 3 : text[0] >= 0xc2 ? 2 : 0;
    if (count == 0 || count > length || text[0] >= 0xf5) {
        return 0;
    }
    uint32_t character = text[0] & (0x7fu >> count);
    for (size_t i = 1; i < count; i++) {
        if ((text[i] & 0xc0) != 0x80) {
            return 0;
        }
        character = character << 6 | (text[i] & 0x3f);
    }
    const bool is_surrogate = character >= 0xd800 && character < 0xe000;
    return character >= least[count] && character <= 0x10ffff && !is_surrogate ? count : 0;
}

/* Without NUL bytes, at which SQL functions would stop. */
static bool is_utf8(const char *text, size_t length) {
    const unsigned char *bytes = (const unsigned char *)text;
    for (size_t at = 0; at < length;) {
        const size_t count = bytes[at] == 0 ? 0 : bytes[at] < 0x80 ? 1 : utf8_length(bytes + at, length - at);
        if (count == 0) {
            return false;
        }
        at += count;
    }
    return true;
}

void sql_bind_text(sqlite3_stmt *statement, int place, const char *text, size_t length) {
    const char *start = text ? text : "";
    if (is_utf8(start, length)) {
        sqlite3_bind_text(statement, place, start, (int)length, SQLITE_STATIC);
    } else {
        sqlite3_bind_blob(statement, place, start, (int)length, SQLITE_STATIC);
    }
}
