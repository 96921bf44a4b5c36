# SPDX-License-Identifier: MIT
#
# Programs and libraries.

# --- Files -------------------------------------------------------------------

HEADERS := $(wildcard include/luft/*.h)

sources = $(wildcard $(addsuffix /*.c,$(1)))
objects = $(patsubst %.c,$(OUT)/%.o,$(call sources,$(1)))

LIBRARY := $(call objects,src/core src/games) $(patsubst %.c,$(OUT)/%.o,$(TABLES) $(OPENINGS))
LIBRARY_PIC := $(LIBRARY:.o=.pic.o)
ENGINE := $(call objects,src/engine) $(NETWORK:%.c=$(OUT)/%.o)
ENGINE_PIC := $(ENGINE:.o=.pic.o)
# What libluft-database contains beside its own sources.
DATABASE_UTIL := $(patsubst %,$(OUT)/src/util/%.o,atomic_file buffer date text)
DATABASE := $(if $(filter 1,$(SQLITE)),$(call objects,src/database))
DATABASE_PIC := $(patsubst %.o,%.pic.o,$(if $(DATABASE),$(DATABASE) $(DATABASE_UTIL)))
UCI := $(call objects,src/uci)
UTIL := $(call objects,src/util)
# Windows: the part of POSIX that the libraries need, that of the programs, and the main function.
ifneq ($(WINDOWS),)
WINDOWS_LIBRARY := $(patsubst %,$(OUT)/src/windows/%.o,files memory poll wide)
WINDOWS_START := $(OUT)/src/windows/start.o
UTIL := $(filter-out %/interrupt.o %/standard_files.o,$(UTIL)) $(OUT)/src/windows/interrupt.o
LIBRARY += $(WINDOWS_LIBRARY)
LIBRARY_PIC := $(LIBRARY:.o=.pic.o)
PLATFORM_LIBRARIES := -lwinmm -lshell32
endif
LUFT_DB := $(OUT)/programs/luft/db/db.o
LUFT := $(filter-out $(if $(DATABASE),,$(filter-out $(LUFT_DB),$(call objects,programs/luft/db))),$(call objects,programs/luft programs/luft/*))
TRAIN_MAIN := $(OUT)/programs/luft-train/main.o
TRAIN := $(filter-out $(TRAIN_MAIN),$(call objects,programs/luft-train programs/luft-train/*))
SUPPORT := $(call objects,tests/support)
ALL_OBJECTS := $(LIBRARY) $(ENGINE) $(DATABASE) $(UCI) $(UTIL) $(LUFT) $(TRAIN_MAIN) $(TRAIN) $(SUPPORT)
ALL_LIBRARIES := $(patsubst %,$(OUT)/lib%.a,train uci $(if $(DATABASE),database) util engine luft)
C_FILES := $(wildcard $(foreach d,include/luft src/* programs/* programs/*/* bindings/* bindings/*/src tools tests tests/* bench bench/* examples,$d/*.c $d/*.h))

# What the programs link in place of libluft.a, which has no objects for LTO.
PROGRAM_LIBRARY := $(if $(LTO),$(LIBRARY),$(OUT)/libluft.a)
# strip_lto FILE: removes what only this compiler can read
strip_lto = $(if $(LTO),if command -v '$(OBJCOPY)' >/dev/null; then $(OBJCOPY) -R '.gnu.lto_*' -R '.gnu.debuglto_*' $(1); fi)

# --- Building ----------------------------------------------------------------

.PHONY: all lib train FORCE

# The installed libraries.
LIBRARIES := libluft libluft-engine $(if $(DATABASE),libluft-database)

all: $(EXE) lib ## the program and the libraries, optimised for this CPU

lib: $(foreach l,$(LIBRARIES),$(BUILD)/$l.a $(BUILD)/$l.so) ## the libraries only: build/libluft.a, build/libluft.so; libluft-engine and libluft-database likewise

train: $(BUILD)/luft-train ## the program that makes the evaluation: build/luft-train

# Hold the command lines and the list of objects, and change only when those do.
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

$(OUT)/%.pic.o: %.c $(OUT)/flags
	$(call say,CC,$< (shared))
	mkdir -p $(@D)
	$(COMPILE) $(PIC) -MMD -MP -c -o $@ $<

$(OUT)/libluft.a: $(LIBRARY) $(OUT)/objects
	$(call say,AR,$@)
	rm -f $@
	$(AR) rcs $@ $(LIBRARY)
	$(call strip_lto,$@)

$(OUT)/libluft.so.$(VERSION): $(LIBRARY_PIC) $(OUT)/objects luft.map
	$(call say,LINK,$@)
	$(LINK) -shared -Wl,-soname,$(SONAME) $(call version_script,luft.map) -o $@ $(LIBRARY_PIC)

# One object with the public names alone: those of the engine's modules, such as search_run, are for nobody else.
$(OUT)/libluft-engine.a: $(ENGINE) $(OUT)/objects
	$(call say,AR,$@)
	rm -f $@
	if command -v '$(OBJCOPY)' >/dev/null; then \
		$(CC) $(ARCH_$(ARCH)) $(if $(LTO),-fno-lto -fno-use-linker-plugin) -nostdlib -r -o $(OUT)/luft-engine.o $(ENGINE) && \
			$(OBJCOPY) --localize-hidden -R '.gnu.lto_*' -R '.gnu.debuglto_*' $(OUT)/luft-engine.o && $(AR) rcs $@ $(OUT)/luft-engine.o; \
	else $(AR) rcs $@ $(ENGINE); fi

$(OUT)/libluft-engine.so.$(VERSION): $(ENGINE_PIC) $(OUT)/libluft.so.$(VERSION) $(OUT)/objects luft-engine.map
	$(call say,LINK,$@)
	$(LINK) -shared -Wl,-soname,$(ENGINE_SONAME) $(call version_script,luft-engine.map) -o $@ $(ENGINE_PIC) \
		$(OUT)/libluft.so.$(VERSION) -pthread -lm

# The same for the database, with the few sources of src/util that it uses.
$(OUT)/libluft-database.a: $(DATABASE) $(DATABASE_UTIL) $(OUT)/objects
	$(call say,AR,$@)
	rm -f $@
	if command -v '$(OBJCOPY)' >/dev/null; then \
		$(CC) $(ARCH_$(ARCH)) -nostdlib -r -o $(OUT)/luft-database.o $(DATABASE) $(DATABASE_UTIL) && \
			$(OBJCOPY) --localize-hidden $(OUT)/luft-database.o && $(AR) rcs $@ $(OUT)/luft-database.o; \
	else $(AR) rcs $@ $(DATABASE) $(DATABASE_UTIL); fi

$(OUT)/libluft-database.so.$(VERSION): $(DATABASE_PIC) $(OUT)/libluft.so.$(VERSION) $(OUT)/objects luft-database.map
	$(call say,LINK,$@)
	$(LINK) -shared -Wl,-soname,$(DATABASE_SONAME) $(call version_script,luft-database.map) -o $@ $(DATABASE_PIC) \
		$(OUT)/libluft.so.$(VERSION) -pthread $(SQLITE_LIBRARIES) -lm

# Not installed: the parts of the programs that their tests link too.
$(OUT)/libengine.a: $(ENGINE)
$(OUT)/libdatabase.a: $(DATABASE)
$(OUT)/libuci.a: $(UCI)
$(OUT)/libutil.a: $(UTIL)
$(OUT)/libtrain.a: $(TRAIN)
$(OUT)/libsupport.a: $(SUPPORT)
$(patsubst %,$(OUT)/lib%.a,engine database uci util train support): $(OUT)/objects
	$(call say,AR,$@)
	rm -f $@
	$(AR) rcs $@ $(filter %.o,$^)

$(OUT)/luft$(DOT_EXE): $(LUFT) $(WINDOWS_START) $(filter-out %/libtrain.a %/libluft.a,$(ALL_LIBRARIES)) $(PROGRAM_LIBRARY)
	$(call say,LINK,$@)
	$(LINK) $(LTO) -o $@ $^ -pthread $(SQLITE_LIBRARIES) $(COMPRESSION_LIBRARIES) $(PLATFORM_LIBRARIES) -lm

$(OUT)/luft-train: $(TRAIN_MAIN) $(filter-out %/libluft.a,$(ALL_LIBRARIES)) $(PROGRAM_LIBRARY)
	$(call say,LINK,$@)
	$(LINK) $(LTO) -o $@ $^ -pthread $(SQLITE_LIBRARIES) $(COMPRESSION_LIBRARIES) -lm

# The search, and what of the core it calls. Private, because the flags file is a prerequisite and must not see it.
$(call objects,src/engine) $(patsubst %,$(OUT)/src/core/%.o,make movegen position): private COMPILE += \
	$(if $(LTO),$(LTO) -ffat-lto-objects)

# Each program finds its own headers from its own folder.
$(LUFT): private INCLUDES += -Iprograms/luft
# Compiled again when MICROHTTPD changes.
$(OUT)/microhttpd: FORCE
	mkdir -p $(@D)
	echo '$(MICROHTTPD)' | cmp -s - $@ || echo '$(MICROHTTPD)' >$@

$(OUT)/programs/luft/db/serve.o $(OUT)/programs/luft/db/http_library.o: $(OUT)/microhttpd
$(OUT)/programs/luft/db/serve.o $(OUT)/programs/luft/db/http_library.o: private COMPILE += $(if $(filter 1,$(MICROHTTPD)),-DLUFT_WITH_MICROHTTPD)
$(LUFT_DB): private COMPILE += $(if $(DATABASE),-DLUFT_WITH_SQLITE)
$(TRAIN) $(TRAIN_MAIN): private INCLUDES += -Iprograms/luft-train

# Square roots without errno, so that compilers can compute several at once.
$(TRAIN): COMPILE += -fno-math-errno

# Copies a product from the directory of its configuration unless the same file is there already. Removes the old file
# first, because a running program cannot be overwritten.
copy = cmp -s $(1) $(2) || { mkdir -p $(dir $(2)) && rm -f $(2) && cp $(1) $(2) && echo '  READY  $(2)'; }

$(EXE): $(OUT)/luft$(DOT_EXE) FORCE
	$(call copy,$<,$@)

$(BUILD)/luft-train: $(OUT)/luft-train FORCE
	$(call copy,$<,$@)

$(foreach l,libluft libluft-engine libluft-database,$(BUILD)/$l.a): $(BUILD)/%: $(OUT)/% FORCE
	$(call copy,$<,$@)

$(foreach l,libluft libluft-engine libluft-database,$(BUILD)/$l.so): $(BUILD)/%: $(OUT)/%.$(VERSION) FORCE
	$(call copy,$<,$@.$(VERSION))
	ln -sf $(@F).$(VERSION) $@.$(ABI_VERSION)
	ln -sf $(@F).$(ABI_VERSION) $@

-include $(patsubst %.o,%.d,$(ALL_OBJECTS) $(LIBRARY_PIC) $(ENGINE_PIC) $(DATABASE_PIC))
