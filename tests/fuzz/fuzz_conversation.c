/* SPDX-License-Identifier: MIT */
/* Fuzz target: arbitrary bytes as a whole UCI conversation, line by line, with searches of few nodes. */
#include "session.h"

#include "decode.h"

#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    const char *line = (const char *)data, *end = line + size;
    bool more = true;
    session_begin();
    while (more && line < end) {
        const char *feed = memchr(line, '\n', (size_t)(end - line));
        const char *stop = feed ? feed : end;
        more = session_say(line, (size_t)(stop - line));
        line = feed ? feed + 1 : end;
    }
    session_end();
    return 0;
}
