/* SPDX-License-Identifier: MIT */
/*
 * The parts of `luft db serve`: answers of the API, and files of the page. They know the database and the file system,
 * and nothing of the HTTP library.
 */
#ifndef LUFT_PROGRAM_DB_HTTP_H
#define LUFT_PROGRAM_DB_HTTP_H

#include "common.h"

/* What a request may ask for beside its path. NULL if it is not given. */
typedef struct http_query {
    const char *fen;
    const char *moves;
    const char *query;
    const char *limit;
} http_query;

/* The answer to a request. */
typedef struct http_answer {
    int status;       /* 200, 400 … */
    const char *type; /* the media type */
    buffer body;
} http_answer;

/* Makes the body an error in JSON: {"error": "..."}. */
void http_fail(http_answer *answer, int status, const char *reason);

/* Answers a path below /api/, such as "explore" or "games/7". The database belongs to this thread meanwhile. */
void http_api(http_answer *answer, luft_database *database, const char *path, const http_query *query);

/*
 * Answers with a file of the folder. `path` begins with a slash; what could lead out of the folder is not found, nor is
 * anything whose name begins with a dot.
 */
void http_file(http_answer *answer, const char *folder, const char *path);

#endif
