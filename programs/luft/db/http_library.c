/* SPDX-License-Identifier: MIT */
/* Loads libmicrohttpd: the version that the header belongs to, by its name in the file system. */
#ifdef LUFT_WITH_MICROHTTPD

#include "http_library.h"

#include <dlfcn.h>
#include <string.h>

/* Sets a pointer to a function of the library. C has no conversion from void * to it, POSIX promises equal bits. */
static bool find(void *function, const http_library *library, const char *name) {
    void *found = dlsym(library->handle, name);
    memcpy(function, &found, sizeof found);
    return found != NULL;
}

bool http_library_open(http_library *library) {
    static const char *const names[] = {"libmicrohttpd.so.12", "libmicrohttpd.so"};
    *library = (http_library){0};
    for (size_t i = 0; i < sizeof names / sizeof names[0] && !library->handle; i++) {
        library->handle = dlopen(names[i], RTLD_NOW | RTLD_LOCAL);
    }
    if (!library->handle) {
        return false;
    }
    const bool good = find(&library->start_daemon, library, "MHD_start_daemon") &&
                      find(&library->stop_daemon, library, "MHD_stop_daemon") &&
                      find(&library->get_daemon_info, library, "MHD_get_daemon_info") &&
                      find(&library->get_connection_info, library, "MHD_get_connection_info") &&
                      find(&library->lookup_connection_value, library, "MHD_lookup_connection_value") &&
                      find(&library->create_response_from_buffer, library, "MHD_create_response_from_buffer") &&
                      find(&library->add_response_header, library, "MHD_add_response_header") &&
                      find(&library->queue_response, library, "MHD_queue_response") &&
                      find(&library->destroy_response, library, "MHD_destroy_response");
    if (!good) {
        http_library_close(library);
    }
    return good;
}

void http_library_close(http_library *library) {
    dlclose(library->handle);
    library->handle = NULL;
}

#endif
