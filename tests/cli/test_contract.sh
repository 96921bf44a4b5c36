#!/bin/bash
# SPDX-License-Identifier: MIT
#
# The promises on bad input, case by case: tests/contract. Argument: the path of the program.
# shellcheck source=tests/cli/support.sh
. "$(dirname "$0")/support.sh"

if ! command -v python3 >/dev/null; then
    skip 'the contract' 'python3 is not installed'
    finish
fi
python3 "$(dirname "$0")/../contract/run.py" "$luft" || failures=1
finish
