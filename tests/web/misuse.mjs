// SPDX-License-Identifier: MIT
// Tests of unusual use: actions in an odd order, links and files at a bad moment, games that few programs write, an engine
// that crashes. browser.mjs runs them with its own tests.

import assert from "node:assert/strict";
import { cpSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { centre, clickMove, clipboard, copied, cursor, dragMove, folder, engineOn, load, moves, open, openPlay, PGN, piece, serve, tabTo, test, waitMoves, waitText, work } from "./harness.mjs";

const two = `${PGN}\n${PGN.replace("Anna", "Clara")}`;

test("misuse: the skip link focuses the move field and keeps the game", async (page) => {
  await open(page, "#moves=e2e4,e7e5");
  await page.click("#move-input");
  await tabTo(page, ".skip", "Shift+Tab");
  await page.keyboard.press("Enter");
  await page.waitForFunction(() => document.activeElement?.id === "move-input");
  await page.waitForTimeout(300);
  assert.deepEqual(await moves(page), ["e4", "e5"]);
});

test("misuse: a link cannot end a game in progress", async (page) => {
  await openPlay(page);
  await page.click("#play-start");
  await clickMove(page, "e2", "e4");
  await waitMoves(page, 2);
  await page.evaluate(() => (location.hash = "#moves=d2d4"));
  await waitText(page, "#notice", /resign first/);
  await page.waitForFunction(() => location.hash.startsWith("#pgn="));
  assert.equal((await moves(page)).length, 2);
  assert.equal(await page.textContent("#play-text"), "Your move.");
  await page.goBack(); // to the address before the link
  await page.waitForTimeout(300);
  assert.equal((await moves(page)).length, 2);
});

test("misuse: a link is opened even if the page writes its own address at the same moment", async (page) => {
  await open(page);
  await page.evaluate(() => {
    location.hash = "#moves=d2d4";
    history.replaceState(null, "", location.pathname);
  });
  await waitMoves(page, 1);
});

test("misuse: a game picked from the list cannot end a game in progress", async (page) => {
  await open(page);
  await load(page, two);
  await page.waitForSelector(".picker-row");
  await page.click("#tab-play");
  await page.click("#play-start");
  await page.click("#tab-games");
  await page.click(".picker-row");
  await waitText(page, "#load-error", /resign first/);
  assert.equal((await moves(page)).length, 0);
  assert.equal(await page.isVisible("#play-form"), false);
});

test("misuse: Luft answers a move made during the search for a hint", async (page) => {
  await openPlay(page);
  await page.click("#play-start");
  await page.fill("#move-input", "e4");
  await page.evaluate(() => {
    document.querySelector("#hint").click();
    document.querySelector("#move-form").requestSubmit();
  });
  await waitMoves(page, 2);
  await page.evaluate(() => {
    document.querySelector("#hint").click();
    document.querySelector("#take-back").click();
  });
  await waitMoves(page, 0);
  await page.waitForTimeout(800);
  assert.equal(await page.textContent("#hint-text"), "");
  await page.click("#hint");
  await waitText(page, "#hint-text", /^Try/);
  await page.fill("#move-input", "d4");
  await page.evaluate(() => {
    document.querySelector("#move-form").requestSubmit();
    document.querySelector("#take-back").click();
  });
  await waitMoves(page, 0);
  await page.waitForTimeout(1500); // enough for an answer to the removed move
  assert.equal((await moves(page)).length, 0);
  assert.equal(await page.textContent("#play-text"), "Your move.");
});

test("misuse: a reload right after a move keeps the move and the game", async (page) => {
  await openPlay(page);
  await page.click("#play-start");
  await page.fill("#move-input", "e4");
  await Promise.all([
    page.waitForNavigation(),
    page.evaluate(() => {
      document.querySelector("#move-form").requestSubmit();
      location.reload();
    }),
  ]);
  await page.waitForSelector("html[data-ready]");
  await waitMoves(page, 2);
  await waitText(page, "#play-text", /Your move/);
});

test("misuse: moves of a game in progress cannot be deleted", async (page) => {
  await openPlay(page);
  await page.click("#play-start");
  await clickMove(page, "e2", "e4");
  await waitMoves(page, 2);
  await page.click("#annotate summary");
  assert.equal(await page.isDisabled("#remove"), true);
  await page.click("#resign");
  await page.click("#resign");
  await waitText(page, "#play-text", /You resigned/);
  assert.equal(await page.isDisabled("#remove"), false);
});

test("misuse: a comment stays with its move when Luft answers meanwhile", clipboard, async (page) => {
  await openPlay(page);
  await page.click("#annotate summary");
  await page.click("#play-start");
  await page.fill("#move-input", "e4");
  await page.evaluate(() => {
    const comment = document.querySelector("#comment");
    document.querySelector("#move-form").requestSubmit();
    comment.focus();
    comment.value = "mine";
    comment.dispatchEvent(new Event("input", { bubbles: true }));
  });
  await waitMoves(page, 2);
  await page.keyboard.type(" too");
  await page.click("#tab-games");
  assert.match((await copied(page, "#copy-pgn")).replace(/\s+/g, " "), /1\. e4 \{mine too\} (1\.\.\. )?[a-hN]\w+ \*/);
});

test("misuse: a file opened during position setup ends the setup", async (page) => {
  await open(page);
  await page.click("#tab-games");
  await page.click("#setup-open");
  await page.click("#setup-clear");
  const path = join(work, "one.pgn");
  writeFileSync(path, PGN);
  await page.setInputFiles("#file", path);
  await waitMoves(page, 14);
  await page.waitForSelector("#setup", { state: "hidden" });
  await page.waitForSelector("#moves", { state: "visible" });
  await clickMove(page, "e2", "e4");
  await page.waitForFunction(() => document.querySelector('#moves [aria-current="true"]')?.textContent.startsWith("e4"));
});

test("misuse: null moves in a PGN are shown, navigated, analysed, shared and restored", async (page, context) => {
  await open(page);
  await load(page, "1. e4 e5 2. -- Nf6 3. Nc3 *");
  await waitMoves(page, 5);
  await page.click("#tab-games");
  await page.keyboard.press("End");
  assert.equal(await piece(page, "c3"), "wn");
  assert.equal(await piece(page, "f6"), "bn");
  await page.click("#tab-review");
  await page.click("#analyse-toggle");
  await page.waitForSelector("#lines-list .score");
  for (const key of ["ArrowLeft", "ArrowLeft", "ArrowLeft", "ArrowRight"]) await page.keyboard.press(key);
  await page.waitForSelector("#lines-list .score");
  assert.equal(await page.isVisible("#notice"), false);
  await page.selectOption("#review-depth", "50000");
  await page.click("#review-start");
  await waitText(page, "#review-text", /White: .*Black: /);
  const shown = await moves(page);
  await page.keyboard.press("End");
  await page.waitForFunction(() => /pgn=.*&at=5(&|$)/.test(location.hash)); // five moves on
  await page.reload();
  await page.waitForSelector("html[data-ready]");
  assert.deepEqual(await moves(page), shown);
  const other = await context.newPage();
  await open(other, new URL(page.url()).hash);
  assert.equal(await piece(other, "c3"), "wn");
  assert.equal(await piece(other, "f6"), "bn");
});

test("misuse: an engine that crashes is started again and continues its work", async (page) => {
  await open(page, "#moves=e2e4");
  await page.click("#tab-review");
  await page.click("#analyse-toggle");
  await page.waitForSelector("#lines-list .score");
  const crash = () => page.workers()[0].evaluate(() => void setTimeout(() => { throw new Error("a test crash"); }));
  await crash();
  await waitText(page, "#notice", /crashed and restarts/);
  const old = await page.textContent("#speed");
  await page.waitForFunction((was) => document.querySelector("#speed").textContent !== was, old);
  await page.click("#analyse-toggle");
  await page.click("#tab-play");
  await page.click("#play-start");
  await page.fill("#move-input", "e4");
  await page.keyboard.press("Enter");
  await crash();
  await waitMoves(page, 2);
});

test("misuse: deeply nested variations", async (page) => {
  await open(page);
  await load(page, `1. e4 ${"(1. d4 (1. e4 ".repeat(1000)}${")".repeat(2000)} e5 *`);
  await page.waitForFunction(() => document.querySelectorAll("#moves .variation").length > 50);
  await clickMove(page, "c2", "c4");
  await page.waitForFunction(() => document.querySelector('#moves [aria-current="true"]')?.textContent === "c4");
});

test("misuse: promotion and Chess960 castling by keyboard", async (page) => {
  await open(page, "#fen=8/P6k/8/8/8/8/8/K7_w_-_-_0_1");
  await tabTo(page, "#board .square");
  await cursor(page, "a1", "a7");
  await page.keyboard.press("Enter");
  await cursor(page, "a7", "a8");
  await page.keyboard.press("Enter");
  await page.waitForSelector("#promotion");
  await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  await waitMoves(page, 1);
  assert.deepEqual(await moves(page), ["a8=R"]);
  await open(page, "#fen=4k3/8/8/8/8/8/8/1R3KR1_w_KQ_-_0_1&960=1");
  await page.reload();
  await page.waitForSelector("html[data-ready]");
  await tabTo(page, "#board .square");
  await cursor(page, "a1", "f1");
  await page.keyboard.press("Enter");
  await cursor(page, "f1", "g1");
  await page.keyboard.press("Enter");
  await waitMoves(page, 1);
  assert.deepEqual(await moves(page), ["O-O"]);
  assert.deepEqual([await piece(page, "g1"), await piece(page, "f1")], ["wk", "wr"]);
  await page.keyboard.press("Escape");
});

test("misuse: Chess960 castling by dragging", async (page) => {
  await open(page, "#fen=4k3/8/8/8/8/8/8/1R3KR1_w_KQ_-_0_1&960=1");
  await dragMove(page, "f1", "b1");
  await waitMoves(page, 1);
  assert.deepEqual(await moves(page), ["O-O-O"]);
  assert.deepEqual([await piece(page, "c1"), await piece(page, "d1")], ["wk", "wr"]);
});

test("misuse: the window changes while a piece is dragged; a piece is released outside", async (page) => {
  await open(page);
  const { x, y } = await centre(page, "e2");
  await page.mouse.move(x, y);
  await page.mouse.down();
  await page.mouse.move(x, y - 60, { steps: 3 });
  await page.setViewportSize({ width: 700, height: 900 });
  await page.mouse.move(690, 890, { steps: 2 });
  await page.mouse.up();
  assert.equal((await moves(page)).length, 0);
  assert.equal(await piece(page, "e2"), "wp");
  await dragMove(page, "e2", "e4");
  await waitMoves(page, 1);
  assert.equal(await page.locator("#board .pieces [data-piece]").count(), 32);
});

test("misuse: position setup keeps all fields of a FEN and says why it refuses one", async (page) => {
  await open(page);
  await page.click("#tab-games");
  await page.click("#setup-open");
  const type = async (fen) => {
    await page.fill("#setup-fen", fen);
    await page.keyboard.press("Tab");
  };
  const passant = "rnbqkbnr/ppp1pppp/8/8/3pP3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 3";
  await type(passant);
  assert.equal(await page.inputValue("#setup-fen"), passant);
  for (const bad of ["rnbqkbnr/xxxxxxxx/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", "8/8", "<b>", "x".repeat(5000)]) {
    await type(bad);
    assert.equal(await page.inputValue("#setup-fen"), bad);
    await waitText(page, "#setup-error", /FEN/);
    assert.equal(await page.isDisabled("#setup-done"), true);
  }
  await type(passant);
  assert.equal(await page.textContent("#setup-error"), "");
  await page.fill("#setup-960", "960");
  await page.keyboard.press("Tab");
  await waitText(page, "#setup-error", /0 to 959/);
  await page.click("#setup-done");
  await clickMove(page, "d4", "e3");
  await waitMoves(page, 1);
  assert.deepEqual(await moves(page), ["dxe3"]);
});

test("misuse: a game started during analysis ends the analysis", async (page) => {
  await open(page, "#moves=e2e4");
  await page.keyboard.press("e");
  await page.click("#tab-review");
  await page.waitForSelector("#lines-list .score");
  await page.click("#tab-play");
  await page.selectOption("#from", "here");
  await page.click("#play-start"); // the user plays White and Black is to move, so Luft moves first
  await waitMoves(page, 1);
  assert.equal(await page.getAttribute("#analyse-toggle", "aria-checked"), "false");
  await page.keyboard.press("t");
  await page.keyboard.press("e");
  assert.equal(await page.locator("#lines-list .score, #board .arrow").count(), 0);
  assert.equal(await page.textContent("#play-text"), "Your move.");
});

test("misuse: a game of thousands of moves is opened and navigated", async (page, context, log) => {
  await open(page);
  let text = "";
  for (let i = 0; i < 1500; i++) text += `${2 * i + 1}. Nf3 Nf6 ${2 * i + 2}. Ng1 Ng8 `;
  await load(page, `${text}*`);
  await waitMoves(page, 6000);
  await page.click("#tab-games");
  const begun = Date.now();
  for (const key of ["End", "ArrowLeft", "ArrowLeft", "Home"]) await page.keyboard.press(key);
  await page.waitForFunction(() => document.querySelector("#first").disabled);
  log(`navigated in ${Date.now() - begun} ms`);
});

test("misuse: nothing overflows at twice the zoom", { viewport: { width: 640, height: 400 }, deviceScaleFactor: 2 }, async (page) => {
  await open(page, "#moves=e2e4,e7e5");
  for (const tab of ["play", "review", "games"]) {
    await page.click(`#tab-${tab}`);
    assert.equal(await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth), 0, tab);
  }
});

test("misuse: two versions in two folders of a host do not mix their files", { serviceWorkers: "allow" }, async (page, context) => {
  for (const name of ["one", "two"]) cpSync(folder, join(work, name), { recursive: true });
  const worker = join(work, "two/sw.js");
  writeFileSync(worker, readFileSync(worker, "utf8").replace(/[0-9a-f]{16}/, "0".repeat(16)));
  const plain = await serve("python3", ["-u", "-m", "http.server", "0", "--bind", "127.0.0.1", "--directory", work]);
  try {
    for (const name of ["one", "two"]) {
      await open(page, "", `${plain.address}${name}/`);
      await page.waitForFunction(() => navigator.serviceWorker.controller);
    }
    await context.setOffline(true);
    await open(page, "", `${plain.address}one/`);
  } finally {
    plain.stop();
  }
});

test("misuse: no move is undone after the flag has fallen", async (page) => {
  await openPlay(page);
  await page.selectOption("#clock", "1+0");
  await page.click("#play-start");
  await clickMove(page, "e2", "e4");
  await waitMoves(page, 2);
  await page.waitForFunction(() => location.hash.startsWith("#pgn="));
  // After the reload White has 0.3 s left.
  await page.addInitScript(() => {
    const saved = JSON.parse(sessionStorage.getItem("luft.game"));
    if (saved?.match) sessionStorage.setItem("luft.game", JSON.stringify({ ...saved, match: { ...saved.match, w: 300 } }));
  });
  await page.reload();
  await waitText(page, "#play-text", /Your time is up. Luft wins/);
  assert.equal(await page.isDisabled("#take-back"), true);
});
