#!/bin/bash
# SPDX-License-Identifier: MIT
#
# The Python module: its own tests, tests/python/test_luft.py, one line for each; and the installed
# module, imported from where `make install-python` put it.
#
# Argument 1: the path of the program; libluft.so is expected beside it.
# shellcheck source=tests/cli/support.sh
. "$(dirname "$0")/support.sh"
root=$(cd "$(dirname "$0")/../.." && pwd)
cd "$root" || exit 2
LUFT_LIBRARY=$(dirname "$luft")/libluft.so
export LUFT_LIBRARY PYTHONDONTWRITEBYTECODE=1

if ! command -v python3 >/dev/null; then
    skip 'the Python module' 'python3 is not installed'
    finish
fi

status=0
python3 tests/python/test_luft.py -v >"$work/out" 2>&1 || status=$?
sed -nE -e 's/^(.*) \.\.\. ok$/ok - \1/p' -e "s/^(.*) \.\.\. skipped '(.*)'$/ok - \1: skipped: \2/p" -e 's/^(.*) \.\.\. (FAIL|ERROR)$/not ok - \1/p' "$work/out"
if [ "$status" -ne 0 ]; then
    sed 's/^/# /' "$work/out"
fi
report 'the tests of the Python module' "$status"

status=0
make --no-print-directory install-python DESTDIR="$work" PYTHONDIR=/python >"$work/out" 2>&1 || status=$?
if [ "$status" -eq 0 ]; then
    PYTHONPATH=$work/python python3 -c 'import luft; print(luft.__file__, luft.version)' >"$work/out" 2>"$work/err" || status=$?
fi
judge 'the installed module' printed "$work/python/luft.py [0-9.]+"

finish
