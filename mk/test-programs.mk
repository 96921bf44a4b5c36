# SPDX-License-Identifier: MIT
#
# Programs of the tests: unit tests and fuzz targets.

# Without SQLite there is no database to test.
DATABASE_SOURCES := $(if $(DATABASE),,$(wildcard tests/test_database*.c tests/fuzz/fuzz_database*.c))
TESTS := $(patsubst %.c,$(OUT)/%,$(filter-out $(DATABASE_SOURCES),$(wildcard tests/test_*.c)))
# Those of libluft alone link without the engine and the programs.
LIBRARY_TESTS := $(patsubst %.c,$(OUT)/%,$(shell grep -LE '^.include "(database/|luft/database|engine/|luft/engine|uci/|util/|luft-train/|support/asking)' tests/test_*.c))
FUZZERS := $(patsubst %.c,$(OUT)/%,$(filter-out $(DATABASE_SOURCES),$(wildcard tests/fuzz/fuzz_*.c)))
FUZZ_SUPPORT := $(patsubst %.c,$(OUT)/%.o,$(filter-out tests/fuzz/fuzz_%,$(wildcard tests/fuzz/*.c)) \
	$(wildcard tests/support/oracle*.c))

.PHONY: tests library-tests fuzzers

tests: $(TESTS)

library-tests: $(LIBRARY_TESTS)

fuzzers: $(FUZZERS)

CMOCKA ?= -lcmocka

# Tests may also include what they share. Private, because the flags file is a prerequisite and must not see it.
$(OUT)/tests/%.o: private INCLUDES += -Itests -Iprograms -Iprograms/luft-train

# With the sanitizers clang compiles the tests without optimisation in less than half the time; they run as fast.
$(TESTS:=.o): private COMPILE += $(if $(filter fuzz,$(MODE)),-O0)

# Tests can make allocations fail: tests/support/failing_malloc.h. The libraries call it and it calls them: one group.
WRAP_MALLOC := -Wl,--wrap=malloc,--wrap=calloc,--wrap=aligned_alloc,--wrap=realloc,--wrap=free

$(LIBRARY_TESTS): $(OUT)/tests/%: $(OUT)/tests/%.o $(OUT)/libsupport.a $(OUT)/libluft.a
	$(call say,LINK,$@)
	$(LINK) $(WRAP_MALLOC) -o $@ $< -Wl,--start-group $(filter %.a,$^) -Wl,--end-group $(CMOCKA) -pthread -lm

$(filter-out $(LIBRARY_TESTS),$(TESTS)): $(OUT)/tests/%: $(OUT)/tests/%.o $(OUT)/libsupport.a $(ALL_LIBRARIES)
	$(call say,LINK,$@)
	$(LINK) $(WRAP_MALLOC) -o $@ $< -Wl,--start-group $(filter %.a,$^) -Wl,--end-group $(CMOCKA) -pthread $(SQLITE_LIBRARIES) $(COMPRESSION_LIBRARIES) -lm

$(FUZZERS): $(OUT)/tests/fuzz/%: $(OUT)/tests/fuzz/%.o $(FUZZ_SUPPORT) $(ALL_LIBRARIES)
	$(call say,LINK,$@)
	$(LINK) -fsanitize=fuzzer -o $@ $< $(FUZZ_SUPPORT) $(ALL_LIBRARIES) -pthread $(SQLITE_LIBRARIES) $(COMPRESSION_LIBRARIES) -lm

-include $(FUZZ_SUPPORT:.o=.d) $(TESTS:=.d) $(FUZZERS:=.d)
