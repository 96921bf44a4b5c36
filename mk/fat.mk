# SPDX-License-Identifier: MIT
#
# Programs that run on every CPU of an architecture at full speed: `make fat`.
#
# A program contains its code several times, once for each variant (an ARCH), and the tables and the network once. One
# object per variant: all names in it are local but one, its main function. programs/dispatch/main.c calls the one that
# fits the CPU, so nothing is chosen later, and calls within a variant are direct.

.PHONY: fat fat-python

# The machine that CC compiles for: x86_64 or aarch64, and the kind of system.
TARGET = $(shell $(CC) -dumpmachine)
TARGET_CPU = $(firstword $(subst -, ,$(TARGET)))

# The best first; the last runs everywhere.
VARIANTS_x86_64 := x86-64-v4-vnni x86-64-v3 x86-64-v3-magic x86-64-v2 x86-64
VARIANTS_aarch64 := armv8-dotprod armv8
VARIANTS = $(VARIANTS_$(TARGET_CPU))
BASELINE = $(lastword $(VARIANTS))

OUT_OF = $(BUILD)/obj/$(notdir $(lastword $(CC)))-$(1)-$(MODE)
FAT := $(call OUT_OF,fat)
# Data that all variants share.
SHARED_DATA := $(patsubst %.c,$(OUT)/%.o,$(TABLES) $(OPENINGS) $(NETWORK))
identifier = $(subst -,_,$(1))
# The main function of the sources; src/windows/start.c has the one of Windows.
MAIN := $(if $(WINDOWS),posix_main,main)

# one_object NAME: links the prerequisites to one object whose only global name is NAME, with the name of ARCH added
one_object = $(CC) $(ARCH_$(ARCH)) -nostdlib -r -o $@ $(filter %.o,$^) && \
	$(OBJCOPY) --redefine-sym $(1)=$(1)_$(call identifier,$(ARCH)) --keep-global-symbol=$(1)_$(call identifier,$(ARCH)) $@

$(OUT)/variant/luft.o: $(LUFT) $(UCI) $(DATABASE) $(UTIL) $(filter-out $(SHARED_DATA) $(WINDOWS_LIBRARY),$(ENGINE) $(LIBRARY)) $(OUT)/objects
	$(call say,LINK,$@)
	mkdir -p $(@D)
	$(call one_object,$(MAIN))

SHARED_DATA_PIC := $(SHARED_DATA:.o=.pic.o)
$(OUT)/variant/python.o: $(PYTHON_OBJECTS) $(filter-out $(SHARED_DATA_PIC),$(LIBRARY_PIC) $(ENGINE_PIC)) $(OUT)/objects
	$(call say,LINK,$@)
	mkdir -p $(@D)
	$(call one_object,PyInit__core)

# Tells the dispatcher the variants.
$(FAT)/%/variants.inc: mk/fat.mk
	mkdir -p $(@D)
	printf 'VARIANT("%s", %s)\n' $(foreach v,$(VARIANTS),$v $(FAT_ENTRY)_$(call identifier,$v)) >$@

$(FAT)/luft/variants.inc: FAT_ENTRY := $(MAIN)
$(FAT)/python/variants.inc: FAT_ENTRY := PyInit__core

# The rest is compiled for the oldest CPU: these rules run with ARCH=$(BASELINE).
$(FAT)/luft/main.o: programs/dispatch/main.c $(FAT)/luft/variants.inc src/util/cpu.h $(OUT)/flags
	$(call say,CC,$<)
	$(COMPILE) -DLUFT_VARIANTS='"$(abspath $(@D))/variants.inc"' -c -o $@ $<

$(FAT)/python/main.o: bindings/python/dispatch/module.c $(FAT)/python/variants.inc src/util/cpu.h $(OUT)/flags
	$(call say,CC,$<)
	$(COMPILE) $(PIC) -isystem $(PYTHON_INCLUDE) -DLUFT_VARIANTS='"$(abspath $(@D))/variants.inc"' -c -o $@ $<

# zlib, libzstd and SQLite are linked in: systems have different versions of them, or none. `luft db serve` is left out,
# because libmicrohttpd needs many libraries.
FAT_COMPRESSION = -Wl,-Bstatic $(SQLITE_LIBRARIES) $(COMPRESSION_LIBRARIES) $(if $(WINDOWS),,-Wl,-Bdynamic)

$(FAT)/bin/luft$(DOT_EXE): $(FAT)/luft/main.o $(OUT)/src/util/cpu.o $(WINDOWS_START) $(WINDOWS_LIBRARY) $(SHARED_DATA) \
		$(foreach v,$(VARIANTS),$(call OUT_OF,$v)/variant/luft.o)
	$(call say,LINK,$@)
	mkdir -p $(@D)
	$(LINK) -s -o $@ $^ -pthread $(FAT_COMPRESSION) $(PLATFORM_LIBRARIES) -lm

$(FAT)/python/_core.abi3.so: $(FAT)/python/main.o $(OUT)/src/util/cpu.pic.o $(SHARED_DATA_PIC) \
		$(foreach v,$(VARIANTS),$(call OUT_OF,$v)/variant/python.o)
	$(call say,LINK,$@)
	printf '{ global: PyInit__core; local: *; };\n' >$(@D)/exports.map
	$(LINK) -s -shared -Wl,--version-script=$(@D)/exports.map -o $@ $^ -pthread -lm

fat: ## the program with variants for every CPU of this architecture: build/fat/luft
	+for arch in $(VARIANTS); do $(SUBMAKE) ARCH=$$arch MICROHTTPD=0 $(call OUT_OF,$$arch)/variant/luft.o || exit; done
	+$(SUBMAKE) ARCH=$(BASELINE) $(FAT)/bin/luft$(DOT_EXE)
	$(call copy,$(FAT)/bin/luft$(DOT_EXE),$(BUILD)/fat/luft$(DOT_EXE))

fat-python: ## the same of the Python module: build/fat/_core.abi3.so
	+for arch in $(VARIANTS); do $(SUBMAKE) ARCH=$$arch $(call OUT_OF,$$arch)/variant/python.o || exit; done
	+$(SUBMAKE) ARCH=$(BASELINE) $(FAT)/python/_core.abi3.so
	$(call copy,$(FAT)/python/_core.abi3.so,$(BUILD)/fat/_core.abi3.so)
