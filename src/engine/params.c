/* SPDX-License-Identifier: MIT */
/*
 * The tunable parameters by name. See params.h.
 */
#include "params.h"

#include <stddef.h>

#ifdef LUFT_TUNE
#define DEFINE_PARAM(name, value, min, max) int name = value;
SEARCH_PARAMS(DEFINE_PARAM)
#define NAME_PARAM(name, value, min, max) {#name, &name, min, max},
#else
#define NAME_PARAM(name, value, min, max)
#endif

const search_param search_params[] = {SEARCH_PARAMS(NAME_PARAM){NULL, NULL, 0, 0}};
