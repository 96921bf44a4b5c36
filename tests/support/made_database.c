/* SPDX-License-Identifier: MIT */
#include "support/made_database.h"

#include "support/check.h"

luft_database *database_of_pgn(const char *path, const buffer *text) {
    luft_database *database = NULL;
    luft_database_batch *batch = NULL;
    luft_pgn_reader *reader = NULL;
    const luft_pgn_visitor visitor = luft_database_batch_visitor();
    assert_int_equal(luft_database_open(&database, path, LUFT_DATABASE_CREATE, NULL), LUFT_OK);
    assert_int_equal(luft_database_batch_create(&batch, LUFT_DATABASE_LEAVE_OUT), LUFT_OK);
    assert_int_equal(luft_pgn_reader_create_text(&reader, text->data, text->length), LUFT_OK);
    assert_int_equal(luft_pgn_read_all(reader, &visitor, batch), LUFT_OK);
    assert_int_equal(luft_database_begin(database), LUFT_OK);
    assert_int_equal(luft_database_append(database, batch, true, NULL), LUFT_OK);
    assert_int_equal(luft_database_commit(database, NULL), LUFT_OK);
    luft_pgn_reader_free(reader);
    luft_database_batch_free(batch);
    return database;
}
