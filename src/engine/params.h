/* SPDX-License-Identifier: MIT */
/*
 * The tunable parameters of the search. A tuning build (make TUNE=1) makes them variables, which can be set by name;
 * in other builds they are constants.
 *
 * Margins are in centipawns, reductions in 1024ths of a ply.
 */
#ifndef LUFT_ENGINE_PARAMS_H
#define LUFT_ENGINE_PARAMS_H

/* name, value, min, max: one of the bounds switches the rule off */
#define SEARCH_PARAMS(X)                                                                                               \
    X(aspiration_delta, 14, 5, 4000)                                                                                   \
    X(reduce_unknown_depth, 4, 2, 255)                                                                                 \
    X(razor_depth, 4, 0, 10)                                                                                           \
    X(razor_base, 250, 0, 9999)                                                                                        \
    X(razor_margin, 250, 10, 600)                                                                                      \
    X(reverse_futility_depth, 9, 0, 14)                                                                                \
    X(reverse_futility_margin, 85, 30, 200)                                                                            \
    X(null_depth, 2, 1, 255)                                                                                           \
    X(null_base, 4, 2, 6)                                                                                              \
    X(null_divisor, 4, 2, 6)                                                                                           \
    X(null_eval_divisor, 200, 80, 400)                                                                                 \
    X(late_base, 3, 1, 9999)                                                                                           \
    X(futility_depth, 9, -1, 14)                                                                                       \
    X(futility_base, 110, 20, 300)                                                                                     \
    X(futility_margin, 95, 30, 200)                                                                                    \
    X(bad_history_depth, 5, -1, 12)                                                                                    \
    X(bad_history_margin, 3500, 1000, 9000)                                                                            \
    X(see_quiet_margin, 28, 5, 9999)                                                                                   \
    X(see_capture_margin, 110, 30, 9999)                                                                               \
    X(check_depth, 99, 0, 99)                                                                                          \
    X(singular_depth, 6, 4, 255)                                                                                       \
    X(singular_margin, 16, 4, 48)                                                                                      \
    X(double_margin, 18, 2, 9999)                                                                                      \
    X(lmr_depth, 2, 2, 255)                                                                                            \
    X(lmr_base, 600, 0, 1500)                                                                                          \
    X(lmr_divisor, 2100, 1200, 3500)                                                                                   \
    X(lmr_history_divisor, 9000, 3000, 99999)                                                                          \
    X(lmr_cut_node, 2600, 0, 4000)                                                                                     \
    X(lmr_not_improving, 1000, 0, 3000)                                                                                \
    X(lmr_check, 800, 0, 4000)                                                                                         \
    X(deeper_margin, 45, 10, 9999)                                                                                     \
    X(raised_alpha_depth, 10, 0, 20)                                                                                   \
    X(quiescence_checks, 1, 0, 1)                                                                                      \
    X(quiescence_captures, 3, 1, 99)                                                                                   \
    X(quiescence_futility, 220, 60, 9999)                                                                              \
    X(history_bonus, 160, 50, 350)                                                                                     \
    X(history_bonus_max, 1700, 500, 3500)                                                                              \
    X(correction_divisor, 64, 32, 99999)

#ifdef LUFT_TUNE
#define DECLARE_PARAM(name, value, min, max) extern int name;
#else
#define DECLARE_PARAM(name, value, min, max) enum { name = (value) };
#endif
SEARCH_PARAMS(DECLARE_PARAM)
#undef DECLARE_PARAM

/* A parameter that can be set by name. */
typedef struct search_param {
    const char *name;
    int *value;
    int min;
    int max;
} search_param;

/* All parameters of a tuning build, none in others. Ends with a name of NULL. */
extern const search_param search_params[];

#endif
