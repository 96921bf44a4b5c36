/* SPDX-License-Identifier: MIT */
/* The board as text, rank 8 on top, one character a square with blanks between. */
#ifndef LUFT_PROGRAM_DIAGRAM_H
#define LUFT_PROGRAM_DIAGRAM_H

#include "luft/luft.h"

/* Prints it to standard output: chess figures or letters, with or without ranks and files around it. */
void diagram_print(const luft_board *board, bool figures, bool coordinates);

#endif
