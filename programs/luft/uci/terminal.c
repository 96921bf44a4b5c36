/* SPDX-License-Identifier: MIT */
/*
 * The board of a person at the terminal, who makes the moves of both sides until `play`. UCI and the plain words share
 * one position, so both can be mixed: what UCI sets up becomes a game here, with its moves, and what a word changes is
 * handed back to UCI.
 */
#define _POSIX_C_SOURCE 200809L

#include "terminal.h"

#include "play/move.h"
#include "play/session.h"

#include <stdio.h>
#include <stdlib.h>

struct terminal {
    uci_session *uci;
    bool is_silent;    /* prints no prompt, because a program types */
    bool is_behind;    /* the board is not that of UCI: out of memory */
    play_session play; /* the board, and a game once there is one; its engine is not that of UCI */
};

/* --- One position for both languages ------------------------------------------------- */

static luft_game *create_game(const luft_position *start, const luft_move *moves, size_t count) {
    luft_game *game;
    if (luft_game_create(&game, start) != LUFT_OK) {
        return NULL;
    }
    for (size_t i = 0; i < count; i++) {
        if (luft_game_play(game, moves[i]) != LUFT_OK) {
            luft_game_free(game);
            return NULL;
        }
    }
    return game;
}

/* UCI has set up this position; its moves are part of the game and can be undone. */
static void follow_position(void *payload, const luft_position *start, const luft_move *moves, size_t count) {
    terminal *person = payload;
    luft_game *game = create_game(start, moves, count);
    person->play.opening = NULL;
    person->is_behind = !game || !match_adopt(&person->play.match, game);
}

/* Out of memory when UCI set up a position, the board could not follow: shows the position now, without its moves. */
static bool catch_up(terminal *person) {
    if (person->is_behind) {
        person->is_behind = !match_start(&person->play.match, luft_engine_position(uci_engine(person->uci)));
    }
    if (person->is_behind) {
        printf("Out of memory: the board cannot be shown.\n");
    }
    return !person->is_behind;
}

/* Ends the job of UCI. False if UCI has refused the last position. */
static bool take_over(terminal *person) {
    uci_finish(person->uci);
    if (!uci_has_position(person->uci)) {
        printf("There is no position, as the last one was refused; new sets up the pieces.\n");
        return false;
    }
    return catch_up(person);
}

static void hand_back(terminal *person) {
    uci_set_has_position(person->uci, thinking_set_game(uci_engine(person->uci), person->play.match.game));
}

static void show(terminal *person) {
    play_session *play = &person->play;
    char text[MATCH_EXPLANATION_SIZE];
    screen_print(&play->style, play->match.game, play->flipped, NULL);
    printf("\n");
    screen_print_opening(&play->style, play->match.game, &play->opening);
    match_judge(&play->match);
    if (play->match.end != MATCH_GOES_ON) {
        printf("%s\n", match_explain(text, &play->match));
    }
}

/* --- Words ------------------------------------------------------------------------------ */

static void run_board(terminal *person, uci_text line) {
    (void)line;
    show(person);
}

static void run_undo(terminal *person, uci_text line) {
    (void)line;
    if (luft_game_undo(person->play.match.game) != LUFT_OK) {
        printf("There is no move to take back.\n");
        return;
    }
    show(person);
}

static void run_redo(terminal *person, uci_text line) {
    (void)line;
    if (luft_game_redo(person->play.match.game) != LUFT_OK) {
        printf("There is no move that was taken back.\n");
        return;
    }
    show(person);
}

static void run_moves(terminal *person, uci_text line) {
    (void)line;
    play_print_moves(&person->play);
}

static void run_game(terminal *person, uci_text line) {
    (void)line;
    play_print_game(&person->play);
}

static void run_fen(terminal *person, uci_text line) {
    (void)line;
    play_print_fen(&person->play);
}

/* Searches for a report. Until it is printed, ^C ends the search and not the program. */
static void analyse_with(terminal *person, void (*report)(play_session *play)) {
    play_session *play = &person->play;
    console_open(&play->keys, play->style.unicode);
    if (play_create_engine(play)) {
        report(play);
    } else {
        printf("Out of memory: cannot search.\n");
    }
    console_close(&play->keys);
}

static void run_hint(terminal *person, uci_text line) {
    (void)line;
    analyse_with(person, play_hint);
}

static void run_analyse(terminal *person, uci_text line) {
    (void)line;
    analyse_with(person, play_analyse);
}

/* Reads `play [white|black] [LEVEL]`. */
static bool read_wishes(play_session *play, uci_text line) {
    uci_text word;
    uint64_t level;
    play->match.person = match_turn(&play->match);
    play->settings.level = PLAY_LEVEL_MAX;
    while (uci_take_word(&line, &word)) {
        if (play_is_word(word.text, word.length, "white")) {
            play->match.person = LUFT_WHITE;
        } else if (play_is_word(word.text, word.length, "black")) {
            play->match.person = LUFT_BLACK;
        } else if (text_to_number(&level, word.text, word.length, PLAY_LEVEL_MAX) && level > 0) {
            play->settings.level = (int)level;
        } else if (!play_is_word(word.text, word.length, "level")) {
            printf("play takes white or black, and a level from 1 to %d.\n", PLAY_LEVEL_MAX);
            return false;
        }
    }
    return true;
}

/* A game from here; afterwards the board stands as the game has left it. */
static void run_play(terminal *person, uci_text line) {
    play_session *play = &person->play;
    if (!read_wishes(play, line)) {
        return;
    }
    console_open(&play->keys, play->style.unicode);
    if (play_create_engine(play)) {
        record_begin(&play->facts);
        record_file_next_game(&play->file);
        match_judge(&play->match);
        play->flipped = play->match.person == LUFT_BLACK;
        play->leaving = play->changed = play->asked_to_leave = false;
        printf("You play %s against %s. help lists what you can say; quit comes back here.\n",
               match_color_name(play->match.person), play->facts.engine);
        play_run(play);
    } else {
        printf("Out of memory: cannot start a game.\n");
    }
    console_close(&play->keys);
    play->flipped = false;
}

typedef struct terminal_word {
    const char *name;
    const char *other; /* name, or NULL */
    void (*run)(terminal *person, uci_text line);
    const char *help;
} terminal_word;

static const terminal_word words[] = {
    {"play", NULL, run_play, "[white|black] [LEVEL]: a game against Luft from this position"},
    {"hint", NULL, run_hint, "a good move"},
    {"analyse", "analyze", run_analyse, "a short look at the position, with lines of play"},
    {"undo", "back", run_undo, "take back a move"},
    {"redo", NULL, run_redo, "play again what was taken back"},
    {"moves", "legal", run_moves, "the legal moves"},
    {"board", "show", run_board, "the board"},
    {"game", "list", run_game, "the moves played so far"},
    {"fen", NULL, run_fen, "the position as FEN"},
};

#define WORD_COUNT (sizeof words / sizeof words[0])

static void print_help(void *payload) {
    (void)payload;
    printf("A move, such as e4, Nf3, O-O or e2e4, or one of these words:\n");
    for (size_t i = 0; i < WORD_COUNT; i++) {
        printf("  %-9s %s\n", words[i].name, words[i].help);
    }
    printf("  %-9s set up the pieces for a new game\n  %-9s leave\n", "new", "quit");
}

static void make_move(terminal *person, uci_text line) {
    const luft_position *position = luft_game_position(person->play.match.game);
    luft_move move;
    const luft_error error = play_read_move(&move, position, line.text, line.length);
    if (error != LUFT_OK) {
        char reason[PLAY_REASON_SIZE];
        printf("%s\n", play_refusal(reason, position, line.text, line.length, error));
    } else if (luft_game_play(person->play.match.game, move) == LUFT_OK) {
        show(person);
    } else {
        printf("Out of memory: the move was not made.\n");
    }
}

static void set_up_pieces(terminal *person) {
    uci_finish(person->uci);
    person->play.opening = NULL;
    if (match_start(&person->play.match, NULL)) {
        person->is_behind = false;
        hand_back(person);
        show(person);
    }
}

static const terminal_word *find_word(uci_text word) {
    for (size_t i = 0; i < WORD_COUNT; i++) {
        if (play_is_word(word.text, word.length, words[i].name) ||
            (words[i].other && play_is_word(word.text, word.length, words[i].other))) {
            return &words[i];
        }
    }
    return NULL;
}

/* A line that is not a UCI command. False if the program is to end. */
static bool run_line(void *payload, uci_text line) {
    terminal *person = payload;
    uci_text rest = line, word;
    if (!uci_take_word(&rest, &word)) {
        return true;
    }
    if (play_is_word(word.text, word.length, "quit") || play_is_word(word.text, word.length, "exit") ||
        play_is_word(word.text, word.length, "q")) {
        return false;
    }
    if (play_is_word(word.text, word.length, "new")) {
        set_up_pieces(person);
        return true;
    }
    if (!take_over(person)) {
        return true;
    }
    const terminal_word *found = find_word(word);
    if (found) {
        found->run(person, rest);
    } else {
        make_move(person, line);
    }
    hand_back(person);
    return !person->play.keys.hung_up;
}

/* --- Life --------------------------------------------------------------------------------- */

static void stop_prompting(void *payload) {
    terminal *person = payload;
    person->is_silent = true;
}

terminal *terminal_open(uci_session *uci) {
    terminal *person = calloc(1, sizeof *person);
    if (!person || !match_start(&person->play.match, luft_engine_position(uci_engine(uci)))) {
        free(person);
        return NULL;
    }
    person->uci = uci;
    person->play.style = screen_detect(false);
    person->play.start = luft_start_position();
    person->play.settings =
        (play_settings){.level = PLAY_LEVEL_MAX, .move_ms = PLAY_MOVE_MS, .nodes = LUFT_ENGINE_NO_LIMIT};
    snprintf(person->play.facts.person, sizeof person->play.facts.person, "Player");
    printf("Luft %s, a chess engine. Type a move, or play for a game; help lists the commands.\n", luft_version());
    const uci_extension extension = {.run_line = run_line,
                                     .position_changed = follow_position,
                                     .client_is_program = stop_prompting,
                                     .help = print_help,
                                     .payload = person};
    uci_extend(uci, &extension);
    show(person);
    return person;
}

void terminal_prompt(terminal *person) {
    if (person && !person->is_silent && !uci_has_ended(person->uci) && uci_running_job(person->uci) == UCI_JOB_NONE) {
        printf("luft> ");
        fflush(stdout);
    }
}

void terminal_close(terminal *person) {
    if (person) {
        luft_engine_free(person->play.engine);
        match_free(&person->play.match);
        record_file_free(&person->play.file);
        free(person->play.found);
        free(person);
    }
}
