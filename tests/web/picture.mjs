// SPDX-License-Identifier: MIT
// Takes the picture of the page that the README shows: Morphy's game at the opera, reviewed, with the engine on.
//
//     node tests/web/picture.mjs ADDRESS docs/images/page.png     ADDRESS as `make serve` prints it

import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const [, , address, path] = process.argv;
const root = join(dirname(fileURLToPath(import.meta.url)), "../..");
const { chromium } = createRequire(join(root, "web/app/package.json"))("playwright-core");

const OPERA = `[Event "Opera"]
[Site "Paris"]
[Date "1858.11.02"]
[White "Morphy"]
[Black "Duke Karl and Count Isouard"]
[Result "1-0"]

1. e4 e5 2. Nf3 d6 3. d4 Bg4 4. dxe5 Bxf3 5. Qxf3 dxe5 6. Bc4 Nf6 7. Qb3 Qe7 8. Nc3 c6 9. Bg5 b5 10. Nxb5 cxb5
11. Bxb5+ Nbd7 12. O-O-O Rd8 13. Rxd7 Rxd7 14. Rd1 Qe6 15. Bxd7+ Nxd7 16. Qb8+ Nxb8 17. Rd8# 1-0`;

const browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium-headless-shell", args: ["--no-sandbox", "--no-first-run"] });
const page = await browser.newPage({ viewport: { width: 1360, height: 720 }, colorScheme: "light", reducedMotion: "reduce" });
await page.goto(address);
await page.waitForSelector("html[data-ready]");
await page.click("#tab-games");
await page.fill("#load-text", OPERA);
await page.click("#load");
await page.waitForSelector("#moves .move");
await page.click("#tab-review");
await page.click("#review-start");
await page.waitForFunction(() => /White:/.test(document.querySelector("#review-text").textContent), null, { timeout: 120_000 });
await page.evaluate(() => [...document.querySelectorAll("#moves > .move-row > .move")].find((move) => move.textContent.startsWith("b5")).click());
await page.click("#more-lines");
await page.click("#analyse-toggle");
await page.waitForFunction(() => Number(/^Depth (\d+)/.exec(document.querySelector("#speed").textContent)?.[1]) >= 14, null, { timeout: 60_000 });
await page.mouse.move(5, 5);
await page.screenshot({ path });
await browser.close();
