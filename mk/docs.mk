# SPDX-License-Identifier: MIT
#
# The documentation as a site.

.PHONY: docs test-docs

docs: ## the documentation as a site, searchable, with the reference and the manual pages: build/docs
	scripts/setup docs
	scripts/dist/docs $(BUILD)/docs
	echo '  READY  $(BUILD)/docs/index.html'

test-docs: docs ## every link and anchor of the site, and that it loads nothing from other hosts
	tests/dist/check_site.py $(BUILD)/docs
