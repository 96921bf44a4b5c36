// SPDX-License-Identifier: MIT
// Tests that nothing a user wrote is lost, and that the page keeps up with its user: undo, paste, review layer, held keys,
// large studies, links, drawings, leniency. browser.mjs runs them with its own tests.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { centre, clickMove, clipboard, copied, dragMove, load, moves, open, openPlay, PGN, piece, test, waitMoves, waitText } from "./harness.mjs";

const paste = (page, text) =>
  page.evaluate((value) => {
    const data = new DataTransfer();
    data.setData("text/plain", value);
    document.body.dispatchEvent(new ClipboardEvent("paste", { clipboardData: data, bubbles: true }));
  }, text);

const current = (page) => page.evaluate(() => document.querySelector('#moves [aria-current="true"]')?.firstChild.textContent ?? "start");

test("safe: pasted text without a game changes nothing and says why", async (page) => {
  await open(page, "#moves=e2e4,e7e5");
  for (const text of ["hello world", "<b>nothing</b>", "1. Ke2 Ke7", "]]]", "https://lichess.org/abcdefgh", "www.chess.com/game/live/1"]) {
    await paste(page, text);
    await waitText(page, "#load-error", /\w{4}/);
    assert.deepEqual(await moves(page), ["e4", "e5"], text);
    await page.evaluate(() => (document.querySelector("#load-error").textContent = ""));
  }
  await paste(page, "https://lichess.org/abcdefgh");
  await waitText(page, "#load-error", /link to lichess\.org.*PGN/);
});

test("safe: undo and redo for moves, deleting, comments, signs, New board, loading and Play", async (page) => {
  await open(page, "#moves=e2e4,e7e5,g1f3");
  assert.equal(await page.isDisabled("#undo"), true);
  await page.keyboard.press("Home");
  await page.keyboard.press("ArrowRight");
  await page.click("#annotate summary");
  await page.click("#remove");
  await waitMoves(page, 0);
  await page.keyboard.press("Control+z");
  await waitMoves(page, 3);
  await page.click('.nag[data-nag="3"]');
  await page.fill("#comment", "kept");
  await page.click("#tab-games");
  await page.click("#new-game");
  await waitMoves(page, 0);
  await load(page, PGN);
  await waitMoves(page, 14);
  await page.click("#tab-play");
  await page.click("#play-start");
  await waitMoves(page, 0);
  await page.keyboard.press("Control+z"); // no move was made: the game before returns
  await waitMoves(page, 14);
  assert.equal(await page.isVisible("#play-form"), true);
  await page.click("#undo");
  await waitMoves(page, 0);
  await page.click("#undo");
  await waitMoves(page, 3);
  assert.match(await page.textContent("#moves"), /kept/);
  await page.click("#undo");
  assert.doesNotMatch(await page.textContent("#moves"), /kept/);
  assert.match((await moves(page)).join(" "), /e4!!/);
  await page.click("#undo");
  assert.doesNotMatch((await moves(page)).join(" "), /!/);
  for (let i = 0; i < 4; i++) await page.keyboard.press("Control+Shift+Z");
  await waitMoves(page, 14);
  assert.equal(await page.isDisabled("#undo"), false);
});

test("safe: undo in a game against Luft removes a move of each side", async (page) => {
  await openPlay(page);
  await page.click("#play-start");
  await clickMove(page, "e2", "e4");
  await waitMoves(page, 2);
  await page.keyboard.press("Control+z");
  await waitMoves(page, 0);
  assert.equal(await page.textContent("#play-text"), "Your move.");
});

test("safe: reviews are a layer: three in a row leave the same nodes and the author's marks", clipboard, async (page) => {
  await open(page);
  await load(page, '[White "A"]\n\n1. f3 $1 {my plan} e5 2. g4 (2. d4 {mine}) Qh4# 0-1');
  await waitMoves(page, 5);
  await page.click("#tab-games");
  await page.uncheck("#export-review");
  const before = await copied(page, "#copy-pgn");
  await page.click("#tab-review");
  await page.selectOption("#review-depth", "50000");
  for (let i = 0; i < 3; i++) {
    await page.click("#review-start");
    await waitText(page, "#review-text", /White: .*blunder.*Black: no mistakes/);
    assert.equal((await moves(page)).length, 5);
  }
  assert.match(await page.textContent("#moves"), /Blunder: allows mate in 1/);
  assert.match((await moves(page)).join(" "), /f3! .*g4\?\?/);
  await page.click("#tab-games");
  assert.equal(await copied(page, "#copy-pgn"), before);
  await page.check("#export-review");
  const marked = (await copied(page, "#copy-pgn")).replace(/\s+/g, " ");
  assert.match(marked, /g4 \$4 \{\[%eval #-1\] Blunder: allows mate in 1/);
  assert.match(marked, /f3 \$1 \{.*my plan\}/);
  // The review itself can be undone, and survives a reload.
  await page.reload();
  await page.waitForSelector("html[data-ready]");
  assert.match(await page.textContent("#moves"), /Blunder: allows mate in 1/);
});

test("safe: a better variation of the review becomes the user's by a click", async (page) => {
  await open(page, "#moves=f2f3,e7e5,g2g4,d8h4");
  await page.selectOption("#review-depth", "50000");
  await page.click("#review-start");
  await waitText(page, "#review-text", /White: /);
  await page.click("#moves .remark.engine .better");
  await page.waitForSelector("#moves .variation .move");
  await page.click("#undo");
  await page.waitForFunction(() => !document.querySelector("#moves .variation .move"));
});

test("safe: a held arrow key keeps board and list together", { reducedMotion: "no-preference" }, async (page) => {
  const line = "e2e4,e7e5,g1f3,b8c6,f1b5,a7a6,b5a4,g8f6,e1g1,f8e7,f1e1,b7b5,a4b3,d7d6,c2c3,e8g8";
  await open(page, `#moves=${line}&ply=0`);
  const apart = await page.evaluate(async () => {
    const place = () => [...document.querySelectorAll("#board .piece")].map((one) => one.dataset.piece + one.dataset.square).sort().join();
    const seen = [];
    for (let i = 0; i < 16; i++) {
      document.body.dispatchEvent(new KeyboardEvent("keydown", { key: "ArrowRight", bubbles: true, repeat: i > 0 }));
      seen.push(place());
      await new Promise((next) => setTimeout(next, 15));
    }
    // Half a second is more than an animation, but far less than sixteen of them.
    const moving = document.querySelector("#board .piece[data-square=g8]");
    const box = () => moving.getBoundingClientRect();
    const target = document.querySelector("#board .square[data-square=g8]").getBoundingClientRect();
    await new Promise((next) => setTimeout(next, 300));
    return { different: new Set(seen).size, offset: Math.abs(box().x - target.x) };
  });
  assert.equal(apart.different, 16, "each key press is on the board at once");
  assert.ok(apart.offset < 1, `the last piece has arrived: ${apart.offset}`);
  assert.equal(await current(page), "O-O");
});

test("safe: a move in a study of 3,000 nodes takes less than 50 ms", { alone: true }, async (page, context, log) => {
  await open(page);
  // 60 plies of knight moves, each with a variation of 49 plies of the other knights.
  const number = (at) => `${Math.floor(at / 2) + 1}${at % 2 ? "..." : "."}`;
  const main = ["Nf3", "Nf6", "Ng1", "Ng8"];
  const other = [["Nc3", "Nc6", "Nb1", "Nb8"], ["Nc6", "Nc3", "Nb8", "Nb1"]];
  let text = "";
  for (let ply = 0; ply < 60; ply++) {
    const variation = Array.from({ length: 49 }, (_, i) => `${number(ply + i)} ${other[ply % 2][i % 4]}`);
    text += `${number(ply)} ${main[ply % 4]} (${variation.join(" ")}) `;
  }
  await load(page, `${text}*`);
  await waitMoves(page, 3000);
  const nodes = (await moves(page)).length;
  await page.click("#tab-review");
  await page.keyboard.press("End");
  await page.waitForTimeout(500);
  const times = await page.evaluate(async () => {
    const button = document.querySelector("#moves .move");
    const elements = new Set(document.querySelectorAll("#moves .move"));
    const field = document.querySelector("#move-input");
    const spent = [];
    for (const move of ["e4", "e5", "d4", "d5", "h3", "h6"]) {
      field.value = move;
      const start = performance.now();
      field.form.requestSubmit();
      spent.push(performance.now() - start);
      await new Promise((next) => setTimeout(next, 450));
    }
    const kept = [...document.querySelectorAll("#moves .move")].filter((one) => elements.has(one)).length;
    return { spent, kept, first: button.isConnected };
  });
  log(`${nodes} nodes: ${times.spent.map((ms) => ms.toFixed(1)).join(", ")} ms`);
  assert.equal(times.kept, nodes, "the list keeps its elements");
  assert.ok(Math.min(...times.spent) < 50, `${times.spent}`);
});

test("safe: White's resignation survives a reload", async (page) => {
  await openPlay(page);
  await page.click("#play-start");
  await clickMove(page, "e2", "e4");
  await waitMoves(page, 2);
  await page.click("#resign");
  await page.click("#resign");
  await waitText(page, "#outcome", /You resigned. Luft wins/);
  await page.reload();
  await page.waitForSelector("html[data-ready]");
  assert.equal(await page.textContent("#outcome"), "You resigned. Luft wins.");
  assert.equal(await page.textContent("#play-text"), "You resigned. Luft wins.");
});

test("safe: outcome text, errors and hovering do not move the layout", async (page) => {
  await open(page, "#moves=f2f3,e7e5,g2g4");
  const places = () => page.evaluate(() => ["#board", "#moves", ".controls", ".tabs", "#lines-list"].map((at) => JSON.stringify(document.querySelector(at).getBoundingClientRect())));
  const before = await places();
  await page.fill("#move-input", "Ke2");
  await page.keyboard.press("Enter");
  await waitText(page, "#move-error", /\w/);
  assert.deepEqual(await places(), before, "an error");
  await page.fill("#move-input", "Qh4");
  await page.keyboard.press("Enter");
  await waitText(page, "#outcome", /Checkmate/);
  assert.deepEqual(await places(), before, "the outcome");
  await page.keyboard.press("Escape");
  await page.click("#previous");
  await page.click("#analyse-toggle");
  await page.waitForSelector("#lines-list .score");
  assert.deepEqual(await places(), before, "the engine");
  await page.hover("#lines-list .san");
  await page.waitForSelector("#board.preview");
  assert.deepEqual(await places(), before, "hovering");
});

test("safe: a FEN of the placement alone is accepted; a8 offers the promotion at its square", async (page) => {
  await open(page);
  await load(page, "8/P6k/8/8/8/8/8/K7");
  await page.waitForFunction(() => document.querySelector('#board .pieces [data-square="a7"]'));
  for (const fen of ["8/P6k/8/8/8/8/8/K7 w", "8/P6k/8/8/8/8/8/K7 w - -", "8/P6k/8/8/8/8/8/K7 w - - 0"]) {
    await load(page, fen);
    assert.equal(await page.textContent("#load-error"), "", fen);
  }
  await page.fill("#move-input", "a8");
  await page.keyboard.press("Enter");
  await page.waitForSelector("#promotion");
  const box = await page.locator("#promotion button").first().boundingBox();
  const square = await centre(page, "a8");
  assert.ok(Math.abs(box.x + box.width / 2 - square.x) < 2 && Math.abs(box.y + box.height / 2 - square.y) < 2, "the queen is on a8");
  const outside = await centre(page, "h1");
  await page.mouse.click(outside.x, outside.y);
  await page.waitForSelector("#promotion", { state: "detached" });
  assert.equal((await moves(page)).length, 0);
  await clickMove(page, "a7", "a8");
  await page.click('#promotion button[aria-label="Rook"]');
  await waitMoves(page, 1);
  assert.deepEqual(await moves(page), ["a8=R"]);
});

test("safe: a link keeps names, result, comments and variations", clipboard, async (page, context) => {
  await open(page);
  await load(page, PGN);
  await waitMoves(page, 14);
  await page.click("#tab-games");
  for (const key of ["ArrowRight", "ArrowRight", "ArrowDown"]) await page.keyboard.press(key);
  const pgn = await copied(page, "#copy-pgn");
  const link = await copied(page, "#copy-link");
  assert.match(link, /#pgn=[\w-]+&at=1-v1$/);
  const other = await (await context.browser().newContext()).newPage();
  await other.goto(link);
  await other.waitForSelector("html[data-ready]");
  await waitMoves(other, 14);
  assert.equal(await current(other), "c5");
  assert.match(await other.textContent("#headers"), /Anna – Berta/);
  await other.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  await other.click("#tab-games");
  assert.equal(await copied(other, "#copy-pgn"), pgn);
  await other.context().close();
  // A damaged link is explained.
  await page.evaluate(() => (location.hash = "#pgn=AAAA"));
  await waitText(page, "#notice", /contains no game/);
});

test("safe: a game that is too long for a link says so", clipboard, async (page) => {
  await open(page);
  // Random letters do not compress.
  let seed = 1;
  const letters = Array.from({ length: 40_000 }, () => String.fromCharCode(97 + (seed = (seed * 48271) % 2147483647) % 26)).join("");
  await load(page, `1. e4 {${letters}} e5 *`);
  await waitMoves(page, 2);
  assert.match(await copied(page, "#copy-link", /too long for a link/), /#moves=e2e4,e7e5/);
});

test("safe: arrows, squares, clocks and evaluations of a file are shown", async (page) => {
  await open(page);
  await load(page, "1. e4 {[%clk 0:04:59] [%eval 0.3] [%cal Ge2e4,Rd1h5] [%csl Yd5]} e5 {[%clk 0:04:50] [%eval 0.2]} 2. Nf3 {[%clk 0:04:40]} *");
  await waitMoves(page, 3);
  await page.click("#tab-review");
  await page.keyboard.press("ArrowRight");
  await page.waitForFunction(() => document.querySelectorAll("#board .arrow").length === 2);
  assert.equal(await page.locator("#board .circle.kind-Y").count(), 1);
  assert.deepEqual(await page.locator("#moves .move-clock").allTextContents(), ["4:59", "4:50", "4:40"]);
  assert.equal(await page.textContent("#player-bottom .clock"), "4:59");
  assert.equal(await page.locator("#graph .curve").count(), 1);
  // The third move has no score: the curve ends before it.
  const width = await page.evaluate(() => document.querySelector("#graph .ground").getBBox().width);
  assert.ok(width > 100 && width < 150, `one third of the graph is painted: ${width} of 400`);
  assert.equal(await page.textContent("#strip-score"), "+0.30");
});

test("safe: arrows and squares are drawn with the right button and kept in the PGN", clipboard, async (page) => {
  await open(page, "#moves=e2e4");
  const draw = async (from, to, key) => {
    const [start, end] = [await centre(page, from), await centre(page, to)];
    if (key) await page.keyboard.down(key);
    await page.mouse.move(start.x, start.y);
    await page.mouse.down({ button: "right" });
    await page.mouse.move(end.x, end.y, { steps: 3 });
    await page.mouse.up({ button: "right" });
    if (key) await page.keyboard.up(key);
  };
  await draw("g1", "f3");
  await draw("d5", "d5", "Shift");
  await page.waitForFunction(() => document.querySelector("#board .arrow.kind-G") && document.querySelector("#board .circle.kind-R"));
  await page.click("#tab-games");
  assert.match(await copied(page, "#copy-pgn"), /1\. e4 \{\[%csl Rd5\] \[%cal Gg1f3\]\}/);
  await draw("g1", "f3"); // again: removed
  await page.waitForFunction(() => !document.querySelector("#board .arrow.kind-G"));
  await page.keyboard.press("Control+z");
  await page.waitForFunction(() => document.querySelector("#board .arrow.kind-G"));
});

test("safe: in set-up a piece is dragged, and dragged off the board", async (page) => {
  await open(page);
  await page.click("#tab-games");
  await page.click("#setup-open");
  await dragMove(page, "e2", "e5");
  assert.deepEqual([await piece(page, "e2"), await piece(page, "e5")], [null, "wp"]);
  const { x, y } = await centre(page, "d1");
  await page.mouse.move(x, y);
  await page.mouse.down();
  await page.mouse.move(x, y + 400, { steps: 4 });
  await page.mouse.up();
  assert.equal(await piece(page, "d1"), null);
  assert.match(await page.inputValue("#setup-fen"), /4P3.*RNB1KBNR w/);
});

test("safe: rows of the picker are whole, and its filter knows openings", async (page) => {
  await open(page);
  const games = [["Anna", "1. e4 c5 2. Nf3 d6 3. d4 cxd4 4. Nxd4 Nf6 5. Nc3 a6", "2019"], ["Berta", "1. d4 d5 2. c4 e6", "2020"], ["Clara", "1. e4 c5 2. Nf3 d6 3. d4 cxd4 4. Nxd4 Nf6 5. Nc3 a6 6. Be3", "2021"]];
  await load(page, games.map(([name, text, year]) => `[White "${name}"]\n[Black "X"]\n[Date "${year}.01.01"]\n\n${text} *\n\n`).join(""));
  await page.waitForSelector(".picker-row");
  const cut = await page.evaluate(() => [...document.querySelectorAll(".picker-row > *")].filter((part) => part.scrollHeight > part.clientHeight + 1 || part.getBoundingClientRect().bottom > part.parentElement.getBoundingClientRect().bottom).length);
  assert.equal(cut, 0);
  await page.fill("#picker-filter", "najdorf 2021");
  await waitText(page, "#picker-count", /^1 game$/);
  assert.match(await page.textContent(".picker-row"), /Clara.*B90/);
  await page.fill("#picker-filter", "b90");
  await waitText(page, "#picker-count", /^2 games$/);
});

test("safe: ? opens the help, whose heading has no box", async (page) => {
  await open(page);
  await page.keyboard.press("?");
  await page.waitForSelector("#help[open]");
  assert.equal(await page.evaluate(() => document.activeElement.tagName), "BUTTON");
  assert.equal(await page.evaluate(() => getComputedStyle(document.querySelector("#help-title")).outlineStyle), "none");
  await page.keyboard.press("Escape");
  await page.waitForSelector("#help", { state: "hidden" });
});

test("safe: the wheel steps through the moves; a line is previewed on hover", async (page) => {
  await open(page, "#moves=e2e4,e7e5,g1f3");
  const { x, y } = await centre(page, "e4");
  await page.mouse.move(x, y);
  await page.mouse.wheel(0, -100);
  await page.waitForFunction(() => document.querySelector('#moves [aria-current="true"]')?.textContent === "e5");
  await page.mouse.wheel(0, 100);
  await page.waitForFunction(() => document.querySelector('#moves [aria-current="true"]')?.textContent === "Nf3");
});

test("safe: a finger that stays on a move of a line previews it, and adds nothing", { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true }, async (page) => {
  await open(page, "#moves=e2e4");
  await page.click("#analyse-toggle");
  await page.waitForSelector("#lines-list button.san");
  const touch = (type) =>
    page.evaluate((name) => {
      const target = document.querySelector("#lines-list button.san");
      target.dispatchEvent(new PointerEvent(name, { pointerType: "touch", pointerId: 5, bubbles: true }));
      if (name === "pointerup") target.click();
    }, type);
  await touch("pointerdown");
  await page.waitForSelector("#board.preview");
  await touch("pointerup");
  await page.waitForSelector("#board:not(.preview)");
  assert.deepEqual(await moves(page), ["e4"]);
  await touch("pointerup"); // a short touch adds the move
  await waitMoves(page, 2);
});

test("safe: a game is loaded, reviewed, edited, undone, saved, shared and reopened elsewhere, with nothing lost", clipboard, async (page, context) => {
  await open(page);
  await load(page, PGN);
  await waitMoves(page, 14);
  await page.click("#tab-review");
  await page.selectOption("#review-depth", "50000");
  await page.click("#review-start");
  await waitText(page, "#review-text", /White: /);
  await page.keyboard.press("Home");
  await page.keyboard.press("ArrowRight");
  await page.click("#annotate summary");
  await page.fill("#comment", "my own words");
  await page.click("#remove");
  await waitMoves(page, 0);
  await page.click("#undo");
  await waitMoves(page, 14);
  await page.click("#tab-games");
  await page.uncheck("#export-review");
  const pgn = await copied(page, "#copy-pgn");
  assert.match(pgn, /my own words/);
  assert.match(pgn.replace("my own words", "best by test").replace(/\s+/g, " "), /\{Before all\} 1\. e4 \$1 \{best by test\} .*\(1\.\.\. c5 \{Sicilian\} 2\. Nf3 \(2\. c3 d5 \(2\.\.\. Nf6 3\. e5\)\) 2\.\.\. d6\) \(1\.\.\. e6\)/);
  const [saved] = await Promise.all([page.waitForEvent("download"), page.click("#save-pgn")]);
  assert.equal(readFileSync(await saved.path(), "utf8").trim(), pgn.trim(), "the saved file");
  const link = await copied(page, "#copy-link");
  await page.waitForFunction(() => document.querySelectorAll("#library-list .picker-row").length === 1);
  const elsewhere = await context.browser().newContext({ permissions: ["clipboard-read", "clipboard-write"] });
  const other = await elsewhere.newPage();
  await other.goto(link);
  await other.waitForSelector("html[data-ready]");
  await waitMoves(other, 14);
  await other.click("#tab-games");
  await other.uncheck("#export-review");
  assert.equal(await copied(other, "#copy-pgn"), pgn);
  const report = await page.textContent("#review-report");
  assert.match(report, /Accuracy/);
  assert.equal(await other.textContent("#review-report"), report, "the link has the review");
  await elsewhere.close();
  // The library has the review too.
  await page.click("#new-game");
  await page.click("#library-list .picker-row");
  await waitMoves(page, 14);
  await page.click("#tab-review");
  await waitText(page, "#review-report", /Accuracy/);
});
