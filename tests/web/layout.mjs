// SPDX-License-Identifier: MIT
// Tests of the layout: the size of the board, the phone, targets for fingers, what is visible without scrolling.
// browser.mjs runs them with its own tests.

import assert from "node:assert/strict";
import { axe, clickMove, load, moves, open, openPlay, PGN, test, waitMoves, waitText } from "./harness.mjs";

const LINE = "#moves=e2e4,e7e5,g1f3,b8c6,f1b5,a7a6,b5a4,g8f6,e1g1,f8e7,f1e1,b7b5";
const box = (page, selector) => page.locator(selector).boundingBox();

for (const [width, height, board, rows] of [
  [1440, 900, 720, 6],
  [1366, 640, 512, 6],
  [820, 1180, 720, 5],
]) {
  test(`layout: ${width}x${height} has a large board, the engine strip and the moves in view`, { viewport: { width, height } }, async (page) => {
    await open(page, LINE);
    const place = await box(page, "#board");
    assert.ok(place.width >= board, `the board has ${place.width} px`);
    assert.equal(place.width % 8, 0, "all squares are equal");
    assert.ok(place.y + place.height <= height);
    for (const id of ["#analyse-toggle", "#threat", "#lines-list", "#next"]) assert.equal(await page.isVisible(id), true, id);
    const visible = await page.evaluate(() => {
      const list = document.querySelector("#moves").getBoundingClientRect();
      return [...document.querySelectorAll(".move-row")].filter((row) => row.getBoundingClientRect().bottom <= list.bottom && row.getBoundingClientRect().top >= list.top).length;
    });
    assert.ok(visible >= rows, `${visible} rows of moves are visible`);
  });
}

const phone = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };

test("layout: on a phone the board stays in view and all targets have 44 px", phone, async (page) => {
  await open(page);
  await load(page, PGN);
  const before = await box(page, "#board");
  assert.ok(before.width >= 360);
  assert.equal(await page.isVisible("#move-form"), false);
  const small = () =>
    page.evaluate(() =>
      [...document.querySelectorAll("button, select, input:not([type=checkbox], [type=radio], [type=range], .hidden-text), textarea, summary, .button, .choice span")]
        .filter((one) => one.checkVisibility() && one.offsetWidth > 1)
        .filter((one) => one.offsetHeight < 44 || one.offsetWidth < 44)
        .map((one) => `${one.id || one.className || one.textContent} ${one.offsetWidth}x${one.offsetHeight}`),
    );
  for (const tab of ["moves", "play", "review", "explore", "games", "inside"]) {
    await page.tap(`#tab-${tab}`);
    assert.deepEqual(await small(), [], tab);
    await page.evaluate(() => {
      for (const each of document.querySelectorAll(".tab-bodies, #moves")) each.scrollTop = 10_000;
      scrollTo(0, 10_000);
    });
    assert.deepEqual(await box(page, "#board"), before, `${tab}: the board stays`);
  }
  await page.tap("#analyse-toggle");
  await page.waitForSelector("#lines-list .line");
  assert.equal(await page.locator("#lines-list .line:visible").count(), 1);
  assert.equal((await box(page, ".strip")).height, 44);
  await page.tap("#tab-moves");
  await page.tap("#annotate summary");
  assert.deepEqual(await small(), [], "comment");
});

test("layout: a phone that is turned shows a tab in place of the moves", { viewport: { width: 390, height: 844 } }, async (page) => {
  await open(page, LINE, undefined, "moves");
  assert.equal(await page.isVisible("#moves"), true);
  assert.equal(await page.isVisible("#review"), false);
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.waitForSelector("#play:not([hidden])");
  assert.equal(await page.isVisible("#moves"), true);
});

test("layout: Luft answers the first move in the Play tab", async (page) => {
  await openPlay(page);
  await clickMove(page, "d2", "d4");
  await waitMoves(page, 2);
  await waitText(page, "#play-text", /Your move/);
  assert.equal((await moves(page))[0], "d4");
  assert.equal(await page.textContent("#player-bottom .name"), "You");
  await page.click("#undo");
  await waitMoves(page, 0);
});

/** The tops of the children of an element, each once: more than one if they wrap. */
const tops = (page, selector) => page.evaluate((where) => [...new Set([...document.querySelector(where).children].map((child) => child.getBoundingClientRect().top))], selector);

// Every view in seven windows: nothing overflows or is cut off, and axe finds nothing at all. Five are windows of the long
// tests.
const windows = [
  ["wide, light", 1280, 800, "light", true],
  ["wide, dark", 1440, 900, "dark", false],
  ["laptop, dark", 1366, 640, "dark", true],
  ["tablet, light", 820, 1180, "light", true],
  ["phone, light", 390, 844, "light", false],
  ["phone, dark", 360, 640, "dark", true],
  ["phone on its side", 844, 390, "light", true],
];
for (const [name, width, height, colorScheme, isLong] of windows) {
  if (isLong && !process.env.LUFT_TEST_LONG) continue;
  test(`layout and accessibility: ${name}`, { viewport: { width, height }, colorScheme, hasTouch: width < 500 }, async (page) => {
    await open(page, LINE);
    await page.evaluate(axe);
    const check = async (part) => {
      const over = await page.evaluate(() => [document.documentElement.scrollWidth - document.documentElement.clientWidth, document.documentElement.scrollHeight - innerHeight]);
      assert.deepEqual(over, [0, 0], `${part}: the page does not scroll`);
      const cut = await page.evaluate(() =>
        [...document.querySelectorAll(".right, .side, .setup, .tab-bodies, .tab-body, fieldset, .pair, .row, .buttons, dialog[open]")]
          .filter((box) => box.clientWidth > 0 && box.scrollWidth > box.clientWidth + 1)
          .map((box) => box.id || box.className),
      );
      assert.deepEqual(cut, [], `${part}: nothing is cut off`);
      const found = await page.evaluate(() => window.axe.run(document, { resultTypes: ["violations"] }));
      assert.deepEqual(found.violations.map((each) => `${each.id}: ${each.nodes.map((node) => node.target).join(" ")}`), [], part);
    };
    const board = await box(page, "#board");
    assert.ok(Math.abs(board.width - board.height) < 1, "the board is square");
    assert.ok(board.y + board.height <= height, "the whole board is in view");
    assert.ok(board.width >= Math.min(width, height) * 0.6, `the board is large enough: ${board.width}`);
    await load(page, PGN.replace("$6 1-0", "$6 4. Nxe5 Nxe5 1-0")); // a mistake, which gives a puzzle
    await waitMoves(page, 16);
    await page.click("#tab-review");
    await page.selectOption("#review-depth", "50000");
    await page.click("#review-start");
    await waitText(page, "#review-text", /White: /);
    await check("review");
    await page.click("#learn button");
    await page.waitForSelector("#learn-hint");
    await check("learn");
    assert.equal((await tops(page, "#learn .buttons")).length, 1, "the buttons of a puzzle are one row");
    await page.click("#learn-stop");
    await page.click("#analyse-toggle");
    await page.waitForSelector("#lines-list .line");
    await check("engine");
    await page.click("#analyse-toggle");
    for (const tab of ["play", "explore", "games", "inside"]) {
      await page.click(`#tab-${tab}`);
      await check(tab);
    }
    if (await page.isVisible("#tab-moves")) await page.click("#tab-moves");
    await page.click("#annotate summary");
    await check("moves");
    assert.equal((await tops(page, "#annotate .row")).length, 1, "the annotation signs are one row");
    await page.click("#tab-games");
    await page.click("#setup-open");
    await check("setup");
    await page.click("#setup-cancel");
    for (const dialog of ["help", "settings"]) {
      await page.click(`#${dialog}-open`);
      await check(dialog);
      await page.keyboard.press("Escape");
    }
  });
}
