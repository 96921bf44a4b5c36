# SPDX-License-Identifier: MIT
#
# Installing programs, libraries, headers, manual pages and completions, and removing them.

.PHONY: install uninstall

# Everything that install puts there, without DESTDIR; uninstall removes the same.
MAN_6 := $(wildcard man/*.6)
MAN_3 := $(wildcard man/*.3)
INSTALLED = $(BINDIR)/luft $(LIBDIR)/libluft.a $(LIBDIR)/libluft.so $(LIBDIR)/$(SONAME) $(LIBDIR)/libluft.so.$(VERSION) \
	$(LIBDIR)/pkgconfig/luft.pc $(HEADERS:include/%=$(INCLUDEDIR)/%) \
	$(MAN_6:man/%=$(MANDIR)/man6/%) $(MAN_3:man/%=$(MANDIR)/man3/%) \
	$(BASHDIR)/luft $(ZSHDIR)/_luft $(FISHDIR)/luft.fish

install: $(OUT)/luft $(OUT)/libluft.a $(OUT)/libluft.so.$(VERSION) ## into PREFIX (/usr/local), under DESTDIR where given
	install -d $(addprefix $(DESTDIR),$(sort $(dir $(INSTALLED))))
	install -m 755 $(OUT)/luft $(DESTDIR)$(BINDIR)/luft
	install -m 644 $(OUT)/libluft.a $(DESTDIR)$(LIBDIR)/libluft.a
	install -m 755 $(OUT)/libluft.so.$(VERSION) $(DESTDIR)$(LIBDIR)/libluft.so.$(VERSION)
	ln -sf libluft.so.$(VERSION) $(DESTDIR)$(LIBDIR)/$(SONAME)
	ln -sf $(SONAME) $(DESTDIR)$(LIBDIR)/libluft.so
	install -m 644 $(HEADERS) $(DESTDIR)$(INCLUDEDIR)/luft
	sed -e 's|@PREFIX@|$(abspath $(PREFIX))|' -e 's|@LIBDIR@|$(abspath $(LIBDIR))|' -e 's|@INCLUDEDIR@|$(abspath $(INCLUDEDIR))|' \
		-e 's|@VERSION@|$(VERSION)|' luft.pc.in >$(DESTDIR)$(LIBDIR)/pkgconfig/luft.pc
	chmod 644 $(DESTDIR)$(LIBDIR)/pkgconfig/luft.pc
	install -m 644 $(MAN_6) $(DESTDIR)$(MANDIR)/man6
	install -m 644 $(MAN_3) $(DESTDIR)$(MANDIR)/man3
	install -m 644 completions/luft.bash $(DESTDIR)$(BASHDIR)/luft
	install -m 644 completions/luft.zsh $(DESTDIR)$(ZSHDIR)/_luft
	install -m 644 completions/luft.fish $(DESTDIR)$(FISHDIR)/luft.fish
	test -n '$(DESTDIR)' || ldconfig 2>/dev/null || true # so that programs find the shared library at once
	echo '  READY  luft $(VERSION) in $(DESTDIR)$(PREFIX)'

uninstall: ## remove what install puts there
	rm -f $(addprefix $(DESTDIR),$(INSTALLED))
	rmdir $(DESTDIR)$(INCLUDEDIR)/luft 2>/dev/null || true
