/* SPDX-License-Identifier: MIT */
/* Tablebases for commands: opening them, and reporting damaged ones, with error lines. */
#ifndef LUFT_PROGRAM_TABLES_H
#define LUFT_PROGRAM_TABLES_H

#include "luft/engine.h"

/* Opens the tables of directories. NULL after an error line if one cannot be read or there are no tables. */
luft_tablebase *tables_open(const char *command, const char *directories);

/* Lets the engine use them in full; NULL is fine. */
void tables_use(luft_engine *engine, const luft_tablebase *tablebase);

/* Prints an error line for each damaged table that was not yet reported. */
void tables_report(const char *command, const luft_tablebase *tablebase);

#endif
