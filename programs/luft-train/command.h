/* SPDX-License-Identifier: MIT */
/* The commands of luft-train. Each gets its arguments, the first its own name, and returns an exit status. */
#ifndef LUFT_TRAIN_COMMAND_H
#define LUFT_TRAIN_COMMAND_H

int train_generate(int argc, char **argv);
int train_info(int argc, char **argv);
int train_check(int argc, char **argv);
int train_convert(int argc, char **argv);
int train_shuffle(int argc, char **argv);
int train_quantise(int argc, char **argv);
int train_train(int argc, char **argv);
int train_spsa(int argc, char **argv);
int train_wdl(int argc, char **argv);

#endif
