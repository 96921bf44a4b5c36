# SPDX-License-Identifier: MIT
#
# Running, testing, measuring.

.PHONY: run test test-long test-faults test-sanitizers test-threads test-valgrind test-builds test-aarch64 lint soak mutate \
	bench lab fuzz pgo coverage coverage-all

# scripts/setup must have finished before anything is compiled, so these build in a second make.
SUBMAKE = $(MAKE) --no-print-directory

run: ## build and play a game in the terminal; without a terminal, look at a well-known position
	CC='$(CC)' scripts/setup run
	$(SUBMAKE) $(EXE)
	scripts/run '$(EXE)'

test: ## everything that must hold before a change goes in, in a few minutes
	BUILD='$(BUILD)' scripts/test/run

test-long: ## the unit tests and the perft suites to full depth, and what the next six targets and lint do
	BUILD='$(BUILD)' scripts/test/run --long

test-faults: ## every allocation and thread refused in turn, every spoiled file, and the contract with its long cases
	BUILD='$(BUILD)' scripts/test/run --faults

test-sanitizers: ## all unit tests and the tests of the programs with gcc's sanitizers of memory and undefined behaviour
	BUILD='$(BUILD)' scripts/test/run --sanitizers

test-threads: ## the unit tests and the sessions of UCI with gcc's sanitizer of data races
	BUILD='$(BUILD)' scripts/test/run --threads

test-valgrind: ## the unit tests of the library in valgrind
	BUILD='$(BUILD)' scripts/test/run --valgrind

test-builds: ## bench from gcc and clang, -O0 to -O3, with and without the best instructions
	BUILD='$(BUILD)' scripts/test/run --builds

test-aarch64: ## bench on another processor, in qemu
	BUILD='$(BUILD)' scripts/test/run --aarch64

lint: ## gcc -fanalyzer, clang-tidy, cppcheck and shellcheck
	scripts/setup lint
	BUILD='$(BUILD)' scripts/check/lint

SOAK_S ?= 300
soak: ## the engine under load for SOAK_S seconds (300): games on clocks, storms of commands, long analysis; or SOAK_PARTS of it alone, as movetime; SOAK_COUNT games and pairs
	scripts/setup soak
	$(SUBMAKE) all
	scripts/test/soak $(if $(SOAK_COUNT),--count '$(SOAK_COUNT)') '$(EXE)' '$(SOAK_S)' $(SOAK_PARTS)

MUTANTS ?= 100
MUTATE_SEED ?= 1
mutate: ## MUTANTS small mistakes (100) put into the rules of chess, each of which a test must find
	scripts/setup test
	scripts/test/mutate --count '$(MUTANTS)' --seed '$(MUTATE_SEED)'

bench: $(OUT)/luft ## the speed of perft beside stockfish, and of reading PGN=FILE beside pgn-extract, where these are installed; BENCH_ARGS='--json' and more
	scripts/bench/perft $(OUT)/luft $(BENCH_ARGS)
	$(if $(BENCH_ARGS),,PGN='$(PGN)' scripts/bench/pgn $(OUT)/luft)

FUZZ_S ?= 60
fuzz: ## every fuzz target for FUZZ_S seconds (60); scripts/test/fuzz can do more
	scripts/setup test
	BUILD='$(BUILD)' scripts/test/fuzz '$(FUZZ_S)'

lab: ## the design lab: every open question of the design, measured (docs/design-lab.md)
	CC='$(CC)' BUILD='$(BUILD)' bench/lab/run

pgo: ## like all, optimised further with a profile; to install it: make install MODE=pgo
	CC='$(CC)' scripts/setup pgo
	rm -rf $(BUILD)/obj/$(notdir $(lastword $(CC)))-$(ARCH)-pgo
	$(SUBMAKE) MODE=profile EXE=$(BUILD)/luft-profile $(BUILD)/luft-profile
	CC='$(CC)' scripts/bench/train-profile $(BUILD)/luft-profile $(BUILD)/obj/$(notdir $(lastword $(CC)))-$(ARCH)-pgo/profile
	rm -f $(BUILD)/luft-profile
	$(SUBMAKE) MODE=pgo all

coverage: ## the part of the lines of the library that the unit tests run; fails below 98 % of src/core, 95 % of src/games
	scripts/setup coverage
	$(SUBMAKE) CC=gcc MODE=coverage tests
	scripts/test/coverage $(BUILD)/obj/gcc-$(ARCH)-coverage

coverage-all: ## the same, and of the engine, the program and the trainer, with the tests of the program too; fails below 90 %
	scripts/setup coverage
	$(SUBMAKE) CC=gcc MODE=coverage EXE=$(BUILD)/coverage/luft tests $(BUILD)/coverage/luft $(BUILD)/obj/gcc-$(ARCH)-coverage/luft-train
	cp $(BUILD)/obj/gcc-$(ARCH)-coverage/luft-train $(BUILD)/coverage/luft-train
	scripts/test/coverage $(BUILD)/obj/gcc-$(ARCH)-coverage $(BUILD)/coverage/luft
