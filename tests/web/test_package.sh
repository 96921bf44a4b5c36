#!/bin/bash
# SPDX-License-Identifier: MIT
#
# Tests the npm package under Node: compares the rules and the engine with the native program. Run `make wasm` first.
#
#     tests/web/test_package.sh PATH-OF-LUFT
set -u
luft=$(cd "$(dirname "$1")" && pwd)/$(basename "$1")
cd "$(dirname "$0")/../.." || exit 1
package=$PWD/${BUILD:-build}/web-package
case ${BUILD:-build} in
/*) package=$BUILD/web-package ;;
esac
LUFT=$luft LUFT_PACKAGE=$package exec node --test-reporter=tap tests/web/package.mjs
