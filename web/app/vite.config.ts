// SPDX-License-Identifier: MIT
// How the page is built: into build/web, with paths that work in any folder of any static host. The board's markers
// and arrows are taken from its npm package (its chessmen are not: they are not free for every use), and the service worker gets the list of all files.

import { createHash } from "node:crypto";
import { cpSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { defineConfig, type Plugin } from "vite";

const here = import.meta.dirname;
const output = process.env["LUFT_WEB_OUT"] ?? join(here, "../../build/web");
const board = join(here, "node_modules/cm-chessboard/assets");

function boardAssets(): Plugin {
  return {
    name: "board-assets",
    closeBundle() {
      mkdirSync(join(output, "board"), { recursive: true });
      cpSync(join(board, "extensions/markers/markers.svg"), join(output, "board/markers.svg"));
      cpSync(join(board, "extensions/arrows/arrows.svg"), join(output, "board/arrows.svg"));
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
  plugins: [boardAssets(), serviceWorker()],
  worker: { format: "es" },
  build: { outDir: output, emptyOutDir: true, target: "es2022", assetsInlineLimit: 0, modulePreload: { polyfill: false } },
});
