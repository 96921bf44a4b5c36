// SPDX-License-Identifier: MIT
// Tests of the page that take long: a file of 100 MB, fifty reloads, frames per second. test_page.sh runs them in the long tests.
//
//     node tests/web/long.mjs FOLDER-OF-THE-PAGE

import assert from "node:assert/strict";
import { closeSync, openSync, readFileSync, rmSync, writeSync } from "node:fs";
import { availableParallelism, loadavg } from "node:os";
import { join } from "node:path";
import { browser, open, runAll, test, waitMoves, waitText, work } from "./harness.mjs";

test("W5: the page stays responsive with a PGN of 100 MB; cancelling and picking a game work", { alone: true }, async (page, context, log) => {
  const path = join(work, "large.pgn");
  const game = (index) => `[Event "Large ${index}"]\n[White "Player ${index % 977}"]\n[Black "Other"]\n[Result "1/2-1/2"]\n\n1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 5. O-O Be7 6. Re1 b5 7. Bb3 d6 8. c3 O-O 9. h3 Nb8 10. d4 Nbd7 1/2-1/2\n\n`;
  const file = openSync(path, "w");
  let index = 0;
  for (let size = 0; size < 100e6; ) {
    let text = "";
    while (text.length < 1e6) text += game(index++);
    size += writeSync(file, text);
  }
  closeSync(file);
  await open(page);
  await page.click("#tab-games");
  await page.evaluate(() => {
    window.gap = 0;
    let last = performance.now();
    setInterval(() => {
      const now = performance.now();
      window.gap = Math.max(window.gap, now - last);
      last = now;
    }, 20);
  });
  await page.setInputFiles("#file", path);
  await page.waitForSelector("#scan:not([hidden])");
  await waitText(page, "#scan-text", /of 10\d MB, [1-9][\d,]* games/);
  await page.click("#scan-cancel");
  await page.waitForSelector("#scan", { state: "hidden" });
  await waitText(page, "#picker-count", /Cancelled after [\d,]+ games/);
  const some = Number((await page.textContent("#picker-count")).replace(/\D/g, ""));
  assert.ok(some > 0 && some < index, `${some} of ${index}`);
  await page.setInputFiles("#file", path);
  const start = Date.now();
  await page.waitForFunction((count) => document.querySelector("#picker-count").textContent === `${count.toLocaleString("en")} games. Pick one.`, index, { timeout: 60_000 });
  log(`${index} games in ${Date.now() - start} ms; the page was busy for at most ${Math.round(await page.evaluate(() => window.gap))} ms`);
  assert.ok((await page.evaluate(() => window.gap)) < 1500);
  assert.ok((await page.locator(".picker-row").count()) < 60, "only the rows in view exist");
  await page.focus("#picker-list");
  await page.keyboard.press("End");
  await page.keyboard.press("Enter");
  await waitMoves(page, 20);
  await waitText(page, "#headers", new RegExp(`Large ${index - 1}`));
  await page.fill("#picker-filter", "Player 976");
  await waitText(page, "#picker-count", new RegExp(`^${Math.floor((index - 977) / 977 + 1).toLocaleString("en")} games$`));
  rmSync(path);
});

test("W3: 50 reloads do not grow memory", { alone: true }, async (page, context, log) => {
  const session = await browser.newBrowserCDPSession();
  const resident = async () => {
    const { processInfo } = await session.send("SystemInfo.getProcessInfo");
    const renderers = processInfo.filter((each) => each.type === "renderer").map((each) => each.id);
    let sum = 0;
    for (const id of renderers) {
      try {
        sum += Number(readFileSync(`/proc/${id}/statm`, "utf8").split(" ")[1]) * 4096;
      } catch {
        // The process has just ended.
      }
    }
    return sum / 1e6;
  };
  const settle = async () => {
    await page.requestGC?.();
    await page.waitForTimeout(300);
    return resident();
  };
  await open(page, "#moves=e2e4");
  let early = 0;
  for (let i = 1; i <= 50; i++) {
    await page.reload();
    await page.waitForSelector("html[data-ready]");
    if (i === 10) early = await settle();
  }
  const late = await settle();
  log(`${early.toFixed(0)} MB after 10 reloads, ${late.toFixed(0)} MB after 50`);
  assert.ok(late < early * 1.25 + 20, `${early} MB, then ${late} MB`);
  assert.equal((page.workers?.() ?? []).length, 1, "one engine");
});

test("frames per second while the engine runs", { alone: true, reducedMotion: "no-preference" }, async (page, context, log) => {
  await open(page, "#moves=e2e4,e7e5,g1f3,b8c6,f1b5,a7a6");
  await page.click("#more-lines");
  await page.click("#analyse-toggle");
  await page.waitForSelector("#lines-list .score");
  const session = await context.newCDPSession(page);
  await session.send("Performance.enable", { timeDomain: "threadTicks" });
  const busy = async () => (await session.send("Performance.getMetrics")).metrics.find(({ name }) => name === "TaskDuration").value;
  const before = await busy();
  // Goes back and forth meanwhile, so that pieces move.
  const frames = await page.evaluate(async () => {
    let count = 0;
    let stop = false;
    const frame = () => {
      count++;
      if (!stop) requestAnimationFrame(frame);
    };
    requestAnimationFrame(frame);
    for (let i = 0; i < 12; i++) {
      document.querySelector(i % 2 ? "#next" : "#previous").click();
      await new Promise((next) => setTimeout(next, 250));
    }
    stop = true;
    return count / 3;
  });
  const perFrame = (((await busy()) - before) * 1000) / (frames * 3);
  const isBusy = loadavg()[0] > availableParallelism(); // other programs take the processors: frames say nothing then
  log(`${frames.toFixed(0)} frames per second; ${perFrame.toFixed(1)} ms of the page's thread for each${isBusy ? "; the machine is busy" : ""}`);
  assert.ok(perFrame < 1000 / 60, `${perFrame} ms`);
  assert.ok(isBusy || frames > 55, `${frames}`);
});

await runAll();
