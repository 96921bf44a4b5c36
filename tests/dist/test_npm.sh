#!/bin/bash
# SPDX-License-Identifier: MIT
#
# The npm package as its users have it: what is in it, ESM, CommonJS and TypeScript under Node, and pages built by Vite,
# webpack and esbuild, run in chromium. Run by `make test-npm`, which fetches the tools.
# Arguments: the path of the program luft, which is not used, the folder of the package, and that of the tools.
# shellcheck disable=SC2016 # JavaScript
# shellcheck source=tests/cli/support.sh
. "$(dirname "$0")/../cli/support.sh"
root=$(cd "$(dirname "$0")/../.." && pwd)
status=0
: >"${work:?}/out"
package=$(cd "$2" && pwd)
tools=$(cd "$3" && pwd)/node_modules
version=$(make -s -C "$root" print-VERSION)
export npm_config_update_notifier=false npm_config_fund=false npm_config_audit=false npm_config_offline=true

# attempt COMMAND...: leaves $status and the output as `run` does
attempt() {
    status=0
    "$@" >"$work/out" 2>"$work/err" </dev/null || status=$?
}

# --- What is in it -------------------------------------------------------------------------

(cd "$package" && npm pack --dry-run --json) >"$work/list" 2>"$work/err"
node -e '
const [{ files }] = JSON.parse(require("fs").readFileSync(process.argv[1]));
console.log(files.map(({ path }) => path).sort().join("\n"));' "$work/list" >"$work/packed"
# Sources, types and modules, and nothing of tests or of the build.
(cd "$root/web/package" && git ls-files -- . ':!.gitignore' && printf 'LICENSE\nindex.d.cts\nluft-rules.wasm\nluft-threads.wasm\nluft.wasm\nresults.cjs\nrules-entry.d.cts\n') |
    LC_ALL=C sort >"$work/expected"
status=0
judge 'npm pack --dry-run lists exactly what belongs there' diff "$work/expected" "$work/packed"
for field in repository homepage bugs author license; do
    judge "package.json has $field" test -n "$(node -p "require('$package/package.json').$field ?? ''")"
done

mkdir "$work/user"
cd "$work/user" || exit 2
echo '{ "private": true }' >package.json
attempt npm pack --pack-destination "$work" "$package"
attempt npm install "$work/luft-chess-$version.tgz"
judge 'npm installs the archive' test "$status" -eq 0
cp "$root"/tests/web/npm/*.*js "$root"/tests/web/npm/*.?ts .

# --- Node and TypeScript ---------------------------------------------------------------------

ln -s "$tools/@types" "$tools/playwright-core" node_modules/
node -e '
const text = require("fs").readFileSync("node_modules/luft-chess/README.md", "utf8");
[...text.matchAll(/```js\n([^]*?)```/g)].forEach((match, i) => require("fs").writeFileSync(`readme${i}.mts`, match[1]));'
attempt node "$tools/typescript/bin/tsc" --strict --noUncheckedIndexedAccess --exactOptionalPropertyTypes --target es2022 --lib es2022,dom \
    --module nodenext --types node --outDir built ./*.mts ./*.cts
judge "tsc --strict: $(find . -maxdepth 1 -name 'readme*.mts' | wc -l) examples of the README, ESM and CommonJS" test "$status" -eq 0
for file in use.mjs use.cjs; do
    attempt node "built/$file"
    judge "node $file" printed good
done

# --- Bundlers -------------------------------------------------------------------------------------

attempt "$tools/.bin/esbuild" rules.js --bundle --format=esm --outfile=rules-bundle.mjs
judge 'esbuild: the rules' test "$status" -eq 0
judge 'esbuild: without the engine' eval "! grep -Eq 'new Worker|luft-threads' rules-bundle.mjs"
cat >count.mjs <<'END'
import { readFileSync } from "node:fs";
import { count } from "./rules-bundle.mjs";
console.log(await count(readFileSync("node_modules/luft-chess/luft-rules.wasm")));
END
attempt node count.mjs
judge 'esbuild: the bundle counts the moves' printed 197281

page='<!doctype html><title>wait</title><script type="module" src="PAGE"></script>'
# esbuild leaves `new URL` alone: the files of the package are entry points and copies beside the bundle.
mkdir with-esbuild
attempt "$tools/.bin/esbuild" page.js worker=node_modules/luft-chess/worker.js thread=node_modules/luft-chess/thread.js --bundle \
    --format=esm --outdir=with-esbuild
cp node_modules/luft-chess/*.wasm with-esbuild
echo "${page/PAGE/.\/page.js}" >with-esbuild/index.html
judge 'esbuild: a page' test "$status" -eq 0

cat >webpack.config.cjs <<'END'
module.exports = { mode: "production", entry: "./page.js", output: { path: `${__dirname}/with-webpack`, publicPath: "auto", filename: "page.js" } };
END
attempt node "$tools/webpack/bin/webpack.js" --config webpack.config.cjs
judge 'webpack: a page' test "$status" -eq 0
echo "${page/PAGE/.\/page.js}" >with-webpack/index.html

echo "${page/PAGE/\/page.js}" >index.html
attempt node "$tools/vite/bin/vite.js" build --base ./ --outDir with-vite
judge 'Vite: a page' test "$status" -eq 0

for bundler in webpack vite; do
    judge "$bundler: the three modules" test "$(find "with-$bundler" -name '*.wasm' | wc -l)" -eq 3
done

browser=${CHROMIUM:-$(command -v chromium-headless-shell || command -v chromium)}
if [ -z "$browser" ]; then
    skip 'the pages in a browser' 'chromium is not installed'
    finish
fi
python3 -u -m http.server --bind 127.0.0.1 0 >"$work/server" 2>&1 &
server=$!
trap 'kill $server; rm -rf "$work"' EXIT
for _ in {1..50}; do
    port=$(sed -n 's/.*port \([0-9]*\).*/\1/p' "$work/server")
    [ -n "$port" ] && break
    sleep 0.1
done
for bundler in esbuild webpack vite; do
    attempt timeout 120 node browse.mjs "$browser" "http://127.0.0.1:$port/with-$bundler/"
    judge "$bundler: rules and engine run in the browser" printed 'done: 20 a1a8'
done
finish
