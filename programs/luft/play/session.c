/* SPDX-License-Identifier: MIT */
/*
 * Runs the turns: person and engine move, the board is shown, and the game is judged, until the person leaves. The end
 * of the input, ^C and signals save the game first.
 */
#define _POSIX_C_SOURCE 200809L

#include "session.h"
#include "tables.h"

#include "util/atomic_file.h"
#include "util/clock.h"
#include "util/random.h"
#include "util/text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { LOOK_MS = 1000 }; /* for a hint, an analysis and the answer to a draw offer */

/* --- Strength and clocks ------------------------------------------------------------ */

void play_set_strength(play_session *play) {
    record_set_strength(&play->facts, play->settings.level, play->settings.elo);
    luft_engine_set_elo(play->engine, play->facts.elo);
}

/* How long the current turn has lasted; 0 when the game is over. */
static int64_t spent_ms(const play_session *play) {
    return play->match.end == MATCH_GOES_ON ? (clock_microseconds() - play->turn_began_us) / 1000 : 0;
}

void play_show(play_session *play) {
    const match *game = &play->match;
    screen_side sides[2];
    for (luft_color side = LUFT_WHITE; side <= LUFT_BLACK; side++) {
        sides[side] = (screen_side){.name = side == game->person ? play->facts.person : play->facts.engine,
                                    .has_clock = game->clock.on,
                                    .left_ms = match_time_left(game, side, spent_ms(play))};
    }
    screen_print(&play->style, game->game, play->flipped, sides);
    printf("\n");
}

void play_begin_turn(play_session *play) {
    play->turn_began_us = clock_microseconds();
    play->end_reported = false;
    play_show(play);
    screen_print_opening(&play->style, play->match.game, &play->opening);
}

void play_draw_start(play_session *play) {
    if (play->any_chess960) {
        luft_chess960_position(&play->start, (int)(clock_microseconds() / 8 % 960));
    }
}

bool play_new_game(play_session *play) {
    play_draw_start(play);
    if (!match_start(&play->match, &play->start)) {
        printf("Cannot begin a game: out of memory.\n");
        return false;
    }
    record_begin(&play->facts);
    record_file_next_game(&play->file);
    luft_engine_clear(play->engine);
    play->opening = NULL;
    play->changed = false;
    play->flipped = play->match.person == LUFT_BLACK;
    play_begin_turn(play);
    return true;
}

/* --- Saving ------------------------------------------------------------------------ */

/* Prints text from outside without its control characters. */
static void print_readable(const char *text, size_t length) {
    buffer readable = {0};
    buffer_append_readable(&readable, text, length);
    printf("%.*s%s", (int)readable.length, readable.data ? readable.data : "",
           readable.failed ? " (out of memory)" : "");
    buffer_free(&readable);
}

/* A game is worth saving once the person has moved. */
static bool has_something_to_save(const play_session *play) {
    const luft_game *game = play->match.game;
    const size_t engines = luft_game_position_at(game, 0)->side_to_move != play->match.person;
    return play->changed && luft_game_ply(game) > engines;
}

/* Ends an attempt to save for which memory is missing. */
static bool tell_if_not_chosen(play_session *play, bool is_chosen) {
    if (!is_chosen) {
        printf("Cannot save the game: out of memory.\n");
        play->save_failed = true;
    }
    return is_chosen;
}

bool play_choose_file(play_session *play, const char *name, size_t length) {
    if (memchr(name, '\0', length)) {
        char quoted[TEXT_QUOTED_SIZE];
        printf("%s: invalid file name.\n", text_quote(quoted, name, length));
        return false;
    }
    play->has_new_name = false;
    return tell_if_not_chosen(play, record_file_choose(&play->file, name, length));
}

static bool choose_new_name(play_session *play) {
    play->has_new_name = true;
    return tell_if_not_chosen(play, record_file_choose_new(&play->file, play->place));
}

bool play_save(play_session *play) {
    buffer text = {0};
    if (!play->file.path && !choose_new_name(play)) {
        return false;
    }
    record_write(&text, &play->match, &play->facts);
    play->save_failed = !record_file_save(&play->file, &text);
    const char *reason = play->save_failed ? atomic_file_reason() : "";
    printf("The game %s in ", play->save_failed ? "could not be saved" : "is saved");
    print_readable(play->file.path, strlen(play->file.path));
    printf("%s%s.\n", play->save_failed ? ": " : "", reason);
    if (play->save_failed) {
        record_file_free(&play->file); /* the next try uses a new name, in another folder if this one was new */
        play->place = (play->place + play->has_new_name) % RECORD_PLACES;
    } else {
        play->changed = false;
    }
    buffer_free(&text);
    return !play->save_failed;
}

/* Saves where it can: nobody is there to ask. */
static void save_anywhere(play_session *play) {
    for (int i = 0; i <= RECORD_PLACES && !play_save(play); i++) {
    }
}

/* The answers to the question where to save; text with a dot or a slash is a file name. */
typedef enum save_answer { SAVE_YES, SAVE_NO, SAVE_ELSEWHERE, SAVE_UNCLEAR, SAVE_NOT_ANSWERED } save_answer;

static save_answer read_answer(const char *line, size_t length) {
    static const char *const words[] = {"", "y", "yes", "n", "no"};
    for (int i = 0; i < 5; i++) {
        if (play_is_word(line, length, words[i])) {
            return i < 3 ? SAVE_YES : SAVE_NO;
        }
    }
    return memchr(line, '.', length) || memchr(line, '/', length) ? SAVE_ELSEWHERE : SAVE_UNCLEAR;
}

/* Asks until the answer is clear or the input ends. A new name is already chosen when this returns. */
static save_answer ask_to_save(play_session *play) {
    const char *line;
    size_t length;
    for (;;) {
        printf("Save the game as ");
        print_readable(play->file.path, strlen(play->file.path));
        if (ferror(stdout) || !play_ask(play, "? [Enter: yes; n: no; or another name] ", &line, &length)) {
            return SAVE_NOT_ANSWERED;
        }
        text_trim(&line, &length);
        const save_answer answer = read_answer(line, length);
        if (answer == SAVE_UNCLEAR) {
            printf("Expected yes, no, or a name such as game.pgn.\n");
        } else if (answer != SAVE_ELSEWHERE || play_choose_file(play, line, length)) {
            return answer;
        }
    }
}

bool play_offer_to_save(play_session *play) {
    bool is_answered = true;
    while (is_answered && has_something_to_save(play)) {
        save_answer answer = SAVE_YES;
        if (!play->file.path) {
            if (!choose_new_name(play)) {
                return false;
            }
            answer = ask_to_save(play);
        }
        if (answer == SAVE_NO) {
            record_file_free(&play->file);
            play->changed = play->save_failed = false;
        } else if (answer == SAVE_NOT_ANSWERED) {
            save_anywhere(play);
        } else {
            play_save(play);
        }
        is_answered = answer != SAVE_NOT_ANSWERED;
    }
    return !has_something_to_save(play);
}

/* --- The person's turn ---------------------------------------------------------------- */

/* Repeats the input in a pipe, so that the output reads like a terminal. */
static void echo(const play_session *play, const char *line, size_t length) {
    if (!play->keys.is_terminal) {
        print_readable(line, length);
        printf("\n");
    }
}

/* ^C asks once; a second one, or the end of the input, leaves. */
static void take_leave(play_session *play, console_event event) {
    const bool ends = event != CONSOLE_INTERRUPT || play->asked_to_leave || !has_something_to_save(play);
    printf("\n");
    if (play->keys.typed.failed) {
        printf("Cannot read the line: out of memory.\n");
    }
    if (ends) {
        play->leaving = true;
        if (has_something_to_save(play)) {
            save_anywhere(play);
        }
    } else {
        play->asked_to_leave = true;
        printf("^C again, or quit, leaves the game; it will be saved.\n");
    }
}

bool play_ask(play_session *play, const char *prompt, const char **line, size_t *length) {
    printf("%s", prompt);
    fflush(stdout);
    const console_event event = console_read(&play->keys, CONSOLE_FOREVER, line, length);
    if (event == CONSOLE_LINE) {
        echo(play, *line, *length);
        return true;
    }
    printf("\n");
    play->leaving = true;
    return false;
}

static void let_person_speak(play_session *play) {
    match *game = &play->match;
    const bool is_over = game->end != MATCH_GOES_ON;
    const bool ticks = game->clock.on && !is_over;
    const int64_t left = match_time_left(game, game->person, spent_ms(play));
    const char *line;
    size_t length;
    printf("%s", is_over ? "The game is over (new, undo, save, quit): " : "Your move: ");
    fflush(stdout);
    const console_event event = console_read(&play->keys,
                                             !ticks     ? CONSOLE_FOREVER
                                             : left > 0 ? left
                                                        : 0,
                                             &line, &length);
    if (event == CONSOLE_LINE) {
        echo(play, line, length);
    }
    if (ticks && match_time_left(game, game->person, spent_ms(play)) <= 0) {
        printf("%s", event == CONSOLE_LINE ? "" : "\n");
        match_flag(game);
        play->changed = true;
    }
    if (event == CONSOLE_LINE && !(ticks && game->end != MATCH_GOES_ON)) {
        play->asked_to_leave = false;
        play_obey(play, line, length);
    } else if (event != CONSOLE_LINE && event != CONSOLE_TIMEOUT) {
        take_leave(play, event);
    }
}

void play_person_moves(play_session *play, luft_move move) {
    if (!match_play(&play->match, move, spent_ms(play))) {
        printf("Cannot play the move: out of memory.\n");
        return;
    }
    play->changed = true;
    play->turn_began_us = clock_microseconds();
    play->end_reported = false;
    if (play->match.end != MATCH_GOES_ON) {
        play_show(play);
    }
}

/* --- The engine's turn ------------------------------------------------------------------ */

static luft_engine_limits limits_of_turn(const play_session *play) {
    const match_clock *clock = &play->match.clock;
    luft_engine_limits limits = luft_engine_no_limits();
    if (play->settings.nodes != LUFT_ENGINE_NO_LIMIT) {
        limits.nodes = play->settings.nodes;
    } else if (clock->on) {
        for (luft_color side = LUFT_WHITE; side <= LUFT_BLACK; side++) {
            const int64_t left =
                match_time_left(&play->match, side, spent_ms(play)); /* the turn may belong to a resumed game */
            limits.time_ms[side] = left > 1 ? left : 1;
            limits.increment_ms[side] = clock->increment_ms;
        }
    } else {
        limits.movetime_ms = play->settings.move_ms;
    }
    return limits;
}

static bool think(play_session *play, const luft_engine_limits *limits) {
    const bool shows = isatty(STDOUT_FILENO);
    if (!thinking_set_game(play->engine, play->match.game)) {
        printf("Cannot search: out of memory.\n");
        return false;
    }
    console_set_thinker(&play->keys, play->engine);
    if (shows) {
        printf("Luft is thinking%s ...", play->keys.signals.watching ? " (^C: move now)" : "");
        fflush(stdout);
    }
    const bool done = thinking_run(play->found, play->engine, limits, NULL, NULL);
    console_set_thinker(&play->keys, NULL);
    printf("%s%s", shows ? "\r" : "", shows && play->style.color ? "\033[K" : shows ? "\n" : "");
    if (!done || play->found->best == LUFT_MOVE_NONE) {
        printf("Cannot start the search: out of threads.\n");
    }
    return done && play->found->best != LUFT_MOVE_NONE;
}

/* False, with a message, if out of memory. */
static bool set_lines(play_session *play, int lines) {
    const bool done = luft_engine_set_lines(play->engine, lines) == LUFT_OK;
    if (!done) {
        printf("Cannot search: out of memory.\n");
    }
    return done;
}

bool play_look(play_session *play, int lines) {
    luft_engine_limits limits = luft_engine_no_limits();
    if (play->match.end != MATCH_GOES_ON && luft_count_moves(luft_game_position(play->match.game)) == 0) {
        printf("The game is over.\n");
        return false;
    }
    if (play->settings.nodes != LUFT_ENGINE_NO_LIMIT) {
        limits.nodes = play->settings.nodes;
    } else {
        limits.movetime_ms = LOOK_MS;
    }
    luft_engine_set_elo(play->engine, 0);
    const bool done = set_lines(play, lines) && think(play, &limits);
    const bool restored = set_lines(play, 1);
    luft_engine_set_elo(play->engine, play->facts.elo);
    return done && restored;
}

/* A move of the book, LUFT_MOVE_NONE if it has none. */
static luft_move book_move(const play_session *play) {
    const luft_game *game = play->match.game;
    const size_t ply = luft_game_ply(game);
    const luft_square ep = ply > 0 ? luft_move_ep_square(luft_game_move_at(game, ply - 1)) : LUFT_NO_SQUARE;
    luft_book_moves moves;
    luft_book_find(&moves, play->book, luft_game_position(game), ep);
    return luft_book_pick(&moves, random_mix((uint64_t)clock_microseconds()));
}

static void let_engine_move(play_session *play) {
    match *game = &play->match;
    const luft_engine_limits limits = limits_of_turn(play);
    const luft_position before = *luft_game_position(game->game);
    const luft_move from_book = book_move(play);
    if (from_book == LUFT_MOVE_NONE && !think(play, &limits)) {
        play->leaving = true;
        return;
    }
    const int64_t spent = spent_ms(play);
    const luft_move move = from_book != LUFT_MOVE_NONE ? from_book : play->found->best;
    char san[LUFT_SAN_SIZE];
    if (game->clock.on && match_time_left(game, match_turn(game), spent) <= 0) {
        match_flag(game);
        play->changed = true;
        return;
    }
    luft_move_to_san(san, sizeof san, &before, move);
    printf("Luft plays %d%s %s.\n", before.fullmove_number, before.side_to_move == LUFT_WHITE ? "." : "...", san);
    if (!match_play(game, move, spent)) {
        printf("Cannot play the move: out of memory.\n");
        play->leaving = true;
        return;
    }
    play->changed = true;
    play_begin_turn(play);
}

/* --- The session ----------------------------------------------------------------------- */

static void tell_end(play_session *play) {
    char text[MATCH_EXPLANATION_SIZE];
    printf("%s  %s\n", match_explain(text, &play->match), luft_result_string(match_result(&play->match)));
    play->end_reported = true;
    play_offer_to_save(play);
}

void play_run(play_session *play) {
    play_begin_turn(play);
    while (!play->leaving && !ferror(stdout)) {
        if (play->match.end != MATCH_GOES_ON && !play->end_reported) {
            tell_end(play);
        } else if (play->match.end == MATCH_GOES_ON && !match_is_persons_turn(&play->match)) {
            let_engine_move(play);
        } else {
            let_person_speak(play);
        }
    }
    play_offer_to_save(play);
}

bool play_create_engine(play_session *play) {
    play->found = play->found ? play->found : malloc(sizeof *play->found);
    if (!play->found || (!play->engine && luft_engine_create(&play->engine) != LUFT_OK)) {
        return false;
    }
    play_set_strength(play);
    tables_use(play->engine, play->tablebase);
    return true;
}

void play_free(play_session *play) {
    console_close(&play->keys); /* its thread may be about to stop the engine */
    luft_engine_free(play->engine);
    luft_book_free(play->book);
    luft_tablebase_free(play->tablebase);
    match_free(&play->match);
    record_file_free(&play->file);
    buffer_free(&play->facts.resumed);
    free(play->found);
}
