// SPDX-License-Identifier: MIT
// Tests of the library: games are saved while they are played, found, named, opened, exported, imported and deleted, and
// a full storage is reported. browser.mjs runs them with its own tests.

import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { clickMove, load, moves, open, openPlay, PGN, test, waitMoves, waitText, work } from "./harness.mjs";

const rows = (page) => page.locator("#library-list .picker-row .names").allTextContents();
const waitRows = (page, count) => page.waitForFunction((n) => document.querySelectorAll("#library-list .picker-row").length === n, count);

test("library: a played game is saved by itself and opened again in another visit", async (page, context) => {
  await openPlay(page);
  await clickMove(page, "e2", "e4");
  await waitMoves(page, 2);
  await page.click("#tab-games");
  await waitRows(page, 1);
  assert.match((await rows(page))[0], /^You – Luft \d+$/);
  await page.click("#tab-play");
  await page.click("#resign");
  await page.click("#resign");
  await page.waitForFunction(() => document.querySelector("#library-list .result")?.textContent === "0-1");
  // Opening a game from elsewhere does not store it; a comment in it does.
  await load(page, PGN);
  await waitMoves(page, 14);
  await page.waitForTimeout(1200);
  assert.equal((await rows(page)).length, 1);
  await page.click("#annotate summary");
  await page.fill("#comment", "for the library");
  await waitRows(page, 2);
  await page.fill("#comment", "for the library, changed");
  await page.waitForTimeout(1200);
  assert.deepEqual((await rows(page))[0], "Anna – Berta");
  assert.equal((await rows(page)).length, 2, "changes do not add games");
  const other = await context.newPage();
  await open(other, "", undefined, "games");
  await waitRows(other, 2);
  await other.click("#library-list .picker-row >> nth=0");
  await waitMoves(other, 14);
  assert.match(await other.textContent("#moves"), /for the library, changed/);
  await other.click("#library-list .picker-row >> nth=1");
  await waitMoves(other, 2);
  assert.equal(await other.textContent("#outcome"), "");
  await other.click("#last");
  await waitText(other, "#outcome", /You resigned/);
});

test("library: games are named, searched, deleted and restored", async (page) => {
  await open(page);
  for (const move of ["e4", "d4"]) {
    await page.click("#tab-games");
    await page.click("#new-game");
    await page.fill("#move-input", move);
    await page.keyboard.press("Enter");
    await page.waitForFunction((san) => [...document.querySelectorAll("#library-list .picker-row")].some((row) => row.textContent.includes(san)), move === "e4" ? "King's Pawn" : "Queen's Pawn");
  }
  await waitRows(page, 2);
  await page.click("#library-list .picker-row >> text=King's Pawn");
  await page.fill("#library-name", "My first game");
  await page.keyboard.press("Tab");
  await page.waitForFunction(() => document.querySelector("#library-list").textContent.includes("My first game"));
  await page.fill("#library-filter", "first");
  await waitRows(page, 1);
  await page.click("#library-delete");
  await waitText(page, "#notice", /Deleted/);
  await page.fill("#library-filter", "");
  await waitRows(page, 1);
  await page.click("#notice button");
  await waitRows(page, 2);
  assert.ok((await rows(page)).includes("My first game"));
});

test("library: a file is imported, and everything is exported and deleted", async (page) => {
  await open(page, "", undefined, "games");
  const names = Array.from({ length: 600 }, (_, index) => `Player ${index}`);
  const path = join(work, "import.pgn");
  writeFileSync(path, names.map((name) => `[White "${name}"]\n[Black "Größe"]\n[Result "*"]\n\n1. e4 {${name}} e5 *\n\n`).join(""));
  await page.setInputFiles("#file", path);
  await page.click("#library-import");
  await waitText(page, "#library-info", /^600 games/);
  await waitText(page, "#library-info", /Stored only in this browser.*deletes them/);
  assert.ok((await page.locator("#library-list .picker-row").count()) < 40, "only the rows in view exist");
  const [download] = await Promise.all([page.waitForEvent("download"), page.click("#library-export")]);
  const text = readFileSync(await download.path(), "utf8");
  for (const name of names) assert.ok(text.includes(`[White "${name}"]`), name);
  assert.ok(text.includes("Größe"));
  await page.fill("#library-filter", "player 599 größe");
  await waitRows(page, 1);
  await page.click("#library-list .picker-row");
  await waitMoves(page, 2);
  assert.match(await page.textContent("#moves"), /Player 599/);
  await page.click("#library-clear");
  assert.match(await page.textContent("#library-clear"), /Really delete 600 games/);
  await page.click("#library-clear");
  await waitText(page, "#library-info", /^0 games/);
  assert.deepEqual(await moves(page), ["e4", "e5"], "the game on the board stays");
});

test("library: a full storage is reported and nothing on the board is lost", async (page) => {
  await page.addInitScript(() => {
    const add = IDBObjectStore.prototype.add;
    IDBObjectStore.prototype.add = function (...values) {
      if (!window.full) return add.apply(this, values);
      const request = add.apply(this, values);
      this.transaction.abort();
      return request;
    };
    // An aborted transaction of a full disk has this error.
    Object.defineProperty(IDBTransaction.prototype, "error", { get: () => new DOMException("full", "QuotaExceededError") });
    navigator.storage.estimate = () => Promise.resolve({ usage: 900, quota: 1000 });
  });
  await open(page);
  await page.evaluate(() => (window.full = true));
  await page.fill("#move-input", "e4");
  await page.keyboard.press("Enter");
  await waitText(page, "#notice", /not saved in the library.*full/);
  assert.deepEqual(await moves(page), ["e4"]);
  // An import that cannot fit is refused before it begins.
  await load(page, `${PGN}\n${PGN}`);
  await page.click("#library-import");
  await waitText(page, "#notice", /only 1 MB left.*Nothing was added/);
});
