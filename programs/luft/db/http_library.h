/* SPDX-License-Identifier: MIT */
/*
 * libmicrohttpd, loaded when the server starts. It depends on ten other libraries, which would otherwise be loaded at
 * every start of the program, an engine's among them.
 */
#ifndef LUFT_DB_HTTP_LIBRARY_H
#define LUFT_DB_HTTP_LIBRARY_H

#include <microhttpd.h>
#include <stdbool.h>

/* The functions of the library that the server calls, by their names without MHD_. */
typedef struct http_library {
    void *handle;
    __typeof__(MHD_start_daemon) *start_daemon;
    __typeof__(MHD_stop_daemon) *stop_daemon;
    __typeof__(MHD_get_daemon_info) *get_daemon_info;
    __typeof__(MHD_get_connection_info) *get_connection_info;
    __typeof__(MHD_lookup_connection_value) *lookup_connection_value;
    __typeof__(MHD_create_response_from_buffer) *create_response_from_buffer;
    __typeof__(MHD_add_response_header) *add_response_header;
    __typeof__(MHD_queue_response) *queue_response;
    __typeof__(MHD_destroy_response) *destroy_response;
} http_library;

/* False if the library is not installed, or lacks a function. */
bool http_library_open(http_library *library);

void http_library_close(http_library *library);

#endif
