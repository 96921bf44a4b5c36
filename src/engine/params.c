/* SPDX-License-Identifier: MIT */
/*
 * The tunable numbers by name, which a tuning build makes variables.
 */
#include "params.h"

#include <stddef.h>

#ifdef LUFT_TUNE
#define DEFINE_PARAM(name, value, least, most) int name = value;
SEARCH_PARAMS(DEFINE_PARAM)
#define NAME_PARAM(name, value, least, most) {#name, &name, least, most},
#else
#define NAME_PARAM(name, value, least, most)
#endif

const search_param search_params[] = {SEARCH_PARAMS(NAME_PARAM){NULL, NULL, 0, 0}};
