/* SPDX-License-Identifier: MIT */
/*
 * The commands of the prompt: a table of words, and moves for everything that is not in it. No word of the table could
 * be a move.
 */
#define _POSIX_C_SOURCE 200809L

#include "move.h"
#include "session.h"
#include "util/setup.h"
#include "util/text.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

enum {
    SCREEN_COLUMNS = 78,
    DRAW_SCORE_MAX = 10 /* the engine accepts a draw up to this score, in centipawns */
};

/* The rest of a line, after the command. */
typedef struct rest {
    const char *text;
    size_t length;
} rest;

bool play_is_word(const char *word, size_t length, const char *expected) {
    if (length != strlen(expected)) {
        return false;
    }
    for (size_t i = 0; i < length; i++) {
        if (tolower((unsigned char)word[i]) != expected[i]) {
            return false;
        }
    }
    return true;
}

static bool is_over(const play_session *play) {
    if (play->match.end != MATCH_GOES_ON) {
        printf("The game is over; new begins another, undo takes back moves.\n");
        return true;
    }
    return false;
}

/* --- Moves back and forward --------------------------------------------------------- */

static void run_undo(play_session *play, rest words) {
    (void)words;
    if (!match_undo(&play->match)) {
        printf("There is no move of yours to take back.\n");
        return;
    }
    play->changed = true;
    play_begin_turn(play);
}

static void run_redo(play_session *play, rest words) {
    (void)words;
    if (!match_redo(&play->match)) {
        printf("There is no move to play again.\n");
        return;
    }
    play->changed = true;
    play_begin_turn(play);
}

/* --- Advice ------------------------------------------------------------------------- */

/* Prints a variation; its end is left out if it does not fit. */
static void print_line(const play_session *play, const thinking_line *line, size_t columns) {
    static const char dots[] = "…";
    buffer text = {0};
    thinking_append_line(&text, &play->found->position, line->moves, line->length, columns - 2);
    const size_t last = text.length - (text.length > 3 ? 3 : 0);
    const bool is_cut = text.length > 3 && memcmp(text.data + last, dots, 3) == 0;
    if (is_cut && !play->style.unicode) {
        memcpy(text.data + last, "...", 3);
    }
    printf("%.*s%s", (int)text.length, text.data ? text.data : "", text.failed ? " (out of memory)" : "");
    buffer_free(&text);
}

void play_hint(play_session *play) {
    if (!play_look(play, 1)) {
        return;
    }
    char san[LUFT_SAN_SIZE];
    luft_move_to_san(san, sizeof san, &play->found->position, play->found->best);
    printf("Try %s (", san);
    print_line(play, &play->found->lines[0], 60);
    printf(").\n");
}

static void run_hint(play_session *play, rest words) {
    (void)words;
    if (!is_over(play)) {
        play_hint(play);
    }
}

void play_analyse(play_session *play) {
    if (!play_look(play, 3)) {
        return;
    }
    char score[THINKING_SCORE_SIZE], judgement[THINKING_WORDS_SIZE];
    const thinking *found = play->found;
    for (int i = 0; i < found->line_count; i++) {
        printf("%7s  ", thinking_score_text(score, found->lines[i].score));
        print_line(play, &found->lines[i], SCREEN_COLUMNS - 9);
        printf("\n");
    }
    thinking_words(judgement, found->lines[0].score);
    judgement[0] = (char)toupper((unsigned char)judgement[0]);
    printf("%s (depth %d; scores in pawns, + is good for White).\n", judgement, found->lines[0].depth);
}

static void run_analyse(play_session *play, rest words) {
    (void)words;
    play_analyse(play);
}

/* --- The end of the game -------------------------------------------------------------- */

static void run_resign(play_session *play, rest words) {
    (void)words;
    if (!is_over(play)) {
        match_resign(&play->match, play->match.person);
        play->changed = true;
    }
}

/* The engine accepts a draw when it is not better by more than DRAW_SCORE_MAX. */
static void run_draw(play_session *play, rest words) {
    (void)words;
    if (is_over(play) || !play_look(play, 1)) {
        return;
    }
    const int score_white = play->found->lines[0].score;
    const int score_engine = play->match.person == LUFT_WHITE ? -score_white : score_white;
    if (score_engine > DRAW_SCORE_MAX) {
        printf("Luft declines: it thinks that it is better.\n");
        return;
    }
    printf("Luft accepts.\n");
    match_agree(&play->match);
    play->changed = true;
}

static bool read_color(luft_color *color, rest words) {
    const char *word;
    size_t length;
    if (!text_next_word(&word, &length, &words.text, &words.length)) {
        return false;
    }
    if (play_is_word(word, length, "white") || play_is_word(word, length, "w")) {
        *color = LUFT_WHITE;
        return true;
    }
    if (play_is_word(word, length, "black") || play_is_word(word, length, "b")) {
        *color = LUFT_BLACK;
        return true;
    }
    return false;
}

static void run_new(play_session *play, rest words) {
    luft_color color = play->match.person;
    if (words.length > 0 && !read_color(&color, words)) {
        printf("new: expected white or black, the side that you play.\n");
        return;
    }
    if (play_offer_to_save(play) && !play->leaving) {
        play->match.person = color;
        play_new_game(play);
    }
}

static void run_quit(play_session *play, rest words) {
    (void)words;
    play->leaving = true;
}

/* --- Settings ------------------------------------------------------------------------- */

static void run_level(play_session *play, rest words) {
    uint64_t level;
    if (words.length == 0) {
        printf("You play %s.\n", play->facts.engine);
        return;
    }
    if (!text_to_number(&level, words.text, words.length, PLAY_LEVEL_MAX) || level == 0) {
        printf("level: expected an integer from 1 to %d.\n", PLAY_LEVEL_MAX);
        return;
    }
    play->settings.level = (int)level;
    play->settings.elo = 0;
    play_set_strength(play);
    printf("You play %s from now on.\n", play->facts.engine);
}

static void run_color(play_session *play, rest words) {
    luft_color color = luft_opposite(play->match.person);
    if (words.length > 0 && !read_color(&color, words)) {
        printf("color: expected white or black, the side that you play.\n");
        return;
    }
    printf("You play %s.\n", color == LUFT_WHITE ? "White" : "Black");
    if (color != play->match.person) {
        play->match.person = color;
        play->flipped = color == LUFT_BLACK;
        play->changed = true;
        play_show(play);
    }
}

static void run_flip(play_session *play, rest words) {
    (void)words;
    play->flipped = !play->flipped;
    play_show(play);
}

/* --- What there is -------------------------------------------------------------------- */

static void run_board(play_session *play, rest words) {
    (void)words;
    play_show(play);
}

void play_print_fen(const play_session *play) {
    char fen[LUFT_FEN_SIZE];
    luft_position_to_fen(fen, sizeof fen, luft_game_position(play->match.game), LUFT_FEN_STANDARD);
    printf("%s\n", fen);
}

static void run_fen(play_session *play, rest words) {
    (void)words;
    play_print_fen(play);
}

void play_print_game(const play_session *play) {
    buffer text = {0};
    screen_append_moves(&text, play->match.game, SCREEN_COLUMNS);
    printf("%.*s", (int)text.length, text.data ? text.data : "");
    if (text.failed) {
        printf("Out of memory: some moves are not shown.\n");
    } else if (text.length == 0) {
        printf("No move has been played yet.\n");
    }
    buffer_free(&text);
}

static void run_game(play_session *play, rest words) {
    (void)words;
    play_print_game(play);
}

void play_print_moves(const play_session *play) {
    const luft_position *position = luft_game_position(play->match.game);
    luft_move_list list;
    size_t used = 0;
    luft_generate(&list, position, LUFT_ALL_MOVES);
    for (int i = 0; i < list.count; i++) {
        char san[LUFT_SAN_SIZE];
        const size_t length = luft_move_to_san(san, sizeof san, position, list.moves[i]);
        const bool fits = used > 0 && used + 1 + length <= SCREEN_COLUMNS;
        printf("%s%s", used == 0 ? "" : fits ? " " : "\n", san);
        used = fits ? used + 1 + length : length;
    }
    printf("%s\n", list.count == 0 ? "There is no legal move." : "");
}

static void run_moves(play_session *play, rest words) {
    (void)words;
    play_print_moves(play);
}

static void run_save(play_session *play, rest words) {
    if (luft_game_ply(play->match.game) == 0) {
        printf("No move has been played yet.\n");
        return;
    }
    if (words.length == 0 || play_choose_file(play, words.text, words.length)) {
        play_save(play);
    }
}

static void run_help(play_session *play, rest words);

typedef struct play_command {
    const char *name;
    const char *others[3]; /* other names */
    void (*run)(play_session *play, rest words);
    const char *arguments;
    const char *help;
} play_command;

static const play_command commands[] = {
    {"undo", {"back", "takeback"}, run_undo, "", "take back your last move and the reply"},
    {"redo", {0}, run_redo, "", "play again a move taken back"},
    {"hint", {0}, run_hint, "", "show the move that Luft would play"},
    {"analyse", {"analyze"}, run_analyse, "", "search the position briefly and show variations"},
    {"moves", {"legal"}, run_moves, "", "list the legal moves"},
    {"board", {"show", "d"}, run_board, "", "show the board and the clocks"},
    {"game", {"list"}, run_game, "", "list the moves played so far"},
    {"fen", {0}, run_fen, "", "print the position as FEN"},
    {"flip", {0}, run_flip, "", "turn the board around"},
    {"level", {0}, run_level, "N", "set the strength of Luft, 1 to 10"},
    {"color", {"colour", "switch"}, run_color, "[white|black]", "change sides"},
    {"draw", {0}, run_draw, "", "offer a draw"},
    {"resign", {0}, run_resign, "", "resign the game"},
    {"new", {0}, run_new, "[white|black]", "begin another game"},
    {"save", {0}, run_save, "[FILE]", "save the game as PGN"},
    {"help", {"?"}, run_help, "", "this list"},
    {"quit", {"exit", "q", "bye"}, run_quit, "", "leave, after an offer to save the game"},
};

#define COMMAND_COUNT (sizeof commands / sizeof commands[0])

static void run_help(play_session *play, rest words) {
    (void)play;
    (void)words;
    printf("Type a move (e4, Nf3, exd5, O-O, e8=Q, or e2e4, g1f3) or a command:\n");
    for (size_t i = 0; i < COMMAND_COUNT; i++) {
        printf("  %-6s%s%-13s  %s\n", commands[i].name, strlen(commands[i].name) < 7 ? " " : "", commands[i].arguments,
               commands[i].help);
    }
}

static const play_command *find_command(const char *word, size_t length) {
    for (size_t i = 0; i < COMMAND_COUNT; i++) {
        bool found = play_is_word(word, length, commands[i].name);
        for (int other = 0; other < 3 && commands[i].others[other]; other++) {
            found |= play_is_word(word, length, commands[i].others[other]);
        }
        if (found) {
            return &commands[i];
        }
    }
    return NULL;
}

void play_obey(play_session *play, const char *line, size_t length) {
    text_trim(&line, &length);
    rest words = {line, length};
    const char *word;
    size_t word_length;
    if (!text_next_word(&word, &word_length, &words.text, &words.length)) {
        return;
    }
    text_trim(&words.text, &words.length);
    const play_command *command = find_command(word, word_length);
    if (command) {
        command->run(play, words);
        return;
    }
    const luft_position *position = luft_game_position(play->match.game);
    luft_move move;
    const luft_error error = play_read_move(&move, position, line, length);
    if (error != LUFT_ERROR_MOVE_SYNTAX && is_over(play)) {
        return; /* after the end no move is played */
    }
    if (error != LUFT_OK) {
        char reason[PLAY_REASON_SIZE];
        printf("%s\n", play_refusal(reason, position, line, length, error));
    } else {
        play_person_moves(play, move);
    }
}
