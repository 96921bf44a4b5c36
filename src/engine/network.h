/* SPDX-License-Identifier: MIT */
/*
 * The default network: the bytes of network.luft, which become part of the program at build time.
 */
#ifndef LUFT_ENGINE_NETWORK_H
#define LUFT_ENGINE_NETWORK_H

#include <stddef.h>
#include <stdint.h>

extern const uint8_t network_bytes[];
extern const size_t network_size;

#endif
