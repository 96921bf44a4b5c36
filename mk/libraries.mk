# SPDX-License-Identifier: MIT
#
# The libraries that are installed, static and shared.

.PHONY: lib

LIBRARIES := libluft libluft-engine $(if $(DATABASE),libluft-database)

lib: $(foreach l,$(LIBRARIES),$(BUILD)/$l.a $(BUILD)/$l.so) ## the libraries only: build/libluft.a, build/libluft.so; libluft-engine and libluft-database likewise

# strip_lto FILE: removes what only this compiler can read
strip_lto = $(if $(LTO),if command -v '$(OBJCOPY)' >/dev/null; then $(OBJCOPY) -R '.gnu.lto_*' -R '.gnu.debuglto_*' $(1); fi)

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

$(foreach l,libluft libluft-engine libluft-database,$(BUILD)/$l.a): $(BUILD)/%: $(OUT)/% FORCE
	$(call copy,$<,$@)

$(foreach l,libluft libluft-engine libluft-database,$(BUILD)/$l.so): $(BUILD)/%: $(OUT)/%.$(VERSION) FORCE
	$(call copy,$<,$@.$(VERSION))
	ln -sf $(@F).$(VERSION) $@.$(ABI_VERSION)
	ln -sf $(@F).$(ABI_VERSION) $@
