# SPDX-License-Identifier: MIT
#
# Windows: the libraries as DLLs.

.PHONY: dll

# The exported names, from the public headers; variables are marked.
$(OUT)/libluft.def: $(filter-out %/engine.h %/database.h,$(HEADERS))
$(OUT)/libluft-engine.def: include/luft/engine.h
$(OUT)/libluft.def $(OUT)/libluft-engine.def: mk/windows.mk
	mkdir -p $(@D)
	echo EXPORTS >$@
	sed -n -e '/^LUFT_API extern/s/\(.*\)/\1 DATA/' -e 's/^LUFT_API \(extern \)\{0,1\}\([^;([]*\)[^;]*;*\( DATA\)\{0,1\}.*/\2\3/p' $(filter %.h,$^) | \
		sed -e 's/.*[ *]\([a-z0-9_]* DATA\)$$/\1/' -e '/DATA/!s/.*[ *]//' >>$@

$(OUT)/libluft.dll: $(LIBRARY_PIC) $(OUT)/libluft.def $(OUT)/objects
	$(call say,LINK,$@)
	$(LINK) -s -shared -Wl,--out-implib,$@.a -o $@ $(LIBRARY_PIC) $(OUT)/libluft.def -pthread

$(OUT)/libluft-engine.dll: $(ENGINE_PIC) $(WINDOWS_LIBRARY) $(OUT)/libluft-engine.def $(OUT)/libluft.dll $(OUT)/objects
	$(call say,LINK,$@)
	$(LINK) -s -shared -Wl,--out-implib,$@.a -o $@ $(ENGINE_PIC) $(WINDOWS_LIBRARY) $(OUT)/libluft-engine.def \
		$(OUT)/libluft.dll.a -pthread -lm

dll: $(OUT)/libluft.dll $(OUT)/libluft-engine.dll
