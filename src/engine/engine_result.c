/* SPDX-License-Identifier: MIT */
/*
 * Lines and results as clients see them: scores with a kind and without the encoding of the search, and the last line of
 * each number, kept until the end of the search.
 */
#include "engine_internal.h"
#include "minmax.h"
#include "wdl.h"

#include <stdlib.h>
#include <string.h>

/* --- Scores ------------------------------------------------------------------- */

static luft_engine_bound public_bound(tt_bound bound) {
    return bound == TT_LOWER ? LUFT_ENGINE_LOWER : bound == TT_UPPER ? LUFT_ENGINE_UPPER : LUFT_ENGINE_EXACT;
}

/* Draws score 1 or -1 in the search (draw_score in node.h). Clients see them as 0. */
static int without_draw_noise(int score) {
    return abs(score - SCORE_DRAW) <= 1 ? SCORE_DRAW : score;
}

static luft_engine_score public_score(int score, tt_bound bound) {
    luft_engine_score out = {LUFT_ENGINE_CENTIPAWNS, without_draw_noise(score), public_bound(bound)};
    if (is_decisive(score) && !is_mate(score)) {
        const int plies = SCORE_TABLEBASE - abs(score);
        out.value = score > 0 ? LUFT_ENGINE_TABLEBASE_SCORE - plies : plies - LUFT_ENGINE_TABLEBASE_SCORE;
    } else if (is_mate(score)) {
        const int plies = SCORE_MATE - abs(score);
        out.kind = LUFT_ENGINE_MATE;
        out.value = score > 0 ? (plies + 1) / 2 : -(plies / 2);
    }
    return out;
}

static luft_engine_wdl public_wdl(int score, const luft_position *position) {
    const wdl chances = wdl_of(without_draw_noise(score), position);
    return (luft_engine_wdl){chances.win, chances.draw, chances.loss};
}

/* --- Lines -------------------------------------------------------------------- */

luft_engine_line engine_make_line(const luft_engine *engine, const search_report *report) {
    return (luft_engine_line){.number = report->multipv,
                              .depth = report->depth,
                              .seldepth = report->seldepth + 1,
                              .score = public_score(report->score, report->bound),
                              .wdl = public_wdl(report->score, &engine->position),
                              .nodes = search_nodes(&engine->shared),
                              .time_ms = (clock_now() - engine->shared.clock.began) / 1000,
                              .hashfull = tt_hashfull(&engine->tt),
                              .move_count = report->pv->length,
                              .moves = report->pv->moves,
                              .tbhits = search_table_hits(&engine->shared)};
}

bool engine_reserve_lines(luft_engine *engine, int count) {
    kept_line *kept = malloc((size_t)count * sizeof *kept);
    // NOLINTNEXTLINE(bugprone-sizeof-expression): the list is of pointers
    const luft_engine_line **lines = malloc((size_t)count * sizeof *lines);
    if (!kept || !lines) {
        free(kept);
        free(lines);
        return false;
    }
    engine_finish(engine);
    free(engine->kept);
    free(engine->lines);
    engine->kept = kept;
    engine->lines = lines;
    for (int i = 0; i < count; i++) {
        lines[i] = &kept[i].line;
    }
    return true;
}

/*
 * A score that is only a bound comes from an unfinished depth. The variation of the last complete depth is better, unless
 * the unfinished one has found another move.
 */
void engine_keep_line(luft_engine *engine, const luft_engine_line *line) {
    kept_line *kept = &engine->kept[line->number - 1];
    const bool is_new = line->number > engine->result.line_count;
    if (line->move_count == 0 ||
        (!is_new && line->score.bound != LUFT_ENGINE_EXACT && kept->moves[0] == line->moves[0])) {
        return;
    }
    kept->line = *line;
    kept->line.moves = kept->moves;
    memcpy(kept->moves, line->moves, (size_t)line->move_count * sizeof kept->moves[0]);
    if (is_new) {
        engine->result.line_count = line->number;
    }
}

/* --- The result ----------------------------------------------------------------- */

void engine_reset_result(luft_engine *engine) {
    engine->has_result = false;
    engine->result = (luft_engine_result){.lines = engine->lines};
}

/* The index of the line that begins with `move`, or the number of lines. */
static int find_line(const luft_engine *engine, luft_move move) {
    int index = 0;
    while (index < engine->result.line_count && engine->kept[index].moves[0] != move) {
        index++;
    }
    return index;
}

static void move_line_to_front(luft_engine *engine, int index) {
    kept_line *kept = engine->kept;
    const kept_line chosen = kept[index];
    memmove(kept + 1, kept, (size_t)index * sizeof *kept);
    kept[0] = chosen;
    for (int i = 0; i <= index; i++) {
        kept[i].line.number = i + 1;
        kept[i].line.moves = kept[i].moves;
    }
}

/*
 * Limited strength can choose a move other than the best. Its line becomes the first. If no line begins with it, it gets
 * one without a score, in place of the last if there are already as many as the client asked for.
 */
static void put_chosen_line_first(luft_engine *engine, luft_move chosen) {
    int index = find_line(engine, chosen);
    if (index == engine->result.line_count) {
        index = min(index, engine->multipv - 1);
        engine->result.line_count = index + 1;
        engine->kept[index].line = (luft_engine_line){.move_count = 1};
        engine->kept[index].moves[0] = chosen;
    }
    move_line_to_front(engine, index);
}

void engine_complete_result(luft_engine *engine, luft_move best, luft_move ponder) {
    luft_engine_result *result = &engine->result;
    result->best = best;
    result->ponder = ponder;
    result->nodes = search_nodes(&engine->shared);
    result->tbhits = search_table_hits(&engine->shared);
    result->time_ms = (clock_now() - engine->shared.clock.began) / 1000;
    result->no_mate = engine->shared.mate && mate_is_refuted(engine->shared.mate);
    if (best != LUFT_MOVE_NONE) {
        put_chosen_line_first(engine, best);
        const luft_engine_line *first = &engine->kept[0].line;
        result->score = first->score;
        result->wdl = first->wdl;
        result->depth = first->depth;
        result->seldepth = first->seldepth;
    } else {
        const bool is_mate = luft_in_check(&engine->position);
        result->score = public_score(is_mate ? mated_in(0) : SCORE_DRAW, TT_EXACT);
        result->wdl = (luft_engine_wdl){.draw = is_mate ? 0 : 1000, .loss = is_mate ? 1000 : 0};
    }
    engine->has_result = true;
}
