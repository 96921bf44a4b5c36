# SPDX-License-Identifier: MIT
#
# Luft, built by GNU make. `make help` lists the targets.
#
# One run of make builds one configuration: a compiler (CC), a processor (ARCH)
# and a MODE. Each configuration has its own directory under build/obj, so their
# objects never mix; the finished program and libraries are copied to build/.
# Files are found by wildcard: a new source or test needs no change here.

# --- What the user may set ---------------------------------------------------

ifeq ($(origin CC),default)
CC := gcc
endif
ARCH = native
MODE = release
BUILD ?= build
EXE ?= $(BUILD)/luft$(if $(TUNE),-tune)
# TUNE=1 builds build/luft-tune, in which the numbers of the search are UCI options.
TUNE ?=
PREFIX ?= /usr/local
DESTDIR ?=
# The tests set it to -Werror. Others get the program all the same: what compilers warn of differs with their version and with ARCH.
WERROR ?=
# CPPFLAGS, CFLAGS and LDFLAGS are added after our own.

# Packed games are read with zlib and libzstd where the compiler finds them; ZLIB=0 and ZSTD=0 do without.
ZLIB ?= $(call has_library,zlib.h,z)
ZSTD ?= $(call has_library,zstd.h,zstd)

# The tables are written by a program that runs here, whatever machine CC compiles for.
HOSTCC ?= cc

BINDIR ?= $(PREFIX)/bin
LIBDIR ?= $(PREFIX)/lib
INCLUDEDIR ?= $(PREFIX)/include
DATADIR ?= $(PREFIX)/share
MANDIR ?= $(DATADIR)/man
BASHDIR ?= $(DATADIR)/bash-completion/completions
ZSHDIR ?= $(DATADIR)/zsh/site-functions
FISHDIR ?= $(DATADIR)/fish/vendor_completions.d
PYTHON ?= python3
PYTHONDIR ?= $(shell $(PYTHON) -c 'import sysconfig; print(sysconfig.get_path("purelib"))')

ifneq ($(words x$(EXE)x$(PREFIX)x$(DESTDIR)x$(BUILD)x),1)
$(error EXE, PREFIX, DESTDIR and BUILD cannot hold blanks: make takes them for lists of names)
endif
ifeq ($(and $(EXE),$(PREFIX),$(BUILD)),)
$(error EXE, PREFIX and BUILD cannot be empty)
endif

# --- Configuration -----------------------------------------------------------

# clang on ARM knows this machine by -mcpu, not by -march.
ARCH_native := $(if $(filter aarch64 arm64,$(shell uname -m)),-mcpu=native,-march=native)
ARCH_x86-64 := -march=x86-64
ARCH_x86-64-v2 := -march=x86-64-v2
ARCH_x86-64-v3 := -march=x86-64-v3
ARCH_armv8 := -march=armv8-a
ifeq ($(ARCH_$(ARCH)),)
$(error unknown ARCH '$(ARCH)': use native, x86-64, x86-64-v2, x86-64-v3 or armv8)
endif

# `profile` builds the program that writes a profile, `pgo` the one that uses it; see `make pgo`.
MODE_release := -O3 -DNDEBUG
MODE_test := -O2 -g
# The sanitizers' build also makes every move that two-ply perft only counts, to compare.
MODE_sanitize := -O1 -g -fno-omit-frame-pointer -fsanitize=address,undefined -fno-sanitize-recover=all \
	-DLUFT_CHECK_TWO_PLY
# Its own: the sanitizer of data races cannot be combined with that of addresses.
MODE_thread := -O1 -g -fno-omit-frame-pointer -fsanitize=thread
# The generator needs an optimising compiler: its sinks are functions that must be inlined into it.
MODE_coverage := -O1 -g --coverage
# For clang alone: what `make fuzz` runs, with assertions and both sanitizers, and a window on PGN that short inputs fill.
MODE_fuzz := -O1 -g -fno-omit-frame-pointer -fsanitize=fuzzer-no-link,address,undefined -fno-sanitize-recover=all \
	-DLUFT_CHECK_TWO_PLY -DLUFT_SMALL_WINDOW
ifeq ($(findstring clang,$(CC)),)
MODE_profile := -O3 -DNDEBUG -fprofile-generate -fprofile-update=single
MODE_pgo := -O3 -DNDEBUG -fprofile-use -Wno-missing-profile
else
MODE_profile = -O3 -DNDEBUG -fprofile-generate=$(OUT)/profile
MODE_pgo = -O3 -DNDEBUG -fprofile-use=$(OUT)/profile/luft.profdata -Wno-profile-instr-unprofiled
endif
ifeq ($(MODE_$(MODE)),)
$(error unknown MODE '$(MODE)': use release, test, sanitize, thread, coverage, fuzz, profile or pgo)
endif

# The two modes of a profile-guided build share a directory: gcc looks for the
# profile of an object beside the object.
OUT := $(BUILD)/obj/$(notdir $(lastword $(CC)))-$(ARCH)-$(if $(filter profile,$(MODE)),pgo,$(MODE))$(if $(TUNE),-tune)

WARNINGS := -Wall -Wextra -Wshadow -Wstrict-prototypes -Wmissing-prototypes $(WERROR)
INCLUDES := -Iinclude -Isrc
COMPILE = $(CC) -std=c17 $(WARNINGS) $(INCLUDES) $(ARCH_$(ARCH)) $(MODE_$(MODE)) \
	-fvisibility=hidden $(if $(TUNE),-DLUFT_TUNE) $(UNPACKERS) $(CPPFLAGS) $(CFLAGS)
LINK = $(CC) $(ARCH_$(ARCH)) $(MODE_$(MODE)) $(CFLAGS) $(LDFLAGS)
PIC := -fPIC -fno-semantic-interposition

# has_library HEADER,NAME: 1 if a program that uses it compiles and links, else 0
has_library = $(shell printf '\043include <$(1)>\nint main(void) { return 0; }\n' | \
	$(CC) $(CPPFLAGS) $(CFLAGS) $(LDFLAGS) -x c -o /dev/null - -l$(2) >/dev/null 2>&1 && echo 1 || echo 0)
ZLIB := $(ZLIB)
ZSTD := $(ZSTD)
UNPACKERS := $(if $(filter 1,$(ZLIB)),-DLUFT_WITH_ZLIB) $(if $(filter 1,$(ZSTD)),-DLUFT_WITH_ZSTD)
UNPACKER_LIBRARIES := $(if $(filter 1,$(ZLIB)),-lz) $(if $(filter 1,$(ZSTD)),-lzstd)

# Major, minor, patch. The name by which programs load the library has as much of that as must agree: see docs/api.md.
NUMBERS := $(foreach n,MAJOR MINOR PATCH,$(shell sed -n 's/^.define LUFT_VERSION_$n \([0-9]*\)$$/\1/p' include/luft/types.h))
ifneq ($(words $(NUMBERS)),3)
$(error include/luft/types.h does not define the version as three numbers)
endif
VERSION := $(word 1,$(NUMBERS)).$(word 2,$(NUMBERS)).$(word 3,$(NUMBERS))
SONAME := libluft.so.$(if $(filter 0,$(firstword $(NUMBERS))),0.$(word 2,$(NUMBERS)),$(firstword $(NUMBERS)))

# Names that the shared library keeps to itself; for linkers that can read such a list. Asked only where it is used.
VERSION_SCRIPT = $(shell echo 'int luft_probe;' | $(CC) -shared -fPIC -x c -o /dev/null -Wl,--version-script=luft.map - \
	2>/dev/null && echo -Wl,--version-script=luft.map)

# --- Files -------------------------------------------------------------------

HEADERS := $(wildcard include/luft/*.h)
TABLES := $(patsubst %,$(BUILD)/gen/%.c,attack_tables magic_table pext_table zobrist_table)
OPENINGS := $(BUILD)/gen/opening_table.c
NETWORK := $(BUILD)/gen/network.c
TOOLS := $(patsubst tools/%.c,$(BUILD)/%,$(wildcard tools/*.c))

LIBRARY := $(patsubst %.c,$(OUT)/%.o,$(wildcard src/core/*.c src/games/*.c) $(TABLES) $(OPENINGS))
LIBRARY_PIC := $(LIBRARY:.o=.pic.o)
ENGINE := $(patsubst %.c,$(OUT)/%.o,$(wildcard src/engine/*.c) $(NETWORK))
# What the programs luft and luft-train share, and the library does not need.
BASE := $(patsubst %.c,$(OUT)/%.o,$(wildcard src/base/*.c))
CLI := $(patsubst %.c,$(OUT)/%.o,$(wildcard src/cli/*.c))
# The rules of chess for a program that runs while Luft is built.
HOST_RULES := $(patsubst %.c,$(BUILD)/host/%.o,$(wildcard src/core/notation*.c) \
	$(patsubst %,src/core/%.c,bitboard make movegen position types) $(filter-out %/pext_table.c,$(TABLES)))
TRAIN := $(patsubst %.c,$(OUT)/%.o,$(filter-out src/train/main.c,$(wildcard src/train/*.c)))
SUPPORT := $(patsubst %.c,$(OUT)/%.o,$(wildcard tests/support/*.c))
TESTS := $(patsubst %.c,$(OUT)/%,$(wildcard tests/test_*.c))
FUZZERS := $(patsubst %.c,$(OUT)/%,$(wildcard tests/fuzz/fuzz_*.c))
# The UCI session without its outside, which tests/fuzz/session.c is.
FUZZ_SESSION := $(filter-out src/cli/uci_files.c src/cli/uci_loop.c src/cli/uci_input.c,$(wildcard src/cli/uci*.c)) \
	$(patsubst %,src/cli/%.c,bench options output setup text)
FUZZ_SUPPORT := $(patsubst %.c,$(OUT)/%.o,$(filter-out tests/fuzz/fuzz_%,$(wildcard tests/fuzz/*.c)) \
	$(wildcard tests/support/oracle*.c) $(FUZZ_SESSION) src/web/no_terminal.c)
C_FILES := $(wildcard $(foreach d,include/luft src/* tools tests tests/* bench bench/* examples,$d/*.c $d/*.h))

# --- Building ----------------------------------------------------------------

.DEFAULT_GOAL := all
.DELETE_ON_ERROR:
.SECONDARY:
.PHONY: all lib train tools tests fuzzers wasm web serve run test test-long test-faults test-sanitizers test-threads test-valgrind test-builds test-aarch64 lint soak mutate bench lab fuzz pgo coverage coverage-all install uninstall install-python uninstall-python format check-format help clean FORCE

# Shows one short line for each step; `make V=1` shows the commands.
ifeq ($(V),)
.SILENT:
say = @printf '  %-6s %s\n' '$(1)' '$(2)'
endif

all: $(EXE) lib ## the program and the libraries, optimised for this CPU

lib: $(BUILD)/libluft.a $(BUILD)/libluft.so ## the libraries only: build/libluft.a, build/libluft.so

train: $(BUILD)/luft-train ## the program that makes the evaluation: build/luft-train

tools: $(TOOLS) ## the programs that find the magics and write the tables

tests: $(TESTS)

fuzzers: $(FUZZERS)

# These hold the command lines and the list of objects, and change only when those do.
$(OUT)/flags: FORCE
	mkdir -p $(@D)
	echo '$(COMPILE) | $(LINK)' | cmp -s - $@ || echo '$(COMPILE) | $(LINK)' >$@

$(OUT)/objects: FORCE
	mkdir -p $(@D)
	echo '$(LIBRARY) $(ENGINE) $(BASE) $(CLI) $(TRAIN) $(SUPPORT)' | cmp -s - $@ || echo '$(LIBRARY) $(ENGINE) $(BASE) $(CLI) $(TRAIN) $(SUPPORT)' >$@

$(OUT)/%.o: %.c $(OUT)/flags
	$(call say,CC,$<)
	mkdir -p $(@D)
	$(COMPILE) -MMD -MP -c -o $@ $<

# Tests may also include what they share. Private: the flags file above is a prerequisite and must not see it.
$(OUT)/tests/%.o: private INCLUDES += -Itests

$(OUT)/%.pic.o: %.c $(OUT)/flags
	$(call say,CC,$< (shared))
	mkdir -p $(@D)
	$(COMPILE) $(PIC) -MMD -MP -c -o $@ $<

$(OUT)/libluft.a: $(LIBRARY) $(OUT)/objects
	$(call say,AR,$@)
	rm -f $@
	$(AR) rcs $@ $(LIBRARY)

$(OUT)/libluft.so.$(VERSION): $(LIBRARY_PIC) $(OUT)/objects luft.map
	$(call say,LINK,$@)
	$(LINK) -shared -Wl,-soname,$(SONAME) $(VERSION_SCRIPT) -o $@ $(LIBRARY_PIC)

# Not installed: the engine is a part of the programs, and its tests take what they need of it.
$(OUT)/libengine.a: $(ENGINE) $(OUT)/objects
	$(call say,AR,$@)
	rm -f $@
	$(AR) rcs $@ $(ENGINE)

# The same for what both programs share.
$(OUT)/libbase.a: $(BASE) $(OUT)/objects
	$(call say,AR,$@)
	rm -f $@
	$(AR) rcs $@ $(BASE)

$(OUT)/luft: $(CLI) $(OUT)/libbase.a $(OUT)/libengine.a $(OUT)/libluft.a
	$(call say,LINK,$@)
	$(LINK) -o $@ $^ -pthread $(UNPACKER_LIBRARIES) -lm

# Tests can make allocations fail: tests/support/failing_malloc.h.
WRAP_MALLOC := -Wl,--wrap=malloc,--wrap=realloc,--wrap=free

# Square roots without errno, so that compilers can compute several at once.
$(TRAIN): COMPILE += -fno-math-errno

# And for the trainer.
$(OUT)/libtrain.a: $(TRAIN) $(OUT)/objects
	$(call say,AR,$@)
	rm -f $@
	$(AR) rcs $@ $(TRAIN)

$(OUT)/luft-train: $(OUT)/src/train/main.o $(OUT)/libtrain.a $(OUT)/libbase.a $(OUT)/libengine.a $(OUT)/libluft.a
	$(call say,LINK,$@)
	$(LINK) -o $@ $^ -pthread -lm

ALL_LIBRARIES := $(patsubst %,$(OUT)/lib%.a,train base engine luft)

$(TESTS): $(OUT)/tests/%: $(OUT)/tests/%.o $(SUPPORT) $(ALL_LIBRARIES)
	$(call say,LINK,$@)
	$(LINK) $(WRAP_MALLOC) -o $@ $< $(SUPPORT) $(ALL_LIBRARIES) -lcmocka -pthread -lm

$(FUZZERS): $(OUT)/tests/fuzz/%: $(OUT)/tests/fuzz/%.o $(FUZZ_SUPPORT) $(ALL_LIBRARIES)
	$(call say,LINK,$@)
	$(LINK) -fsanitize=fuzzer -o $@ $< $(FUZZ_SUPPORT) $(ALL_LIBRARIES) -pthread -lm

# Copies a product out of its configuration's directory unless that very file is there already. The old file is removed, not
# written over, for it may be running.
copy = cmp -s $(1) $(2) || { mkdir -p $(dir $(2)) && rm -f $(2) && cp $(1) $(2) && echo '  READY  $(2)'; }

$(EXE): $(OUT)/luft FORCE
	$(call copy,$<,$@)

$(BUILD)/luft-train: $(OUT)/luft-train FORCE
	$(call copy,$<,$@)

$(BUILD)/libluft.a: $(OUT)/libluft.a FORCE
	$(call copy,$<,$@)

$(BUILD)/libluft.so: $(OUT)/libluft.so.$(VERSION) FORCE
	$(call copy,$<,$(BUILD)/libluft.so.$(VERSION))
	ln -sf libluft.so.$(VERSION) $(BUILD)/$(SONAME)
	ln -sf $(SONAME) $@

# For the machine that builds, and so without PEXT, which it need not have.
HOST_COMPILE = $(HOSTCC) -std=c17 -O2 $(WARNINGS) $(INCLUDES) -DLUFT_NO_PEXT -MMD -MP

$(TOOLS): $(BUILD)/%: tools/%.c
	$(call say,HOSTCC,$<)
	mkdir -p $(@D)
	$(HOST_COMPILE) -o $@ $(filter %.c %.o,$^)

$(BUILD)/make_openings: $(HOST_RULES)

$(HOST_RULES): $(BUILD)/host/%.o: %.c
	$(call say,HOSTCC,$<)
	mkdir -p $(@D)
	$(HOST_COMPILE) -O1 -c -o $@ $<

$(TABLES) &: $(BUILD)/make_tables
	$(call say,TABLES,$(BUILD)/gen)
	mkdir -p $(BUILD)/gen
	$(BUILD)/make_tables $(BUILD)/gen

$(OPENINGS): src/games/openings.txt $(BUILD)/make_openings
	$(call say,TABLES,$@)
	mkdir -p $(@D)
	$(BUILD)/make_openings $< $@

# The network that the engine evaluates with.
$(NETWORK): src/engine/network.luft $(BUILD)/make_network
	$(call say,TABLES,$@)
	mkdir -p $(@D)
	$(BUILD)/make_network $@ $<

-include $(patsubst %.o,%.d,$(LIBRARY) $(LIBRARY_PIC) $(ENGINE) $(BASE) $(CLI) $(TRAIN) $(SUPPORT)) $(TESTS:=.d) $(FUZZERS:=.d) $(FUZZ_SUPPORT:.o=.d) $(OUT)/src/train/main.d $(TOOLS:=.d) \
	$(HOST_RULES:.o=.d)

# --- WebAssembly ----------------------------------------------------------------

# Three modules: the engine, whose search can be set aside (asyncify) so that one thread is enough; the same with threads;
# and the rules for the page's own thread, small because a page waits for it. docs/web.md tells of them.
WASM_CC ?= clang-19
WASM_LD ?= wasm-ld-19
WASM_OPT ?= wasm-opt
WASM_OUT := $(BUILD)/obj/wasm
WASM_PACKAGE := $(BUILD)/web-package
# What all browsers have had since 2021; spelled out, because what a compiler takes for granted changes.
WASM_CPU := -mcpu=mvp -mbulk-memory -mmutable-globals -mnontrapping-fptoint -msign-ext -msimd128
WASM_OPT_CPU := --enable-bulk-memory --enable-mutable-globals --enable-nontrapping-float-to-int --enable-sign-ext --enable-simd
WASM_COMPILE = $(WASM_CC) --target=wasm32-wasi -std=c17 $(WARNINGS) $(INCLUDES) -Isrc/web/posix $(WASM_CPU) -DNDEBUG \
	-DLUFT_MAGICS_AT_START -fvisibility=hidden
WASM_LINK = $(WASM_CC) --target=wasm32-wasi -mexec-model=reactor -fuse-ld=$(shell command -v $(WASM_LD)) -Wl,--strip-debug,-z,stack-size=131072

comma := ,
WASM_PAUSES := --strip-producers --asyncify --pass-arg=asyncify-imports@luft.pause,luft.wait

WASM_LIBRARY := $(wildcard src/core/*.c src/games/*.c) $(BUILD)/gen/attack_tables.c $(BUILD)/gen/zobrist_table.c $(OPENINGS) \
	src/cli/output.c src/cli/setup.c src/cli/text.c src/web/magics.c
WASM_ENGINE := $(WASM_LIBRARY) $(wildcard src/engine/*.c) $(NETWORK) src/web/threads.c src/web/uci_web.c src/web/no_terminal.c \
	$(filter-out src/cli/uci_files.c src/cli/uci_loop.c,$(wildcard src/cli/uci*.c)) src/cli/bench.c src/cli/options.c
# The same, with threads that share memory. The C library knows of none and says so; crew.c locks what matters.
WASM_THREADS := $(WASM_ENGINE) src/web/crew.c
WASM_SHARED := -Wl,--shared-memory,--import-memory,--initial-memory=8388608,--max-memory=4294967296,--no-check-features \
	$(patsubst %,-Wl$(comma)--wrap=%,malloc calloc realloc aligned_alloc free)
WASM_RULES := $(WASM_LIBRARY) $(patsubst %,src/web/%.c,json rules pgn_read pgn_scan pgn_write)
WASM_ENGINE_OBJECTS := $(WASM_ENGINE:%.c=$(WASM_OUT)/engine/%.o)
WASM_THREADS_OBJECTS := $(WASM_THREADS:%.c=$(WASM_OUT)/threads/%.o)
WASM_RULES_OBJECTS := $(WASM_RULES:%.c=$(WASM_OUT)/rules/%.o)

wasm: ## the engine and the rules as WebAssembly, and the npm package: build/web-package
	scripts/setup wasm
	$(SUBMAKE) $(WASM_PACKAGE)/package.json

web: wasm ## the page for the browser: build/web
	scripts/build-web '$(BUILD)/web'

serve: web ## the same, served on localhost
	scripts/serve '$(BUILD)/web'

$(WASM_OUT)/flags: FORCE
	mkdir -p $(@D)
	echo '$(WASM_COMPILE) $(WASM_LINK) $(WASM_SHARED) $(WASM_OPT_CPU)' | cmp -s - $@ || \
		echo '$(WASM_COMPILE) $(WASM_LINK) $(WASM_SHARED) $(WASM_OPT_CPU)' >$@

$(WASM_ENGINE_OBJECTS): $(WASM_OUT)/engine/%.o: %.c $(WASM_OUT)/flags
	$(call say,WASM,$<)
	mkdir -p $(@D)
	$(WASM_COMPILE) -O3 -MMD -MP -c -o $@ $<

$(WASM_THREADS_OBJECTS): $(WASM_OUT)/threads/%.o: %.c $(WASM_OUT)/flags
	$(call say,WASM,$< (threads))
	mkdir -p $(@D)
	$(WASM_COMPILE) -matomics -O3 -MMD -MP -c -o $@ $<

$(WASM_RULES_OBJECTS): $(WASM_OUT)/rules/%.o: %.c $(WASM_OUT)/flags
	$(call say,WASM,$< (rules))
	mkdir -p $(@D)
	$(WASM_COMPILE) -O2 -MMD -MP -c -o $@ $<

$(WASM_OUT)/luft.wasm: $(WASM_ENGINE_OBJECTS)
	$(call say,WASM,$@)
	$(WASM_LINK) -Wl,--export=__stack_pointer -o $@.linked $^
	$(WASM_OPT) $(WASM_OPT_CPU) $(WASM_PAUSES) -O3 -o $@ $@.linked

$(WASM_OUT)/luft-threads.wasm: $(WASM_THREADS_OBJECTS)
	$(call say,WASM,$@)
	$(WASM_LINK) $(WASM_SHARED) -Wl,--export=__stack_pointer -o $@.linked $^
	$(WASM_OPT) $(WASM_OPT_CPU) --enable-threads $(WASM_PAUSES) -O3 -o $@ $@.linked

$(WASM_OUT)/luft-rules.wasm: $(WASM_RULES_OBJECTS)
	$(call say,WASM,$@)
	$(WASM_LINK) -o $@.linked $^
	$(WASM_OPT) $(WASM_OPT_CPU) --strip-producers -O2 -o $@ $@.linked

# The modules also go beside the sources of the package, so that the page can be built from those.
WASM_MODULES := $(WASM_OUT)/luft.wasm $(WASM_OUT)/luft-threads.wasm $(WASM_OUT)/luft-rules.wasm
$(WASM_PACKAGE)/package.json: $(WASM_MODULES) $(wildcard web/package/*.*) LICENSE
	mkdir -p $(WASM_PACKAGE)
	cp $(WASM_MODULES) LICENSE web/package
	cp web/package/*.js web/package/*.ts web/package/*.md web/package/*.wasm LICENSE $(WASM_PACKAGE)
	sed 's/"version": "[^"]*"/"version": "$(VERSION)"/' web/package/package.json >$@
	echo '  READY  $(WASM_PACKAGE)'

-include $(WASM_ENGINE_OBJECTS:.o=.d) $(WASM_THREADS_OBJECTS:.o=.d) $(WASM_RULES_OBJECTS:.o=.d)

# --- Running, testing, measuring ----------------------------------------------

# scripts/setup must have finished before anything is compiled, so these build in a second make.
SUBMAKE = $(MAKE) --no-print-directory

run: ## build and play a game in the terminal; without a terminal, look at a well-known position
	CC='$(CC)' scripts/setup run
	$(SUBMAKE) $(EXE)
	scripts/run '$(EXE)'

test: ## everything that must hold before a change goes in, in a few minutes
	BUILD='$(BUILD)' scripts/run-tests

test-long: ## the unit tests and the perft suites to full depth, and what the next six targets and lint do
	BUILD='$(BUILD)' scripts/run-tests --long

test-faults: ## every allocation and thread refused in turn, every spoiled file, and the contract with its long cases
	BUILD='$(BUILD)' scripts/run-tests --faults

test-sanitizers: ## all unit tests and the tests of the programs with gcc's sanitizers of memory and undefined behaviour
	BUILD='$(BUILD)' scripts/run-tests --sanitizers

test-threads: ## the unit tests and the sessions of UCI with gcc's sanitizer of data races
	BUILD='$(BUILD)' scripts/run-tests --threads

test-valgrind: ## the unit tests of the library in valgrind
	BUILD='$(BUILD)' scripts/run-tests --valgrind

test-builds: ## bench from gcc and clang, -O0 to -O3, with and without the best instructions
	BUILD='$(BUILD)' scripts/run-tests --builds

test-aarch64: ## bench on another processor, in qemu
	BUILD='$(BUILD)' scripts/run-tests --aarch64

lint: ## gcc -fanalyzer, clang-tidy, cppcheck and shellcheck
	scripts/setup lint
	BUILD='$(BUILD)' scripts/lint

SOAK_S ?= 300
soak: ## the engine under load for SOAK_S seconds (300): games on clocks, storms of commands, long analysis; or SOAK_PARTS of it alone, as movetime; SOAK_COUNT games and pairs
	scripts/setup soak
	$(SUBMAKE) all
	scripts/soak $(if $(SOAK_COUNT),--count '$(SOAK_COUNT)') '$(EXE)' '$(SOAK_S)' $(SOAK_PARTS)

MUTANTS ?= 100
MUTATE_SEED ?= 1
mutate: ## MUTANTS small mistakes (100) put into the rules of chess, each of which a test must find
	scripts/setup test
	scripts/mutate --count '$(MUTANTS)' --seed '$(MUTATE_SEED)'

bench: $(OUT)/luft ## the speed of perft beside stockfish, and of reading PGN=FILE beside pgn-extract, where these are installed; BENCH_ARGS='--json' and more
	scripts/bench $(OUT)/luft $(BENCH_ARGS)
	$(if $(BENCH_ARGS),,PGN='$(PGN)' scripts/bench-pgn $(OUT)/luft)

FUZZ_S ?= 60
fuzz: ## every fuzz target for FUZZ_S seconds (60); scripts/fuzz can do more
	scripts/setup test
	BUILD='$(BUILD)' scripts/fuzz '$(FUZZ_S)'

lab: ## the design lab: every open question of the design, measured (docs/design-lab.md)
	CC='$(CC)' BUILD='$(BUILD)' bench/lab/run

pgo: ## like all, optimised further with a profile; to install it: make install MODE=pgo
	CC='$(CC)' scripts/setup pgo
	rm -rf $(BUILD)/obj/$(notdir $(lastword $(CC)))-$(ARCH)-pgo
	$(SUBMAKE) MODE=profile EXE=$(BUILD)/luft-profile $(BUILD)/luft-profile
	CC='$(CC)' scripts/train-profile $(BUILD)/luft-profile $(BUILD)/obj/$(notdir $(lastword $(CC)))-$(ARCH)-pgo/profile
	rm -f $(BUILD)/luft-profile
	$(SUBMAKE) MODE=pgo all

coverage: ## the part of the lines of the library that the unit tests run; fails below 98 % of src/core, 95 % of src/games
	scripts/setup coverage
	$(SUBMAKE) CC=gcc MODE=coverage tests
	scripts/coverage $(BUILD)/obj/gcc-$(ARCH)-coverage

coverage-all: ## the same, and of the engine, the program and the trainer, with the tests of the program too; fails below 90 %
	scripts/setup coverage
	$(SUBMAKE) CC=gcc MODE=coverage EXE=$(BUILD)/coverage/luft tests $(BUILD)/coverage/luft $(BUILD)/obj/gcc-$(ARCH)-coverage/luft-train
	cp $(BUILD)/obj/gcc-$(ARCH)-coverage/luft-train $(BUILD)/coverage/luft-train
	scripts/coverage $(BUILD)/obj/gcc-$(ARCH)-coverage $(BUILD)/coverage/luft

# --- Installing ----------------------------------------------------------------

# Everything that install puts there, without DESTDIR; uninstall removes the same.
MAN_6 := $(wildcard man/*.6)
MAN_3 := $(wildcard man/*.3)
INSTALLED = $(BINDIR)/luft $(LIBDIR)/libluft.a $(LIBDIR)/libluft.so $(LIBDIR)/$(SONAME) $(LIBDIR)/libluft.so.$(VERSION) \
	$(LIBDIR)/pkgconfig/luft.pc $(HEADERS:include/%=$(INCLUDEDIR)/%) \
	$(MAN_6:man/%=$(MANDIR)/man6/%) $(MAN_3:man/%=$(MANDIR)/man3/%) \
	$(BASHDIR)/luft $(ZSHDIR)/_luft $(FISHDIR)/luft.fish

install: $(OUT)/luft $(OUT)/libluft.a $(OUT)/libluft.so.$(VERSION) ## into PREFIX (/usr/local), under DESTDIR where given
	install -d $(addprefix $(DESTDIR),$(sort $(dir $(INSTALLED))))
	install -m 755 $(OUT)/luft $(DESTDIR)$(BINDIR)/luft
	install -m 644 $(OUT)/libluft.a $(DESTDIR)$(LIBDIR)/libluft.a
	install -m 755 $(OUT)/libluft.so.$(VERSION) $(DESTDIR)$(LIBDIR)/libluft.so.$(VERSION)
	ln -sf libluft.so.$(VERSION) $(DESTDIR)$(LIBDIR)/$(SONAME)
	ln -sf $(SONAME) $(DESTDIR)$(LIBDIR)/libluft.so
	install -m 644 $(HEADERS) $(DESTDIR)$(INCLUDEDIR)/luft
	sed -e 's|@PREFIX@|$(abspath $(PREFIX))|' -e 's|@LIBDIR@|$(abspath $(LIBDIR))|' -e 's|@INCLUDEDIR@|$(abspath $(INCLUDEDIR))|' \
		-e 's|@VERSION@|$(VERSION)|' luft.pc.in >$(DESTDIR)$(LIBDIR)/pkgconfig/luft.pc
	chmod 644 $(DESTDIR)$(LIBDIR)/pkgconfig/luft.pc
	install -m 644 $(MAN_6) $(DESTDIR)$(MANDIR)/man6
	install -m 644 $(MAN_3) $(DESTDIR)$(MANDIR)/man3
	install -m 644 completions/luft.bash $(DESTDIR)$(BASHDIR)/luft
	install -m 644 completions/luft.zsh $(DESTDIR)$(ZSHDIR)/_luft
	install -m 644 completions/luft.fish $(DESTDIR)$(FISHDIR)/luft.fish
	test -n '$(DESTDIR)' || ldconfig 2>/dev/null || true # so that programs find the shared library at once
	echo '  READY  luft $(VERSION) in $(DESTDIR)$(PREFIX)'

uninstall: ## remove what install puts there
	rm -f $(addprefix $(DESTDIR),$(INSTALLED))
	rmdir $(DESTDIR)$(INCLUDEDIR)/luft 2>/dev/null || true

install-python: ## the Python module into PYTHONDIR, by default where python3 looks for modules
	install -d $(DESTDIR)$(PYTHONDIR)
	install -m 644 bindings/python/luft.py $(DESTDIR)$(PYTHONDIR)/luft.py

uninstall-python: ## remove it from there
	rm -f $(DESTDIR)$(PYTHONDIR)/luft.py

# --- Housekeeping ----------------------------------------------------------------

format: ## clang-format on all C files
	scripts/setup format
	clang-format -i $(C_FILES)

check-format: ## say which C files `make format` would change
	scripts/setup format
	clang-format --dry-run --Werror $(C_FILES)

help: ## this list
	echo 'make [TARGET] [ARCH=native|x86-64|x86-64-v2|x86-64-v3|armv8] [CC=gcc|clang] [EXE=build/luft] [PREFIX=/usr/local]'
	echo
	sed -n 's/^\([a-z0-9-]*\):[^#]*## *\(.*\)/\1|\2/p' $(firstword $(MAKEFILE_LIST)) | \
		while IFS='|' read -r target text; do printf '  %-14s %s\n' "$$target" "$$text"; done

clean: ## remove build/
	rm -rf $(BUILD)

# For scripts: the value of a variable of this file.
print-%:
	echo '$($*)'
