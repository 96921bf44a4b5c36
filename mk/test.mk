# SPDX-License-Identifier: MIT
#
# Running, testing, measuring.

.PHONY: run test test-long test-faults test-sanitizers test-threads test-valgrind test-builds test-aarch64 test-fat test-windows test-musl test-reproducible lint check-abi release-check soak mutate \
	bench lab fuzz fuzz-uci pgo coverage coverage-all

# scripts/setup must have finished before anything is compiled, so these build in a second make.
SUBMAKE = $(MAKE) --no-print-directory

run: ## build and play a game in the terminal; without a terminal, analyse a well-known position
	CC='$(CC)' scripts/setup run
	+$(SUBMAKE) $(EXE)
	scripts/run '$(EXE)'

test: ## everything that must hold before a change is merged, in about six minutes
	scripts/setup test
	BUILD='$(BUILD)' scripts/test/run

test-long: ## all tests in full, the perft suites to full depth, the next six targets, fuzzing and lint
	scripts/setup test
	BUILD='$(BUILD)' scripts/test/run --long

test-faults: ## every allocation and thread refused in turn, damaged files, the contract with its long cases
	scripts/setup test
	BUILD='$(BUILD)' scripts/test/run --faults

test-sanitizers: ## all unit tests and the tests of the programs with gcc's address and undefined behaviour sanitizers
	scripts/setup test
	BUILD='$(BUILD)' scripts/test/run --sanitizers

test-threads: ## the unit tests and UCI sessions with gcc's thread sanitizer
	scripts/setup test
	BUILD='$(BUILD)' scripts/test/run --threads

test-valgrind: ## the unit tests of the library in valgrind
	scripts/setup test
	BUILD='$(BUILD)' scripts/test/run --valgrind

test-builds: ## the same bench from gcc and clang, -O0 to -O3, with and without the best instructions
	scripts/setup test
	BUILD='$(BUILD)' scripts/test/run --builds

test-fat: ## the program for distribution: every variant, and six CPUs in qemu
	scripts/setup test fat
	+$(SUBMAKE) $(EXE) fat
	tests/dist/test_fat.sh $(EXE) $(BUILD)/fat/luft

test-windows: ## the program for Windows in wine: UCI, the contract, perft, PGN, a game with the referee of the soak
	scripts/setup test windows
	+$(SUBMAKE) $(EXE) python
	+$(SUBMAKE) CC=$(MINGW) BUILD=$(BUILD)/windows ARCH=x86-64-v3 EXE=$(BUILD)/windows/luft.exe $(BUILD)/windows/luft.exe dll
	tests/dist/test_windows.sh $(EXE) $(BUILD)/windows/luft.exe

test-musl: ## all unit tests with musl, a C library other than glibc
	scripts/setup test musl
	+$(SUBMAKE) CC=musl-gcc BUILD=$(BUILD)/musl MODE=test ZLIB=0 ZSTD=0 CPPFLAGS=-Itests/portable CMOCKA= tests
	tests/dist/test_musl.sh $(EXE) $(BUILD)/musl/obj/musl-gcc-$(ARCH)-test/tests

test-reproducible: ## make dist and the program for distribution twice, in different folders, times and locales
	scripts/setup test fat
	tests/dist/test_reproducible.sh $(EXE)

test-aarch64: ## the same bench on aarch64, in qemu
	scripts/setup test
	BUILD='$(BUILD)' scripts/test/run --aarch64

lint: ## gcc -fanalyzer, clang-tidy, cppcheck, shellcheck, the list of unused words, the length of functions
	scripts/setup lint
	scripts/check/lint

ABI_REF ?=
check-abi: ## compare the binary interface of the libraries with that of the last tag, or of ABI_REF=COMMIT
	scripts/setup abi
	scripts/check/abi $(ABI_REF)

SCALE ?= 1
release-check: ## every check in a clean clone, with one report; resumes. SCALE=0.0001 tries it out, STEPS='fuzz soak' for some
	scripts/test/release --scale '$(SCALE)' $(if $(REPORT),--report '$(REPORT)') $(STEPS)

SOAK_S ?= 300
soak: ## the engine under load for SOAK_S seconds (300); SOAK_PARTS='movetime' for one part, SOAK_COUNT=N for N games and pairs
	scripts/setup soak
	+$(SUBMAKE) all python
	scripts/test/soak $(if $(SOAK_COUNT),--count '$(SOAK_COUNT)') '$(EXE)' '$(SOAK_S)' $(SOAK_PARTS)

MUTANTS ?= 100
MUTATE_SEED ?= 1
mutate: ## insert MUTANTS small mistakes (100) into the libraries; a test must find each. MUTATE='src/uci' for some
	scripts/setup test
	scripts/test/mutate --count '$(MUTANTS)' --seed '$(MUTATE_SEED)' $(MUTATE)

bench: $(OUT)/luft ## speed of perft beside stockfish, and of reading PGN=FILE beside pgn-extract, if installed; BENCH_ARGS='--json'
	scripts/bench/perft $(OUT)/luft $(BENCH_ARGS)
	$(if $(BENCH_ARGS),,PGN='$(PGN)' scripts/bench/pgn $(OUT)/luft)

FUZZ_S ?= 60
fuzz: ## run every fuzz target for FUZZ_S seconds (60); scripts/test/fuzz has more options
	scripts/setup test
	BUILD='$(BUILD)' scripts/test/fuzz '$(FUZZ_S)'

UCI_S ?= 3600
fuzz-uci: $(OUT)/luft ## hold random UCI conversations for UCI_S seconds (3600) against the model of the protocol
	tests/cli/test_uci_model.py $(OUT)/luft --seconds '$(UCI_S)' --seed "$$(date +%s)"

lab: ## measure the alternatives of every design decision (docs/design-lab.md)
	CC='$(CC)' BUILD='$(BUILD)' bench/lab/run

pgo: ## like all, optimised further with a profile; to install it: make install MODE=pgo
	CC='$(CC)' scripts/setup pgo
	rm -rf $(BUILD)/obj/$(notdir $(lastword $(CC)))-$(ARCH)-pgo
	+$(SUBMAKE) MODE=profile EXE=$(BUILD)/luft-profile $(BUILD)/luft-profile
	CC='$(CC)' scripts/bench/train-profile $(BUILD)/luft-profile $(BUILD)/obj/$(notdir $(lastword $(CC)))-$(ARCH)-pgo/profile
	rm -f $(BUILD)/luft-profile
	+$(SUBMAKE) MODE=pgo all

coverage: ## line coverage of the library by its unit tests; fails below 98 % of src/core or 95 % of src/games
	scripts/setup coverage
	+$(SUBMAKE) CC=gcc MODE=coverage tests
	scripts/test/coverage $(BUILD)/obj/gcc-$(ARCH)-coverage

coverage-all: ## the same, plus engine, program and trainer, with the tests of the programs; fails below 90 %
	scripts/setup coverage
	+$(SUBMAKE) CC=gcc MODE=coverage EXE=$(BUILD)/coverage/luft tests $(BUILD)/coverage/luft $(BUILD)/obj/gcc-$(ARCH)-coverage/luft-train
	cp $(BUILD)/obj/gcc-$(ARCH)-coverage/luft-train $(BUILD)/coverage/luft-train
	scripts/test/coverage $(BUILD)/obj/gcc-$(ARCH)-coverage $(BUILD)/coverage/luft
