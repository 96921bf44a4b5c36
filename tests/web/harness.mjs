// SPDX-License-Identifier: MIT
// What the tests of the page share: a server, a browser, a page for each test, and how a page is used: moving pieces,
// typing, waiting for what must come. browser.mjs has the tests.

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

export const root = resolve(dirname(fileURLToPath(import.meta.url)), "../..");
const require = createRequire(join(root, "web/app/package.json"));
const { chromium } = require("playwright-core");
export const axe = readFileSync(require.resolve("axe-core/axe.min.js"), "utf8");

export const folder = resolve(process.argv[2] ?? join(root, "build/web"));
const wanted = process.argv.slice(3);
export const shots = join(folder, "../web-shots");
export const work = mkdtempSync(join(tmpdir(), "luft-page-"));
mkdirSync(shots, { recursive: true });

// --- Registering and running tests --------------------------------------------

const tests = [];
let failures = 0;

/** test NAME [CONTEXT-OPTIONS] BODY; the body gets the page, its context and a function that prints a line. */
export function test(name, options, body) {
  tests.push(body ? { name, options, body } : { name, options: {}, body: options });
}

export async function serve(command, args) {
  const child = spawn(command, args, { stdio: ["ignore", "pipe", "ignore"] });
  const address = await new Promise((found, failed) => {
    let text = "";
    child.stdout.on("data", (data) => {
      text += data;
      const match = /http:\/\/\S+?:(\d+)/.exec(text);
      if (match) found(`http://localhost:${match[1]}/`);
    });
    child.on("exit", () => failed(new Error(`${command} ended: ${text}`)));
  });
  return { address, stop: () => child.kill() };
}

const server = await serve(process.execPath, [join(root, "scripts/web/serve"), folder, "0"]);
export const base = server.address;

const flags = ["--no-sandbox", "--disable-background-networking", "--disable-component-update", "--disable-sync", "--no-first-run"];
export const browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium-headless-shell", args: flags });

async function run({ name, options: { expects, alone, ...options }, body }) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, reducedMotion: "reduce", serviceWorkers: "block", ...options });
  context.setDefaultTimeout(60_000); // a busy machine must not fail a test
  const page = await context.newPage();
  const errors = [];
  const lines = [];
  page.on("console", (message) => {
    if (message.text().includes("blocked by Playwright")) return; // service workers have a separate test
    if (message.type() === "error" || message.type() === "warning") errors.push(`${message.type()}: ${message.text()}`);
  });
  page.on("pageerror", (error) => errors.push(String(error.stack ?? error)));
  const start = Date.now();
  try {
    await body(page, context, (line) => lines.push(`# ${line}`));
    assert.deepEqual(errors.filter((error) => !expects?.test(error)), [], "the console is clean");
    lines.push(`ok - ${name}`);
  } catch (error) {
    failures++;
    lines.push([error.stack ?? error, ...errors].join("\n").replace(/^/gm, "# "));
    await page.screenshot({ path: join(shots, `failed-${name.replace(/\W+/g, "-").slice(0, 40)}.png`) }).catch(() => {});
    lines.push(`not ok - ${name}`);
  }
  await context.close();
  console.log([...lines, `# ${((Date.now() - start) / 1000).toFixed(1)} s`].join("\n"));
}

// --- Actions on the page -----------------------------------------------------

/** Opens the page on a tab other than Play, where the first move would begin a game against Luft. */
export async function open(page, hash = "", address = base, tab = "review") {
  await page.goto(address + hash);
  await page.waitForSelector("html[data-ready]");
  if (tab !== "play") await page.click(`#tab-${tab}`);
}

export const openPlay = (page, hash = "") => open(page, hash, base, "play");

/** Turns the engine on, with three lines. */
export async function engineOn(page) {
  if ((await page.getAttribute("#more-lines", "aria-expanded")) === "false") await page.click("#more-lines");
  await page.click("#analyse-toggle");
}

/** Opens the settings, changes some, and closes them. */
export async function settings(page, change) {
  await page.click("#settings-open");
  await change();
  await page.click("#settings form button");
}

export async function centre(page, square) {
  await page.waitForSelector("#board:not([data-moving])");
  const box = await page.locator(`#board .squares [data-square="${square}"]`).boundingBox();
  return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
}

export async function clickMove(page, from, to) {
  for (const square of [from, to]) {
    const { x, y } = await centre(page, square);
    await page.mouse.click(x, y);
  }
}

export async function dragMove(page, from, to) {
  const start = await centre(page, from);
  const end = await centre(page, to);
  await page.mouse.move(start.x, start.y);
  await page.mouse.down();
  await page.mouse.move((start.x + end.x) / 2, (start.y + end.y) / 2, { steps: 3 });
  await page.mouse.move(end.x, end.y, { steps: 3 });
  await page.mouse.up();
}

export const moves = (page) => page.locator("#moves .move").allTextContents();
export const waitMoves = (page, count) => page.waitForFunction((n) => document.querySelectorAll("#moves .move").length === n, count);

/** The piece on a square after all animations: "wk", or null. */
export async function piece(page, square) {
  await page.waitForSelector("#board:not([data-moving])");
  return page.evaluate((at) => document.querySelector(`#board .pieces [data-square="${at}"]`)?.getAttribute("data-piece") ?? null, square);
}

export const waitText = (page, selector, pattern) =>
  page.waitForFunction(([where, source]) => new RegExp(source).test(document.querySelector(where)?.textContent ?? ""), [selector, pattern.source]);

export async function load(page, text) {
  await page.click("#tab-games");
  await page.fill("#load-text", text);
  await page.click("#load");
}

/** Presses Tab until the element has the focus. */
export async function tabTo(page, selector, key = "Tab") {
  for (let i = 0; i < 80; i++) {
    if (await page.evaluate((where) => document.activeElement?.matches(where) ?? false, selector)) return;
    await page.keyboard.press(key);
  }
  assert.fail(`${selector} cannot be reached with ${key}`);
}

/** Moves the keyboard cursor of the board, which starts on a1. */
export async function cursor(page, from, to) {
  const files = to.charCodeAt(0) - from.charCodeAt(0);
  const ranks = to.charCodeAt(1) - from.charCodeAt(1);
  for (let i = 0; i < Math.abs(files); i++) await page.keyboard.press(files > 0 ? "ArrowRight" : "ArrowLeft");
  for (let i = 0; i < Math.abs(ranks); i++) await page.keyboard.press(ranks > 0 ? "ArrowUp" : "ArrowDown");
}

// All pages share one clipboard: one test uses it at a time.
let clipboardTurn = Promise.resolve();

/** Clicks a button that copies, and returns what it copied. */
export function copied(page, button, done = /copied/) {
  const result = clipboardTurn.then(async () => {
    await page.evaluate(() => (document.querySelector("#copy-text").textContent = ""));
    await page.click(button);
    await waitText(page, "#copy-text", done);
    return page.evaluate(() => navigator.clipboard.readText());
  });
  clipboardTurn = result.catch(() => {});
  return result;
}

export const clipboard = { permissions: ["clipboard-read", "clipboard-write"] };

// Philidor's smothered mate: 1. Qg8+ Rxg8 (forced) 2. Nf7#.
export const SMOTHERED = "5r1k/6pp/7N/8/2Q5/8/6PP/6K1 w - - 0 1";

export const PGN = `[Event "A test"]
[Site "?"]
[Date "2024.01.02"]
[Round "1"]
[White "Anna"]
[Black "Berta"]
[Result "1-0"]

{Before all} 1. e4 $1 {best by test} e5 (1... c5 {Sicilian} 2. Nf3 (2. c3 d5 (2... Nf6 3. e5)) 2... d6) (1... e6) 2. Nf3 Nc6 3. Bb5 a6 $6 1-0
`;

/** Runs the selected tests, several at a time, and exits with status 0 if all pass. Tests that measure time run alone. */
export async function runAll() {
  const selected = tests.filter((each) => wanted.length === 0 || wanted.some((word) => each.name.includes(word)));
  for (const each of selected.filter((one) => one.options.alone)) await run(each);
  const waiting = selected.filter((one) => !one.options.alone);
  const worker = async () => {
    for (let next = waiting.shift(); next; next = waiting.shift()) await run(next);
  };
  await Promise.all(Array.from({ length: Number(process.env.JOBS ?? 4) }, worker));
  await stop();
  process.exit(failures === 0 ? 0 : 1);
}

/** Ends the browser and the server. */
export async function stop() {
  await browser.close();
  server.stop();
  rmSync(work, { recursive: true, force: true });
}
