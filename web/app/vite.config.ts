// SPDX-License-Identifier: MIT
// Builds the page into build/web, with relative paths, so that it works in any folder of a static host. Writes the list of
// all files into the service worker.

import { createHash } from "node:crypto";
import { readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { defineConfig, type Plugin } from "vite";
import { internalsPage } from "./internals_page.js";

const here = import.meta.dirname;
const output = process.env["LUFT_WEB_OUT"] ?? join(here, "../../build/web");

function internals(): Plugin {
  return {
    name: "internals",
    closeBundle() {
      writeFileSync(join(output, "internals.html"), internalsPage(join(here, "../../docs/internals.md")));
    },
  };
}

function files(folder: string): string[] {
  return readdirSync(folder).flatMap((name) => {
    const path = join(folder, name);
    return statSync(path).isDirectory() ? files(path) : [path];
  });
}

function serviceWorker(): Plugin {
  return {
    name: "service-worker",
    closeBundle: {
      order: "post",
      handler() {
        const list = files(output).filter((path) => !path.endsWith("sw.js"));
        const hash = createHash("sha256");
        for (const path of list) hash.update(readFileSync(path));
        const names = list.map((path) => `./${relative(output, path)}`);
        const text = readFileSync(join(here, "src/sw.js"), "utf8")
          .replace("__VERSION__", hash.digest("hex").slice(0, 16))
          .replace("[/* FILES */]", JSON.stringify(["./", ...names.sort()]));
        writeFileSync(join(output, "sw.js"), text);
      },
    },
  };
}

export default defineConfig({
  base: "./",
  plugins: [internals(), serviceWorker()],
  worker: { format: "es" },
  build: { outDir: output, emptyOutDir: true, target: "es2022", assetsInlineLimit: 0, modulePreload: { polyfill: false } },
});
