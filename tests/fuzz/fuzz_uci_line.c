/* SPDX-License-Identifier: MIT */
/*
 * Fuzz target: arbitrary bytes as one UCI line, in one of four states of the session, which the first byte chooses: at the start,
 * with a position of its own, without any, and while a search waits for stop.
 */
#include "session.h"

#include "decode.h"

#include <string.h>

static const char *const states[] = {
    "isready",
    "position fen r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "position fen x",
    "go infinite",
};

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    if (size == 0 || memchr(data, '\n', size)) {
        return -1; /* not for the corpus */
    }
    const char *state = states[data[0] % (sizeof states / sizeof states[0])];
    session_begin();
    session_say(state, strlen(state));
    session_say((const char *)data + 1, size - 1);
    session_end();
    return 0;
}
