/* SPDX-License-Identifier: MIT */
/*
 * NNUE: every evaluation equals that of a slow reference, which reads the board from a FEN and adds in 64 bits;
 * accumulators that are updated move by move, in any order of a search, give the same; and only valid files are loaded.
 *
 * test_nnue_avx512.c, test_nnue_sse2.c and test_nnue_scalar.c run all of this on the other paths of nnue_vectors.h.
 */
#include "support/check.h"
#include "support/failing_malloc.h"
#include "support/random_positions.h"

#include "engine/nnue.h"
#include "engine/score.h"

#include <stdlib.h>
#include <string.h>

enum { PLIES = 128 };

/* --- Networks to test with ------------------------------------------------------ */

static int16_t random_weight(random_source *source, int most) {
    return (int16_t)(random_below(source, 2 * most + 1) - most);
}

/* Weights of the size that training gives, so that many neurons are neither 0 nor clipped. */
static nnue_network *random_network(uint64_t seed, nnue_shape shape) {
    static const char text[] = "a network for tests";
    random_source source = {seed};
    const int hidden = shape.hidden, buckets = shape.buckets;
    nnue_network *network = nnue_create(shape, text, strlen(text));
    assert_non_null(network);
    network->qb = NNUE_QB_MIN << random_below(&source, 3);
    for (int i = 0; i < shape.king_buckets * NNUE_INPUTS * hidden; i++) {
        network->feature_weights[i] = random_weight(&source, 60);
    }
    for (int i = 0; i < hidden; i++) {
        network->feature_biases[i] = random_weight(&source, 100);
    }
    for (int i = 0; i < 2 * hidden * buckets; i++) {
        network->output_weights[i] = random_weight(&source, NNUE_OUTPUT_MAX);
    }
    for (int i = 0; i < buckets; i++) {
        network->output_biases[i] = random_below(&source, 20001) - 10000;
    }
    return network;
}

/* All weights as large as they may be, with the signs of a pattern. */
static nnue_network *extreme_network(int hidden, int pattern) {
    nnue_network *network = nnue_create((nnue_shape){hidden, 1, 1, false}, "", 0);
    assert_non_null(network);
    for (int i = 0; i < NNUE_INPUTS * hidden; i++) {
        network->feature_weights[i] = (int16_t)(pattern & 1 ? -NNUE_WEIGHT_MAX : NNUE_WEIGHT_MAX);
    }
    for (int i = 0; i < hidden; i++) {
        network->feature_biases[i] = (int16_t)(pattern & 1 ? -NNUE_BIAS_MAX : NNUE_BIAS_MAX);
    }
    for (int i = 0; i < 2 * hidden; i++) {
        network->output_weights[i] = (int16_t)(pattern & 2 ? -NNUE_OUTPUT_MAX : NNUE_OUTPUT_MAX);
    }
    return network;
}

/* --- The reference ---------------------------------------------------------------- */

/* The pieces as 64 letters, A1 first. */
static void read_board(char board[64], const luft_position *position) {
    char fen[LUFT_FEN_SIZE];
    luft_position_to_fen(fen, sizeof fen, position, LUFT_FEN_STANDARD);
    int rank = 7, file = 0;
    memset(board, 0, 64);
    for (const char *c = fen; *c != ' '; c++) {
        if (*c == '/') {
            rank--;
            file = 0;
        } else if (*c >= '1' && *c <= '8') {
            file += *c - '0';
        } else {
            board[8 * rank + file++] = *c;
        }
    }
}

/* The weighted sum of one perspective, 'w' or 'b'. */
static int64_t reference_sum(const nnue_network *network, const char board[64], char perspective,
                             const int16_t *weights) {
    const char own_king = perspective == 'w' ? 'K' : 'k';
    const char *types = "PNBRQKpnbrqk";
    const bool right = ((const char *)memchr(board, own_king, 64) - board) % 8 >= 4;
    int inputs[64], count = 0, king_bucket = 0;
    for (int square = 0; square < 64; square++) {
        if (board[square]) {
            int kind = (int)(strchr(types, board[square]) - types);
            int rank = square / 8, file = square % 8;
            if (perspective == 'b') {
                kind = (kind + 6) % 12;
                rank = 7 - rank;
            }
            if (network->shape.mirrored && right) {
                file = 7 - file;
            }
            inputs[count++] = kind * 64 + rank * 8 + file;
            if (kind == 5 && network->shape.king_buckets == 4) {
                static const int buckets_by_square[16] = {0, 0, 1, 1, 0, 0, 0, 0, 2, 2, 2, 2};
                king_bucket = rank < 2 ? buckets_by_square[rank * 8 + file] : 3;
            }
        }
    }
    int64_t total = 0;
    for (int neuron = 0; neuron < network->shape.hidden; neuron++) {
        int64_t sum = network->feature_biases[neuron];
        for (int i = 0; i < count; i++) {
            sum += network->feature_weights[(king_bucket * 768 + inputs[i]) * network->shape.hidden + neuron];
        }
        const int64_t clipped = sum < 0 ? 0 : sum > 255 ? 255 : sum;
        total += clipped * clipped * weights[neuron];
    }
    return total;
}

static int reference(const nnue_network *network, const luft_position *position) {
    char board[64];
    read_board(board, position);
    int piece_count = 0;
    for (int square = 0; square < 64; square++) {
        piece_count += board[square] != 0;
    }
    const int bucket = network->shape.buckets == 8 ? (piece_count - 1) / 4 : 0;
    const int16_t *weights = network->output_weights + bucket * 2 * network->shape.hidden;
    const bool white = position->side_to_move == LUFT_WHITE;
    int64_t sum = reference_sum(network, board, white ? 'w' : 'b', weights);
    sum += reference_sum(network, board, white ? 'b' : 'w', weights + network->shape.hidden);
    const int64_t score = (sum / 255 + network->output_biases[bucket]) * 400 / (255 * network->qb);
    const int64_t bound = SCORE_EVAL_BOUND - 1;
    return (int)(score > bound ? bound : score < -bound ? -bound : score);
}

/* --- Evaluation -------------------------------------------------------------------- */

typedef struct subject {
    const nnue_network *network;
    nnue_stack *stack;
    long positions;
} subject;

static void check_evaluation(const luft_position *position, const subject *tested, int ply, const char *what) {
    const int expected = reference(tested->network, position);
    require_equal((uint64_t)(int64_t)nnue_evaluate(tested->stack, ply, position), (uint64_t)(int64_t)expected, position,
                  what);
}

static void check_root(const luft_position *position, void *payload) {
    subject *tested = payload;
    nnue_set_root(tested->stack, position);
    check_evaluation(position, tested, 0, "evaluation by the network");
    tested->positions++;
}

static void positions_are_evaluated_like_the_reference(void **state) {
    (void)state;
    for (int kind = 0; kind < 4; kind++) {
        nnue_network *network = random_network(
            (uint64_t)kind, (nnue_shape){kind == 3 ? 272 : 16, kind & 1 ? 8 : 1, kind == 2 ? 4 : 1, kind >= 1});
        subject tested = {.network = network, .stack = nnue_stack_create(network, PLIES)};
        assert_non_null(tested.stack);
        visit_random_positions(test_rounds(kind == 3 ? 8 : 180), check_root, &tested);
        if (!test_is_quick() && kind < 3) {
            assert_true(tested.positions > 33334); /* three kinds: more than 100,000 */
        }
        nnue_stack_free(tested.stack);
        nnue_free(network);
    }
}

static void the_largest_weights_do_not_overflow(void **state) {
    (void)state;
    const luft_position full = luft_start_position();
    for (int pattern = 0; pattern < 4; pattern++) {
        for (int hidden = 16; hidden <= NNUE_HIDDEN_MAX; hidden *= 4) {
            nnue_network *network = extreme_network(hidden, pattern);
            subject tested = {.network = network, .stack = nnue_stack_create(network, PLIES)};
            assert_non_null(tested.stack);
            check_root(&full, &tested);
            visit_fantastic_positions(50, check_root, &tested);
            network->output_biases[0] = pattern & 2 ? INT32_MIN : INT32_MAX;
            check_root(&full, &tested);
            /* Half of the neurons against the other half: without the bound at the end of the scale. */
            for (int i = 0; i < 2 * hidden; i += 2) {
                network->output_weights[i] = (int16_t)-network->output_weights[i];
            }
            network->output_biases[0] = 0;
            check_root(&full, &tested);
            nnue_stack_free(tested.stack);
            nnue_free(network);
        }
    }
}

static void colour_flipped_positions_have_the_same_evaluation(void **state) {
    (void)state;
    nnue_network *network = random_network(5, (nnue_shape){32, 8, 4, true});
    nnue_stack *stack = nnue_stack_create(network, PLIES);
    for (uint64_t seed = 0; seed < 200; seed++) {
        const luft_position position = fantastic_position(seed);
        luft_position flipped;
        assert_int_equal(luft_position_flip(&flipped, &position), LUFT_OK);
        nnue_set_root(stack, &position);
        const int score = nnue_evaluate(stack, 0, &position);
        nnue_set_root(stack, &flipped);
        assert_int_equal(nnue_evaluate(stack, 0, &flipped), score);
    }
    nnue_stack_free(stack);
    nnue_free(network);
}

/* --- Moves --------------------------------------------------------------------------- */

typedef struct move_counts {
    int castling, en_passant, promotions, nulls, king_crossings;
} move_counts;

static luft_move pick(random_source *source, const luft_position *position) {
    luft_move_list list;
    luft_generate(&list, position, LUFT_ALL_MOVES);
    for (int i = 0; i < list.count && random_below(source, 2) == 0; i++) {
        const luft_move_kind kind = luft_move_kind_of(list.moves[i]);
        if (kind == LUFT_CASTLING || kind == LUFT_EN_PASSANT || luft_move_is_promotion(list.moves[i])) {
            return list.moves[i];
        }
    }
    return list.count > 0 ? list.moves[random_below(source, list.count)] : LUFT_MOVE_NONE;
}

static void count_move(move_counts *counts, const luft_position *position, luft_move move) {
    counts->castling += luft_move_kind_of(move) == LUFT_CASTLING;
    counts->en_passant += luft_move_kind_of(move) == LUFT_EN_PASSANT;
    counts->promotions += luft_move_is_promotion(move);
    counts->king_crossings += luft_piece_type_of(luft_piece_at(&position->board, luft_move_from(move))) == LUFT_KING &&
                              luft_file_of(luft_move_from(move)) / 4 != luft_file_of(luft_move_to(move)) / 4;
}

/*
 * Walks like a search: forward by moves and null moves, sometimes back to an earlier ply and on from there. Evaluates one
 * node in `every`, so that several lazy updates are done at once.
 */
static void walk(const subject *tested, const luft_position *start, uint64_t seed, int every, move_counts *counts) {
    luft_position line[PLIES];
    random_source source = {seed};
    int ply = 0;
    line[0] = *start;
    nnue_set_root(tested->stack, start);
    for (int step = 0; step < 400; step++) {
        const luft_move move = pick(&source, &line[ply]);
        if (ply == PLIES - 1 || move == LUFT_MOVE_NONE || random_below(&source, 8) == 0) {
            ply = random_below(&source, ply + 1);
            continue;
        }
        if (random_below(&source, 10) == 0 && luft_make_null(&line[ply + 1], &line[ply]) == LUFT_OK) {
            nnue_push_null(tested->stack, ply);
            counts->nulls++;
        } else {
            nnue_push(tested->stack, ply, &line[ply], move);
            luft_make(&line[ply + 1], &line[ply], move);
            count_move(counts, &line[ply], move);
        }
        ply++;
        if (random_below(&source, every) == 0) {
            check_evaluation(&line[ply], tested, ply, "evaluation after moves");
        }
    }
}

static void moves_change_the_accumulators_as_a_fresh_start_would(void **state) {
    (void)state;
    for (int kind = 0; kind < 4; kind++) {
        nnue_network *network = random_network(
            100 + (uint64_t)kind, (nnue_shape){16 + 16 * kind, kind & 1 ? 8 : 1, kind == 3 ? 4 : 1, kind >= 2});
        subject tested = {.network = network, .stack = nnue_stack_create(network, PLIES)};
        assert_non_null(tested.stack);
        move_counts counts = {0};
        for (int game = 0; game < test_rounds(40); game++) {
            luft_position start = luft_start_position();
            if (game % 4 != 0) {
                assert_int_equal(luft_chess960_position(&start, game * 397 % 960), LUFT_OK);
            }
            walk(&tested, &start, (uint64_t)game, 1 + game % 5, &counts);
        }
        for (uint64_t seed = 0; seed < (uint64_t)test_rounds(60); seed++) {
            const luft_position start = fantastic_position(seed);
            walk(&tested, &start, seed, 1 + (int)(seed % 5), &counts);
        }
        if (!test_is_quick()) { /* all kinds of moves were among them */
            assert_true(counts.castling > 10 && counts.en_passant > 0 && counts.promotions > 10 && counts.nulls > 10);
            assert_true(counts.king_crossings > 10);
        }
        nnue_stack_free(tested.stack);
        nnue_free(network);
    }
}

/* --- Files --------------------------------------------------------------------------- */

static uint8_t *saved(const nnue_network *network, size_t *length) {
    *length = nnue_save(NULL, 0, network);
    uint8_t *bytes = malloc(*length);
    assert_non_null(bytes);
    assert_int_equal(nnue_save(bytes, *length, network), *length);
    return bytes;
}

/* FNV-1a of all but the bytes 56 to 63, written there. */
static void seal(uint8_t *bytes, size_t length) {
    uint64_t hash = UINT64_C(14695981039346656037);
    for (size_t i = 0; i < length; i++) {
        if (i < 56 || i > 63) {
            hash = (hash ^ bytes[i]) * UINT64_C(1099511628211);
        }
    }
    for (int i = 0; i < 8; i++) {
        bytes[56 + i] = (uint8_t)(hash >> 8 * i);
    }
}

static void what_is_saved_is_loaded(void **state) {
    (void)state;
    nnue_network *network = random_network(1, (nnue_shape){48, 8, 4, true});
    network->qb = 128;
    size_t length, again_length;
    uint8_t *bytes = saved(network, &length);
    assert_int_equal(length, 64 + strlen(network->text) + 2 * (4 * 768 * 48 + 48 + 8 * 96) + 4 * 8);
    const char *reason = NULL;
    nnue_network *loaded = NULL;
    assert_int_equal(nnue_load(&loaded, bytes, length, &reason), LUFT_OK);
    assert_null(reason);
    assert_non_null(loaded);
    assert_int_equal(loaded->shape.hidden, 48);
    assert_int_equal(loaded->shape.buckets, 8);
    assert_int_equal(loaded->shape.king_buckets, 4);
    assert_int_equal(loaded->qb, network->qb);
    assert_true(loaded->shape.mirrored);
    assert_string_equal(loaded->text, "a network for tests");
    assert_memory_equal(loaded->feature_weights, network->feature_weights, 4 * 768 * 48 * 2);
    assert_memory_equal(loaded->output_biases, network->output_biases, 32);
    uint8_t *again = saved(loaded, &again_length);
    assert_int_equal(again_length, length);
    assert_memory_equal(again, bytes, length);
    seal(again, length); /* the checksum is the documented one */
    assert_memory_equal(again, bytes, length);
    free(bytes);
    free(again);
    nnue_free(loaded);
    nnue_free(network);
}

static void assert_refused(const uint8_t *bytes, size_t length, const char *expected) {
    const char *reason = NULL;
    nnue_network *network = NULL;
    assert_int_equal(nnue_load(&network, bytes, length, &reason), LUFT_ERROR_NETWORK);
    assert_null(network);
    assert_string_equal(reason, expected);
}

/* A copy of exactly this length on the heap, so that the sanitizer finds reads past the end. */
static void assert_refused_cut(const uint8_t *bytes, size_t length, const char *expected) {
    uint8_t *copy = malloc(length + (length == 0));
    assert_non_null(copy);
    memcpy(copy, bytes, length);
    assert_refused(copy, length, expected);
    free(copy);
}

static void damaged_files_are_refused(void **state) {
    (void)state;
    static const char cut[] = "the network is cut off or too long";
    static const char damaged[] = "the network is damaged: its checksum is wrong";
    nnue_network *network = random_network(2, (nnue_shape){16, 1, 1, false});
    network->qb = NNUE_QB_MIN;
    size_t length;
    uint8_t *bytes = saved(network, &length);
    for (size_t size = 0; size < 64; size++) {
        assert_refused_cut(bytes, size, "the file is not a network of Luft");
    }
    for (size_t size = 64; size < length; size += 997) {
        assert_refused_cut(bytes, size, cut);
    }
    assert_refused_cut(bytes, length - 1, cut);
    assert_refused(NULL, 0, "the file is not a network of Luft");
    for (size_t i = 56; i < length; i += i < 100 ? 1 : 101) {
        bytes[i] ^= 4;
        assert_refused(bytes, length, damaged);
        bytes[i] ^= 4;
    }
    for (size_t i = 0; i < 56; i++) { /* every bit of the header matters */
        for (int bit = 0; bit < 8; bit++) {
            const char *reason = NULL;
            nnue_network *loaded = NULL;
            bytes[i] ^= (uint8_t)(1 << bit);
            seal(bytes, length);
            const luft_error error = nnue_load(&loaded, bytes, length, &reason);
            /* Only the bit for mirroring may have either value in a file of this size. */
            assert_int_equal(error, i == 32 && bit == 0 ? LUFT_OK : LUFT_ERROR_NETWORK);
            assert_int_equal(loaded != NULL, error == LUFT_OK);
            assert_int_equal(reason != NULL, error != LUFT_OK);
            nnue_free(loaded);
            bytes[i] ^= (uint8_t)(1 << bit);
        }
    }
    free(bytes);
    nnue_free(network);
}

/* The text is a C string: what follows a NUL would be lost when the network is saved. */
static void a_text_with_a_nul_is_refused(void **state) {
    (void)state;
    nnue_network *network = nnue_create((nnue_shape){16, 1, 1, false}, "a text", 6);
    assert_non_null(network);
    size_t length;
    uint8_t *bytes = saved(network, &length);
    bytes[64 + 3] = '\0';
    seal(bytes, length);
    assert_refused(bytes, length, "the text of the network holds a NUL");
    free(bytes);
    nnue_free(network);
}

static void weights_out_of_range_are_refused(void **state) {
    (void)state;
    static const char range[] = "the network has a weight that is out of range";
    nnue_network *network = random_network(3, (nnue_shape){16, 1, 1, false});
    int16_t *const places[] = {&network->feature_weights[767 * 16 + 15], &network->feature_biases[15],
                               &network->output_weights[31]};
    const int bounds[] = {NNUE_WEIGHT_MAX, NNUE_BIAS_MAX, NNUE_OUTPUT_MAX};
    for (int i = 0; i < 3; i++) {
        for (int sign = -1; sign <= 1; sign += 2) {
            const int16_t before = *places[i];
            const char *reason = NULL;
            size_t length;
            *places[i] = (int16_t)(sign * bounds[i]);
            uint8_t *bytes = saved(network, &length);
            nnue_network *loaded = NULL;
            assert_int_equal(nnue_load(&loaded, bytes, length, &reason), LUFT_OK);
            nnue_free(loaded);
            free(bytes);
            *places[i] = (int16_t)(sign * (bounds[i] + 1));
            bytes = saved(network, &length);
            assert_refused(bytes, length, range);
            free(bytes);
            *places[i] = before;
        }
    }
    nnue_free(network);
}

static void impossible_networks_are_not_made(void **state) {
    (void)state;
    const nnue_shape impossible[] = {
        {0, 1, 1, false},  {-16, 1, 1, false}, {24, 1, 1, false}, {NNUE_HIDDEN_MAX + 16, 1, 1, false},
        {16, 2, 1, false}, {16, 1, 0, true},   {16, 1, 2, true},  {16, 1, 4, false}, /* needs mirroring */
    };
    for (size_t i = 0; i < sizeof impossible / sizeof impossible[0]; i++) {
        assert_null(nnue_create(impossible[i], "", 0));
    }
    nnue_free(NULL);
    nnue_stack_free(NULL);
}

static luft_error load_and_evaluate(void *payload) {
    const nnue_network *network = payload;
    const char *reason = NULL;
    const size_t length = nnue_save(NULL, 0, network);
    uint8_t *bytes = malloc(length);
    if (!bytes) {
        return LUFT_ERROR_MEMORY;
    }
    nnue_save(bytes, length, network);
    nnue_network *loaded = NULL;
    const luft_error error = nnue_load(&loaded, bytes, length, &reason);
    nnue_stack *stack = loaded ? nnue_stack_create(loaded, PLIES) : NULL;
    if (!loaded) {
        assert_int_equal(error, LUFT_ERROR_MEMORY);
        assert_string_equal(reason, "out of memory");
    }
    nnue_stack_free(stack);
    nnue_free(loaded);
    free(bytes);
    return stack ? LUFT_OK : LUFT_ERROR_MEMORY;
}

static void no_memory_is_an_error(void **state) {
    (void)state;
    nnue_network *network = random_network(4, (nnue_shape){16, 1, 1, false});
    assert_int_equal(assert_survives_failing_malloc(load_and_evaluate, network), 6);
    nnue_free(network);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(positions_are_evaluated_like_the_reference),
        cmocka_unit_test(the_largest_weights_do_not_overflow),
        cmocka_unit_test(colour_flipped_positions_have_the_same_evaluation),
        cmocka_unit_test(moves_change_the_accumulators_as_a_fresh_start_would),
        cmocka_unit_test(what_is_saved_is_loaded),
        cmocka_unit_test(damaged_files_are_refused),
        cmocka_unit_test(a_text_with_a_nul_is_refused),
        cmocka_unit_test(weights_out_of_range_are_refused),
        cmocka_unit_test(impossible_networks_are_not_made),
        cmocka_unit_test(no_memory_is_an_error),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
