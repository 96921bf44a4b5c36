# SPDX-License-Identifier: MIT
#
# What this machine and the sources say: the libraries that are installed, the version, what the linker can do.

# has_library HEADER,NAME: 1 if a program that uses it compiles and links, else 0
has_library = $(shell file=$$(mktemp) && printf '\043include <$(1)>\nint main(void) { return 0; }\n' | \
	$(CC) $(CPPFLAGS) $(CFLAGS) $(LDFLAGS) -x c -o $$file - -l$(2) >/dev/null 2>&1 && echo 1 || echo 0; rm -f $$file $$file.exe)
ZLIB := $(ZLIB)
ZSTD := $(ZSTD)
SQLITE := $(SQLITE)
MICROHTTPD := $(if $(filter 1,$(SQLITE)),$(MICROHTTPD))
COMPRESSION := $(if $(filter 1,$(ZLIB)),-DLUFT_WITH_ZLIB) $(if $(filter 1,$(ZSTD)),-DLUFT_WITH_ZSTD)
COMPRESSION_LIBRARIES := $(if $(filter 1,$(ZLIB)),-lz) $(if $(filter 1,$(ZSTD)),-lzstd)
SQLITE_LIBRARIES := $(if $(filter 1,$(SQLITE)),-lsqlite3)

# Major, minor, patch. The soname has those that must agree: see docs/api.md.
NUMBERS := $(foreach n,MAJOR MINOR PATCH,$(shell sed -n 's/^.define LUFT_VERSION_$n \([0-9]*\)$$/\1/p' include/luft/types.h))
ifneq ($(words $(NUMBERS)),3)
$(error include/luft/types.h does not define the version as three numbers)
endif
VERSION := $(word 1,$(NUMBERS)).$(word 2,$(NUMBERS)).$(word 3,$(NUMBERS))
ABI_VERSION := $(if $(filter 0,$(firstword $(NUMBERS))),0.$(word 2,$(NUMBERS)),$(firstword $(NUMBERS)))
SONAME := libluft.so.$(ABI_VERSION)
ENGINE_SONAME := libluft-engine.so.$(ABI_VERSION)
DATABASE_SONAME := libluft-database.so.$(ABI_VERSION)

# version_script MAP: hides private names of a shared library, if the linker reads version scripts. Only where used.
version_script = $(shell echo 'int luft_probe;' | $(CC) -shared -fPIC -x c -o /dev/null -Wl,--version-script=$(1) - \
	2>/dev/null && echo -Wl,--version-script=$(1))

# Hides private names of a static library. Where there is none, they stay visible.
OBJCOPY ?= $(shell $(CC) -print-prog-name=objcopy)
