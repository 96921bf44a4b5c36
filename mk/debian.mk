# SPDX-License-Identifier: MIT
#
# Debian packages, from the archive of the sources as a package builder has it. debian/ describes the packages.

.PHONY: deb test-deb

DEB := $(BUILD)/deb

deb: dist ## Debian packages: build/deb
	scripts/setup deb
	rm -rf $(DEB)
	mkdir -p $(DEB)
	cp $(DIST)/luft-$(VERSION).tar.gz $(DEB)/luft_$(VERSION).orig.tar.gz
	tar -xzf $(DIST)/luft-$(VERSION).tar.gz -C $(DEB)
	cd $(DEB)/luft-$(VERSION) && env -u MAKEFLAGS -u MAKELEVEL -u MFLAGS -u BUILD dpkg-buildpackage -us -uc -j$(shell nproc) >../build.log 2>&1 || \
		{ tail -n 30 ../build.log; exit 1; }
	echo '  READY  $(DEB)'

test-deb: deb ## lintian, then the packages installed, used and removed in a fresh Debian (as root, by debootstrap)
	tests/dist/test_deb.sh $(EXE) $(DEB)
