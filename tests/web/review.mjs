// SPDX-License-Identifier: MIT
// Tests of the review, of learning from mistakes, and of playing: premoves, draw offers, clocks, Chess960. browser.mjs runs
// them with its own tests.

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { clickMove, load, moves, open, openPlay, piece, test, waitMoves, waitText, work } from "./harness.mjs";

// Morphy's game at the opera until Black's third inaccuracy.
const OPERA = `[White "Morphy"]
[Black "Duke"]
[Result "*"]

1. e4 e5 2. Nf3 d6 3. d4 Bg4 4. dxe5 Bxf3 5. Qxf3 dxe5 6. Bc4 Nf6 7. Qb3 *
`;

async function review(page, text, nodes = "50000") {
  await load(page, text);
  await page.waitForSelector("#moves .move"); // a review of the empty board would never end in a report
  await page.click("#tab-review");
  await page.selectOption("#review-depth", nodes);
  await page.click("#review-start");
  await waitText(page, "#review-text", /White: /);
}

const cell = (page, label, side) => page.evaluate(([name, column]) => [...document.querySelectorAll(".report-table tr")].find((row) => row.querySelector("th[scope=row]")?.textContent === name)?.querySelectorAll("td")[column].textContent, [label, side]);

test("review: the report equals that of luft analyse", async (page, context, log) => {
  const program = process.env.LUFT;
  if (!program) return log("skipped: the variable LUFT does not name the program");
  const path = join(work, "opera.pgn");
  writeFileSync(path, OPERA);
  const run = spawnSync(program, ["analyse", "--pgn", path, "--nodes", "50000", "--json"], { encoding: "utf8" });
  const total = JSON.parse(run.stdout.trim().split("\n").at(-1));
  await open(page);
  await review(page, OPERA);
  for (const [column, player] of [[0, total.white], [1, total.black]]) {
    assert.equal(await cell(page, "Average loss", column), `${Math.round(player.average_loss_cp)} cp`);
    assert.equal(Number.parseFloat(await cell(page, "Accuracy", column)), player.accuracy);
    assert.equal(Number.parseFloat(await cell(page, "Opening", column)), Math.round(player.phases.opening.accuracy));
    assert.equal(await cell(page, "Inaccuracies", column), String(player.inaccuracies));
    assert.equal(await cell(page, "Mistakes", column), String(player.mistakes));
    assert.equal(await cell(page, "Blunders", column), String(player.blunders));
  }
});

test("review: accuracy, phases, key moments, next and previous mistake, badges; cancelling", async (page) => {
  await open(page);
  await review(page, OPERA);
  assert.match(await cell(page, "Accuracy", 0), /^(\d\d(\.\d)?|100\.0) %$/);
  assert.match(await cell(page, "Opening", 1), /^\d+ %$/);
  assert.equal(await cell(page, "Endgame", 1), "–");
  const current = () => page.evaluate(() => document.querySelector('#moves [aria-current="true"]')?.textContent ?? "");
  await page.keyboard.press("Home");
  await page.keyboard.press("n");
  const first = await current();
  assert.match(first, /\?/);
  assert.equal(await page.locator("#board .badge").count(), 1);
  await page.click("#next-mistake");
  assert.notEqual(await current(), first);
  await page.click("#previous-mistake");
  assert.equal(await current(), first);
  await page.click(".moment >> nth=0");
  assert.match(await current(), /\?/);
  // A review that is cancelled keeps the last one.
  await page.selectOption("#review-depth", "1000000");
  await page.click("#review-start");
  await page.waitForSelector("#review-progress:not([hidden])");
  await page.click("#review-start");
  await waitText(page, "#review-text", /Stopped/);
  assert.match(await page.textContent("#moves"), /Better is/);
  assert.match(await page.textContent("#review-report"), /Accuracy/);
});

test("learn: a mistake is a puzzle, with hints, a retry and the solution", async (page) => {
  await open(page);
  await review(page, "1. f3 e5 2. g4 Qh4# 0-1");
  await page.click("#learn-w");
  const count = Number(/of (\d)/.exec(await page.textContent("#learn h2"))[1]);
  for (let i = 1; i < count; i++) await page.click("#learn-next"); // the last mistake: 2. g4
  await waitText(page, "#learn-text", /2\. g4 was a mistake. Find a better move for White/);
  assert.equal(await piece(page, "g2"), "wp");
  await page.click("#analyse-toggle");
  assert.equal(await page.getAttribute("#analyse-toggle", "aria-checked"), "false", "no engine while learning");
  await waitText(page, "#lines-list", /^No analysis during a puzzle/);
  assert.ok((await page.locator("#moves .remark").count()) > 0);
  assert.equal(await page.locator("#moves .remark:visible").count(), 0, "the moves do not tell the solution");
  await clickMove(page, "g2", "g4");
  await waitText(page, "#learn-text", /g4 is what was played/);
  await page.click("#learn-retry");
  await clickMove(page, "h2", "h4");
  await waitText(page, "#learn-text", /not good enough|works too/);
  await page.click("#learn-retry");
  await page.click("#learn-hint");
  assert.equal(await page.locator("#board .circle").count(), 1);
  await page.click("#learn-hint");
  assert.equal(await page.locator("#board .arrow-hint").count(), 1);
  await page.click("#learn-solution");
  await waitText(page, "#learn-text", /^Best is /);
  await page.click("#learn-next");
  await waitText(page, "#learn-text", /Finished: 0 of/);
  await page.click("#learn-stop");
  assert.ok((await page.locator("#moves .remark:visible").count()) > 0);
  assert.deepEqual((await moves(page)).map((move) => move.replace(/[?!]+$/, "")), ["f3", "e5", "g4", "Qh4#"], "the game did not change");
});

test("learn: puzzles from all games of a file", async (page) => {
  await open(page);
  await load(page, `[White "A"]\n\n1. e4 e5 2. Qh5 Ke7 3. Qxe5# 1-0\n\n[White "B"]\n\n1. f3 e5 2. g4 Qh4# 0-1\n\n[White "C"]\n\n1. e4 *\n`);
  await page.waitForSelector("#make-puzzles");
  await page.click("#make-puzzles");
  await waitText(page, "#learn-text", /2\.\.\. Ke7 was a mistake. Find a better move for Black/);
  await clickMove(page, "b8", "c6");
  await waitText(page, "#learn-text", /Right|works too/);
  await page.click("#learn-next");
  await waitText(page, "#learn-text", /2\. g4 was a mistake/);
});

test("play: a premove is shown, played after Luft's move, and cancelled", async (page) => {
  await openPlay(page, "#fen=7k/8/8/8/8/8/P7/K7_w_-_-_0_1");
  await page.selectOption("#from", "here");
  await page.click("#play-start");
  // In one step: Luft may answer before the mouse of a test arrives.
  const press = (...squares) =>
    page.evaluate((list) => {
      const marks = [];
      for (const square of list) {
        const box = document.querySelector(`#board .squares [data-square="${square}"]`).getBoundingClientRect();
        const at = { clientX: box.x + box.width / 2, clientY: box.y + box.height / 2, pointerId: 1, button: 0, bubbles: true };
        for (const type of ["pointerdown", "pointerup"]) document.querySelector("#board").dispatchEvent(new PointerEvent(type, at));
        marks.push(document.querySelectorAll("#board .square.premove").length);
      }
      return { text: document.querySelector("#play-text").textContent, marks };
    }, squares);
  await page.mouse.move(300, 300);
  const shown = await press("a2", "a3", "a3", "a4");
  assert.match(shown.text, /your reply: a3a4/);
  assert.equal(shown.marks.at(-1), 2);
  await page.waitForFunction(() => document.querySelectorAll("#moves .move").length >= 3);
  assert.equal((await moves(page))[2], "a4");
  await page.waitForFunction(() => document.querySelectorAll("#moves .move").length === 4);
  // A click elsewhere cancels the next one.
  assert.deepEqual((await press("a4", "a5", "a5", "a6", "e4")).marks.slice(-2), [2, 0]);
  await page.waitForFunction(() => document.querySelectorAll("#moves .move").length === 6);
});

test("play: a draw is declined early; custom clocks; Chess960 by number; levels say what they are like", async (page) => {
  await openPlay(page);
  assert.match(await page.textContent("#level-hint"), /\w+ \w+ \w+/);
  await page.selectOption("#clock", "custom");
  await page.fill("#clock-minutes", "7");
  await page.fill("#clock-seconds", "4");
  await page.selectOption("#from", "960");
  await page.fill("#play-960", "0");
  await page.click("#play-start");
  assert.match(await page.textContent("#player-bottom .clock"), /^[67]:\d\d$/);
  // Number 0 is BBQNNRKR.
  const first = await Promise.all([..."abcdefgh"].map((file) => piece(page, `${file}1`)));
  assert.equal(first.map((one) => one[1]).join(""), "bbqnnrkr");
  await page.click("#draw");
  await waitText(page, "#hint-text", /declines the draw/);
});
