# SPDX-License-Identifier: MIT
#
# Programs, libraries, tests and the tables that are generated during the build.

# --- Files -------------------------------------------------------------------

HEADERS := $(wildcard include/luft/*.h)
TABLES := $(patsubst %,$(BUILD)/gen/%.c,attack_tables magic_table pext_table zobrist_table)
OPENINGS := $(BUILD)/gen/opening_table.c
NETWORK := $(BUILD)/gen/network.c
TOOLS := $(patsubst tools/%.c,$(BUILD)/%,$(wildcard tools/*.c))

sources = $(wildcard $(addsuffix /*.c,$(1)))
objects = $(patsubst %.c,$(OUT)/%.o,$(call sources,$(1)))

LIBRARY := $(call objects,src/core src/games) $(patsubst %.c,$(OUT)/%.o,$(TABLES) $(OPENINGS))
LIBRARY_PIC := $(LIBRARY:.o=.pic.o)
ENGINE := $(call objects,src/engine) $(NETWORK:%.c=$(OUT)/%.o)
UCI := $(call objects,src/uci)
UTIL := $(call objects,src/util)
LUFT := $(call objects,programs/luft programs/luft/*)
TRAIN_MAIN := $(OUT)/programs/luft-train/main.o
TRAIN := $(filter-out $(TRAIN_MAIN),$(call objects,programs/luft-train programs/luft-train/*))
# The rules of chess for a program that runs while Luft is built.
HOST_RULES := $(patsubst %.c,$(BUILD)/host/%.o,$(wildcard src/core/notation*.c) \
	$(patsubst %,src/core/%.c,bitboard make movegen position types) $(filter-out %/pext_table.c,$(TABLES)))
SUPPORT := $(call objects,tests/support)
TESTS := $(patsubst %.c,$(OUT)/%,$(wildcard tests/test_*.c))
# Those of libluft alone link without the engine and the programs.
LIBRARY_TESTS := $(patsubst %.c,$(OUT)/%,$(shell grep -LE '^.include "(engine|uci|util|luft-train)/' tests/test_*.c))
FUZZERS := $(patsubst %.c,$(OUT)/%,$(wildcard tests/fuzz/fuzz_*.c))
FUZZ_SUPPORT := $(patsubst %.c,$(OUT)/%.o,$(filter-out tests/fuzz/fuzz_%,$(wildcard tests/fuzz/*.c)) \
	$(wildcard tests/support/oracle*.c) bindings/wasm/no_terminal.c)
ALL_OBJECTS := $(LIBRARY) $(ENGINE) $(UCI) $(UTIL) $(LUFT) $(TRAIN_MAIN) $(TRAIN) $(SUPPORT)
ALL_LIBRARIES := $(patsubst %,$(OUT)/lib%.a,train uci util engine luft)
C_FILES := $(wildcard $(foreach d,include/luft src/* programs/* programs/*/* bindings/wasm tools tests tests/* bench bench/* examples,$d/*.c $d/*.h))

# --- Building ----------------------------------------------------------------

.PHONY: all lib train tools tests library-tests fuzzers FORCE

all: $(EXE) lib ## the program and the libraries, optimised for this CPU

lib: $(BUILD)/libluft.a $(BUILD)/libluft.so ## the libraries only: build/libluft.a, build/libluft.so

train: $(BUILD)/luft-train ## the program that makes the evaluation: build/luft-train

tools: $(TOOLS) ## the programs that find the magics and write the tables

tests: $(TESTS)

library-tests: $(LIBRARY_TESTS)

fuzzers: $(FUZZERS)

# These hold the command lines and the list of objects, and change only when those do.
$(OUT)/flags: FORCE
	mkdir -p $(@D)
	echo '$(COMPILE) | $(LINK)' | cmp -s - $@ || echo '$(COMPILE) | $(LINK)' >$@

$(OUT)/objects: FORCE
	mkdir -p $(@D)
	echo '$(ALL_OBJECTS)' | cmp -s - $@ || echo '$(ALL_OBJECTS)' >$@

$(OUT)/%.o: %.c $(OUT)/flags
	$(call say,CC,$<)
	mkdir -p $(@D)
	$(COMPILE) -MMD -MP -c -o $@ $<

# Tests may also include what they share. Private: the flags file above is a prerequisite and must not see it.
$(OUT)/tests/%.o: private INCLUDES += -Itests -Iprograms -Iprograms/luft-train

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

# Not installed: the parts of the programs that their tests link too.
$(OUT)/libengine.a: $(ENGINE)
$(OUT)/libuci.a: $(UCI)
$(OUT)/libutil.a: $(UTIL)
$(OUT)/libtrain.a: $(TRAIN)
$(OUT)/libsupport.a: $(SUPPORT)
$(patsubst %,$(OUT)/lib%.a,engine uci util train support): $(OUT)/objects
	$(call say,AR,$@)
	rm -f $@
	$(AR) rcs $@ $(filter %.o,$^)

$(OUT)/luft: $(LUFT) $(filter-out %/libtrain.a,$(ALL_LIBRARIES))
	$(call say,LINK,$@)
	$(LINK) -o $@ $^ -pthread $(UNPACKER_LIBRARIES) -lm

$(OUT)/luft-train: $(TRAIN_MAIN) $(ALL_LIBRARIES)
	$(call say,LINK,$@)
	$(LINK) -o $@ $^ -pthread $(UNPACKER_LIBRARIES) -lm

# Each program finds its own headers from its own folder.
$(UCI) $(OUT)/bindings/wasm/no_terminal.o: private INCLUDES += -Iprograms
$(LUFT): private INCLUDES += -Iprograms/luft
$(TRAIN) $(TRAIN_MAIN): private INCLUDES += -Iprograms/luft-train

# Tests can make allocations fail: tests/support/failing_malloc.h. The libraries call it and it calls them: one group.
WRAP_MALLOC := -Wl,--wrap=malloc,--wrap=realloc,--wrap=free

# Square roots without errno, so that compilers can compute several at once.
$(TRAIN): COMPILE += -fno-math-errno

$(LIBRARY_TESTS): $(OUT)/tests/%: $(OUT)/tests/%.o $(OUT)/libsupport.a $(OUT)/libluft.a
	$(call say,LINK,$@)
	$(LINK) $(WRAP_MALLOC) -o $@ $< -Wl,--start-group $(filter %.a,$^) -Wl,--end-group -lcmocka -pthread -lm

$(filter-out $(LIBRARY_TESTS),$(TESTS)): $(OUT)/tests/%: $(OUT)/tests/%.o $(OUT)/libsupport.a $(ALL_LIBRARIES)
	$(call say,LINK,$@)
	$(LINK) $(WRAP_MALLOC) -o $@ $< -Wl,--start-group $(filter %.a,$^) -Wl,--end-group -lcmocka -pthread $(UNPACKER_LIBRARIES) -lm

$(FUZZERS): $(OUT)/tests/fuzz/%: $(OUT)/tests/fuzz/%.o $(FUZZ_SUPPORT) $(ALL_LIBRARIES)
	$(call say,LINK,$@)
	$(LINK) -fsanitize=fuzzer -o $@ $< $(FUZZ_SUPPORT) $(ALL_LIBRARIES) -pthread $(UNPACKER_LIBRARIES) -lm

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

-include $(patsubst %.o,%.d,$(ALL_OBJECTS) $(LIBRARY_PIC) $(FUZZ_SUPPORT) $(HOST_RULES)) $(TESTS:=.d) $(FUZZERS:=.d) $(TOOLS:=.d)
