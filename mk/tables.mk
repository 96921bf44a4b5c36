# SPDX-License-Identifier: MIT
#
# The tables that are generated during the build, and the tools that generate them.

.PHONY: tools

TABLES := $(patsubst %,$(BUILD)/gen/%.c,attack_tables magic_table pext_table zobrist_table)
OPENINGS := $(BUILD)/gen/opening_table.c
NETWORK := $(BUILD)/gen/network.c
TOOLS := $(patsubst tools/%.c,$(BUILD)/%,$(wildcard tools/*.c))
# The rules of chess, for a tool that runs during the build.
HOST_RULES := $(patsubst %.c,$(BUILD)/host/%.o,$(wildcard src/core/notation*.c) \
	$(patsubst %,src/core/%.c,bitboard make movegen position types) $(filter-out %/pext_table.c,$(TABLES)))

tools: $(TOOLS) ## the programs that find the magics and write the tables

# Compiles for the machine that builds: without PEXT, which it may lack.
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

# The network of the engine.
$(NETWORK): src/engine/network.luft $(BUILD)/make_network
	$(call say,TABLES,$@)
	mkdir -p $(@D)
	$(BUILD)/make_network $@ $<

-include $(HOST_RULES:.o=.d) $(TOOLS:=.d)
