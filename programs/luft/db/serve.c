/* SPDX-License-Identifier: MIT */
/*
 * `luft db serve`: the database for programs and browsers of this machine, by libmicrohttpd. Listens on 127.0.0.1 only.
 * Only GET and HEAD, only requests for this host, no bodies; each connection has a thread and a deadline. A build
 * without libmicrohttpd says so.
 */
#define _POSIX_C_SOURCE 200809L /* clock_gettime */

#include "commands.h"
#include "common.h"
#include "http.h"

#include "util/clock.h"
#include "util/output.h"

#define NAME "luft db serve"

#ifdef LUFT_WITH_MICROHTTPD

#include "http_library.h"

#include <arpa/inet.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>

#define CONNECTIONS_MAX 32
#define CONNECTION_MEMORY 32768 /* bytes for the request line and the headers */
#define IDLE_S 10               /* without a byte */
#define REQUEST_S 20            /* from the connection or the last answer to the end of a request */

static const char about[] = "Serves the database on 127.0.0.1: /api/info, /api/explore?fen=FEN&moves=MOVES, "
                            "/api/search?query=QUERY&limit=N and\n"
                            "/api/games/NUMBER answer with JSON; with --web the page of that folder is served too, and "
                            "its Explore tab shows the\n"
                            "database. Ends with ^C.\n";

/* A connection, for the deadline of its request. */
typedef struct peer {
    int socket;   /* -1 if the place is free */
    double since; /* clock_seconds of the connection or the last answer */
} peer;

typedef struct server {
    http_library mhd;
    const char *path;
    const char *web; /* NULL for none */
    uint64_t port;
    pthread_mutex_t lock;
    luft_database *idle[CONNECTIONS_MAX]; /* open databases that no request uses */
    int idle_count;
    peer peers[CONNECTIONS_MAX + 4];
    pthread_cond_t stop;
    int signal; /* that ends the server; 0 for none */
} server;

/* --- Databases ---------------------------------------------------------------- */

static luft_database *take_database(server *it) {
    luft_database *database = NULL;
    pthread_mutex_lock(&it->lock);
    if (it->idle_count > 0) {
        database = it->idle[--it->idle_count];
    }
    pthread_mutex_unlock(&it->lock);
    if (!database && luft_database_open(&database, it->path, LUFT_DATABASE_READ, NULL) != LUFT_OK) {
        return NULL;
    }
    return database;
}

static void give_database(server *it, luft_database *database) {
    pthread_mutex_lock(&it->lock);
    if (database && it->idle_count < CONNECTIONS_MAX) {
        it->idle[it->idle_count++] = database;
        database = NULL;
    }
    pthread_mutex_unlock(&it->lock);
    luft_database_free(database);
}

/* --- Requests ----------------------------------------------------------------- */

static const char *const headers[][2] = {
    {"Cross-Origin-Opener-Policy", "same-origin"},
    {"Cross-Origin-Embedder-Policy", "require-corp"},
    {"Cross-Origin-Resource-Policy", "same-origin"},
    {"X-Content-Type-Options", "nosniff"},
    {"Referrer-Policy", "no-referrer"},
    {"Cache-Control", "no-store"},
    {"Allow", "GET, HEAD"},
};

static enum MHD_Result send_answer(const http_library *mhd, struct MHD_Connection *connection, http_answer *answer,
                                   bool is_api) {
    struct MHD_Response *response =
        mhd->create_response_from_buffer(answer->body.length, answer->body.data, MHD_RESPMEM_MUST_COPY);
    buffer_free(&answer->body);
    if (!response) {
        return MHD_NO;
    }
    for (size_t i = 0; i < sizeof headers / sizeof headers[0]; i++) {
        mhd->add_response_header(response, headers[i][0], headers[i][1]);
    }
    mhd->add_response_header(response, "Content-Security-Policy",
                             is_api ? "default-src 'none'; frame-ancestors 'none'" : "frame-ancestors 'none'");
    mhd->add_response_header(response, "Content-Type", answer->type);
    const enum MHD_Result result = mhd->queue_response(connection, (unsigned)answer->status, response);
    mhd->destroy_response(response);
    return result;
}

/* Another name would let a page of another site read the database through a name that leads here. */
static bool is_for_this_host(const server *it, struct MHD_Connection *connection) {
    static const char *const names[] = {"127.0.0.1", "localhost"};
    const char *host = it->mhd.lookup_connection_value(connection, MHD_HEADER_KIND, "Host");
    for (size_t i = 0; host && i < 2; i++) {
        char full[32];
        snprintf(full, sizeof full, "%s:%u", names[i], (unsigned)it->port);
        if (strcmp(host, full) == 0 || (it->port == 80 && strcmp(host, names[i]) == 0)) {
            return true;
        }
    }
    return false;
}

static const char *argument(const server *it, struct MHD_Connection *connection, const char *name) {
    return it->mhd.lookup_connection_value(connection, MHD_GET_ARGUMENT_KIND, name);
}

static void answer_api(http_answer *answer, server *it, struct MHD_Connection *connection, const char *path) {
    const http_query query = {.fen = argument(it, connection, "fen"),
                              .moves = argument(it, connection, "moves"),
                              .query = argument(it, connection, "query"),
                              .limit = argument(it, connection, "limit")};
    luft_database *database = take_database(it);
    if (database) {
        http_api(answer, database, path, &query);
    } else {
        http_fail(answer, 503, "cannot open the database");
    }
    give_database(it, database);
}

// NOLINTNEXTLINE(readability-non-const-parameter): the type that libmicrohttpd calls
static enum MHD_Result on_request(void *payload, struct MHD_Connection *connection, const char *url, const char *method,
                                  const char *version, const char *data, size_t *data_size, void **request) {
    static int marker;
    server *it = payload;
    http_answer answer = {.status = 200};
    const bool is_api = strncmp(url, "/api/", 5) == 0;
    (void)version, (void)data;
    if (!*request) {
        *request = &marker; /* the headers are read; a body would follow */
        return MHD_YES;
    }
    if (*data_size > 0) {
        return MHD_NO; /* a body: the connection is closed */
    }
    if (strcmp(method, "GET") != 0 && strcmp(method, "HEAD") != 0) {
        http_fail(&answer, 405, "only GET and HEAD");
    } else if (!is_for_this_host(it, connection)) {
        http_fail(&answer, 421, "the host of the request is not this server");
    } else if (is_api) {
        answer_api(&answer, it, connection, url + 5);
    } else if (it->web) {
        http_file(&answer, it->web, url);
    } else {
        http_fail(&answer, 404, "there is no such path: use /api/info, or start the server with --web");
    }
    return send_answer(&it->mhd, connection, &answer, is_api);
}

/* --- Deadlines ---------------------------------------------------------------- */

static int socket_of(const server *it, struct MHD_Connection *connection) {
    const union MHD_ConnectionInfo *info = it->mhd.get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD);
    return info ? (int)info->connect_fd : -1;
}

/* Finds the place of a socket, or a free one for -1. NULL if there is none. */
static peer *find_peer(server *it, int socket) {
    for (size_t i = 0; i < sizeof it->peers / sizeof it->peers[0]; i++) {
        if (it->peers[i].socket == socket) {
            return &it->peers[i];
        }
    }
    return NULL;
}

static void on_connection(void *payload, struct MHD_Connection *connection, void **context,
                          enum MHD_ConnectionNotificationCode code) {
    server *it = payload;
    const int socket = socket_of(it, connection);
    (void)context;
    pthread_mutex_lock(&it->lock);
    peer *place = find_peer(it, code == MHD_CONNECTION_NOTIFY_STARTED ? -1 : socket);
    if (place && socket >= 0) {
        *place = (peer){code == MHD_CONNECTION_NOTIFY_STARTED ? socket : -1, clock_seconds()};
    }
    pthread_mutex_unlock(&it->lock);
}

static void on_completed(void *payload, struct MHD_Connection *connection, void **request,
                         enum MHD_RequestTerminationCode code) {
    server *it = payload;
    (void)request, (void)code;
    pthread_mutex_lock(&it->lock);
    peer *place = find_peer(it, socket_of(it, connection));
    if (place) {
        place->since = clock_seconds();
    }
    pthread_mutex_unlock(&it->lock);
}

/* Closes connections that send a request byte by byte. The lock is held. */
static void enforce_deadlines(server *it) {
    for (size_t i = 0; i < sizeof it->peers / sizeof it->peers[0]; i++) {
        peer *place = &it->peers[i];
        if (place->socket >= 0 && clock_seconds() - place->since > REQUEST_S) {
            shutdown(place->socket, SHUT_RD); /* an answer on its way is still sent */
        }
    }
}

/* --- The command ------------------------------------------------------------ */

static void on_signal(void *payload, int number) {
    server *it = payload;
    pthread_mutex_lock(&it->lock);
    it->signal = number;
    pthread_cond_signal(&it->stop);
    pthread_mutex_unlock(&it->lock);
}

static void wait_for_signal(server *it) {
    pthread_mutex_lock(&it->lock);
    while (it->signal == 0) {
        struct timespec until;
        clock_gettime(CLOCK_REALTIME, &until);
        until.tv_sec += 1;
        pthread_cond_timedwait(&it->stop, &it->lock, &until);
        enforce_deadlines(it);
    }
    pthread_mutex_unlock(&it->lock);
}

static struct MHD_Daemon *start(server *it) {
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons((uint16_t)it->port)};
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    return it->mhd.start_daemon(
        MHD_USE_THREAD_PER_CONNECTION | MHD_USE_INTERNAL_POLLING_THREAD, (uint16_t)it->port, NULL, NULL, on_request, it,
        MHD_OPTION_SOCK_ADDR, (struct sockaddr *)&address, MHD_OPTION_CONNECTION_LIMIT, (unsigned)CONNECTIONS_MAX,
        MHD_OPTION_CONNECTION_TIMEOUT, (unsigned)IDLE_S, MHD_OPTION_CONNECTION_MEMORY_LIMIT, (size_t)CONNECTION_MEMORY,
        MHD_OPTION_NOTIFY_CONNECTION, on_connection, it, MHD_OPTION_NOTIFY_COMPLETED, on_completed, it, MHD_OPTION_END);
}

/* Serves until a signal comes. Returns an exit status. */
static int run(server *it) {
    interrupt signals = {0};
    interrupt_start(&signals, on_signal, it);
    struct MHD_Daemon *daemon = start(it);
    if (!daemon) {
        interrupt_stop(&signals);
        output_error(NAME, "cannot listen on 127.0.0.1:%u; is another program using the port?", (unsigned)it->port);
        return STATUS_FAILED;
    }
    const union MHD_DaemonInfo *info = it->mhd.get_daemon_info(daemon, MHD_DAEMON_INFO_BIND_PORT);
    if (it->port == 0 && info) {
        it->port = info->port;
    }
    printf("http://127.0.0.1:%u/\n", (unsigned)it->port);
    fflush(stdout);
    wait_for_signal(it);
    it->mhd.stop_daemon(daemon);
    interrupt_stop(&signals);
    return STATUS_OK;
}

int db_serve(int argc, char **argv) {
    server it = {.port = 8080};
    int status;
    const option options[] = {
        option_number("port", "N", "listen on this port (default 8080; 0 takes a free one)", &it.port, 0, 65535),
        option_text("web", "FOLDER", "serve the page of this folder, such as build/web", &it.web),
    };
    const option operands[] = {{.name = "DATABASE", .help = "the file", .text = &it.path, .required = true}};
    const option_table table = {.command = NAME,
                                .usage = "[options] DATABASE",
                                .about = about,
                                .options = options,
                                .option_count = sizeof options / sizeof options[0],
                                .operands = operands,
                                .operand_count = 1};
    if (!options_read(&table, argc, argv, &status)) {
        return status;
    }
    luft_database *database = db_open(NAME, it.path, LUFT_DATABASE_READ);
    if (!database) {
        return STATUS_USAGE;
    }
    for (size_t i = 0; i < sizeof it.peers / sizeof it.peers[0]; i++) {
        it.peers[i].socket = -1;
    }
    pthread_mutex_init(&it.lock, NULL);
    pthread_cond_init(&it.stop, NULL);
    give_database(&it, database);
    if (http_library_open(&it.mhd)) {
        status = run(&it);
        http_library_close(&it.mhd);
    } else {
        output_error(NAME, "cannot load libmicrohttpd, which the server needs; install it (Debian: libmicrohttpd12)");
        status = STATUS_FAILED;
    }
    while (it.idle_count > 0) {
        luft_database_free(it.idle[--it.idle_count]);
    }
    pthread_cond_destroy(&it.stop);
    pthread_mutex_destroy(&it.lock);
    return status;
}

#else

int db_serve(int argc, char **argv) {
    (void)argc, (void)argv;
    output_error(NAME, "this build has no server: it was compiled without libmicrohttpd");
    return STATUS_USAGE;
}

#endif
