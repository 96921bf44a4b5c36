/* SPDX-License-Identifier: MIT */
/* Tables that a module fills when it starts. */
#ifndef LUFT_WASM_MAGICS_H
#define LUFT_WASM_MAGICS_H

/* Before anything of the library is called. */
void web_fill_magics(void);

#endif
