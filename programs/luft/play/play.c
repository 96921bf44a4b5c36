/* SPDX-License-Identifier: MIT */
/*
 * `luft play`: a game against the engine in the terminal. Reads the options and sets up the session; session.h lists
 * the other files.
 */
#define _POSIX_C_SOURCE 200809L

#include "command.h"
#include "session.h"
#include "tables.h"

#include "util/clock.h"
#include "util/options.h"
#include "util/output.h"
#include "util/setup.h"
#include "util/text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NAME "luft play"

static const char about[] =
    "Plays a game against the engine in the terminal. Type moves in SAN (Nf3) or UCI notation (g1f3);\n"
    "help lists the commands: undo, hint, analyse, resign, save and more.\n"
    "^C makes the engine move at once; at the prompt, ^C twice saves the game and leaves.\n"
    "Levels 1 to 9 are ratings in even steps; level 10 is full strength.\n";

enum { COLOR_WHITE, COLOR_BLACK, COLOR_RANDOM, COLOR_NOT_GIVEN };

static const char *const color_names[] = {"white", "black", "random", NULL};

typedef struct play_arguments {
    int color;
    uint64_t level; /* 0 if not given */
    uint64_t elo;   /* likewise */
    uint64_t nodes; /* likewise */
    const char *time;
    const char *clock;
    const char *chess960; /* a number, or "random" */
    const char *fen;
    const char *book;
    const char *syzygy;
    const char *pgn;
    const char *resume;
    const char *name;
    bool ascii;
} play_arguments;

static bool read_arguments(play_arguments *arguments, int argc, char **argv, int *status) {
    const option options[] = {
        option_choice("color", "COLOR", "play white (default), black or random", &arguments->color, color_names),
        option_number("level", "N", "set the strength of the engine, 1 to 10 (default 10, full strength)",
                      &arguments->level, 1, PLAY_LEVEL_MAX),
        option_number("elo", "N", "set the strength as a rating", &arguments->elo, LUFT_ENGINE_MIN_ELO,
                      LUFT_ENGINE_MAX_ELO),
        option_text("clock", "M+S", "give both sides M minutes for the game and S seconds for each move",
                    &arguments->clock),
        option_text("time", "SECONDS", "without clocks: let the engine think SECONDS for a move (default 1)",
                    &arguments->time),
        option_number("nodes", "N", "let the engine search N nodes for a move instead: repeatable games",
                      &arguments->nodes, 1, UINT64_C(1) << 60),
        option_text("chess960", "N", "start from Chess960 position N, 0 to 959; a random one without N",
                    &arguments->chess960),
        option_text("fen", "FEN", "start from this position", &arguments->fen),
        option_text("book", "FILE", "let the engine play the opening from this book", &arguments->book),
        option_text("syzygy", "DIR",
                    "let the engine use the tablebases in DIR; several directories are separated by ':'",
                    &arguments->syzygy),
        option_text("pgn", "FILE", "save the game at the end of FILE", &arguments->pgn),
        option_text("resume", "FILE", "continue the last game of FILE", &arguments->resume),
        option_text("name", "NAME", "set your name in the saved game", &arguments->name),
        option_flag("ascii", "print letters instead of chess figures", &arguments->ascii),
    };
    const option_table table = {.command = NAME,
                                .usage = "[options]",
                                .about = about,
                                .options = options,
                                .option_count = sizeof options / sizeof options[0]};
    return options_read(&table, argc, argv, status);
}

/* --chess960 may come without its number; the option table knows only options that always have a value. */
static bool read_with_optional_number(play_arguments *arguments, int argc, char **argv, int *status) {
    static char with_any[] = "--chess960=random";
    char **copy = malloc(((size_t)argc + 1) * sizeof *copy);
    if (!copy) {
        output_error(NAME, "out of memory");
        *status = STATUS_FAILED;
        return false;
    }
    for (int i = 0; i <= argc; i++) {
        const bool is_alone =
            i < argc && strcmp(argv[i], "--chess960") == 0 && (i + 1 == argc || argv[i + 1][0] == '-');
        copy[i] = is_alone ? with_any : argv[i];
    }
    const bool read = read_arguments(arguments, argc, copy, status);
    free(copy);
    return read;
}

/* --- Values ---------------------------------------------------------------------------- */

static bool read_time(int64_t *milliseconds, const char *text) {
    if (text_to_thousandths(milliseconds, text, strlen(text), 86400) && *milliseconds > 0) {
        return true;
    }
    char quoted[TEXT_QUOTED_SIZE];
    output_error(NAME, "--time: expected seconds such as 2 or 0.5, up to 86400, got %s",
                 text_quote(quoted, text, strlen(text)));
    return false;
}

static bool read_clock(match_clock *clock, const char *text) {
    const char *plus = strchr(text, '+');
    int64_t minutes, seconds = 0;
    if (!text_to_thousandths(&minutes, text, plus ? (size_t)(plus - text) : strlen(text), 1440) || minutes == 0 ||
        (plus && !text_to_thousandths(&seconds, plus + 1, strlen(plus + 1), 3600))) {
        char quoted[TEXT_QUOTED_SIZE];
        output_error(NAME, "--clock: expected minutes and seconds such as 5+3 or 10, got %s",
                     text_quote(quoted, text, strlen(text)));
        return false;
    }
    *clock = (match_clock){.on = true, .base_ms = minutes * 60, .increment_ms = seconds};
    return true;
}

static bool read_chess960(play_session *play, const char *text) {
    uint64_t number;
    if (strcmp(text, "random") == 0) {
        play->any_chess960 = true;
        return true;
    }
    if (!text_to_number(&number, text, strlen(text), 959)) {
        char quoted[TEXT_QUOTED_SIZE];
        output_error(NAME, "--chess960: expected an integer from 0 to 959, got %s",
                     text_quote(quoted, text, strlen(text)));
        return false;
    }
    luft_chess960_position(&play->start, (int)number);
    return true;
}

/* --- Setting up -------------------------------------------------------------------------- */

static bool check_together(const play_arguments *arguments) {
    const char *reason = arguments->level && arguments->elo         ? "--level and --elo both set the strength"
                         : arguments->clock && arguments->time      ? "--clock and --time both limit the engine"
                         : arguments->time && arguments->nodes      ? "--time and --nodes both limit the engine"
                         : arguments->chess960 && arguments->fen    ? "--chess960 and --fen both set up a position"
                         : arguments->resume && arguments->fen      ? "--resume and --fen both set up a position"
                         : arguments->resume && arguments->chess960 ? "--resume and --chess960 both set up a position"
                                                                    : NULL;
    if (reason) {
        output_error(NAME, "%s: use one of the two", reason);
    }
    return !reason;
}

static bool read_values(play_session *play, const play_arguments *arguments) {
    play->start = luft_start_position();
    play->settings = (play_settings){.level = arguments->level ? (int)arguments->level : PLAY_LEVEL_MAX,
                                     .elo = (int)arguments->elo,
                                     .move_ms = PLAY_MOVE_MS,
                                     .nodes = arguments->nodes ? (int64_t)arguments->nodes : LUFT_ENGINE_NO_LIMIT};
    snprintf(play->facts.person, sizeof play->facts.person, "%s", arguments->name ? arguments->name : "Player");
    return check_together(arguments) && (!arguments->time || read_time(&play->settings.move_ms, arguments->time)) &&
           (!arguments->clock || read_clock(&play->match.clock, arguments->clock)) &&
           (!arguments->chess960 || read_chess960(play, arguments->chess960)) &&
           (!arguments->fen || setup_position(&play->start, NAME, "--fen", arguments->fen, NULL));
}

static bool open_book(play_session *play, const char *path) {
    luft_book_report report;
    if (luft_book_open(&play->book, path, &report) == LUFT_OK) {
        return true;
    }
    char quoted[TEXT_QUOTED_SIZE];
    output_error(NAME, "--book: %s: %s", text_quote(quoted, path, strlen(path)), report.reason);
    return false;
}

static bool open_tables(play_session *play, const char *directories) {
    play->tablebase = tables_open(NAME, directories);
    return play->tablebase != NULL;
}

static luft_color choose_color(int wish, luft_color usual) {
    switch (wish) {
    case COLOR_WHITE: return LUFT_WHITE;
    case COLOR_BLACK: return LUFT_BLACK;
    case COLOR_RANDOM: return clock_microseconds() / 8 % 2 ? LUFT_BLACK : LUFT_WHITE;
    default: return usual;
    }
}

/* The settings of the saved game hold unless the arguments set others. */
static bool resume(play_session *play, const play_arguments *arguments) {
    const match_clock wanted = play->match.clock;
    char reason[RECORD_REASON_SIZE];
    record_resumed resumed;
    if (strcmp(arguments->resume, "-") == 0) {
        output_error(NAME, "--resume: expected a file, got standard input, which is for the moves");
        return false;
    }
    record_begin(&play->facts);
    if (!record_resume(&play->match, &play->facts, &play->file, &resumed, arguments->resume, reason)) {
        char quoted[TEXT_QUOTED_SIZE];
        output_error(NAME, "--resume %s: %s", text_quote(quoted, arguments->resume, strlen(arguments->resume)), reason);
        return false;
    }
    if (wanted.on) {
        match_set_clock(&play->match, wanted);
    }
    if (!arguments->level && !arguments->elo) {
        play->settings.level = resumed.level > 0 ? resumed.level : play->settings.level;
        play->settings.elo = resumed.elo;
    }
    if (arguments->name) {
        snprintf(play->facts.person, sizeof play->facts.person, "%s", arguments->name);
    }
    play->match.person = choose_color(arguments->color, resumed.has_color ? resumed.person : match_turn(&play->match));
    return true;
}

/* Sets up the game, new or resumed. */
static bool set_up_game(play_session *play, const play_arguments *arguments) {
    if (arguments->resume) {
        if (!resume(play, arguments)) {
            return false;
        }
    } else {
        play->match.person = choose_color(arguments->color, LUFT_WHITE);
        play_draw_start(play);
        if (!match_start(&play->match, &play->start)) {
            output_error(NAME, "out of memory");
            return false;
        }
        record_begin(&play->facts);
    }
    if (arguments->pgn && !record_file_choose(&play->file, arguments->pgn, strlen(arguments->pgn))) {
        output_error(NAME, "out of memory");
        return false;
    }
    play->flipped = play->match.person == LUFT_BLACK;
    return true;
}

static void greet(const play_session *play) {
    printf("You play %s against %s. Type help for the commands.\n",
           play->match.person == LUFT_WHITE ? "White" : "Black", play->facts.engine);
}

static int run(int argc, char **argv) {
    play_arguments arguments = {.color = COLOR_NOT_GIVEN};
    int status;
    if (!read_with_optional_number(&arguments, argc, argv, &status)) {
        return status;
    }
    play_session play = {.style = screen_detect(arguments.ascii), .keys = CONSOLE_CLOSED};
    status = STATUS_USAGE;
    if (read_values(&play, &arguments) && (!arguments.book || open_book(&play, arguments.book)) &&
        (!arguments.syzygy || open_tables(&play, arguments.syzygy)) && set_up_game(&play, &arguments)) {
        console_open(&play.keys, play.style.unicode); /* not earlier: until here signals must end a wait for a file */
        if (play_create_engine(&play)) {
            greet(&play);
            play_run(&play);
            status = play.save_failed ? STATUS_FAILED : STATUS_OK;
            if (play.save_failed) {
                output_error(NAME, "the game is not saved");
            }
        } else {
            output_error(NAME, "out of memory");
        }
    }
    play_free(&play);
    return status;
}

const cli_command play_command = {"play", "play a game against the engine in the terminal", run};
