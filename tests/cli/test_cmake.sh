#!/bin/bash
# SPDX-License-Identifier: MIT
#
# CMake: find_package with the installed libraries, shared and static, and what it refuses; FetchContent of the sources, from
# a folder and from a repository.
# Argument: the path of the program luft, which is not used.
# shellcheck disable=SC2317 # called by judge
# shellcheck source=tests/cli/support.sh
. "$(dirname "$0")/support.sh"
root=$(cd "$(dirname "$0")/../.." && pwd)
cd "$root" || exit 2

if ! command -v cmake >/dev/null; then
    skip 'CMake' 'cmake is not installed'
    finish
fi
unset CFLAGS CPPFLAGS LDFLAGS
version=$(make -s print-VERSION)
abi=$(make -s print-ABI_VERSION)
make -s install DESTDIR="$work/root" PREFIX=/opt/luft >"$work/out" 2>&1
report 'make install' $?
mv "$work/root/opt/luft" "$work/moved" # the package finds its files where it is

status=0
mkdir "$work/user"
cat >"$work/user/engine.c" <<'END'
#include <luft/engine.h>
#include <luft/luft.h>
#include <string.h>

int main(void) {
    const char fen[] = "6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 1";
    luft_position position;
    luft_engine *engine = NULL;
    const luft_engine_result *result = NULL;
    luft_engine_limits limits = luft_engine_no_limits();
    limits.depth = 5;
    if (luft_position_from_fen(&position, fen, strlen(fen), NULL) != LUFT_OK || luft_engine_create(&engine) != LUFT_OK ||
        luft_engine_set_position(engine, &position, NULL, 0, NULL) != LUFT_OK ||
        luft_engine_search(&result, engine, &limits, NULL) != LUFT_OK) {
        return 2;
    }
    const bool mates = result->score.kind == LUFT_ENGINE_MATE && result->score.value == 1;
    luft_engine_free(engine);
    return mates ? 0 : 1;
}
END
cat >"$work/user/database.c" <<'END'
#include <luft/database.h>
#include <luft/luft.h>
#include <string.h>

int main(void) {
    luft_database *database = (void *)0;
    const luft_error error = luft_database_open(&database, "/nonexistent/games.db", LUFT_DATABASE_READ, NULL);
    luft_database_free(database);
    return error == LUFT_OK || strcmp(luft_version(), LUFT_VERSION) != 0;
}
END

# project HOW TARGETS...: a CMake project that links programs with each target
project() {
    rm -rf "$work/project" "$work/cmake"
    mkdir "$work/project"
    printf 'cmake_minimum_required(VERSION 3.16)\nproject(user C)\n%s\n' "$1" >"$work/project/CMakeLists.txt"
    shift
    for target in "$@"; do
        source=engine
        [[ $target = database* ]] && source=database
        printf 'add_executable(with-%s %s/user/%s.c)\ntarget_link_libraries(with-%s PRIVATE luft::%s)\n' \
            "$target" "$work" "$source" "$target" "$target" >>"$work/project/CMakeLists.txt"
    done
}

# configured OPTIONS...: is the project accepted? Its output is that of the run.
configured() {
    status=0
    cmake -S "$work/project" -B "$work/cmake" -DCMAKE_PREFIX_PATH="$work/moved" -DCMAKE_BUILD_TYPE=Release \
        "$@" >"$work/out" 2>"$work/err" || status=$?
    [ "$status" -eq 0 ]
}

built() {
    status=0
    cmake --build "$work/cmake" --parallel 2 >"$work/out" 2>"$work/err" || status=$?
    [ "$status" -eq 0 ]
}

targets=(engine engine-static)
[ -e "$work/moved/lib/libluft-database.a" ] && targets+=(database database-static)

project "find_package(luft $version REQUIRED COMPONENTS engine)" "${targets[@]}"
judge 'find_package' configured
judge 'programs are built' built
for target in "${targets[@]}"; do
    judge "find_package: luft::$target" "$work/cmake/with-$target"
done
judge 'the static ones need no library of Luft' eval "! readelf -d '$work'/cmake/with-*-static | grep -q 'NEEDED.*libluft'"
judge 'the shared ones do' eval "readelf -d '$work/cmake/with-engine' | grep -q 'NEEDED.*libluft-engine.so.$abi'"

project "find_package(luft $abi REQUIRED)"
judge 'the version of the soname' configured
project "find_package(luft REQUIRED)"
judge 'any version' configured
for other in 0.1 0.1.9 1.0 "${version%.*}.$((${version##*.} + 1))" "${version%.*}9"; do
    project "find_package(luft $other REQUIRED)"
    judge "refused: version $other" eval '! configured'
done
project "find_package(luft REQUIRED COMPONENTS engine opera)"
judge 'refused: a component that there is not' eval "! configured && says 'component opera is not installed.*'"

# has_private_names LIBRARY: can a program link by mistake what no header declares?
has_private_names() {
    nm -g --defined-only "$1" 2>/dev/null | awk 'NF == 3 && $3 !~ /^luft_/ { found = 1 } END { exit !found }'
}
judge 'the static libraries hide private names' eval "! has_private_names '$work/moved/lib/libluft.a' && ! has_private_names '$work/moved/lib/libluft-engine.a'"

# The line of docs/install.md, with the sources where it looks for them.
# shellcheck disable=SC2016 # a variable of CMake
line=$(sed -n 's/.*`\(FetchContent_Declare(luft SOURCE_DIR [^`]*\)`.*/\1/p' docs/install.md)
judge 'docs/install.md says how to use FetchContent' test -n "$line"
project "include(FetchContent)
$line
FetchContent_MakeAvailable(luft)" "${targets[@]}"
ln -s "$root" "$work/project/luft"
judge 'FetchContent' configured
judge 'FetchContent: programs and libraries are built' built
for target in "${targets[@]}"; do
    judge "FetchContent: luft::$target" "$work/cmake/with-$target"
done
shared=$(find "$work/cmake" -name 'libluft.so.*.*.*')
judge 'its shared library has the soname' eval "readelf -d '$shared' | grep -Fq 'soname: [libluft.so.$abi]'"
judge 'it exports what the installed one does' cmp <(nm -D --defined-only "$shared" | awk '{ print $NF }' | sort) \
    <(nm -D --defined-only "$work/moved/lib/libluft.so" | awk '{ print $NF }' | sort)
judge 'its static libraries do not hide them' has_private_names "$(find "$work/cmake" -name 'libluft-engine.a')"
judge 'it is for the oldest CPU' eval "! grep -rqs -e -march '$work/cmake/_deps' --include=flags.make"
judge 'no warning' eval "! grep -q 'warning' '$work/out' '$work/err'"

# From a repository, for this CPU.
if commit=$(git rev-parse --verify --quiet HEAD); then
    project "include(FetchContent)
FetchContent_Declare(luft GIT_REPOSITORY file://$root GIT_TAG $commit)
FetchContent_MakeAvailable(luft)" engine-static
    judge 'FetchContent from a repository, LUFT_NATIVE=ON' configured -DLUFT_NATIVE=ON
    judge 'its programs are built' built
    judge 'luft::engine-static, for this CPU' "$work/cmake/with-engine-static"
    judge 'it is compiled for this CPU' grep -rqs -e -march=native "$work/cmake/_deps" --include=flags.make
else
    skip 'FetchContent from a repository' 'this is not a checkout of git'
fi
finish
