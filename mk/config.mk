# SPDX-License-Identifier: MIT
#
# What the user may set, and the compiler flags that follow from it.

# --- What the user may set ---------------------------------------------------

ifeq ($(origin CC),default)
CC := gcc
endif
ARCH = native
MODE = release
BUILD ?= build
EXE ?= $(BUILD)/luft$(if $(TUNE),-tune)$(if $(findstring mingw,$(CC)),.exe)
TRAIN_EXE ?= $(BUILD)/luft-train$(if $(TUNE),-tune)
# TUNE=1 builds build/luft-tune, in which the parameters of the search are UCI options, and build/luft-train-tune.
TUNE ?=
# BUILTINS=0 builds libluft without compiler built-ins, in plain C: include/luft/bitboard.h lists what this replaces.
BUILTINS ?= 1
PREFIX ?= /usr/local
DESTDIR ?=
# The tests set it to -Werror. The default does not: warnings differ with the version of the compiler and with ARCH.
WERROR ?=
# CPPFLAGS, CFLAGS and LDFLAGS are added after our own.

# zlib and libzstd decompress games if the compiler finds them; ZLIB=0 and ZSTD=0 build without.
ZLIB ?= $(call has_library,zlib.h,z)
ZSTD ?= $(call has_library,zstd.h,zstd)
# libmicrohttpd is the server of `luft db serve`, which loads it when it starts; MICROHTTPD=0 builds without.
MICROHTTPD ?= $(call has_library,microhttpd.h,microhttpd)
# SQLite holds the game database, if the compiler finds it; SQLITE=0 builds without libluft-database and `luft db`.
SQLITE ?= $(call has_library,sqlite3.h,sqlite3)

# The compiler for Windows.
MINGW ?= x86_64-w64-mingw32-gcc

# Compiles the programs that write the tables; they run here, whatever machine CC compiles for.
HOSTCC ?= cc

BINDIR ?= $(PREFIX)/bin
LIBDIR ?= $(PREFIX)/lib
INCLUDEDIR ?= $(PREFIX)/include
DATADIR ?= $(PREFIX)/share
MANDIR ?= $(DATADIR)/man
BASHDIR ?= $(DATADIR)/bash-completion/completions
ZSHDIR ?= $(DATADIR)/zsh/site-functions
FISHDIR ?= $(DATADIR)/fish/vendor_completions.d
PYTHON ?= python3

ifneq ($(words x$(EXE)x$(PREFIX)x$(DESTDIR)x$(BUILD)x),1)
$(error EXE, PREFIX, DESTDIR and BUILD cannot hold blanks: make takes them for lists of names)
endif
ifeq ($(and $(EXE),$(PREFIX),$(BUILD)),)
$(error EXE, PREFIX and BUILD cannot be empty)
endif

# mingw-w64 compiles for Windows, src/windows/posix.h says how. Its warnings about formats are those of an older printf than the one it links.
WINDOWS := $(if $(findstring mingw,$(CC)),1)
DOT_EXE := $(if $(WINDOWS),.exe)
PLATFORM := $(if $(WINDOWS), -std=gnu17 -D__USE_MINGW_ANSI_STDIO=1 -D_FILE_OFFSET_BITS=64 -D_POSIX_THREAD_SAFE_FUNCTIONS \
	-DLUFT_NAMED_FILES_ONLY -Isrc/windows/include -include src/windows/posix.h -Wno-format -Wno-format-extra-args)

# --- Configuration -----------------------------------------------------------

# clang on ARM takes -mcpu=native, not -march=native.
ARCH_native := $(if $(filter aarch64 arm64,$(shell uname -m)),-mcpu=native,-march=native)
ARCH_x86-64 := -march=x86-64
ARCH_x86-64-v2 := -march=x86-64-v2
ARCH_x86-64-v3 := -march=x86-64-v3
# For CPUs that have PEXT, but slow: Zen 1 and 2.
ARCH_x86-64-v3-magic := -march=x86-64-v3 -DLUFT_NO_PEXT
ARCH_x86-64-v4 := -march=x86-64-v4
ARCH_x86-64-v4-vnni := -march=x86-64-v4 -mavx512vnni
ARCH_armv8 := -march=armv8-a
ARCH_armv8-dotprod := -march=armv8.2-a+dotprod
ARCHES := native x86-64 x86-64-v2 x86-64-v3 x86-64-v3-magic x86-64-v4 x86-64-v4-vnni armv8 armv8-dotprod
ifeq ($(ARCH_$(ARCH)),)
$(error unknown ARCH '$(ARCH)': use one of $(ARCHES))
endif

# `profile` builds the program that writes a profile, `pgo` the one that uses it: see `make pgo`.
MODE_release := -O3 -DNDEBUG
MODE_test := -O2 -g
# This build also makes every move that two-ply perft only counts, and compares. -g1 has the lines that reports need, and
# compiles faster than -g.
MODE_sanitize := -O1 -g1 -fno-omit-frame-pointer -fsanitize=address,undefined -fno-sanitize-recover=all \
	-DLUFT_CHECK_TWO_PLY
# A separate mode: the thread sanitizer cannot be combined with the address sanitizer.
MODE_thread := -O1 -g1 -fno-omit-frame-pointer -fsanitize=thread
# -O1, because the sinks of the generator must be inlined.
MODE_coverage := -O1 -g --coverage
# Only for clang: fuzz targets, and the unit tests in the same objects; with assertions, both sanitizers, and a PGN window
# that short inputs fill.
MODE_fuzz := -O1 -g1 -fno-omit-frame-pointer -fsanitize=fuzzer-no-link,address,undefined -fno-sanitize-recover=all \
	-DLUFT_CHECK_TWO_PLY -DLUFT_SMALL_WINDOW
ifeq ($(findstring clang,$(CC)),)
MODE_profile := -O3 -DNDEBUG -fprofile-generate -fprofile-update=single
MODE_pgo := -O3 -DNDEBUG -fprofile-use -Wno-missing-profile
else
MODE_profile = -O3 -DNDEBUG -fprofile-generate=$(OUT)/profile
MODE_pgo = -O3 -DNDEBUG -fprofile-use=$(OUT)/profile/luft.profdata -Wno-profile-instr-unprofiled
endif
ifeq ($(MODE_$(MODE)),)
$(error unknown MODE '$(MODE)': use release, test, sanitize, thread, coverage, fuzz, profile or pgo)
endif

ifeq ($(filter 0 1,$(BUILTINS)),)
$(error BUILTINS is 0 or 1, not '$(BUILTINS)')
endif

# The two modes of a profile-guided build share a directory: gcc looks for the
# profile of an object beside the object.
OUT := $(BUILD)/obj/$(notdir $(lastword $(CC)))-$(ARCH)-$(if $(filter profile,$(MODE)),pgo,$(MODE))$(if $(TUNE),-tune)$(if $(filter 0,$(BUILTINS)),-no-builtins)

WARNINGS := -Wall -Wextra -Wshadow -Wstrict-prototypes -Wmissing-prototypes $(WERROR)
INCLUDES := -Iinclude -Isrc
COMPILE = $(CC) -std=c17 $(WARNINGS) $(INCLUDES) $(ARCH_$(ARCH)) $(MODE_$(MODE)) \
	-fvisibility=hidden -DLUFT_ARCH='"$(ARCH)"' $(if $(TUNE),-DLUFT_TUNE) $(if $(filter 0,$(BUILTINS)),-DLUFT_NO_BUILTINS) $(COMPRESSION) $(CPPFLAGS) $(CFLAGS)$(PLATFORM)
LINK = $(CC) $(ARCH_$(ARCH)) $(MODE_$(MODE)) $(CFLAGS) $(LDFLAGS)$(if $(WINDOWS), -static)
PIC := $(if $(WINDOWS),,-fPIC -fno-semantic-interposition)

# gcc optimises the search as a whole when it links the programs for this machine (LTO). Its objects have machine code too,
# for the libraries. clang gains nothing by it; `make fat` links objects in its own way.
LTO := $(if $(filter native-release,$(ARCH)-$(MODE)$(WINDOWS)),$(shell printf '\043ifdef __clang__\n\043error\n\043endif\nint main(void) { return 0; }\n' | \
	$(CC) -flto=auto -ffat-lto-objects -x c -o /dev/null - >/dev/null 2>&1 && echo -flto=auto))
