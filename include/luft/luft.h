/* SPDX-License-Identifier: MIT */
/* All of libluft. Each header can also be included by itself. */
#ifndef LUFT_LUFT_H
#define LUFT_LUFT_H

#include "attacks.h"
#include "batch.h"
#include "bitboard.h"
#include "book.h"
#include "epd.h"
#include "game.h"
#include "movegen.h"
#include "notation.h"
#include "opening.h"
#include "perft.h"
#include "pgn.h"
#include "pgn_game.h"
#include "planes.h"
#include "polyglot.h"
#include "position.h"
#include "query.h"
#include "tablebase.h"
#include "types.h"

#endif
