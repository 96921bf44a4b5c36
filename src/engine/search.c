/* SPDX-License-Identifier: MIT */
/*
 * The search of one node: principal variation search with the usual pruning
 * rules, each a named step, and quiescence at the leaves. What it learns is
 * in learn.c, and deepening.c calls it for the root, deeper each time.
 *
 * Positions are copied, never unmade: a ply of the tree keeps its own. Stopping is
 * a flag and a return; a node that sees it returns a score that nobody uses.
 */
#include "search_internal.h"

#include "learn.h"
#include "params.h"
#include "pause.h"
#include "see.h"

#include "luft/game.h"

#include <string.h>

enum { CHECK_INTERVAL = 1024 }; /* nodes between two looks at the clock */

/* The natural logarithm of 0 to 63, in 1024ths: the same on every machine. */
static const int16_t logarithm[64] = {
    0,    0,    710,  1125, 1420, 1648, 1835, 1993, 2129, 2250, 2358, 2455, 2545, 2627, 2702, 2773,
    2839, 2901, 2960, 3015, 3068, 3118, 3165, 3211, 3254, 3296, 3336, 3375, 3412, 3448, 3483, 3516,
    3549, 3580, 3611, 3641, 3670, 3698, 3725, 3751, 3777, 3803, 3827, 3851, 3875, 3898, 3921, 3943,
    3964, 3985, 4006, 4026, 4046, 4066, 4085, 4104, 4122, 4140, 4158, 4175, 4193, 4210, 4226, 4243,
};

/* How much less deep the move of this number is searched, before anything is known of it; in 1024ths of a ply. */
static int base_reduction(int depth, int number) {
    return lmr_base + logarithm[least(depth, 63)] * logarithm[least(number, 63)] / lmr_divisor;
}

/* --- Limits ---------------------------------------------------------------- */

/*
 * The main thread looks at the clock and the nodes now and then. The others look at the clock too: where there are
 * more threads than processors, it may be long before it is the main thread's turn.
 */
static void check_limits(search_thread *thread) {
    search_shared *shared = thread->shared;
    const int64_t nodes = atomic_load_explicit(&thread->nodes, memory_order_relaxed);
    if (nodes < thread->next_check) {
        return;
    }
    thread->next_check = nodes + CHECK_INTERVAL;
    engine_pause();
    const int64_t limit = shared->limits.nodes;
    if (thread->index != 0 && shared->clock.node_rate > 0) {
        return; /* by nodes, and those are counted by the main thread */
    }
    if (thread->index == 0 && limit != LIMIT_NONE) {
        const int64_t left = limit - search_nodes(shared);
        if (left <= 0) {
            atomic_store_explicit(&shared->stop, true, memory_order_relaxed);
        } else if (left < CHECK_INTERVAL) {
            thread->next_check = nodes + left;
        }
    }
    if (thread->index == 0 && nodes >= CHECK_INTERVAL) {
        end_first_look(shared);
    }
    /* Even with no time at all there is some for a first look, which takes the main thread about a millisecond. */
    if (atomic_load_explicit(&shared->has_looked, memory_order_relaxed) &&
        !atomic_load_explicit(&shared->pondering, memory_order_acquire) &&
        clock_used(&shared->clock, thread->index == 0 ? search_nodes(shared) : 0) >= shared->clock.hard) {
        atomic_store_explicit(&shared->stop, true, memory_order_relaxed);
    }
}

/* --- Draws ----------------------------------------------------------------- */

/* A draw is worth nothing, give or take one point by chance, so that the search does not walk in circles blindly. */
static int draw_score(const search_thread *thread) {
    return SCORE_DRAW + 1 - (int)(atomic_load_explicit(&thread->nodes, memory_order_relaxed) & 2);
}

/* Did the position occur before: once since the root, or twice in the game? */
static bool is_repeated(const search_thread *thread, const luft_position *position, int ply) {
    const size_t here = thread->game_keys + (size_t)ply;
    const size_t reach = position->halfmove_clock < here ? position->halfmove_clock : here;
    bool seen = false;
    for (size_t back = 4; back <= reach; back += 2) {
        if (thread->keys[here - back] == thread->keys[here]) {
            if (back < (size_t)ply || seen) {
                return true;
            }
            seen = true;
        }
    }
    return false;
}

static bool is_draw(const search_thread *thread, const luft_position *position, int ply) {
    if (position->halfmove_clock >= 100 && (!luft_in_check(position) || luft_has_legal_move(position))) {
        return true;
    }
    return is_repeated(thread, position, ply) || luft_is_dead(position);
}

/* --- Evaluation ------------------------------------------------------------ */

/* The evaluation of a position `from_root` plies from the root. */
static int evaluate(const search_thread *thread, const luft_position *position, int from_root) {
    return nnue_evaluate(thread->nnue, from_root, position);
}

/* The evaluation is less and less sure of itself as the fifty moves run out. The table keeps it as it was before that. */
static int faded(int eval, const luft_position *position) {
    return eval * (220 - least(position->halfmove_clock, 100)) / 220;
}

/* All squares that a side attacks. */
static luft_bitboard attacked_by(const luft_board *board, luft_color color) {
    const luft_bitboard own = board->color[color], occupied = luft_occupied(board);
    const luft_bitboard pawns = board->pawns & own;
    const luft_bitboard steps = color == LUFT_WHITE ? luft_north(pawns) : luft_south(pawns);
    luft_bitboard attacked = luft_east(steps) | luft_west(steps) | luft_king_attacks(luft_king_square(board, color));
    for (luft_bitboard set = board->knights & own; set;) {
        attacked |= luft_knight_attacks(luft_pop(&set));
    }
    for (luft_bitboard set = board->diagonals & own; set;) {
        attacked |= luft_bishop_attacks(luft_pop(&set), occupied);
    }
    for (luft_bitboard set = board->straights & own; set;) {
        attacked |= luft_rook_attacks(luft_pop(&set), occupied);
    }
    return attacked;
}

static luft_bitboard own_pieces(const luft_position *position) {
    const luft_board *board = &position->board;
    return board->color[position->side_to_move] & ~board->pawns & ~board->kings;
}

/* With one knight or bishop beside the pawns every move may harm. */
static bool may_be_in_zugzwang(const luft_position *position) {
    const luft_bitboard pieces = own_pieces(position);
    return (pieces & position->board.straights) == 0 && !luft_more_than_one(pieces);
}

/* --- Making moves ---------------------------------------------------------- */

/* Others only read the count, so that it needs no locked addition. */
static void count_node(search_thread *thread) {
    const int64_t nodes = atomic_load_explicit(&thread->nodes, memory_order_relaxed);
    atomic_store_explicit(&thread->nodes, nodes + 1, memory_order_relaxed);
}

/* Makes a move on the next ply and notes there and here what its children need to know. */
static void step(search_thread *thread, search_ply *ply, int depth_from_root, luft_move move) {
    const luft_piece man = luft_piece_at(&ply->position.board, luft_move_from(move));
    luft_make(&ply[1].position, &ply->position, move);
    nnue_push(thread->nnue, depth_from_root, &ply->position, move);
    const uint64_t key = luft_key(&ply[1].position);
    tt_prefetch(thread->shared->table, key);
    thread->keys[thread->game_keys + (size_t)depth_from_root + 1] = key;
    ply->move = move;
    ply->continuation = &thread->history->continuation[man][luft_move_to(move)];
    ply->continuation_correction = &thread->history->continuation_correction[man][luft_move_to(move)];
    count_node(thread);
}

static void step_null(search_thread *thread, search_ply *ply, int depth_from_root) {
    luft_make_null(&ply[1].position, &ply->position);
    nnue_push_null(thread->nnue, depth_from_root);
    const uint64_t key = luft_key(&ply[1].position);
    tt_prefetch(thread->shared->table, key);
    thread->keys[thread->game_keys + (size_t)depth_from_root + 1] = key;
    ply->move = LUFT_MOVE_NONE;
    ply->continuation = &thread->none;
    ply->continuation_correction = &thread->none_correction;
    count_node(thread);
}

static void lengthen_pv(search_ply *ply, luft_move move) {
    const search_line *child = &ply[1].pv;
    ply->pv.moves[0] = move;
    memcpy(ply->pv.moves + 1, child->moves, (size_t)child->length * sizeof *child->moves);
    ply->pv.length = child->length + 1;
}

/* --- Quiescence ------------------------------------------------------------ */

/* Captures until the position is quiet, and all evasions in check; `with_checks`, quiet checks too. */
// NOLINTNEXTLINE(misc-no-recursion): no deeper than MAX_PLY
static int quiescence(search_thread *thread, search_ply *ply, int from_root, int alpha, int beta, bool pv,
                      bool with_checks) {
    const luft_position *position = &ply->position;
    ply->pv.length = 0;
    check_limits(thread);
    if (from_root > thread->seldepth) {
        thread->seldepth = from_root;
    }
    if (stopped(thread)) {
        return 0;
    }
    if (is_draw(thread, position, from_root)) {
        return draw_score(thread);
    }
    ply->in_check = luft_in_check(position);
    if (from_root >= MAX_PLY - 2) {
        return ply->in_check ? SCORE_DRAW : faded(evaluate(thread, position, from_root), position);
    }

    tt_entry known = {.score = SCORE_NONE, .eval = SCORE_NONE};
    const bool hit = tt_probe(thread->shared->table, position, from_root, &known);
    if (!pv && hit && known.score != SCORE_NONE && (known.bound & (known.score >= beta ? TT_LOWER : TT_UPPER)) &&
        position->halfmove_clock < 90) {
        return known.score;
    }
    const bool was_pv = pv || (hit && known.was_pv);
    const luft_color opponent = luft_opposite((luft_color)position->side_to_move);

    int best = -SCORE_INFINITE, raw = SCORE_NONE, futility = -SCORE_INFINITE;
    if (!ply->in_check) {
        raw = hit && known.eval != SCORE_NONE ? known.eval : evaluate(thread, position, from_root);
        const correction_set corrections = corrections_of(thread, ply);
        ply->eval = best = corrected(faded(raw, position), &corrections);
        /* A mate of the table's would end the line here, without the moves that lead to it. */
        if (hit && known.score != SCORE_NONE && (known.bound & (known.score > best ? TT_LOWER : TT_UPPER)) &&
            position->halfmove_clock < 90 && !(pv && is_decisive(known.score))) {
            best = known.score;
        }
        if (best >= beta) {
            if (!hit) {
                tt_store(thread->shared->table, position, from_root,
                         (tt_entry){.score = best, .eval = raw, .bound = TT_LOWER, .was_pv = was_pv});
            }
            return is_decisive(best) ? best : (best + beta) / 2;
        }
        alpha = most(alpha, best);
        futility = ply->eval + quiescence_futility;
    } else {
        ply->eval = SCORE_NONE;
    }

    luft_move table_move =
        hit && known.move != LUFT_MOVE_NONE && luft_is_legal(position, known.move) ? known.move : LUFT_MOVE_NONE;
    if (!ply->in_check && is_quiet(table_move)) {
        table_move = LUFT_MOVE_NONE;
    }
    piece_to_history *continuation[6];
    for (int i = 0; i < 6; i++) {
        continuation[i] = ply[-1 - i].continuation;
    }
    move_picker picker;
    if (ply->in_check) {
        picker_start(&picker, position, thread->history, continuation, &ply->moves,
                     attacked_by(&position->board, opponent), table_move, LUFT_MOVE_NONE);
    } else {
        picker_start_captures(&picker, position, thread->history, &ply->moves, table_move,
                              with_checks && quiescence_checks);
    }

    luft_move best_move = LUFT_MOVE_NONE;
    int number = 0;
    bool skip_quiets = false;
    for (luft_move move; (move = picker_next(&picker, skip_quiets)) != LUFT_MOVE_NONE;) {
        number++;
        if (!is_loss(best) && !ply->in_check) {
            if (number > quiescence_captures && !is_quiet(move) && !luft_gives_check(position, move)) {
                continue;
            }
            /* Not even the victim brings the score up to alpha. */
            const int gain = see_value[victim_of(position, move)];
            if (!is_quiet(move) && futility + gain <= alpha && !luft_move_is_promotion(move) &&
                !luft_gives_check(position, move)) {
                best = most(best, futility + gain);
                continue;
            }
        }
        step(thread, ply, from_root, move);
        const int score = -quiescence(thread, ply + 1, from_root + 1, -beta, -alpha, pv, false);
        if (stopped(thread)) {
            return 0;
        }
        if (score > best) {
            best = score;
            if (score > alpha) {
                best_move = move;
                if (pv) {
                    lengthen_pv(ply, move);
                }
                if (score >= beta) {
                    break;
                }
                alpha = score;
            }
        }
        skip_quiets = ply->in_check && !is_loss(best); /* one evasion that holds is enough of the quiet ones */
    }
    if (ply->in_check && number == 0) {
        return mated_in(from_root);
    }
    if (best >= beta && !is_decisive(best)) {
        best = (best + beta) / 2;
    }
    tt_store(thread->shared->table, position, from_root,
             (tt_entry){.move = best_move,
                        .score = best,
                        .eval = raw,
                        .bound = best >= beta ? TT_LOWER : TT_UPPER,
                        .was_pv = was_pv});
    return best;
}

/* --- The main search ------------------------------------------------------- */

/* Gives the opponent a second move: if even that does not help, a real move will do. */
// NOLINTNEXTLINE(misc-no-recursion): no deeper than MAX_PLY
static int try_null_move(search_thread *thread, search_ply *ply, int from_root, int beta, int depth, bool cut_node) {
    const int reduction = null_base + depth / null_divisor + least((ply->eval - beta) / null_eval_divisor, 3);
    step_null(thread, ply, from_root);
    int score = -search_node(thread, ply + 1, from_root + 1, -beta, -beta + 1, depth - reduction, false, !cut_node);
    if (score < beta || stopped(thread)) {
        return SCORE_NONE;
    }
    if (is_win(score)) {
        score = beta; /* a mate found after a null move is not proved */
    }
    if (thread->null_move_bar > 0 || (depth < 14 && !may_be_in_zugzwang(&ply->position))) {
        return score;
    }
    /* Verify without null moves, for positions in which every move harms: from some depth on, or where it is likely. */
    thread->null_move_bar = from_root + 3 * (depth - reduction) / 4;
    const int verified = search_node(thread, ply, from_root, beta - 1, beta, most(depth - reduction, 1), false, false);
    thread->null_move_bar = 0;
    return verified >= beta && !stopped(thread) ? score : SCORE_NONE;
}

/*
 * Is the table's move the only good one? Then it is searched deeper. Returns the
 * extension in plies; if several moves beat beta, *cut is set to a score to return.
 */
// NOLINTNEXTLINE(misc-no-recursion): no deeper than MAX_PLY
static int singular_extension(search_thread *thread, search_ply *ply, int from_root, const tt_entry *known, int beta,
                              int depth, bool pv, bool cut_node, int *cut) {
    const int singular_beta = known->score - depth * singular_margin / 16 - (ply->was_pv && !pv ? depth : 0);
    ply->excluded = known->move;
    const int score =
        search_node(thread, ply, from_root, singular_beta - 1, singular_beta, (depth - 1) / 2, false, cut_node);
    ply->excluded = LUFT_MOVE_NONE;
    if (stopped(thread)) {
        return 0;
    }
    if (score < singular_beta) {
        return !pv && score < singular_beta - double_margin ? 2 : 1;
    }
    if (score >= beta && !is_decisive(score)) {
        *cut = score; /* even without this move: several are good enough */
        return 0;
    }
    if (known->score >= beta) {
        return -2 + pv; /* others are nearly as good: look at this one less */
    }
    return cut_node ? -2 : 0;
}

/* Is it a move of the root that this line of MultiPV may choose? */
static root_move *find_root(search_thread *thread, luft_move move) {
    for (int i = thread->pv_index; i < thread->root_count; i++) {
        if (thread->roots[i].move == move) {
            return &thread->roots[i];
        }
    }
    return NULL;
}

static void note_root_score(search_thread *thread, search_ply *ply, root_move *root, int score, int alpha, int beta,
                            int number, int64_t nodes_before) {
    root->nodes += atomic_load_explicit(&thread->nodes, memory_order_relaxed) - nodes_before;
    root->average = root->average == SCORE_NONE ? score : (root->average + score) / 2;
    if (number == 1 || score > alpha) {
        root->score = score;
        root->seldepth = thread->seldepth;
        root->bound = score >= beta ? TT_LOWER : score <= alpha ? TT_UPPER : TT_EXACT;
        root->pv.moves[0] = root->move;
        memcpy(root->pv.moves + 1, ply[1].pv.moves, (size_t)ply[1].pv.length * sizeof(luft_move));
        root->pv.length = ply[1].pv.length + 1;
    } else {
        root->score = -SCORE_INFINITE; /* keeps its place behind the better ones when they are sorted */
    }
}

// NOLINTNEXTLINE(misc-no-recursion): no deeper than MAX_PLY
int search_node(search_thread *thread, search_ply *ply, int from_root, int alpha, int beta, int depth, bool pv,
                bool cut_node) {
    if (depth <= 0) {
        return quiescence(thread, ply, from_root, alpha, beta, pv, true);
    }
    const bool root = from_root == 0;
    const luft_position *position = &ply->position;
    search_shared *shared = thread->shared;
    const luft_move excluded = ply->excluded;

    /* 1. Limits, draws, and mates that could not be better than one already found. */
    ply->pv.length = 0;
    check_limits(thread);
    if (from_root > thread->seldepth) {
        thread->seldepth = from_root;
    }
    ply->in_check = luft_in_check(position);
    if (!root) {
        if (stopped(thread)) {
            return 0;
        }
        if (is_draw(thread, position, from_root)) {
            return draw_score(thread);
        }
        if (from_root >= MAX_PLY - 2) {
            return ply->in_check ? SCORE_DRAW : faded(evaluate(thread, position, from_root), position);
        }
        alpha = most(alpha, mated_in(from_root));
        beta = least(beta, mate_in(from_root + 1));
        if (alpha >= beta) {
            return alpha;
        }
    }

    /* 2. What the table knows. */
    tt_entry known = {.score = SCORE_NONE, .eval = SCORE_NONE};
    const bool hit = excluded == LUFT_MOVE_NONE && tt_probe(shared->table, position, from_root, &known);
    if (root) {
        known.move = thread->roots[thread->pv_index].move;
    } else if (known.move != LUFT_MOVE_NONE && !luft_is_legal(position, known.move)) {
        known.move = LUFT_MOVE_NONE;
    }
    if (excluded == LUFT_MOVE_NONE) {
        ply->was_pv = pv || (hit && known.was_pv);
    }
    if (!pv && hit && known.score != SCORE_NONE && known.depth >= depth + (known.score >= beta && !cut_node) &&
        (known.bound & (known.score >= beta ? TT_LOWER : TT_UPPER)) && position->halfmove_clock < 90) {
        return known.score;
    }
    const luft_bitboard threats = attacked_by(&position->board, luft_opposite((luft_color)position->side_to_move));

    /* 3. The static evaluation, mended by what is known of its errors and by the table's score. */
    int raw = SCORE_NONE, eval = SCORE_NONE;
    correction_set corrections = {0};
    bool improving = false;
    if (!ply->in_check) {
        corrections = corrections_of(thread, ply);
        if (excluded != LUFT_MOVE_NONE) {
            eval = raw = ply->eval;
        } else {
            raw = hit && known.eval != SCORE_NONE ? known.eval : evaluate(thread, position, from_root);
            ply->eval = eval = corrected(faded(raw, position), &corrections);
            if (!hit) {
                tt_store(
                    shared->table, position, from_root,
                    (tt_entry){.score = SCORE_NONE, .eval = raw, .depth = -1, .bound = TT_NONE, .was_pv = ply->was_pv});
            } else if (known.score != SCORE_NONE && (known.bound & (known.score > eval ? TT_LOWER : TT_UPPER))) {
                eval = known.score;
            }
        }
        const int before = ply[-2].eval != SCORE_NONE ? ply[-2].eval : ply[-4].eval;
        improving = before == SCORE_NONE || ply->eval > before;
    } else {
        ply->eval = SCORE_NONE;
    }

    if (!pv && !ply->in_check && excluded == LUFT_MOVE_NONE) {
        /* 4. Razoring: hopelessly behind, only captures can help. */
        if (depth <= razor_depth && eval + razor_base + razor_margin * depth * depth < alpha) {
            const int score = quiescence(thread, ply, from_root, alpha, alpha + 1, false, true);
            if (score <= alpha || stopped(thread)) {
                return score;
            }
        }
        /* 5. Reverse futility: so far ahead that a shallow search will not change it; unless every move harms. */
        if (depth <= reverse_futility_depth && !is_decisive(eval) && !is_loss(beta) && !may_be_in_zugzwang(position) &&
            eval - reverse_futility_margin * (depth - improving) >= beta) {
            return beta + (eval - beta) / 3;
        }
        /* 6. Null move. */
        if (depth >= null_depth && eval >= beta && ply->eval >= beta - 20 * depth + 150 &&
            ply[-1].move != LUFT_MOVE_NONE && own_pieces(position) != 0 && from_root >= thread->null_move_bar &&
            !is_loss(beta)) {
            const int score = try_null_move(thread, ply, from_root, beta, depth, cut_node);
            if (score != SCORE_NONE) {
                return score;
            }
            if (stopped(thread)) {
                return 0;
            }
        }
    }
    /* 7. The moves, one by one. */
    piece_to_history *continuation[6];
    for (int i = 0; i < 6; i++) {
        continuation[i] = ply[-1 - i].continuation;
    }
    move_picker picker;
    picker_start(&picker, position, thread->history, continuation, &ply->moves, threats, known.move, ply->killer);
    tried_moves tried;
    tried.quiet_count = tried.capture_count = 0;
    const int first_alpha = alpha;
    int best = -SCORE_INFINITE, number = 0;
    luft_move best_move = LUFT_MOVE_NONE;
    bool skip_quiets = false;

    for (luft_move move; (move = picker_next(&picker, skip_quiets)) != LUFT_MOVE_NONE;) {
        root_move *entry = root ? find_root(thread, move) : NULL;
        if (move == excluded || (root && !entry)) {
            continue;
        }
        number++;
        if (root && thread->index == 0 && shared->current_move && clock_elapsed(&shared->clock) > CURRENT_MOVE_AFTER) {
            shared->current_move(shared->payload, thread->root_depth, move, number + thread->pv_index);
        }
        const bool quiet = is_quiet(move);
        const bool gives_check = luft_gives_check(position, move);
        const int64_t nodes_before = atomic_load_explicit(&thread->nodes, memory_order_relaxed);
        int reduction = base_reduction(depth, number);
        const int move_history = quiet ? quiet_history(thread, ply, threats, move)
                                       : thread->history->capture[luft_piece_at(&position->board, luft_move_from(move))]
                                                                 [luft_move_to(move)][victim_of(position, move)];

        /* 8. Shallow pruning: moves that hardly can be the best are not made at all. */
        if (!root && own_pieces(position) != 0 && !is_loss(best)) {
            const int reduced = most(depth - reduction / 1024, 0);
            if (number >= (late_base + depth * depth) / (2 - improving)) {
                skip_quiets = true; /* so late, quiet moves are not tried any more */
            }
            if (quiet) {
                /* Even with a margin the evaluation does not reach alpha. */
                if (!ply->in_check && reduced <= futility_depth && !gives_check &&
                    ply->eval + futility_base + futility_margin * reduced + move_history / 64 <= alpha) {
                    continue;
                }
                /* The move has a bad name. */
                if (reduced <= bad_history_depth && move_history < -bad_history_margin * depth) {
                    continue;
                }
                /* The man can be taken for nothing; but a check may be a sacrifice. */
                if (!gives_check && !see_at_least(position, move, -see_quiet_margin * reduced * reduced)) {
                    continue;
                }
            } else if (!see_at_least(position, move, -see_capture_margin * depth - move_history / 64)) {
                continue;
            }
        }

        /* 9. Extensions. */
        int extension = 0;
        if (!root && move == known.move && excluded == LUFT_MOVE_NONE && depth >= singular_depth &&
            known.depth >= depth - 3 && (known.bound & TT_LOWER) && known.score != SCORE_NONE &&
            !is_decisive(known.score) && from_root < 2 * thread->root_depth) {
            int cut = SCORE_NONE;
            extension = singular_extension(thread, ply, from_root, &known, beta, depth, pv, cut_node, &cut);
            if (stopped(thread)) {
                return 0;
            }
            if (cut != SCORE_NONE) {
                return cut;
            }
            /* The test used this ply's lists and lines: start them again behind the table's move. */
            picker_start(&picker, position, thread->history, continuation, &ply->moves, threats, known.move,
                         ply->killer);
            picker_next(&picker, false);
            ply->pv.length = 0;
        } else if (gives_check && depth <= check_depth && from_root < 2 * thread->root_depth &&
                   see_at_least(position, move, 0)) {
            extension = 1;
        }
        const int new_depth = depth - 1 + extension;

        step(thread, ply, from_root, move);

        int score = -SCORE_INFINITE;
        if (depth >= lmr_depth && number > 1 + root) {
            /* 10. Late moves are searched less deep, and again if they turn out better than expected. */
            if (quiet) {
                reduction -= move_history * 1024 / lmr_history_divisor / 2;
            } else {
                reduction -= 1024 + move_history * 1024 / lmr_history_divisor / 2;
            }
            reduction += cut_node ? 1024 : 0;
            reduction -= ply->was_pv ? 1024 + (pv ? 512 : 0) : 0;
            reduction -= gives_check ? lmr_check : 0;
            reduction += known.move != LUFT_MOVE_NONE && !is_quiet(known.move) ? 700 : 0;
            const int reduced = clamp(new_depth - reduction / 1024, 1, new_depth + 1);
            score = -search_node(thread, ply + 1, from_root + 1, -alpha - 1, -alpha, reduced, false, true);
            if (score > alpha && reduced < new_depth) {
                const int deeper =
                    new_depth + (score > best + deeper_margin + 2 * new_depth) - (score < best + new_depth);
                if (deeper > reduced) {
                    score = -search_node(thread, ply + 1, from_root + 1, -alpha - 1, -alpha, deeper, false, !cut_node);
                }
                if (quiet && (score <= alpha || score >= beta)) {
                    const luft_piece man = luft_piece_at(&position->board, luft_move_from(move));
                    learn_continuation(ply, man, luft_move_to(move),
                                       score <= alpha ? -bonus_of(new_depth) : bonus_of(new_depth));
                }
            }
        } else if (!pv || number > 1) {
            score = -search_node(thread, ply + 1, from_root + 1, -alpha - 1, -alpha, new_depth, false, !cut_node);
        }
        if (pv && (number == 1 || score > alpha)) {
            score = -search_node(thread, ply + 1, from_root + 1, -beta, -alpha, new_depth, true, false);
        }
        if (stopped(thread)) {
            return 0;
        }
        if (root) {
            note_root_score(thread, ply, entry, score, alpha, beta, number, nodes_before);
        }

        /* 11. Is it the best so far? */
        if (score > best) {
            best = score;
            if (score > alpha) {
                best_move = move;
                if (pv) {
                    lengthen_pv(ply, move);
                }
                if (score >= beta) {
                    break;
                }
                alpha = score;
                if (depth > 4 && depth < raised_alpha_depth && !is_decisive(score)) {
                    depth--; /* one good move is found: the others have to be clearly better */
                }
            }
        }
        if (move != best_move) {
            if (quiet && tried.quiet_count < 64) {
                tried.quiets[tried.quiet_count++] = move;
            } else if (!quiet && tried.capture_count < 32) {
                tried.captures[tried.capture_count++] = move;
            }
        }
    }

    /* 12. Mate, stalemate, or nothing but the excluded move. */
    if (number == 0) {
        return excluded != LUFT_MOVE_NONE ? alpha : ply->in_check ? mated_in(from_root) : SCORE_DRAW;
    }

    /* 13. Learn from the result. */
    if (best_move != LUFT_MOVE_NONE) {
        learn(thread, ply, threats, best_move, depth + (best > beta + 60), &tried);
    } else if (ply[-1].move != LUFT_MOVE_NONE && !root && is_quiet(ply[-1].move)) {
        /* Nothing here beats alpha: the opponent's last move was a good one. */
        const luft_piece man = luft_piece_at(&ply[-1].position.board, luft_move_from(ply[-1].move));
        learn_continuation(ply - 1, man, luft_move_to(ply[-1].move), bonus_of(depth) / 2);
    }
    if (best >= beta && !is_decisive(best) && !is_decisive(alpha) && !pv) {
        best = (best * depth + beta) / (depth + 1);
    }
    /* What some moves of the root are worth is not what the position is. */
    if (excluded == LUFT_MOVE_NONE && !(root && (thread->pv_index > 0 || shared->limits.search_move_count > 0))) {
        const tt_bound bound = best >= beta                                              ? TT_LOWER
                               : pv && best_move != LUFT_MOVE_NONE && best > first_alpha ? TT_EXACT
                                                                                         : TT_UPPER;
        tt_store(
            shared->table, position, from_root,
            (tt_entry){
                .move = best_move, .score = best, .eval = raw, .depth = depth, .bound = bound, .was_pv = ply->was_pv});
    }
    if (!ply->in_check && excluded == LUFT_MOVE_NONE && !is_decisive(best) &&
        (best_move == LUFT_MOVE_NONE || is_quiet(best_move)) && !(best >= beta && best <= ply->eval) &&
        !(best_move == LUFT_MOVE_NONE && best >= ply->eval)) {
        learn_correction(&corrections, best - ply->eval, depth);
    }
    return best;
}
