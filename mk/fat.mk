# SPDX-License-Identifier: MIT
#
# Programs that run on every CPU of an architecture at full speed: `make fat`.
#
# A program contains its code several times, once for each variant (an ARCH), and the tables and the network once. One
# object per variant: all names in it are local but one, its main function. programs/dispatch/main.c calls the one that
# fits the CPU, so nothing is chosen later, and calls within a variant are direct.

.PHONY: fat fat-python fat-libraries install-fat install-fat-python

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
# because libmicrohttpd needs many libraries. FAT_SYSTEM=1, for packages of one system, links those of the system, keeps
# `luft db serve`, and leaves it to the packager to strip.
FAT_SYSTEM ?=
FAT_LINK = $(LINK) $(if $(FAT_SYSTEM),,-s)
# Libraries between these two are linked in; those of Windows stay static to the end.
FAT_STATIC = $(if $(FAT_SYSTEM),,-Wl$(comma)-Bstatic)
FAT_DYNAMIC = $(if $(FAT_SYSTEM)$(WINDOWS),,-Wl$(comma)-Bdynamic)

$(FAT)/bin/luft$(DOT_EXE): $(FAT)/luft/main.o $(OUT)/src/util/cpu.o $(WINDOWS_START) $(WINDOWS_LIBRARY) $(SHARED_DATA) \
		$(foreach v,$(VARIANTS),$(call OUT_OF,$v)/variant/luft.o)
	$(call say,LINK,$@)
	mkdir -p $(@D)
	$(FAT_LINK) -o $@ $^ -pthread $(FAT_STATIC) $(SQLITE_LIBRARIES) $(COMPRESSION_LIBRARIES) $(FAT_DYNAMIC) $(PLATFORM_LIBRARIES) -lm

$(FAT)/python/_core.abi3.so: $(FAT)/python/main.o $(OUT)/src/util/cpu.pic.o $(SHARED_DATA_PIC) \
		$(foreach v,$(VARIANTS),$(call OUT_OF,$v)/variant/python.o)
	$(call say,LINK,$@)
	printf '{ global: PyInit__core; local: *; };\n' >$(@D)/exports.map
	$(FAT_LINK) -shared -Wl,--version-script=$(@D)/exports.map -o $@ $^ -pthread -lm

# luft.Database waits for SQLite more than for the CPU: it has no variants.
$(FAT)/python/_store.abi3.so: $(STORE_OBJECTS) $(LIBRARY_PIC) $(DATABASE_PIC) $(OUT)/objects
	$(call say,LINK,$@)
	mkdir -p $(@D)
	printf '{ global: PyInit__store; local: *; };\n' >$(@D)/exports-store.map
	$(FAT_LINK) -shared -Wl,--version-script=$(@D)/exports-store.map -o $@ $(filter %.o,$^) -pthread \
		$(FAT_STATIC) $(SQLITE_LIBRARIES) $(FAT_DYNAMIC) -lm

fat: ## the program with variants for every CPU of this architecture: build/fat/luft
	+for arch in $(VARIANTS); do $(SUBMAKE) ARCH=$$arch $(if $(FAT_SYSTEM),,MICROHTTPD=0) $(call OUT_OF,$$arch)/variant/luft.o || exit; done
	+$(SUBMAKE) ARCH=$(BASELINE) $(FAT)/bin/luft$(DOT_EXE)
	$(call copy,$(FAT)/bin/luft$(DOT_EXE),$(BUILD)/fat/luft$(DOT_EXE))

FAT_MODULES := $(notdir $(PYTHON_MODULES))
fat-python: ## the same of the Python modules: build/fat/*.abi3.so
	+for arch in $(VARIANTS); do $(SUBMAKE) ARCH=$$arch $(call OUT_OF,$$arch)/variant/python.o || exit; done
	+$(SUBMAKE) ARCH=$(BASELINE) $(FAT_MODULES:%=$(FAT)/python/%)
	$(foreach name,$(FAT_MODULES),{ $(call copy,$(FAT)/python/$(name),$(BUILD)/fat/$(name)); } &&) true

# The loader of glibc chooses shared libraries by CPU among folders: lib/glibc-hwcaps/x86-64-v3/libluft.so.0.2. It does not
# know which CPUs have PEXT slow, so the folder of v3 has magics; every CPU of v4 has it fast.
HWCAPS_x86_64 := x86-64-v2:x86-64-v2 x86-64-v3:x86-64-v3-magic x86-64-v4:x86-64-v4
HWCAPS = $(HWCAPS_$(TARGET_CPU))
shared_libraries = $(foreach l,$(LIBRARIES),$(call OUT_OF,$(1))/$l.so.$(VERSION))

fat-libraries: ## the libraries for the oldest CPU, and the shared ones once more for each folder of the loader
	+$(SUBMAKE) ARCH=$(BASELINE) $(foreach l,$(LIBRARIES),$(call OUT_OF,$(BASELINE))/$l.a) $(call shared_libraries,$(BASELINE))
	+for pair in $(HWCAPS); do arch=$${pair#*:}; $(SUBMAKE) ARCH=$$arch $(call shared_libraries,$$arch) || exit; done

# What `make install` puts there, for the oldest CPU; then the program and the libraries for others.
install-fat: fat fat-libraries ## like install, with what `make fat fat-libraries` built
	+$(SUBMAKE) ARCH=$(BASELINE) install
	install -m 755 $(BUILD)/fat/luft $(DESTDIR)$(BINDIR)/luft
	for pair in $(HWCAPS); do folder=$(DESTDIR)$(LIBDIR)/glibc-hwcaps/$${pair%:*}; \
		install -d $$folder && install -m 755 $(call shared_libraries,$${pair#*:}) $$folder || exit; \
		for name in $(LIBRARIES); do ln -sf $$name.so.$(VERSION) $$folder/$$name.so.$(ABI_VERSION) || exit; done; done

install-fat-python: fat-python ## like install-python, with the module for every CPU
	+$(SUBMAKE) ARCH=$(BASELINE) INSTALLED_MODULES='$(FAT_MODULES:%=$(BUILD)/fat/%)' install-python
