// SPDX-License-Identifier: MIT
// Takes pictures of the page for people to look at: nine views, four window sizes, light and dark. `make web-shots` runs it.
//
//     node tests/web/shots.mjs FOLDER-OF-THE-PAGE OUT [WORD...]     with words, only files with one of them in the name

import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { base, browser, load, open, root, stop, waitText, work } from "./harness.mjs";

const out = process.argv[3] ?? "build/web-shots";
const words = process.argv.slice(4);
mkdirSync(out, { recursive: true });

const OPERA = `[Event "Opera"]
[Site "Paris"]
[Date "1858.11.02"]
[White "Morphy"]
[Black "Duke Karl and Count Isouard"]
[Result "1-0"]

1. e4 e5 2. Nf3 d6 3. d4 Bg4 4. dxe5 Bxf3 {The pair of bishops is gone.} 5. Qxf3 dxe5 6. Bc4 Nf6 7. Qb3 Qe7 8. Nc3 c6 9. Bg5 b5
10. Nxb5 cxb5 (10... Qb4+ 11. Qxb4 Bxb4+) 11. Bxb5+ Nbd7 12. O-O-O Rd8 13. Rxd7 Rxd7 14. Rd1 Qe6 15. Bxd7+ Nxd7 16. Qb8+ Nxb8
17. Rd8# 1-0
`;

const tables = join(root, "tests/data/syzygy");
const many = join(work, "many.pgn");
const LINES = ["1. e4 e5 2. Nf3 Nc6 3. Bb5", "1. e4 c5 2. Nf3 d6 3. d4", "1. d4 Nf6 2. c4 g6", "1. e4 e6 2. d4 d5", "1. c4 e5", "1. e4 e5 2. Bc4", "1. d4 d5 2. c4 e6", "1. e4 c6"];
const NAMES = ["Anand", "Carlsen", "Polgar", "Kasparov", "Hou", "Fischer", "Tal"];
const RESULTS = ["1-0", "1/2-1/2", "0-1", "1/2-1/2", "1-0"];
writeFileSync(many, Array.from({ length: 240 }, (_, i) => `[White "${NAMES[i % 7]}"]\n[Black "${NAMES[(i * 3 + 1) % 7]}"]\n[Date "${1960 + (i % 60)}.01.01"]\n[Result "${RESULTS[(i * 7) % 5]}"]\n\n${LINES[(i * 5 + Math.floor(i / 9)) % 8]} ${RESULTS[(i * 7) % 5]}\n\n`).join(""));

async function loadOpera(page) {
  await load(page, OPERA);
  await page.waitForSelector("#headers:not([hidden])", { state: "attached" });
}

const goTo = (page, san) => page.evaluate((text) => [...document.querySelectorAll("#moves .move")].find((move) => move.textContent.startsWith(text)).click(), san);
const engine = async (page) => {
  if (await page.isVisible("#more-lines")) await page.click("#more-lines");
  await page.click("#analyse-toggle");
  await page.waitForFunction(() => Number(/^Depth (\d+)/.exec(document.querySelector("#speed").textContent)?.[1]) >= 12, null, { timeout: 60_000 });
};

const VIEWS = {
  play: async (page) => {
    await page.click("#tab-play");
    await page.selectOption("#clock", "10+5");
    await page.click("#play-start");
  },
  analysis: async (page) => {
    await loadOpera(page);
    await page.click((await page.isVisible("#tab-moves")) ? "#tab-moves" : "#tab-review");
    await goTo(page, "Bg5");
    await engine(page);
  },
  review: async (page) => {
    await loadOpera(page);
    await page.click("#tab-review");
    await page.selectOption("#review-depth", "50000");
    await page.click("#review-start");
    await waitText(page, "#review-text", /White: /);
    await page.click("#next-mistake");
    await page.evaluate(() => (document.querySelector(".tab-bodies").scrollTop = 0));
  },
  explorer: async (page) => {
    await page.click("#tab-games");
    await page.setInputFiles("#file", many);
    await page.waitForSelector(".picker-row");
    await page.click("#tab-explore");
    await page.waitForSelector(".explore-row");
  },
  tables: async (page) => {
    await load(page, "4k3/8/4K3/4P3/8/8/8/8 w - - 0 1");
    await page.click("#tab-explore");
    await page.setInputFiles("#tables-files", readdirSync(tables).map((name) => join(tables, name)));
    await page.waitForSelector(".table-row");
    await page.evaluate(() => document.querySelector("#tables-title").scrollIntoView());
  },
  inside: async (page) => {
    await loadOpera(page);
    await goTo(page, "O-O-O");
    await page.click("#tab-inside");
    await page.selectOption("#inside-topic", "pinDiagonal");
  },
  setup: async (page) => {
    await page.click("#tab-games");
    await page.click("#setup-open");
  },
  library: async (page) => {
    await page.click("#tab-games");
    await page.setInputFiles("#file", many);
    await page.click("#library-import");
    await waitText(page, "#library-info", /^240 games/);
    await loadOpera(page);
    await page.evaluate(() => (document.querySelector("#notice").hidden = true));
    await page.locator(".library").scrollIntoViewIfNeeded();
    await page.evaluate(() => document.querySelector("#library-title").scrollIntoView());
  },
  settings: async (page) => page.click("#settings-open"),
};

for (const [width, height] of [[1440, 900], [1366, 640], [820, 1180], [390, 844]]) {
  for (const colorScheme of ["light", "dark"]) {
    for (const [name, prepare] of Object.entries(VIEWS)) {
      const file = `${name}-${width}x${height}-${colorScheme}.png`;
      if (words.length > 0 && !words.some((word) => file.includes(word))) continue;
      const context = await browser.newContext({ viewport: { width, height }, colorScheme, reducedMotion: "reduce", serviceWorkers: "block", hasTouch: width < 500 });
      const page = await context.newPage();
      await open(page, "", base, "review");
      await prepare(page);
      await page.screenshot({ path: join(out, file) });
      await context.close();
      console.log(join(out, file));
    }
  }
}
await stop();
