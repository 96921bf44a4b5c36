/* SPDX-License-Identifier: MIT */
/*
 * Waiting for input. Windows cannot wait for a pipe, and a console gives nothing until its line is complete, so the first
 * poll() of standard input starts a thread that reads it; from then on read() takes what the thread has. Other pipes are
 * looked at every few milliseconds. Nobody can see that the reader of an output pipe is gone before a write fails.
 */
#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include <windows.h>

enum { ROOM = 65536, LOOK_MS = 5 };

/* Standard input belongs to the process, so its state does too. */
static struct {
    pthread_mutex_t lock;
    pthread_cond_t has_room;
    bool is_started, is_console, has_ended;
    HANDLE ready; /* an event that is set while there is something to read, or the end */
    char bytes[ROOM];
    size_t begin, length;
} input = {.lock = PTHREAD_MUTEX_INITIALIZER, .has_room = PTHREAD_COND_INITIALIZER};

/* --- The thread --------------------------------------------------------------------- */

/* A line of the console as UTF-8. 0 at the end, which is ^Z at the begin of a line. */
static size_t read_console(HANDLE console, char *bytes, size_t room) {
    wchar_t line[ROOM / 8];
    DWORD count = 0;
    if (!ReadConsoleW(console, line, ROOM / 8, &count, NULL) || count == 0 || line[0] == 26) {
        /* ^C ends the read without a line, but not the input. */
        return GetLastError() == ERROR_OPERATION_ABORTED ? SIZE_MAX : 0;
    }
    return (size_t)WideCharToMultiByte(CP_UTF8, 0, line, (int)count, bytes, (int)room, NULL, NULL);
}

static size_t read_block(HANDLE file, char *bytes, size_t room) {
    DWORD count = 0;
    if (input.is_console) {
        return read_console(file, bytes, room);
    }
    return ReadFile(file, bytes, (DWORD)room, &count, NULL) ? count : 0;
}

static void *read_input(void *argument) {
    static char block[ROOM / 2];
    for (;;) {
        const size_t count = read_block(argument, block, sizeof block);
        if (count == SIZE_MAX) {
            continue;
        }
        pthread_mutex_lock(&input.lock);
        while (input.length + count > ROOM) {
            pthread_cond_wait(&input.has_room, &input.lock);
        }
        memmove(input.bytes, input.bytes + input.begin, input.length);
        input.begin = 0;
        memcpy(input.bytes + input.length, block, count);
        input.length += count;
        input.has_ended = count == 0;
        SetEvent(input.ready);
        pthread_mutex_unlock(&input.lock);
        if (count == 0) {
            return NULL;
        }
    }
}

static void start_input(void) {
    const HANDLE file = (HANDLE)_get_osfhandle(0);
    DWORD mode;
    pthread_t thread;
    input.is_console = GetConsoleMode(file, &mode) != 0;
    input.ready = CreateEventW(NULL, TRUE, FALSE, NULL);
    input.is_started = input.ready && pthread_create(&thread, NULL, read_input, file) == 0;
    if (input.is_started) {
        pthread_detach(thread);
    }
}

ssize_t posix_read(int descriptor, void *bytes, size_t size) {
    const unsigned wanted = size > INT32_MAX ? INT32_MAX : (unsigned)size;
    if (descriptor != 0 || !input.is_started) {
        return _read(descriptor, bytes, wanted);
    }
    WaitForSingleObject(input.ready, INFINITE);
    pthread_mutex_lock(&input.lock);
    const size_t count = size < input.length ? size : input.length;
    memcpy(bytes, input.bytes + input.begin, count);
    input.begin += count;
    input.length -= count;
    if (input.length == 0 && !input.has_ended) {
        ResetEvent(input.ready);
    }
    pthread_cond_signal(&input.has_room);
    pthread_mutex_unlock(&input.lock);
    return (ssize_t)count;
}

/* --- Waiting ------------------------------------------------------------------------ */

/* What can be said about a file at once. */
static short events_of(const struct pollfd *file) {
    if (file->fd < 0) {
        return 0;
    }
    if (file->fd == 0 && input.is_started) {
        return WaitForSingleObject(input.ready, 0) == WAIT_OBJECT_0 ? file->events & POLLIN : 0;
    }
    const HANDLE handle = (HANDLE)_get_osfhandle(file->fd);
    DWORD count = 0;
    if (handle == INVALID_HANDLE_VALUE) {
        return POLLNVAL;
    }
    if (GetFileType(handle) != FILE_TYPE_PIPE) {
        return file->events & POLLIN;
    }
    if (PeekNamedPipe(handle, NULL, 0, NULL, &count, NULL)) {
        return count > 0 ? file->events & POLLIN : 0;
    }
    return GetLastError() == ERROR_BROKEN_PIPE ? POLLHUP : 0; /* else it is the end for writing */
}

int poll(struct pollfd *files, unsigned long count, int milliseconds) {
    const uint64_t begin = GetTickCount64();
    bool wants_input = false;
    for (unsigned long i = 0; i < count; i++) {
        wants_input = wants_input || (files[i].fd == 0 && files[i].events & POLLIN);
    }
    if (wants_input && !input.is_started) {
        start_input();
    }
    for (;;) {
        int ready = 0;
        for (unsigned long i = 0; i < count; i++) {
            files[i].revents = events_of(&files[i]);
            ready += files[i].revents != 0;
        }
        const uint64_t gone = GetTickCount64() - begin;
        if (ready > 0 || (milliseconds >= 0 && gone >= (uint64_t)milliseconds)) {
            return ready;
        }
        const uint64_t left = milliseconds < 0 ? LOOK_MS : (uint64_t)milliseconds - gone;
        const DWORD pause = left < LOOK_MS ? (DWORD)left : LOOK_MS;
        if (wants_input && input.is_started) {
            WaitForSingleObject(input.ready, pause);
        } else {
            Sleep(pause);
        }
    }
}
