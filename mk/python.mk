# SPDX-License-Identifier: MIT
#
# The Python package of bindings/python: building it, packing it as a wheel, installing it.
# The compiled modules contain libluft, libluft-engine and libluft-database and use CPython's limited API: one binary for
# Python 3.11 and every later version.

.PHONY: python wheel sdist test-wheel install-python uninstall-python

PYTHON_FILES := $(wildcard bindings/python/luft/*.py bindings/python/luft/*.pyi bindings/python/luft/py.typed)
# Both modules contain the files of shared.
PYTHON_OBJECTS := $(patsubst %.c,$(OUT)/%.pic.o,$(wildcard bindings/python/src/*.c bindings/python/shared/*.c))
PYTHON_MODULE := $(OUT)/bindings/python/_core.abi3.so
# luft.Database, a module of its own because it needs SQLite. It lies beside the other.
STORE_OBJECTS := $(if $(DATABASE),$(patsubst %.c,$(OUT)/%.pic.o,$(wildcard bindings/python/database/*.c bindings/python/shared/*.c)))
STORE_MODULE := $(if $(DATABASE),$(OUT)/bindings/python/_store.abi3.so)
PYTHON_MODULES := $(PYTHON_MODULE) $(STORE_MODULE)
PYTHON_PACKAGE := $(BUILD)/python/luft

# The directory under PREFIX in which PYTHON looks for packages, or the usual one if it looks in none there.
PYTHONDIR ?= $(shell $(PYTHON) -c 'import site, sys, sysconfig; \
	prefix = sys.argv[1].rstrip("/"); \
	usual = sysconfig.get_path("platlib", "posix_prefix", {"base": prefix, "platbase": prefix}); \
	print(next((path for path in site.getsitepackages() if path.startswith(prefix + "/lib")), usual))' '$(abspath $(PREFIX))')

python: $(patsubst %,$(PYTHON_PACKAGE)/%,$(notdir $(PYTHON_MODULES))) $(PYTHON_FILES:bindings/python/luft/%=$(PYTHON_PACKAGE)/%) ## the Python package: build/python

$(patsubst %,$(PYTHON_PACKAGE)/%,$(notdir $(PYTHON_MODULES))): $(PYTHON_PACKAGE)/%: $(OUT)/bindings/python/% FORCE
	$(call copy,$<,$@)

$(PYTHON_PACKAGE)/%: bindings/python/luft/%
	mkdir -p $(@D)
	cp $< $@

PYTHON_INCLUDE = $(shell $(PYTHON) -c 'import sysconfig; print(sysconfig.get_path("include"))')
$(sort $(PYTHON_OBJECTS) $(STORE_OBJECTS)): private INCLUDES += -isystem $(PYTHON_INCLUDE)

# Exports nothing but the function that Python calls.
$(PYTHON_MODULE): $(PYTHON_OBJECTS) $(LIBRARY_PIC) $(ENGINE_PIC) $(OUT)/objects
	$(call say,LINK,$@)
	printf '{ global: PyInit__core; local: *; };\n' >$(@D)/exports.map
	$(LINK) -shared -Wl,--version-script=$(@D)/exports.map -o $@ $(PYTHON_OBJECTS) $(LIBRARY_PIC) $(ENGINE_PIC) -pthread -lm

$(OUT)/bindings/python/_store.abi3.so: $(STORE_OBJECTS) $(LIBRARY_PIC) $(DATABASE_PIC) $(OUT)/objects
	$(call say,LINK,$@)
	printf '{ global: PyInit__store; local: *; };\n' >$(@D)/exports-store.map
	$(LINK) -shared -Wl,--version-script=$(@D)/exports-store.map -o $@ $(STORE_OBJECTS) $(LIBRARY_PIC) $(DATABASE_PIC) \
		-pthread $(SQLITE_LIBRARIES) -lm

# A wheel is installed on other machines: it has variants for every CPU of this kind, unless ARCH is given. Where there are
# no variants it is made for this machine.
WHEEL_IS_FAT = $(if $(filter file,$(origin ARCH)),$(VARIANTS))

wheel: ## the Python package as a wheel for every CPU of this kind, unless ARCH is given: build/luft-*.whl
	+$(SUBMAKE) $(if $(WHEEL_IS_FAT),fat-python,$(PYTHON_MODULES))
	$(PYTHON) bindings/python/backend.py $(if $(WHEEL_IS_FAT),--fat) $(VERSION) $(BUILD) $(if $(WHEEL_IS_FAT),$(FAT_MODULES:%=$(BUILD)/fat/%),$(PYTHON_MODULES))

sdist: ## the sources of the Python package, for pip: build/luft-VERSION.tar.gz
	mkdir -p $(BUILD)
	$(PYTHON) bindings/python/backend.py --sdist $(VERSION) $(BUILD)

test-wheel: ## the wheel and the source distribution, installed in fresh environments and used
	scripts/setup test
	rm -f $(BUILD)/luft-*.whl $(BUILD)/luft-*.tar.gz
	+$(SUBMAKE) wheel sdist
	tests/dist/test_wheel.sh $(EXE) $(BUILD)

# The modules that are installed; mk/fat.mk has others.
INSTALLED_MODULES ?= $(PYTHON_MODULES)

install-python: $(INSTALLED_MODULES) ## the Python package into PYTHONDIR, by default where python3 looks for packages under PREFIX
	install -d $(DESTDIR)$(PYTHONDIR)/luft
	install -m 644 $(PYTHON_FILES) $(DESTDIR)$(PYTHONDIR)/luft
	install -m 755 $(INSTALLED_MODULES) $(DESTDIR)$(PYTHONDIR)/luft
	echo '  READY  $(DESTDIR)$(PYTHONDIR)/luft'
	$(if $(DESTDIR),,$(PYTHON) -c 'import sys; sys.argv[1] in sys.path or print("  NOTE  this Python does not look there: set PYTHONPATH")' $(PYTHONDIR))

uninstall-python: ## remove it from there
	rm -f $(addprefix $(DESTDIR)$(PYTHONDIR)/luft/,_core.abi3.so _store.abi3.so $(notdir $(PYTHON_FILES)))
	rm -rf $(DESTDIR)$(PYTHONDIR)/luft/__pycache__
	rmdir $(DESTDIR)$(PYTHONDIR)/luft 2>/dev/null || true

-include $(patsubst %.o,%.d,$(sort $(PYTHON_OBJECTS) $(STORE_OBJECTS)))
