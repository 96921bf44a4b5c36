# SPDX-License-Identifier: MIT
#
# Archives of what is published: sources, programs and libraries, their sums, and what they contain.

.PHONY: dist dist-binaries dist-tree dist-linux dist-windows dist-sums

# --- Archives ------------------------------------------------------------------------

DIST := $(BUILD)/dist
DIST_NAME = luft-$(VERSION)-$(if $(WINDOWS),windows,linux)-$(TARGET_CPU)
DIST_TREE = $(DIST)/$(DIST_NAME)

# The commit whose sources are packed.
DIST_REF ?= HEAD

dist: ## the sources as build/dist/luft-VERSION.tar.gz, the same bytes for each commit
	mkdir -p $(DIST)
	git archive --format=tar --prefix=luft-$(VERSION)/ $(DIST_REF) | gzip -9n >$(DIST)/luft-$(VERSION).tar.gz
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

dist-linux:
	rm -rf $(DIST_TREE)
	+$(SUBMAKE) DESTDIR=$(abspath $(DIST)) PREFIX=/$(DIST_NAME) install-fat
	for name in $(PKG_CONFIG_FILES); do \
		sed -i 's|/$(DIST_NAME)|$${pcfiledir}/../..|' $(DIST_TREE)/lib/pkgconfig/$$name || exit; done
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
