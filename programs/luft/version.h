/* SPDX-License-Identifier: MIT */
/* What `luft --version` prints: the version, and what the program was built by, for and with. */
#ifndef LUFT_PROGRAM_VERSION_H
#define LUFT_PROGRAM_VERSION_H

void version_print(void);

#endif
