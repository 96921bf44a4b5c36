/* SPDX-License-Identifier: MIT */
/* A first reading of a file of games that is to be replaced by its annotated games. */
#ifndef LUFT_PROGRAM_ANALYSE_SURVEY_H
#define LUFT_PROGRAM_ANALYSE_SURVEY_H

#include <stdbool.h>

/*
 * Would text be lost that is in no game: lines that begin with %, comments before the first game? A file with errors
 * is refused later, after they are reported.
 */
bool survey_loses_lines(const char *path);

#endif
