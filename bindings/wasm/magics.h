/* SPDX-License-Identifier: MIT */
/* Tables that a module fills when it starts. */
#ifndef LUFT_WASM_MAGICS_H
#define LUFT_WASM_MAGICS_H

/* To be called before any function of the library. */
void web_fill_magics(void);

#endif
