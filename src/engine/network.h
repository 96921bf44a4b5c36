/* SPDX-License-Identifier: MIT */
/*
 * The network that is part of the program: the bytes of network.luft in this folder.
 */
#ifndef LUFT_ENGINE_NETWORK_H
#define LUFT_ENGINE_NETWORK_H

#include <stddef.h>
#include <stdint.h>

extern const uint8_t network_bytes[];
extern const size_t network_size;

#endif
