# SPDX-License-Identifier: MIT
#
# Luft, built by GNU make. `make help` lists the targets.
#
# One run of make builds one configuration: a compiler (CC), a processor (ARCH)
# and a MODE. Each configuration has its own directory under build/obj, so their
# objects never mix; the finished programs and libraries are copied to build/.
# Sources are found by wildcard: a new source or test needs no change here.

.DEFAULT_GOAL := all
.DELETE_ON_ERROR:
.SECONDARY:

# Shows one short line for each step; `make V=1` shows the commands.
ifeq ($(V),)
.SILENT:
say = @printf '  %-6s %s\n' '$(1)' '$(2)'
endif

include mk/config.mk        # what the user may set, compilers, flags
include mk/features.mk      # installed libraries, version
include mk/tables.mk        # generated tables
include mk/build.mk         # programs, objects
include mk/libraries.mk     # the installed libraries
include mk/test-programs.mk # unit tests and fuzz targets
include mk/python.mk        # the Python package
include mk/wasm.mk          # the browser build and the page
include mk/test.mk          # tests, checks, measurements
include mk/mpi.mk           # the program for clusters
include mk/install.mk       # install and uninstall
include mk/fat.mk           # programs for every CPU
include mk/windows.mk       # DLLs
include mk/dist.mk          # archives of what is published
include mk/debian.mk        # Debian packages
include mk/docs.mk          # the documentation as a site

.PHONY: format check-format help clean

# --- Housekeeping ----------------------------------------------------------------

format: ## clang-format on all C files
	scripts/setup format
	clang-format -i $(C_FILES)

check-format: ## say which C files `make format` would change
	scripts/setup format
	clang-format --dry-run --Werror $(C_FILES)

help: ## this list
	echo 'make [TARGET] [ARCH=native|x86-64-v3|...] [CC=gcc|clang] [BUILTINS=1|0] [EXE=build/luft] [PREFIX=/usr/local]'
	echo
	sed -n 's/^\([a-z0-9-]*\):[^#]*## *\(.*\)/\1|\2/p' $(wildcard mk/*.mk) Makefile | \
		while IFS='|' read -r target text; do printf '  %-14s %s\n' "$$target" "$$text"; done

clean: ## remove build/
	rm -rf $(BUILD)

# For scripts: the value of a variable of this file.
print-%:
	echo '$($*)'
