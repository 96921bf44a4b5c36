#!/bin/bash
# SPDX-License-Identifier: MIT
#
# Tests the page (web/app): its parts under Node, then the whole page in chromium. Builds the page if build/web does not
# exist, and installs chromium and the npm packages of the lock file if they are missing.
#
#     tests/web/test_page.sh [PATH-OF-LUFT [WORD...]]    with words, only browser tests with one of them in the name
set -uo pipefail
cd "$(dirname "$0")/../.." || exit 1
build=${BUILD:-build}
status=0
# The report of a review is compared with that of the program.
if [ -n "${1:-}" ]; then
    LUFT=$(realpath "$1")
    export LUFT
fi
shift || true

scripts/setup page || exit 1
if [ ! -e "$build/web/index.html" ]; then
    make --no-print-directory web || exit 1
fi

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# rolldown, the bundler of Vite, removes the types and joins the modules.
if web/app/node_modules/.bin/rolldown tests/web/unit.ts --platform node -o "$work/unit.mjs" >"$work/log" 2>&1; then
    LUFT_PACKAGE=$PWD/web/package/node.js node "$work/unit.mjs" || status=1
else
    sed 's/^/# /' "$work/log"
    echo 'not ok - rolldown bundles the unit tests of the page'
    status=1
fi

# Programs for Node have no browser types, but their own type of URL.
echo 'declare class URL { href: string }' >"$work/url.d.ts"
if web/app/node_modules/.bin/tsc --noEmit --strict --lib es2022 --types '' web/package/index.d.ts "$work/url.d.ts" >"$work/log"; then
    echo 'ok - the types of the package need no browser types'
else
    sed 's/^/# /' "$work/log"
    echo 'not ok - the types of the package need no browser types'
    status=1
fi

node tests/web/browser.mjs "$build/web" "$@" || status=1
if [ -n "${LUFT_TEST_LONG:-}" ]; then
    node tests/web/long.mjs "$build/web" "$@" || status=1
    scripts/setup firefox
    node tests/web/firefox.mjs "$build/web" || status=1
fi
exit $status
