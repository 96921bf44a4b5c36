/* SPDX-License-Identifier: MIT */
/*
 * Reading PGN: every form that games come in, what is refused and where, what visitors may
 * ask for, and input of any size. Most tests give a text and the callbacks that it must
 * lead to; each text is read whole, byte by byte and in random pieces.
 */
#include "support/check.h"
#include "support/random_positions.h"
#include "support/transcript.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- Games ----------------------------------------------------------------- */

static void a_plain_game(void **state) {
    (void)state;
    assert_transcript("[Event \"Club\"]\n[White \"Ann\"]\n\n1. e4 e5 2. Nf3 Nc6 1-0\n",
                      "game\ntag Event=Club\ntag White=Ann\nmoves\ne2e4\ne7e5\ng1f3\nb8c6\nend 1-0\n");
}

static void several_games(void **state) {
    (void)state;
    assert_transcript("[Event \"a\"]\n\n1. e4 *\n\n[Event \"b\"]\n\n1. d4 0-1\n",
                      "game\ntag Event=a\nmoves\ne2e4\nend *\ngame\ntag Event=b\nmoves\nd2d4\nend 0-1\n");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_plain_game),
        cmocka_unit_test(several_games),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
