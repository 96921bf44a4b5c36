/* SPDX-License-Identifier: MIT */
/*
 * The numbers of the search that can be tuned, in one place. A tuning build
 * (make TUNE=1) makes them variables and UCI options; else they are constants.
 *
 * Margins are in centipawns, reductions in 1024ths of a ply.
 */
#ifndef LUFT_ENGINE_PARAMS_H
#define LUFT_ENGINE_PARAMS_H

/* name, value, least, most */
#define SEARCH_PARAMS(X)                                                                                               \
    X(aspiration_delta, 14, 5, 50)                                                                                     \
    X(reverse_futility_depth, 9, 4, 14)                                                                                \
    X(reverse_futility_margin, 85, 30, 200)                                                                            \
    X(razor_margin, 280, 100, 600)                                                                                     \
    X(null_base, 4, 2, 6)                                                                                              \
    X(null_divisor, 4, 2, 6)                                                                                           \
    X(null_eval_divisor, 200, 80, 400)                                                                                 \
    X(probcut_margin, 190, 80, 400)                                                                                    \
    X(late_base, 3, 1, 8)                                                                                              \
    X(futility_base, 110, 20, 300)                                                                                     \
    X(futility_margin, 95, 30, 200)                                                                                    \
    X(history_margin, 3500, 1000, 9000)                                                                                \
    X(see_quiet_margin, 28, 5, 80)                                                                                     \
    X(see_capture_margin, 110, 30, 250)                                                                                \
    X(lmr_base, 600, 0, 1500)                                                                                          \
    X(lmr_divisor, 2100, 1200, 3500)                                                                                   \
    X(lmr_history_divisor, 9000, 3000, 20000)                                                                          \
    X(singular_margin, 16, 4, 48)                                                                                      \
    X(double_margin, 18, 2, 60)                                                                                        \
    X(history_bonus, 160, 50, 350)                                                                                     \
    X(history_bonus_max, 1700, 500, 3500)                                                                              \
    X(quiescence_futility, 220, 60, 400)                                                                               \
    X(deeper_margin, 45, 10, 120)

#ifdef LUFT_TUNE
#define DECLARE_PARAM(name, value, least, most) extern int name;
#else
#define DECLARE_PARAM(name, value, least, most) enum { name = value };
#endif
SEARCH_PARAMS(DECLARE_PARAM)
#undef DECLARE_PARAM

#endif
