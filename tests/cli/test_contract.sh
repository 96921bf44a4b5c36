#!/bin/bash
# SPDX-License-Identifier: MIT
#
# What Luft promises on bad input, case by case: tests/contract. Argument: the path of the program.
# shellcheck source=tests/cli/support.sh
. "$(dirname "$0")/support.sh"

if ! command -v python3 >/dev/null; then
    echo 'ok - skipped: there is no python3 here'
    finish
fi
python3 "$(dirname "$0")/../contract/run.py" "$luft" || failures=1
finish
