# SPDX-License-Identifier: MIT
#
# Installing programs, libraries, headers, manual pages and completions, and removing them.

.PHONY: install uninstall

# Everything that install puts there, without DESTDIR; uninstall removes the same.
# luft-mpi is not installed: it fits the MPI of the cluster where `make mpi` built it.
MAN_6 := $(filter-out man/luft-mpi.6,$(wildcard man/*.6))
MAN_3 := $(wildcard man/*.3)
PKG_CONFIG_FILES := luft.pc luft-engine.pc $(if $(DATABASE),luft-database.pc)
# Below LIBDIR/cmake/luft, for find_package.
CMAKE_FILES := luft-config.cmake luft-config-version.cmake
INSTALLED = $(BINDIR)/luft $(foreach l,$(LIBRARIES),$(patsubst %,$(LIBDIR)/$l.%,a so so.$(ABI_VERSION) so.$(VERSION))) \
	$(PKG_CONFIG_FILES:%=$(LIBDIR)/pkgconfig/%) $(CMAKE_FILES:%=$(LIBDIR)/cmake/luft/%) $(HEADERS:include/%=$(INCLUDEDIR)/%) \
	$(MAN_6:man/%=$(MANDIR)/man6/%) $(MAN_3:man/%=$(MANDIR)/man3/%) \
	$(BASHDIR)/luft $(ZSHDIR)/_luft $(FISHDIR)/luft.fish

# The path from LIBDIR up to PREFIX, so that an installation can be moved; without one the absolute path of the headers.
empty :=
LIBDIR_UP = $(subst $(empty) ,/,$(patsubst %,..,$(subst /, ,$(patsubst $(PREFIX)/%,%,$(filter $(PREFIX)/%,$(LIBDIR))))))
CMAKE_INCLUDEDIR = $(if $(and $(LIBDIR_UP),$(filter $(PREFIX)/%,$(INCLUDEDIR))),$${_luft_libdir}/$(LIBDIR_UP)/$(INCLUDEDIR:$(PREFIX)/%=%),$(abspath $(INCLUDEDIR)))

install: $(OUT)/luft $(foreach l,$(LIBRARIES),$(OUT)/$l.a $(OUT)/$l.so.$(VERSION)) ## into PREFIX (/usr/local), under DESTDIR where given
	install -d $(addprefix $(DESTDIR),$(sort $(dir $(INSTALLED))))
	install -m 755 $(OUT)/luft $(DESTDIR)$(BINDIR)/luft
	for name in $(LIBRARIES); do \
		install -m 644 $(OUT)/$$name.a $(DESTDIR)$(LIBDIR)/$$name.a && \
		install -m 755 $(OUT)/$$name.so.$(VERSION) $(DESTDIR)$(LIBDIR)/$$name.so.$(VERSION) && \
		ln -sf $$name.so.$(VERSION) $(DESTDIR)$(LIBDIR)/$$name.so.$(ABI_VERSION) && \
		ln -sf $$name.so.$(ABI_VERSION) $(DESTDIR)$(LIBDIR)/$$name.so || exit; \
	done
	install -m 644 $(HEADERS) $(DESTDIR)$(INCLUDEDIR)/luft
	for name in $(PKG_CONFIG_FILES); do \
		sed -e 's|@PREFIX@|$(abspath $(PREFIX))|' -e 's|@LIBDIR@|$(abspath $(LIBDIR))|' -e 's|@VERSION@|$(VERSION)|' \
			-e 's|@INCLUDEDIR@|$(abspath $(INCLUDEDIR))|' $$name.in >$(DESTDIR)$(LIBDIR)/pkgconfig/$$name && \
		chmod 644 $(DESTDIR)$(LIBDIR)/pkgconfig/$$name || exit; \
	done
	for name in $(CMAKE_FILES); do \
		sed -e 's|@CMAKE_INCLUDEDIR@|$(CMAKE_INCLUDEDIR)|' -e 's|@VERSION@|$(VERSION)|' -e 's|@ABI_VERSION@|$(ABI_VERSION)|' \
			cmake/$$name.in >$(DESTDIR)$(LIBDIR)/cmake/luft/$$name && chmod 644 $(DESTDIR)$(LIBDIR)/cmake/luft/$$name || exit; \
	done
	install -m 644 $(MAN_6) $(DESTDIR)$(MANDIR)/man6
	install -m 644 $(MAN_3) $(DESTDIR)$(MANDIR)/man3
	install -m 644 completions/luft.bash $(DESTDIR)$(BASHDIR)/luft
	install -m 644 completions/luft.zsh $(DESTDIR)$(ZSHDIR)/_luft
	install -m 644 completions/luft.fish $(DESTDIR)$(FISHDIR)/luft.fish
	test -n '$(DESTDIR)' || ldconfig 2>/dev/null || true # so that programs find the shared library at once
	echo '  READY  luft $(VERSION) in $(DESTDIR)$(PREFIX)'

uninstall: ## remove what install puts there
	rm -f $(addprefix $(DESTDIR),$(INSTALLED))
	rmdir $(DESTDIR)$(INCLUDEDIR)/luft $(DESTDIR)$(LIBDIR)/cmake/luft 2>/dev/null || true
