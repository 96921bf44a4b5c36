# SPDX-License-Identifier: MIT
#
# Programs, and the objects that programs, libraries and tests are made of.

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
SUPPORT := $(filter-out $(if $(DATABASE),,%/made_database.o),$(call objects,tests/support))
ALL_OBJECTS := $(LIBRARY) $(ENGINE) $(DATABASE) $(UCI) $(UTIL) $(LUFT) $(TRAIN_MAIN) $(TRAIN) $(SUPPORT)
ALL_LIBRARIES := $(patsubst %,$(OUT)/lib%.a,train uci $(if $(DATABASE),database) util engine luft)
C_FILES := $(wildcard $(foreach d,include/luft src/* programs/* programs/*/* bindings/* bindings/*/* tools tests tests/* bench bench/* examples,$d/*.c $d/*.h))

# What the programs link in place of libluft.a, which has no objects for LTO.
PROGRAM_LIBRARY := $(if $(LTO),$(LIBRARY),$(OUT)/libluft.a)

# --- Building ----------------------------------------------------------------

.PHONY: all train FORCE

all: $(EXE) lib ## the program and the libraries, optimised for this CPU

train: $(TRAIN_EXE) ## the program that makes the evaluation: build/luft-train

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

$(TRAIN_EXE): $(OUT)/luft-train FORCE
	$(call copy,$<,$@)

-include $(patsubst %.o,%.d,$(ALL_OBJECTS) $(LIBRARY_PIC) $(ENGINE_PIC) $(DATABASE_PIC))
