# SPDX-License-Identifier: MIT
#
# What is published: programs and libraries that run on every CPU of an architecture at full speed.
#
# A program contains its code several times, once for each variant (an ARCH), and the tables and the network once. One
# object per variant: all names in it are local but one, its main function. programs/dispatch/main.c calls the one that
# fits the CPU, so nothing is chosen later, and calls within a variant are direct.

.PHONY: fat fat-python variant

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
$(FAT)/%/variants.inc: mk/dist.mk
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

# --- The shared libraries ------------------------------------------------------------
#
# The loader of glibc chooses among folders by CPU: lib/glibc-hwcaps/x86-64-v3/libluft.so.0. It does not know which CPUs
# have PEXT slow, so the folder of v3 has magics; every CPU of v4 has it fast.

HWCAPS_x86_64 := x86-64-v2:x86-64-v2 x86-64-v3:x86-64-v3-magic x86-64-v4:x86-64-v4
HWCAPS = $(HWCAPS_$(TARGET_CPU))

# --- Archives ------------------------------------------------------------------------

.PHONY: dist dist-binaries dist-tree dist-linux dist-windows dist-sums

DIST := $(BUILD)/dist
DIST_NAME = luft-$(VERSION)-$(if $(WINDOWS),windows,linux)-$(TARGET_CPU)
DIST_TREE = $(DIST)/$(DIST_NAME)

dist: ## the sources as build/dist/luft-VERSION.tar.gz, the same bytes for each commit
	mkdir -p $(DIST)
	git archive --format=tar --prefix=luft-$(VERSION)/ HEAD | gzip -9n >$(DIST)/luft-$(VERSION).tar.gz
	echo '  READY  $(DIST)/luft-$(VERSION).tar.gz'

# Programs and libraries of other systems are built where their compilers are installed.
DIST_COMPILERS := $(foreach cc,aarch64-linux-gnu-gcc x86_64-w64-mingw32-gcc,$(if $(shell command -v $(cc)),$(cc)))

dist-binaries: ## programs and libraries for every CPU as archives in build/dist, their sums, and what they contain (SPDX)
	rm -rf $(DIST)/luft-*
	+$(SUBMAKE) dist dist-linux
	+for cc in $(DIST_COMPILERS); do \
		case $$cc in *mingw*) target=dist-windows ;; *) target=dist-linux ;; esac; \
		$(SUBMAKE) CC=$$cc BUILD=$(BUILD)/$$cc DIST=$(abspath $(DIST)) $$target || exit; done
	+$(SUBMAKE) dist-sums

# What make install puts there, for the oldest CPU; then the program and the libraries for others.
dist-linux: fat
	rm -rf $(DIST_TREE)
	+$(SUBMAKE) ARCH=$(BASELINE) DESTDIR=$(abspath $(DIST)) PREFIX=/$(DIST_NAME) install
	install -m 755 $(FAT)/bin/luft $(DIST_TREE)/bin/luft
	for name in $(PKG_CONFIG_FILES); do \
		sed -i 's|/$(DIST_NAME)|$${pcfiledir}/../..|' $(DIST_TREE)/lib/pkgconfig/$$name || exit; done
	+for pair in $(HWCAPS); do arch=$${pair#*:}; folder=$(DIST_TREE)/lib/glibc-hwcaps/$${pair%:*}; \
		$(SUBMAKE) ARCH=$$arch $(foreach l,$(LIBRARIES),$(call OUT_OF,$$arch)/$l.so.$(VERSION)) && mkdir -p $$folder || exit; \
		for name in $(LIBRARIES); do \
			install -m 755 $(call OUT_OF,$$arch)/$$name.so.$(VERSION) $$folder && \
			ln -sf $$name.so.$(VERSION) $$folder/$$name.so.$(ABI_VERSION) || exit; done; done
	find $(DIST_TREE)/lib -name '*.so.$(VERSION)' -exec $(CC:gcc=strip) --strip-unneeded {} +
	install -m 644 LICENSE README.md CHANGELOG.md $(DIST_TREE)
	scripts/dist/pack $(DIST)/$(DIST_NAME).tar.gz $(DIST_TREE)
	echo '  READY  $(DIST)/$(DIST_NAME).tar.gz'

dist-windows: fat
	rm -rf $(DIST_TREE)
	mkdir -p $(DIST_TREE)/include/luft
	+$(SUBMAKE) ARCH=$(BASELINE) dll
	install -m 755 $(FAT)/bin/luft.exe $(call OUT_OF,$(BASELINE))/libluft.dll $(call OUT_OF,$(BASELINE))/libluft-engine.dll $(DIST_TREE)
	install -m 644 $(call OUT_OF,$(BASELINE))/*.dll.a LICENSE README.md CHANGELOG.md $(DIST_TREE)
	install -m 644 $(HEADERS) $(DIST_TREE)/include/luft
	scripts/dist/pack $(DIST)/$(DIST_NAME).zip $(DIST_TREE)
	echo '  READY  $(DIST)/$(DIST_NAME).zip'

# number HEADER,NAME: the text of a #define in a system header
number = $(shell echo '$(2)' | cat - | { printf '\043include <$(1)>\n'; cat; } | $(CC) -E -P -x c - 2>/dev/null | tail -n 1 | tr -d '" ')
DIST_FILES = $(wildcard $(DIST)/luft-*.tar.gz $(DIST)/luft-*.zip)

dist-sums:
	scripts/dist/sbom $(VERSION) $(if $(filter 1,$(ZLIB)),zlib=$(call number,zlib.h,ZLIB_VERSION)) \
		$(if $(filter 1,$(ZSTD)),zstd=$(call number,zstd.h,ZSTD_VERSION_MAJOR).$(call number,zstd.h,ZSTD_VERSION_MINOR).$(call number,zstd.h,ZSTD_VERSION_RELEASE)) \
		$(if $(filter 1,$(SQLITE)),sqlite=$(call number,sqlite3.h,SQLITE_VERSION)) \
		$(if $(filter %.zip,$(DIST_FILES)),winpthreads=$(shell x86_64-w64-mingw32-gcc -E -P -dM -x c -include _mingw.h /dev/null | \
			sed -n 's/.*__MINGW64_VERSION_MAJOR //p').0.0) -- $(DIST_FILES) >$(DIST)/luft-$(VERSION).spdx.json
	scripts/dist/pack --checksums $(DIST_FILES) $(DIST)/luft-$(VERSION).spdx.json >$(DIST)/SHA256SUMS
	echo '  READY  $(DIST)/SHA256SUMS'

# --- Windows: the libraries as DLLs --------------------------------------------------

.PHONY: dll

# The exported names, from the public headers; variables are marked.
$(OUT)/libluft.def: $(filter-out %/engine.h,$(HEADERS))
$(OUT)/libluft-engine.def: include/luft/engine.h
$(OUT)/libluft.def $(OUT)/libluft-engine.def:
	mkdir -p $(@D)
	echo EXPORTS >$@
	sed -n -e '/^LUFT_API extern/s/\(.*\)/\1 DATA/' -e 's/^LUFT_API \(extern \)\{0,1\}\([^;([]*\)[^;]*;*\( DATA\)\{0,1\}.*/\2\3/p' $^ | \
		sed -e 's/.*[ *]\([a-z0-9_]* DATA\)$$/\1/' -e '/DATA/!s/.*[ *]//' >>$@

$(OUT)/libluft.dll: $(LIBRARY_PIC) $(OUT)/libluft.def $(OUT)/objects
	$(call say,LINK,$@)
	$(LINK) -s -shared -Wl,--out-implib,$@.a -o $@ $(LIBRARY_PIC) $(OUT)/libluft.def -pthread

$(OUT)/libluft-engine.dll: $(ENGINE_PIC) $(WINDOWS_LIBRARY) $(OUT)/libluft-engine.def $(OUT)/libluft.dll $(OUT)/objects
	$(call say,LINK,$@)
	$(LINK) -s -shared -Wl,--out-implib,$@.a -o $@ $(ENGINE_PIC) $(WINDOWS_LIBRARY) $(OUT)/libluft-engine.def \
		$(OUT)/libluft.dll.a -pthread -lm

dll: $(OUT)/libluft.dll $(OUT)/libluft-engine.dll
