// SPDX-License-Identifier: MIT
// Tests the page in Debian's Firefox, headless, over its Marionette protocol: lengths and JSON on a TCP connection.
// (playwright-core needs commands of WebDriver BiDi that this Firefox does not have.) browser.mjs tests everything in chromium;
// this test makes one tour through the page with real clicks and keys. test_page.sh runs it in the long tests.
//
//     node tests/web/firefox.mjs FOLDER-OF-THE-PAGE

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { join } from "node:path";
import { browser, PGN, base, root, stop, work } from "./harness.mjs";

const FIREFOX = process.env.FIREFOX ?? "/usr/bin/firefox-esr";
const PORT = 20_000 + (process.pid % 20_000);
const TIMEOUT_MS = 120_000;

await browser.close(); // of the harness only the server is needed

if (!existsSync(FIREFOX)) {
  console.log("ok - firefox: skipped: firefox-esr is not installed");
  await stop();
  process.exit(0);
}

const pause = (ms) => new Promise((done) => setTimeout(done, ms));

/** A Firefox with an empty profile. */
class Firefox {
  #socket;
  #process;
  #waiting = new Map();
  #next = 1;
  #buffer = Buffer.alloc(0);

  async start(name) {
    const profile = join(work, name);
    mkdirSync(profile);
    const preferences = { "marionette.port": PORT, "browser.shell.checkDefaultBrowser": false, "datareporting.policy.dataSubmissionEnabled": false, "app.update.disabledForTesting": true, "ui.prefersReducedMotion": 1, "network.captive-portal-service.enabled": false, "network.connectivity-service.enabled": false };
    writeFileSync(join(profile, "user.js"), Object.entries(preferences).map(([key, value]) => `user_pref("${key}", ${JSON.stringify(value)});\n`).join(""));
    this.#process = spawn(FIREFOX, ["--headless", "--marionette", "--no-remote", "--profile", profile], { stdio: "ignore", env: { ...process.env, HOME: work, MOZ_HEADLESS_WIDTH: "1280", MOZ_HEADLESS_HEIGHT: "900" } });
    const end = Date.now() + TIMEOUT_MS;
    while (!this.#socket) {
      this.#socket = await new Promise((done) => {
        const socket = connect(PORT, "127.0.0.1", () => done(socket)).on("error", () => done(null));
      });
      if (!this.#socket && Date.now() > end) throw new Error("Firefox does not answer");
      if (!this.#socket) await pause(250);
    }
    this.#socket.on("data", (data) => this.#receive(data));
    await this.send("WebDriver:NewSession", { capabilities: { alwaysMatch: { acceptInsecureCerts: true } } });
    await this.send("WebDriver:SetTimeouts", { script: TIMEOUT_MS, pageLoad: TIMEOUT_MS });
  }

  #receive(data) {
    this.#buffer = Buffer.concat([this.#buffer, data]);
    for (;;) {
      const colon = this.#buffer.indexOf(":");
      const length = Number(this.#buffer.subarray(0, Math.max(0, colon)).toString());
      if (colon < 1 || this.#buffer.length < colon + 1 + length) return;
      const message = JSON.parse(this.#buffer.subarray(colon + 1, colon + 1 + length).toString());
      this.#buffer = this.#buffer.subarray(colon + 1 + length);
      if (!Array.isArray(message)) continue; // the greeting
      const [, id, error, value] = message;
      const waiting = this.#waiting.get(id);
      if (error) waiting?.failed(new Error(error.message));
      else waiting?.done(value);
    }
  }

  send(command, parameters = {}) {
    const id = this.#next++;
    const text = JSON.stringify([0, id, command, parameters]);
    this.#socket.write(`${Buffer.byteLength(text)}:${text}`);
    return new Promise((done, failed) => this.#waiting.set(id, { done, failed }));
  }

  async run(body, ...args) {
    const { value } = await this.send("WebDriver:ExecuteScript", { script: `return (${body})(...arguments)`, args });
    return value;
  }

  /** Waits until the function returns something true, and returns it. */
  async until(body, ...args) {
    const end = Date.now() + TIMEOUT_MS;
    for (;;) {
      const value = await this.run(body, ...args);
      if (value) return value;
      if (Date.now() > end) throw new Error(`waited for ${body}`);
      await pause(100);
    }
  }

  async find(selector) {
    const { value } = await this.send("WebDriver:FindElement", { using: "css selector", value: selector });
    return Object.values(value)[0];
  }

  async click(selector) {
    await this.send("WebDriver:ElementClick", { id: await this.find(selector) });
  }

  async type(selector, text) {
    await this.send("WebDriver:ElementSendKeys", { id: await this.find(selector), text });
  }

  /** Clicks the middle of two squares. */
  async move(from, to) {
    const places = await this.run((squares) => squares.map((name) => {
      const box = document.querySelector(`#board .squares [data-square="${name}"]`).getBoundingClientRect();
      return [Math.round(box.x + box.width / 2), Math.round(box.y + box.height / 2)];
    }), [from, to]);
    const actions = places.flatMap(([x, y]) => [{ type: "pointerMove", x, y }, { type: "pointerDown", button: 0 }, { type: "pointerUp", button: 0 }]);
    await this.send("WebDriver:PerformActions", { actions: [{ type: "pointer", id: "mouse", parameters: { pointerType: "mouse" }, actions }] });
  }

  async go(address) {
    await this.send("WebDriver:Navigate", { url: address });
    await this.until(() => document.documentElement.dataset.ready === "true");
    await this.run(() => {
      window.errors = [];
      addEventListener("error", (event) => window.errors.push(event.message));
      addEventListener("unhandledrejection", (event) => window.errors.push(String(event.reason)));
    });
  }

  async stop() {
    const ended = new Promise((done) => this.#process.once("exit", done));
    await Promise.race([this.send("Marionette:Quit", { flags: ["eForceQuit"] }), pause(5000)]).catch(() => {});
    this.#socket.destroy();
    this.#process.kill();
    await ended;
  }
}

const moves = (page) => page.run(() => [...document.querySelectorAll("#moves .move")].map((move) => move.firstChild.textContent));
const waitMoves = (page, count) => page.until((wanted) => document.querySelectorAll("#moves .move").length === wanted, count);
const waitText = (page, selector, pattern) => page.until((at, source) => new RegExp(source).test(document.querySelector(at)?.textContent ?? ""), selector, pattern.source);

let failures = 0;
async function check(name, body) {
  const start = Date.now();
  try {
    await body();
    console.log(`ok - firefox: ${name}`);
  } catch (error) {
    failures++;
    console.log(`${String(error.stack ?? error).replace(/^/gm, "# ")}\nnot ok - firefox: ${name}`);
  }
  console.log(`# ${((Date.now() - start) / 1000).toFixed(1)} s`);
}

let page = new Firefox();
let link = "";
try {
  await page.start("first");
  await check("the page is ready; Luft answers a move made with the mouse", async () => {
    await page.go(base);
    await page.move("e2", "e4");
    await waitMoves(page, 2);
    assert.equal((await moves(page))[0], "e4");
    await page.click("#resign");
    await page.click("#resign");
    await waitText(page, "#outcome", /You resigned. Luft wins/);
  });
  await check("the engine reports a line in a cross-origin isolated page", async () => {
    assert.equal(await page.run(() => crossOriginIsolated), true);
    await page.click("#tab-review");
    await page.click("#analyse-toggle");
    await waitText(page, "#speed", /^Depth ([6-9]|\d\d)/);
    assert.equal(await page.run(() => document.querySelectorAll("#board .arrow-best").length), 1);
    await page.click("#analyse-toggle");
  });
  await check("a game is loaded, reviewed, edited and undone", async () => {
    await page.click("#tab-games");
    await page.run((text) => (document.querySelector("#load-text").value = text), PGN);
    await page.click("#load");
    await waitMoves(page, 14);
    await page.click("#tab-review");
    await page.run(() => {
      const select = document.querySelector("#review-depth");
      select.value = "50000";
      select.dispatchEvent(new Event("change"));
    });
    await page.click("#review-start");
    await waitText(page, "#review-report", /Accuracy/);
    await page.click("#first");
    await page.move("d2", "d4");
    await waitMoves(page, 15);
    await page.click("#undo");
    await waitMoves(page, 14);
  });
  await check("the library keeps the games over a reload", async () => {
    await page.click("#tab-games");
    await page.until(() => document.querySelectorAll("#library-list .picker-row").length === 2);
    link = await page.until(() => /#pgn=/.test(location.href) && location.href);
    await page.send("WebDriver:Refresh");
    await page.until(() => document.documentElement.dataset.ready === "true");
    await page.until(() => document.querySelectorAll("#library-list .picker-row").length === 2);
    await waitMoves(page, 14);
  });
  await check("tablebase files and the explorer", async () => {
    await page.go(`${base}#fen=4k3/8/4K3/4P3/8/8/8/8_w_-_-_0_1`);
    await page.click("#tab-explore");
    const tables = join(root, "tests/data/syzygy");
    await page.type("#tables-files", readdirSync(tables).map((name) => join(tables, name)).join("\n"));
    await waitText(page, "#tables-result", /^White wins/);
  });
  await check("no error in the page", async () => assert.deepEqual(await page.run(() => window.errors), []));
  await page.stop();
  page = new Firefox();
  await page.start("second");
  await check("the link opens the game in another profile, with comments and variations", async () => {
    await page.go(link);
    await waitMoves(page, 14);
    assert.match(await page.run(() => document.querySelector("#moves").textContent), /best by test/);
    assert.match(await page.run(() => document.querySelector("#headers").textContent), /Anna – Berta/);
  });
} catch (error) {
  failures++;
  console.log(`# ${error.stack}\nnot ok - firefox: the tour`);
}
await page.stop();
await stop();
process.exit(failures === 0 ? 0 : 1);
