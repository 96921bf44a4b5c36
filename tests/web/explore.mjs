// SPDX-License-Identifier: MIT
// Tests of the explorer and of the Inside tab. browser.mjs runs them with its own tests.

import assert from "node:assert/strict";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { base, centre, load, moves, open, openPlay, clickMove, piece, root, test, waitMoves, waitText } from "./harness.mjs";

const GAMES = `[Result "1-0"]\n\n1. e4 e5 2. Nf3 1-0\n\n[Result "0-1"]\n\n1. e4 c5 0-1\n\n[Result "1/2-1/2"]\n\n1. d4 d5 1/2-1/2\n\n`;
const rows = (page) => page.evaluate(() => [...document.querySelectorAll(".explore-row")].map((row) => `${row.querySelector("strong").textContent} ${row.querySelector(".explore-count").textContent}`));

test("explore: moves of the open file, their results and openings; a click plays one", async (page) => {
  await open(page);
  await load(page, GAMES);
  await page.waitForSelector(".picker-row");
  await page.click("#tab-explore");
  await waitText(page, "#explore-text", /^3 games/);
  await page.waitForSelector(".explore-row");
  assert.deepEqual(await rows(page), ["e4 2 · 67 %", "d4 1 · 33 %"]);
  assert.match(await page.getAttribute(".explore-row .explore-bar", "title"), /White won 1, 0 draws, Black won 1/);
  assert.match(await page.textContent(".explore-row"), /King's Pawn Game/);
  await page.hover(".explore-row >> nth=0");
  await page.waitForFunction(() => document.querySelector('#board.preview .piece[data-square="e4"]'));
  await page.click(".explore-row >> nth=0");
  await waitMoves(page, 1);
  await page.waitForFunction(() => document.querySelectorAll(".explore-row").length === 2 && /e5|c5/.test(document.querySelector(".explore-row strong").textContent));
  await page.uncheck("#explore-file");
  await waitText(page, "#explore-moves", /No game reaches/);
});

test("explore: the games of the library", async (page) => {
  await openPlay(page);
  await clickMove(page, "d2", "d4");
  await waitMoves(page, 2);
  await page.click("#resign");
  await page.click("#resign");
  await page.click("#tab-explore");
  await page.keyboard.press("Home");
  await waitText(page, "#explore-text", /^1 game\./);
  await page.waitForFunction(() => document.querySelector(".explore-row strong")?.textContent === "d4");
});

const tables = join(root, "tests/data/syzygy");
const tableRows = (page) => page.evaluate(() => [...document.querySelectorAll(".table-row")].map((row) => [...row.children].map((part) => part.textContent).join(" ").trim()));

test("explore: tablebase files that the user adds give the result of the position and of each move", async (page) => {
  // King on the sixth rank before its pawn: both ways to the seventh win, and a king that leaves the key squares draws.
  await open(page, "#fen=4k3/8/4K3/4P3/8/8/8/8_w_-_-_0_1");
  await page.click("#tab-explore");
  assert.equal(await page.locator(".table-row").count(), 0);
  await page.setInputFiles("#tables-files", readdirSync(tables).map((name) => join(tables, name)));
  await waitText(page, "#tables-info", /^10 tables, up to 3 pieces/);
  await waitText(page, "#tables-result", /^White wins\. The next capture, pawn move or mate comes in about 2 moves\./);
  const found = await tableRows(page);
  assert.deepEqual(found.filter((row) => row.includes("wins")).map((row) => row.split(" ")[0]).sort(), ["Kd6", "Kf6"]);
  assert.deepEqual(found.filter((row) => row.includes("draws")).map((row) => row.split(" ")[0]).sort(), ["Kd5", "Kf5"]);
  await page.hover(".table-row >> nth=0");
  await page.waitForSelector("#board.preview");
  await page.click('.table-row[data-uci="e6d5"]');
  await waitMoves(page, 1);
  await waitText(page, "#tables-result", /^Draw\.$/);
  // It follows the game, and says when there is no table.
  await page.click("#tab-games");
  await page.click("#new-game");
  await page.click("#tab-explore");
  await waitText(page, "#tables-result", /^No table for this position\.$/);
  assert.equal(await page.locator(".table-row").count(), 0);
});

test("explore: dropped tablebase files are added; files that are none are refused with a reason", async (page) => {
  await open(page, "#fen=8/8/8/8/3k4/8/8/KR6_b_-_-_0_1");
  const drop = (name, bytes) =>
    page.evaluate(([called, numbers]) => {
      const data = new DataTransfer();
      data.items.add(new File([new Uint8Array(numbers)], called));
      document.body.dispatchEvent(new DragEvent("drop", { dataTransfer: data, bubbles: true, cancelable: true }));
    }, [name, bytes]);
  await drop("hello.rtbw", [1, 2, 3]);
  await waitText(page, "#tables-error", /hello\.rtbw: expected the name of a table/);
  await drop("KRvK.rtbw", [1, 2, 3]);
  await waitText(page, "#tables-error", /KRvK\.rtbw: \w+/);
  assert.equal((await moves(page)).length, 0);
  assert.match(await page.inputValue("#load-text"), /^$/, "tables are not read as games");
});

const sets = (page) => page.evaluate(() => [...document.querySelectorAll("#board .square.in-set")].map((square) => square.dataset.square).sort().join(" "));
const topic = (page, id) => page.selectOption("#inside-topic", id);

test("inside: sets of squares live on the board, with three sentences and a chapter each", async (page) => {
  await open(page, "#fen=4k3/4r3/8/8/4N3/8/8/4K2R_w_K_-_0_1");
  await page.click("#tab-inside");
  assert.equal(await sets(page), "e1 e4 e7 e8 h1");
  assert.equal(await page.textContent(".inside-number"), "0x9000001000001010");
  await topic(page, "words.castling");
  assert.equal(await sets(page), "h1");
  await topic(page, "pinOrthogonal");
  assert.equal(await sets(page), "e2 e3 e4 e5 e6 e7");
  await topic(page, "checkMask");
  assert.equal((await sets(page)).split(" ").length, 64);
  await topic(page, "square.legalTargets");
  const at = await centre(page, "e4");
  await page.mouse.click(at.x, at.y);
  assert.equal(await sets(page), "", "a pinned knight cannot move");
  await topic(page, "square.attacks");
  assert.equal(await sets(page), "c3 c5 d2 d6 f2 f6 g3 g5");
  // It follows the game.
  await page.fill("#move-input", "Kd2");
  await page.keyboard.press("Enter");
  await topic(page, "words.kings");
  await page.waitForFunction(() => document.querySelector('#board .square.in-set[data-square="d2"]'));
  const chapters = await (await fetch(`${base}internals.html`)).text();
  const topics = await page.locator("#inside-topic option").evaluateAll((options) => options.map((option) => option.value));
  assert.ok(topics.length > 25);
  for (const id of topics) {
    await topic(page, id);
    const text = await page.textContent("#inside-text");
    assert.equal(text.match(/[.](\s|$)/g).length, 3, `${id}: three sentences`);
    const chapter = (await page.getAttribute("#inside-link", "href")).split("#")[1];
    assert.ok(chapters.includes(`id="${chapter}"`), `${id}: the chapter ${chapter}`);
  }
  await page.click("#tab-review");
  assert.equal(await sets(page), "");
});

test("inside: a magic lookup step by step, the keys, perft", async (page) => {
  await open(page, "#fen=4k3/8/8/8/1p1RP3/8/3P4/4K3_w_-_-_0_1");
  await page.click("#tab-inside");
  await topic(page, "magic");
  assert.equal(await sets(page), "b4 c4 d2 d3 d5 d6 d7 e4 f4 g4");
  await page.click('[data-step="blockers"]');
  assert.equal(await sets(page), "b4 d2 e4");
  await page.click('[data-step="index"]');
  assert.match(await page.textContent("#inside-body"), /Product >> \d+ is the index \d+/);
  await page.click('[data-step="attacks"]');
  assert.equal(await sets(page), "b4 c4 d2 d3 d5 d6 d7 d8 e4");
  await topic(page, "perft");
  assert.match(await page.textContent("#inside-body"), /Depth 1\d+/);
  await topic(page, "keys");
  await waitText(page, "#inside-body", /Go to a move/);
  await page.fill("#move-input", "Rd8");
  await page.keyboard.press("Enter");
  await waitText(page, "#inside-body", /What 1\. Rd8\+ changed.*orthogonal: d8 d4/);
  assert.equal(await piece(page, "d8"), "wr");
  assert.deepEqual(await moves(page), ["Rd8+"]);
});
