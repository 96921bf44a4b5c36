# SPDX-License-Identifier: MIT
"""Results of the tests in Python, in the form that scripts/test/run counts: one line `ok - NAME` for each check."""

import sys


class Report:
    """Prints a line for each check and remembers whether any failed."""

    def __init__(self):
        self.failures = 0

    def check(self, name, is_good, shown=()):
        """`shown` is a list of lines, or anything else, that explains a failure."""
        if not is_good:
            self.failures += 1
            for line in shown if isinstance(shown, (list, tuple)) else str(shown).splitlines():
                print(f"# {str(line)[:200]}")
        print(f"{'ok' if is_good else 'not ok'} - {name}", flush=True)
        return bool(is_good)

    def skip(self, name, reason):
        print(f"ok - {name}: skipped: {reason}", flush=True)

    def finish(self):
        sys.exit(1 if self.failures else 0)
