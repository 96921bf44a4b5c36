// SPDX-License-Identifier: MIT
//
// Tests of the npm package under Node. They compare the rules and the engine with the native program, whose path is in
// LUFT, or with properties of chess. LUFT_PACKAGE is the folder of the package.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, readdirSync, readFileSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { test } from "node:test";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

const folder = process.env.LUFT_PACKAGE;
const { isFailure, loadRules, startEngine, unwrap } = await import(pathToFileURL(join(folder, "node.js")));
const rules = await loadRules();
const data = join(import.meta.dirname, "../data");
const bytes = (text) => new TextEncoder().encode(text);

/** The output of the native program for these lines. */
function native(lines) {
  return execFileSync(process.env.LUFT, { input: lines.join("\n") + "\n", maxBuffer: 1 << 28 }).toString().split("\n");
}

/** Starts an engine and records its output. */
async function talk(options, start = startEngine) {
  const engine = await start(options);
  const lines = [];
  const waiting = new Set();
  engine.listen((line) => {
    lines.push(line);
    for (const check of waiting) check();
  });
  return {
    lines,
    send: (line) => engine.send(line),
    quit: () => engine.quit(),
    failed: engine.failed,
    /** Waits until `count` lines match; returns the last of them. */
    until: (pattern, count = 1) =>
      new Promise((resolve, reject) => {
        engine.failed.then(reject);
        const check = () => {
          const found = lines.filter((line) => pattern.test(line));
          if (found.length >= count) {
            waiting.delete(check);
            resolve(found.at(-1));
          }
        };
        waiting.add(check);
        check();
      }),
  };
}

const pause = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));

function positions(name, count) {
  const lines = readFileSync(join(data, "perft", name), "utf8").trim().split("\n");
  const step = Math.floor(lines.length / count);
  return lines.filter((_, i) => i % step === 0).map((line) => line.split(";")[0].trim());
}

// --- The rules -----------------------------------------------------------------------

for (const [name, chess960] of [["own-standard.epd", false], ["own-chess960.epd", true]]) {
  test(`legal moves agree with the native program: ${name}`, () => {
    const fens = positions(name, 300);
    const said = native([
      `setoption name UCI_Chess960 value ${chess960}`,
      ...fens.flatMap((fen) => [`position fen ${fen}`, "go perft 1"]),
    ]);
    let moves = [];
    const lists = [];
    for (const line of said) {
      const move = /^(\w{4,5}): 1$/.exec(line);
      if (move) {
        moves.push(move[1]);
      } else if (line.startsWith("Nodes searched")) {
        lists.push(moves.sort());
        moves = [];
      }
    }
    assert.equal(lists.length, fens.length);
    fens.forEach((fen, i) => {
      const position = rules.position(fen, chess960);
      assert.deepEqual(position.moves.map((move) => move.uci).sort(), lists[i], fen);
    });
  });
}

test("the properties of a move agree with the position after it", () => {
  for (const fen of [...positions("own-standard.epd", 60), "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1"]) {
    const pieces = (text) => text.split(" ")[0].replace(/[^a-z]/gi, "").length;
    for (const move of rules.position(fen).moves) {
      const bySan = rules.play(fen, move.san);
      assert.deepEqual(bySan.move, move);
      assert.deepEqual(rules.play(fen, move.uci), bySan);
      assert.equal(bySan.position.check, move.check);
      assert.equal(pieces(fen) - pieces(bySan.position.fen), move.capture ? 1 : 0);
      assert.equal(/[+#]$/.test(move.san), move.check);
      assert.equal(move.san.startsWith("O-O"), move.castling);
      assert.equal(move.san.includes("="), move.promotion !== undefined);
    }
  }
});

test("castling: `to` is the square of the king, in both UCI notations", () => {
  const fen = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1";
  const castling = (chess960) => rules.position(fen, chess960).moves.filter((move) => move.castling);
  assert.deepEqual(castling(false).map((move) => [move.uci, move.to]).sort(), [["e1c1", "c1"], ["e1g1", "g1"]]);
  assert.deepEqual(castling(true).map((move) => [move.uci, move.to]).sort(), [["e1a1", "c1"], ["e1h1", "g1"]]);
});

test("en passant, promotion and an impossible en passant square", () => {
  assert.equal(rules.play("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", "exd6").move.enPassant, true);
  assert.deepEqual(
    rules.position("4k3/P7/8/8/8/8/8/4K3 w - - 0 1").moves.map((move) => move.promotion).filter(Boolean).sort(),
    ["b", "n", "q", "r"],
  );
  assert.equal(rules.position("k7/8/8/3pP3/8/7n/5K2/8 w - d6 0 1").fen, "k7/8/8/3pP3/8/7n/5K2/8 w - - 0 1");
});

test("how games end", () => {
  const shuffle = (times) => Array(times).fill(["g1f3", "g8f6", "f3g1", "f6g8"]).flat();
  const status = (fen, moves = []) => {
    const { end, result } = rules.status(fen, moves);
    return [end, result];
  };
  assert.deepEqual(status(rules.startFen), [null, null]);
  assert.deepEqual(status(rules.startFen, ["f2f3", "e7e5", "g2g4", "d8h4"]), ["checkmate", "0-1"]);
  assert.deepEqual(status("7k/5Q2/8/8/8/8/8/K7 b - - 0 1"), ["stalemate", "1/2-1/2"]);
  assert.deepEqual(status("7k/8/8/8/8/8/8/KB6 b - - 0 1"), ["insufficient", "1/2-1/2"]);
  assert.deepEqual(status(rules.startFen, shuffle(1)), [null, null]);
  assert.deepEqual(status(rules.startFen, shuffle(2)), ["threefold", "1/2-1/2"]);
  assert.deepEqual(status(rules.startFen, shuffle(4)), ["fivefold", "1/2-1/2"]);
  assert.deepEqual(status("7k/8/8/8/8/8/8/KR6 w - - 99 90", ["b1b2"]), ["fifty", "1/2-1/2"]);
  assert.deepEqual(status("7k/8/8/8/8/8/8/KR6 w - - 149 90", ["b1b2"]), ["seventyfive", "1/2-1/2"]);
  assert.equal(rules.position("7k/8/8/8/8/8/8/KR6 w - - 100 90").end, null);
});

test("hostile text gives an error, never an exception", () => {
  const texts = ["", " ", "\0", "startpos", "<img src=x onerror=alert(1)>", "\u{1f600}", "\ud800", "x".repeat(1 << 20), "\n\n"];
  for (const text of texts) {
    assert.equal(typeof rules.position(text).error, "string");
    assert.equal(typeof rules.play(rules.startFen, text).error, "string");
    assert.equal(typeof rules.play(text, "e2e4").error, "string");
    assert.equal(typeof rules.status(text, []).error, "string");
    assert.equal(rules.opening(text, []), null);
    assert.deepEqual(rules.sanLine(text, ["e2e4"]), []);
    assert.doesNotThrow(() => rules.readPgn(text));
  }
  assert.match(rules.position("5k1r/2q3p1/p3p2p/1B3p1Q/n4P2/6P1/bbP2N1P/1K1RR3 b - - 0 1").error, /could be taken|check/);
  assert.throws(() => rules.chess960Start(960), /^RangeError: Chess960 start position: expected an integer from 0 to 959, got 960$/);
  for (const number of [1.5, 2 ** 32, -1, NaN, "5", undefined]) assert.throws(() => rules.chess960Start(number), RangeError);
});

test("Chess960 starts, openings and lines", () => {
  assert.equal(rules.chess960Start(518), rules.startFen);
  assert.equal(new Set(Array.from({ length: 960 }, (_, i) => rules.chess960Start(i))).size, 960);
  assert.match(rules.opening(rules.startFen, ["e2e4", "c7c5", "a2a3", "a7a6", "h2h4"]).name, /^Sicilian Defense/);
  assert.equal(rules.opening(rules.startFen, []), null);
  assert.deepEqual(rules.sanLine(rules.startFen, ["e2e4", "e7e5", "e1g1", "g8f6"]), ["e4", "e5"]);
});

// --- Games ---------------------------------------------------------------------------

const annotated = `[Event "A \\"test\\" ]"]
[White "M\u00fcller"]
[__proto__ "own"]

{before} 1. e4! {best} e5 (1... c5 {sharp} 2. Nf3 (2. Nc3 $146 {[%eval 0.1]}) 2... d6) ({or} 1... e6) 2. Nf3 $1 $36 Nc6 1/2-1/2
`;

test("a PGN with variations is read, written and read back the same", () => {
  const game = rules.readPgn(annotated);
  assert.equal(game.tags.White, "M\u00fcller");
  assert.ok(Object.hasOwn(game.tags, "__proto__"));
  assert.equal(game.comment, "before");
  assert.deepEqual(game.moves.map((move) => move.san), ["e4", "e5", "Nf3", "Nc6"]);
  assert.deepEqual(game.moves[0].nags, [1]);
  assert.equal(game.moves[1].variations[0][1].variations[0][0].after, "[%eval 0.1]");
  assert.equal(game.moves[1].variations[1][0].before, "or");
  assert.equal(game.result, "1/2-1/2");
  assert.equal(game.error, undefined);
  const again = rules.readPgn(rules.writePgn(game));
  assert.deepEqual(again.moves, game.moves);
  assert.equal(again.comment, game.comment);
  assert.equal(again.result, game.result);
  for (const [name, value] of Object.entries(game.tags)) {
    assert.equal(again.tags[name], value);
  }
  assert.equal(rules.writePgn(again), rules.writePgn(game));
});

test("the first of two tags with the same name counts", () => {
  const text = '[Event "one"]\n[White "first"]\n[White "second"]\n[__proto__ "a"]\n[__proto__ "b"]\n\n1. e4 *\n';
  const scan = rules.scanPgn();
  const [summary] = [...scan.push(new TextEncoder().encode(text)), ...scan.finish()];
  for (const { tags } of [rules.readPgn(text), summary]) {
    assert.deepEqual(Object.entries(tags), [["Event", "one"], ["White", "first"], ["__proto__", "a"]]);
  }
});

test("written games agree with the native program", () => {
  const file = join(data, "pgn/classics.pgn");
  const text = readFileSync(file);
  const scan = rules.scanPgn();
  const games = [...scan.push(text), ...scan.finish()];
  scan.free();
  const written = games.map(({ offset, length }) => rules.writePgn(rules.readPgn(text.subarray(offset, offset + length))));
  const expected = execFileSync(process.env.LUFT, ["pgn", "convert", "--quiet", file]).toString();
  assert.ok(games.length > 1);
  assert.equal(written.join("").trim(), expected.trim());
});

test("errors, Latin-1, Chess960, null moves, no game", () => {
  const cut = rules.readPgn("1. e4 e5 2. Ke5 Nf6 *");
  assert.deepEqual(cut.moves.map((move) => move.uci), ["e2e4", "e7e5"]);
  assert.match(cut.error, /Ke5/);
  assert.equal(rules.readPgn(Uint8Array.from([...bytes('[White "M'), 0xfc, ...bytes('ller"]\n\n*')])).tags.White, "M\u00fcller");
  const start = rules.chess960Start(1);
  const random = rules.readPgn(`[Variant "Chess960"]\n[SetUp "1"]\n[FEN "${start}"]\n\n1. e4 *`);
  assert.deepEqual([random.start, random.chess960], [start, true]);
  const written = rules.readPgn(rules.writePgn(random));
  assert.deepEqual([written.start, written.chess960, written.moves], [start, true, random.moves]);
  assert.deepEqual(rules.readPgn("1. e4 -- 2. d4 *").moves.map((move) => move.uci), ["e2e4", "0000", "d2d4"]);
  assert.match(rules.writePgn(rules.readPgn("1. e4 -- 2. d4 *")), /1\. e4 -- 2\. d4/);
  assert.equal(typeof rules.readPgn("").error, "string");
  const deep = rules.readPgn("1. e4 " + "(1. d4 ".repeat(5000) + ")".repeat(5000) + " e5 *");
  assert.equal(deep.moves.length, 2);
  assert.ok(rules.writePgn(deep).length > 1000);
  const game = rules.readPgn("1. e4 e5 *");
  game.moves[1].uci = "a1a8";
  game.tags = { "bad name": "x", Event: "a\0b\n" };
  assert.match(rules.writePgn(game), /^\[Event "a b "\]/);
  assert.match(rules.writePgn(game), /1\. e4 \*/);
  assert.equal(rules.writePgn({ ...game, start: "blah" }), "");
});

test("a scan finds the same games with chunks of any size, and offset and length locate each game", () => {
  const mixed = bytes("\ufeff" + annotated + "\n% not a game\n" + annotated.replaceAll("\n", "\r\n") +
    "\n1. d4 d5 *\n\n{x} 1. c4 Zz5 *\n\n[Event \"last\"]\n\n1. e4 (1. d4) e5 2. Nf3");
  const scanAll = (size) => {
    const scan = rules.scanPgn();
    const found = [];
    for (let i = 0; i < mixed.length; i += size) {
      found.push(...scan.push(mixed.subarray(i, i + size)));
    }
    found.push(...scan.finish());
    scan.free();
    return found;
  };
  const whole = scanAll(mixed.length);
  assert.deepEqual(whole.map((game) => game.plies), [4, 4, 2, 1, 3]);
  assert.match(whole[3].error, /Zz5/);
  assert.equal(whole[4].tags.Event, "last");
  for (const size of [1, 7, 100]) {
    assert.deepEqual(scanAll(size), whole);
  }
  for (const { offset, length, plies, tags } of whole) {
    const game = rules.readPgn(mixed.subarray(offset, offset + length));
    assert.deepEqual([game.moves.length, game.tags], [plies, tags]);
  }
});

/** Rules in a separate instance, and the size of its memory. */
async function ownRules() {
  const { makeRules } = await import(pathToFileURL(join(folder, "rules.js")));
  const Instance = WebAssembly.Instance;
  let memory;
  WebAssembly.Instance = function (...parts) {
    const instance = new Instance(...parts);
    memory = instance.exports.memory;
    return instance;
  };
  const own = makeRules(new WebAssembly.Module(readFileSync(join(folder, "luft-rules.wasm"))));
  WebAssembly.Instance = Instance;
  return { own, size: () => memory.buffer.byteLength };
}

test("a scan of a long text, or of one endless game, uses bounded memory", async () => {
  const { own, size } = await ownRules();
  const scan = own.scanPgn();
  const game = bytes(annotated);
  const chunk = new Uint8Array(game.length * 2000);
  for (let i = 0; i < 2000; i++) chunk.set(game, i * game.length);
  let count = 0;
  for (let i = 0; i < 20; i++) count += scan.push(chunk).length;
  const junk = bytes("1. e4 e5 2. Nf3 Nc6 3. Ng1 Nb8 ".repeat(30000));
  const errors = [];
  for (let i = 0; i < 60; i++) errors.push(...scan.push(junk).filter((found) => found.error));
  const after = [...scan.push(bytes("\n" + annotated + annotated)), ...scan.finish()];
  scan.free();
  assert.ok(count >= 39999);
  assert.ok(errors.length >= 1);
  assert.ok(size() < 100e6, `${size()} bytes`);
  assert.equal(after.filter((found) => !found.error && found.plies === 4).length, 2);
  assert.throws(() => scan.finish());
});

test("100,000 calls do not grow the memory", async () => {
  const { own, size } = await ownRules();
  const round = (i) => {
    own.position("k7/8/8/8/8/8/8/K6R w - - 0 1");
    own.play("k7/8/8/8/8/8/8/K6R w - - 0 1", i % 2 ? "Rh2" : "bad");
    own.status("k7/8/8/8/8/8/8/K6R w - - 0 1", i % 2 ? ["h1h2"] : ["x"]);
    own.sanLine("k7/8/8/8/8/8/8/K6R w - - 0 1", ["h1h2"]);
    if (i % 10 === 0) {
      own.opening("bad", []);
      own.readPgn("1. e4 (1. d4) *");
      own.writePgn({ tags: {}, start: "k7/8/8/8/8/8/8/K6R w - - 0 1", moves: [], result: "*" });
      const scan = own.scanPgn();
      scan.push(bytes("1. e4 *"));
      scan.finish();
      scan.free();
    }
  };
  for (let i = 0; i < 100; i++) round(i);
  const before = size();
  for (let i = 0; i < 25000; i++) round(i);
  assert.equal(size(), before);
});

test("moves as one text, or none at all, do not throw", () => {
  assert.deepEqual(rules.sanLine(rules.startFen, "e2e4 e7e5"), ["e4", "e5"]);
  assert.deepEqual(rules.sanLine(rules.startFen), []);
  assert.equal(rules.status(rules.startFen).end, null);
  assert.equal(rules.opening(rules.startFen), null);
  assert.match(rules.writePgn({ start: rules.startFen, result: "*" }), /\*\s*$/);
});

// --- The engine ------------------------------------------------------------------------

/** Tests both engine modules: the one without threads, and the one with threads, of which it uses one. */
function engineTest(name, body) {
  for (const threads of [false, true]) test(`${name}${threads ? ", in shared memory" : ""}`, () => body({ threads }));
}

engineTest("bench searches as many nodes as the native program", async (options) => {
  const engine = await talk(options);
  engine.send("bench 7");
  const last = await engine.until(/ nps$/);
  engine.quit();
  assert.equal(last.split(" ")[0], native(["bench 7"]).at(-2).split(" ")[0]);
});

engineTest("a search by depth or nodes prints the lines of the native program", async (options) => {
  const strip = (line) => line.replace(/ nps \d+/, "").replace(/ time \d+/, "");
  const input = ["setoption name MultiPV value 2", "position startpos moves e2e4 c7c5", "go depth 9"];
  const second = ["ucinewgame", "position fen r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1", "go nodes 20000"];
  const engine = await talk(options);
  input.forEach((line) => engine.send(line));
  await engine.until(/^bestmove/);
  second.forEach((line) => engine.send(line));
  await engine.until(/^bestmove/, 2);
  engine.quit();
  const lines = (said) => said.filter((line) => /^(info depth \d+ seldepth|bestmove)/.test(line)).map(strip);
  const expected = [native(input), native([input[0], ...second])].flatMap(lines);
  assert.ok(expected.length > 10);
  assert.deepEqual(lines(engine.lines), expected);
});

engineTest("go infinite and stop in one message: one legal best move", async (options) => {
  const engine = await talk(options);
  engine.send("go infinite\nstop");
  const best = await engine.until(/^bestmove/);
  engine.send("isready");
  await engine.until(/^readyok/);
  engine.quit();
  assert.ok(rules.position(rules.startFen).moves.some((move) => move.uci === best.split(" ")[1]));
  assert.equal(engine.lines.filter((line) => line.startsWith("bestmove")).length, 1);
});

engineTest("a search answers isready, and only stop makes it print bestmove", async (options) => {
  const engine = await talk(options);
  engine.send("position fen 8/8/8/8/8/4k3/8/R3K3 w - - 0 1");
  engine.send("go infinite");
  await engine.until(/depth 5 /);
  for (let i = 1; i <= 20; i++) {
    const begin = performance.now();
    engine.send("isready");
    await engine.until(/^readyok/, i);
    assert.ok(performance.now() - begin < 1000);
  }
  assert.equal(engine.lines.filter((line) => line.startsWith("bestmove")).length, 0);
  engine.send("stop");
  await engine.until(/^bestmove/);
  engine.send("stop");
  engine.send("isready");
  await engine.until(/^readyok/, 21);
  engine.quit();
  assert.equal(engine.lines.filter((line) => line.startsWith("bestmove")).length, 1);
});

engineTest("checkmate: go infinite prints no bestmove before stop, also without a legal move", async (options) => {
  const engine = await talk(options);
  engine.send("position fen 7k/5Q2/6K1/8/8/8/8/8 b - - 0 1");
  engine.send("go infinite");
  await pause(200);
  assert.deepEqual(engine.lines.filter((line) => line.startsWith("bestmove")), []);
  engine.send("stop");
  await engine.until(/^bestmove 0000|^bestmove \(none\)/);
  engine.quit();
});

engineTest("pondering: the clock starts at ponderhit, also in one message", async (options) => {
  const engine = await talk(options);
  engine.send("go ponder movetime 100");
  await pause(400);
  assert.equal(engine.lines.filter((line) => line.startsWith("bestmove")).length, 0);
  engine.send("ponderhit");
  await engine.until(/^bestmove/);
  engine.send("go ponder movetime 50\nponderhit");
  await engine.until(/^bestmove/, 2);
  engine.quit();
});

engineTest("W2: position, go and options during a search end it, with one bestmove each", async (options) => {
  const engine = await talk(options);
  for (let i = 0; i < 10; i++) {
    engine.send("go infinite");
    await pause(i * 5);
    engine.send(["position startpos moves e2e4", "setoption name Hash value 8", "ucinewgame", "setoption name Clear Hash"][i % 4]);
  }
  for (let i = 0; i < 50; i++) engine.send("go depth 19"); // pasted fifty times
  engine.send("position startpos");
  engine.send("go depth 1");
  engine.send("isready");
  await engine.until(/^readyok/);
  await engine.until(/^bestmove/, 61);
  engine.quit();
  assert.equal(engine.lines.filter((line) => line.startsWith("bestmove")).length, 61);
});

engineTest("bad lines get one error line each, and a bad position is not searched", async (options) => {
  const engine = await talk(options);
  const bad = ["position fen blah", "position startpos moves e2e5", "nonsense", "setoption name X value 1", "setoption name EvalFile value a.luft",
    "setoption name Debug Log File value a", "setoption name Hash value 0", "go depth x", "x".repeat(1 << 20), "\u{1f600} \0 <b>"];
  for (const line of bad) engine.send(line);
  engine.send("isready");
  await engine.until(/^readyok/);
  const errors = engine.lines.filter((line) => line.startsWith("info string error: "));
  assert.equal(errors.length, bad.length - 1); // `go` without a position moves at once
  for (const line of errors) assert.match(line, /^[ -~]{1,220}$/);
  assert.ok(engine.lines.includes("bestmove 0000"));
  engine.quit();
});

engineTest("L6: a blocked position to the maximum depth", async (options) => {
  const engine = await talk(options);
  engine.send("position fen 8/8/6k1/3p4/3P4/3K4/8/8 w - - 0 1");
  engine.send(`go depth 250 movetime ${process.env.LUFT_TEST_LONG ? 3000 : 1000}`);
  await engine.until(/^bestmove d3/);
  engine.quit();
});

engineTest("W6: Hash changes up to its maximum, from any value", async (options) => {
  const engine = await talk(options);
  for (const size of process.env.LUFT_TEST_LONG ? [512, 1024, 600, 1000, 1] : [600, 1024, 1]) engine.send(`setoption name Hash value ${size}`);
  engine.send("isready");
  await engine.until(/^readyok/);
  engine.quit();
  assert.deepEqual(engine.lines.filter((line) => line.startsWith("info string")), []);
});

test("W6: Hash and Threads are clamped to their maximum", async () => {
  const engine = await talk({ threads: false });
  engine.send("setoption name Hash value 65536");
  engine.send("setoption name Threads value 64");
  engine.send("go depth 4");
  await engine.until(/^bestmove/);
  engine.send("setoption name Hash value 1");
  engine.send("uci");
  await engine.until(/^uciok/);
  engine.quit();
  assert.deepEqual(engine.lines.filter((line) => line.startsWith("info string")).length, 2);
  assert.ok(engine.lines.some((line) => /^info string option Hash: reduced to 1024,/.test(line) || /out of memory/.test(line)));
  assert.ok(engine.lines.some((line) => /^option name Threads type spin default 1 min 1 max 1$/.test(line)));
});

test("several threads: search, stop, change of their number, and the rest of the session", async () => {
  const engine = await talk();
  const nodes = () => Number(/ nodes (\d+)/.exec(engine.lines.filter((line) => / nodes /.test(line)).at(-1))[1]);
  let moves = 0;
  const search = async (...lines) => {
    lines.forEach((line) => engine.send(line));
    await engine.until(/^bestmove/, ++moves);
    return nodes();
  };
  const alone = await search("uci", "position startpos", "go depth 12");
  assert.ok(engine.lines.includes("option name Threads type spin default 1 min 1 max 32"));
  const four = await search("ucinewgame", "setoption name Threads value 4", "go depth 12");
  assert.ok(four > alone, `${four} nodes of four threads, ${alone} of one`); // the nodes of all threads count
  for (const threads of [2, 3, 1, 4]) {
    await search(`setoption name Threads value ${threads}\nsetoption name Hash value ${threads}\nucinewgame\ngo infinite\nstop`);
    await search("go movetime 20");
  }
  for (let i = 0; i < 30; i++) await search("go infinite\nisready\nstop");
  await search("go ponder movetime 20\nponderhit");
  // A Threads option that was deferred by perft starts its threads before the search begins.
  await search("setoption name Threads value 1\ngo perft 5\nsetoption name Threads value 6\nposition startpos\ngo movetime 100");
  // Bench searches in one thread, a Worker here; it must stop while the first thread waits for it.
  engine.send("bench 20");
  engine.send("isready");
  await engine.until(/^readyok/, 31);
  const begin = performance.now();
  engine.send("stop");
  await engine.until(/^info string bench was stopped/);
  assert.ok(performance.now() - begin < 5000);
  assert.equal(await search("setoption name Threads value 1", "ucinewgame", "position startpos", "go depth 12"), alone);
  engine.quit();
  assert.deepEqual(engine.lines.filter((line) => / error|cannot start more/.test(line)), []);
});

test("the thread pool refuses threads beyond its capacity", async () => {
  const module = await WebAssembly.compile(readFileSync(join(folder, "luft-threads.wasm")));
  const memory = new WebAssembly.Memory({ initial: 128, maximum: 65536, shared: true });
  const imports = { env: { memory } };
  for (const { module: from, name, kind } of WebAssembly.Module.imports(module)) if (kind === "function") (imports[from] ??= {})[name] = () => 0;
  const { exports } = new WebAssembly.Instance(module, imports);
  const numbers = Array.from({ length: 34 }, () => exports.pool_enter());
  assert.deepEqual(numbers, [...Array(31).keys(), -1, -1, -1]);
});

test("threads that cannot be started: an error for each, and the others search", async () => {
  const place = mkdtempSync(join(tmpdir(), "luft-threads-"));
  try {
    cpSync(folder, place, { recursive: true });
    for (const [end, reason] of [['throw new Error("of a test");', "of a test"], ["process.exit(0);", "the thread exited"]]) {
      writeFileSync(join(place, "node-thread.js"), end);
      const { startEngine: start } = await import(`${pathToFileURL(join(place, "node.js"))}?${reason.length}`);
      const engine = await talk({}, start);
      for (let round = 1; round <= 2; round++) {
        engine.send("setoption name Threads value 4\ngo depth 8");
        await engine.until(/^bestmove/, round);
        assert.equal(engine.lines.filter((line) => line === `info string error: a thread cannot be started: ${reason}`).length, 3 * round);
      }
      assert.ok(!engine.lines.some((line) => /cannot start more/.test(line)));
      engine.quit();
    }
  } finally {
    rmSync(place, { recursive: true });
  }
});

test("many lines in one message take linear time", async () => {
  const engine = await talk();
  const begin = performance.now();
  engine.send("debug on\n".repeat(100000) + "isready");
  await engine.until(/^readyok/);
  engine.quit();
  assert.ok(performance.now() - begin < 20000);
});

test("one stop ends every perft and bench before it", async () => {
  const engine = await talk();
  engine.send("go perft 9\nbench 60\ngo perft 9\nstop\ngo depth 1");
  await engine.until(/^bestmove/);
  assert.equal(engine.lines.filter((line) => line.endsWith("was stopped")).length, 3);
  engine.quit();
});

test("perft and bench stop, and lines that arrive during them are deferred", async () => {
  const engine = await talk();
  engine.send("go perft 9");
  engine.send("d");
  engine.send("isready");
  await engine.until(/^readyok/);
  assert.ok(!engine.lines.some((line) => line.startsWith("Fen:")));
  engine.send("stop");
  await engine.until(/^Fen:/);
  assert.ok(engine.lines.includes("info string perft was stopped"));
  engine.send("go perft 4");
  assert.equal(await engine.until(/^Nodes searched/), "Nodes searched: 197281");
  engine.quit();
});

test("files can be given as paths, URLs and the text of URLs", async () => {
  for (const wasm of [join(folder, "luft.wasm"), pathToFileURL(join(folder, "luft.wasm")), pathToFileURL(join(folder, "luft.wasm")).href]) {
    (await startEngine({ wasm, worker: pathToFileURL(join(folder, "node-worker.js")).href })).quit();
  }
  // A separate module for each, because a module loads the rules once.
  for (const [query, wasm] of [join(folder, "luft-rules.wasm"), pathToFileURL(join(folder, "luft-rules.wasm")).href].entries()) {
    const own = await import(`${pathToFileURL(join(folder, "node.js"))}?${query}`);
    assert.equal((await own.loadRules({ wasm })).startFen, rules.startFen);
  }
});

test("a listener that throws does not stop the other listeners, and its error is reported", async () => {
  const engine = await startEngine();
  const heard = [];
  const caught = new Promise((resolve) => process.prependOnceListener("uncaughtException", resolve));
  const others = process.listeners("uncaughtException").slice(1);
  others.forEach((listener) => process.removeListener("uncaughtException", listener)); // the test runner's own
  engine.listen(() => {
    throw new Error("of a listener");
  });
  const line = new Promise((resolve) => engine.listen((text) => resolve(heard.push(text))));
  engine.send("isready");
  await line;
  assert.equal((await caught).message, "of a listener");
  others.forEach((listener) => process.on("uncaughtException", listener));
  engine.quit();
  assert.deepEqual(heard, ["readyok"]);
});

test("quit ends the engine in any state", () => {
  const program = `import { startEngine } from ${JSON.stringify(pathToFileURL(join(folder, "node.js")).href)};
    const engine = await startEngine();
    engine.send(process.argv[1]);
    setTimeout(() => engine.send("quit"), 300);`;
  for (const lines of ["isready", "go infinite", "setoption name Threads value 3\ngo infinite", "setoption name Threads value 3\ngo movetime 600",
    "setoption name Threads value 2\nbench 20", "go perft 9"]) {
    execFileSync(process.execPath, ["--input-type=module", "-e", program, lines], { timeout: 20000 });
  }
});

test("a missing module is an error", async () => {
  await assert.rejects(startEngine({ wasm: join(tmpdir(), "no-such-file.wasm") }));
});

// --- The explorer and the inside of positions -------------------------------------------------

const good = (value) => (value.error ? assert.fail(value.error) : value);
const names = (set) => [...Array(64).keys()].filter((bit) => (set >> BigInt(bit)) & 1n).map((bit) => "abcdefgh"[bit % 8] + (8 - Math.floor(bit / 8))).join(" ");

test("the explorer counts moves and results, by any order of moves, and names openings", () => {
  const explorer = rules.explorer();
  const scan = rules.scanPgn(explorer);
  const text = `[Result "1-0"]\n\n1. e4 e5 2. Nf3 (2. Bc4 Bc5) Nc6 1-0\n\n[Result "0-1"]\n\n1. Nf3 Nc6 2. e4 e5 0-1\n\n[Result "1/2-1/2"]\n\n1. e4 c5 1/2-1/2\n\n1. e4 *\n`;
  const bytes = new TextEncoder().encode(text);
  for (let at = 0; at < bytes.length; at += 7) scan.push(bytes.subarray(at, at + 7));
  scan.finish();
  scan.free();
  const start = good(explorer.find(rules.startFen));
  assert.equal(start.games, 4);
  assert.equal(start.full, false);
  assert.deepEqual(start.moves.map(({ san, white, draws, black, unknown }) => [san, white, draws, black, unknown]), [["e4", 1, 1, 0, 1], ["Nf3", 0, 0, 1, 0]]);
  assert.equal(start.moves[0].opening.name, "King's Pawn Game");
  // Two orders of moves lead here; the variation with Bc4 does not count.
  const after = good(explorer.find("rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2"));
  assert.deepEqual(after.moves.map(({ san }) => san), ["Nf3"]);
  assert.deepEqual(good(explorer.find("r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 2 3")).moves, []);
  // The colour-flipped start position shares its key, but not its moves.
  assert.deepEqual(good(explorer.find("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR b KQkq - 0 1")).moves, []);
  assert.ok(explorer.find("nothing").error);
  const open = rules.scanPgn(explorer);
  explorer.free();
  explorer.free();
  assert.throws(() => explorer.find(rules.startFen), /freed/);
  assert.throws(() => open.push(bytes), /freed/);
  open.free();
});

test("the explorer counts games that are read from a full buffer once", () => {
  const explorer = rules.explorer();
  const scan = rules.scanPgn(explorer);
  // Without tags no line begins a game for sure: the scan keeps the last game until it is complete.
  const game = `1. d4 d5 2. c4 {${"long ".repeat(40)}} 1-0 `;
  const bytes = new TextEncoder().encode(game.repeat(Math.ceil((17 << 20) / game.length)));
  const found = scan.push(bytes).length + scan.finish().length;
  scan.free();
  assert.equal(good(explorer.find(rules.startFen)).moves[0].white, found);
  assert.equal(found, bytes.length / game.length);
  explorer.free();
});

test("inside: the sets of the start position", () => {
  const inside = good(rules.inside(rules.startFen));
  assert.equal(inside.occupied, 0xffff00000000ffffn);
  assert.equal(names(inside.words.knights), "b8 g8 b1 g1");
  assert.equal(names(inside.words.castling), "a8 h8 a1 h1");
  assert.equal(inside.words.white | inside.words.black, inside.occupied);
  assert.equal(inside.checkMask, 0xffffffffffffffffn, "without a check a piece may go anywhere");
  assert.equal(inside.checkers, 0n);
  assert.equal(names(inside.legalTargets), [..."43"].flatMap((rank) => [..."abcdefgh"].map((file) => file + rank)).join(" "));
  // Every piece type is the sum of its bits: pawn 1, knight 2, bishop 3, rook 4, queen 5, king 6.
  assert.equal(names(inside.planes.bit0.squares & inside.planes.bit2.squares), "d8 d1");
  assert.equal(inside.planes.us.squares, inside.words.white);
  assert.equal(inside.planes.us.plane, 0xffff000000000000n, "the side to move is at the far end of its own planes");
});

test("inside: checks, pins and reach", () => {
  const check = good(rules.inside("4k3/8/8/8/4r3/8/8/4K3 w - - 0 1"));
  assert.equal(names(check.checkers), "e4");
  assert.equal(names(check.checkMask), "e4 e3 e2");
  assert.equal(names(check.kingAttackMap), "e4 e3 e2");
  const pin = good(rules.inside("4k3/4r3/8/8/4N3/8/8/4K3 w - - 0 1"));
  assert.equal(names(pin.pinned), "e4");
  assert.equal(names(pin.pinOrthogonal), "e7 e6 e5 e4 e3 e2");
  assert.equal(pin.pinDiagonal, 0n);
  const knight = good(rules.insideSquare("4k3/4r3/8/8/4N3/8/8/4K3 w - - 0 1", "e4"));
  assert.equal(knight.legalTargets, 0n, "a pinned knight cannot move");
  assert.equal(names(knight.attacks), "d6 f6 c5 g5 c3 g3 d2 f2");
  assert.equal(names(knight.attackers), "e7");
  assert.equal(names(good(rules.inside("k7/8/8/8/8/8/8/K7 w - - 0 1")).reachOwn).split(" ").length, 21);
});

test("inside: a magic lookup step by step", () => {
  const fen = "4k3/8/8/8/1p1QP3/8/3P4/4K3 w - - 0 1";
  const queen = good(rules.insideSquare(fen, "d4"));
  assert.deepEqual(queen.lookups.map((lookup) => lookup.slider), ["rook", "bishop"]);
  let attacks = 0n;
  for (const { mask, blockers, magic, product, shift, index, attacks: found } of queen.lookups) {
    assert.equal(blockers, mask & good(rules.inside(fen)).occupied);
    assert.equal(product, (blockers * magic) & 0xffffffffffffffffn);
    assert.equal(index, Number(product >> BigInt(shift)));
    attacks |= found;
  }
  assert.equal(attacks, queen.attacks);
  assert.equal(names(queen.lookups[0].attacks), "d8 d7 d6 d5 b4 c4 e4 d3 d2");
  assert.deepEqual(good(rules.insideSquare(fen, "e1")).lookups, []);
  assert.ok(rules.insideSquare(fen, "z9").error);
  assert.equal(good(rules.insideSquare(fen, "a1")).attacks, 0n);
});

test("inside: a move swaps the keys and changes them by what it changes on the board", () => {
  for (const [fen, move] of [[rules.startFen, "e2e4"], ["r3k2r/8/8/3pP3/8/8/8/R3K2R w KQkq d6 0 1", "exd6"], ["r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "O-O"]]) {
    const { before, after, otherToOwn, ownToOther, changed } = good(rules.insideMove(fen, move));
    assert.equal(after.own, before.other ^ otherToOwn);
    assert.equal(after.other, before.own ^ ownToOther);
    const next = good(rules.play(fen, move)).position.fen;
    assert.deepEqual(good(rules.inside(next)).keys, after);
    const words = good(rules.inside(next)).words;
    for (const [name, bits] of Object.entries(changed)) assert.equal(words[name], good(rules.inside(fen)).words[name] ^ bits, name);
  }
  assert.equal(names(good(rules.insideMove(rules.startFen, "e2e4")).changed.pawns), "e4 e2");
  assert.ok(rules.insideMove(rules.startFen, "e2e5").error);
});

test("perft by moves: the published counts", () => {
  const start = good(rules.perftDivide(rules.startFen, 4));
  assert.equal(start.total, 197281);
  assert.equal(start.moves.find(({ uci }) => uci === "e2e4").nodes, 13160);
  assert.equal(start.moves.reduce((sum, { nodes }) => sum + nodes, 0), start.total);
  assert.equal(good(rules.perftDivide("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1", 3)).total, 97862);
  for (const depth of [0, 9, -1, NaN, 1e9]) assert.ok(rules.perftDivide(rules.startFen, depth).error, String(depth));
});

// --- Books and tablebases -------------------------------------------------------------------

const tableFiles = Object.fromEntries(
  readdirSync(join(data, "syzygy")).map((name) => [name, readFileSync(join(data, "syzygy", name))]),
);
const bookFile = readFileSync(join(data, "book", "classics.bin"));
const exactBuffer = (view) => view.buffer.slice(view.byteOffset, view.byteOffset + view.byteLength);

test("a tablebase agrees with the native program and with its best move", () => {
  const tables = rules.openTablebase(tableFiles);
  assert.deepEqual([tables.count, tables.largest, tables.faults()], [10, 3, []]);
  const fens = [
    "8/8/8/8/8/1k6/1q6/K7 w - - 0 1", "8/8/8/8/8/1k6/7r/K7 b - - 0 1", "8/8/8/8/8/4k3/4p3/4K3 w - - 0 1",
    "4k3/P7/8/8/8/8/8/4K3 w - - 0 1", "8/8/8/8/3k4/8/8/KR6 w - - 0 1", "8/8/8/3k4/8/8/3PK3/8 w - - 0 1",
  ];
  const said = execFileSync(process.env.LUFT, ["tb", "probe", "--json", "--syzygy", join(data, "syzygy"), ...fens]);
  const expected = said.toString().trim().split("\n").map((line) => JSON.parse(line));
  for (const [number, fen] of fens.entries()) {
    const found = tables.probe(fen);
    assert.deepEqual([found.wdl, found.dtz], [expected[number].wdl, expected[number].dtz]);
    assert.deepEqual(found.moves.map((move) => move.uci).sort(), rules.position(fen).moves.map((move) => move.uci).sort());
    for (const move of found.moves) {
      assert.equal(0 - move.wdl, tables.probe(rules.play(fen, move.uci).position.fen).wdl);
    }
    if (found.moves.length > 0) {
      assert.deepEqual([found.moves[0].wdl, found.moves[0].dtz], [found.wdl, found.dtz]);
    }
  }
  tables.free();
});

test("a tablebase counts repetitions, and play by it mates", () => {
  const tables = rules.openTablebase(new Map(Object.entries(tableFiles).map(([name, view]) => [name, exactBuffer(view)])));
  const start = "8/8/8/8/3k4/8/8/KR6 w - - 0 1";
  const repeated = ["b1b2", "d4c3", "b2b1", "c3d4", "b1b2", "d4c3", "b2b1"];
  const wdlOf = (found, uci) => found.moves.find((move) => move.uci === uci).wdl;
  assert.equal(wdlOf(tables.probe(start, repeated), "c3d4"), 0);
  assert.equal(wdlOf(tables.probe(start, repeated.slice(0, 3)), "c3d4"), -2);
  const moves = [];
  while (moves.length < 100 && !rules.status(start, moves).end) {
    moves.push(tables.probe(start, moves).moves[0].uci);
  }
  assert.equal(rules.status(start, moves).end, "checkmate");
  tables.free();
});

test("missing and damaged tables", () => {
  const wdlOnly = rules.openTablebase(Object.entries(tableFiles).filter(([name]) => name.endsWith("w")));
  const found = wdlOnly.probe("8/8/8/8/3k4/8/8/KR6 w - - 0 1");
  assert.deepEqual([found.wdl, found.dtz, found.moves[0].dtz], [2, null, null]);
  assert.deepEqual(wdlOnly.probe(rules.startFen), { error: "no table for this position" });
  assert.ok(wdlOnly.probe("nonsense").error);
  assert.ok(wdlOnly.probe(rules.startFen, ["e2e5"]).error);
  wdlOnly.free();
  assert.throws(() => wdlOnly.probe(rules.startFen), /the tablebase was freed/);
  wdlOnly.free();
  const cut = rules.openTablebase({ ...tableFiles, "KRvK.rtbw": tableFiles["KRvK.rtbw"].subarray(1) });
  assert.deepEqual(cut.faults().map(({ name, kind }) => [name, kind]), [["KRvK", "wdl"]]);
  assert.ok(cut.probe("8/8/8/8/3k4/8/8/KR6 w - - 0 1").error);
  assert.equal(cut.probe("8/8/8/8/3k4/8/8/KQ6 w - - 0 1").wdl, 2);
  cut.free();
  const grown = rules.openTablebase({});
  assert.equal(grown.add("KRvK.rtbw", tableFiles["KRvK.rtbw"]), null);
  assert.deepEqual([grown.count, grown.largest], [1, 3]);
  assert.match(grown.add("x", tableFiles["KRvK.rtbw"]).error, /^expected the name of a table/);
  assert.equal(grown.add("KRvK.rtbw", new Uint8Array(3)), null, "the first table of a name is kept");
  assert.deepEqual([grown.count, grown.probe("8/8/8/8/3k4/8/8/KR6 w - - 0 1").wdl], [1, 2]);
  const large = new Uint8Array(1 << 26);
  for (let i = 0; i < 40; i++) { // 5 GB in all: what is not used is not kept
    assert.match(grown.add("x", large).error, /^expected the name of a table/);
    assert.equal(grown.add("KRvK.rtbw", large), null);
  }
  grown.free();
  assert.throws(() => grown.add("KRvK.rtbz", tableFiles["KRvK.rtbz"]), /the tablebase was freed/);
  for (const name of ["x", "KQvK.bin", "KQvK.rtbw\0", "K".repeat(100)]) {
    assert.match(rules.openTablebase({ [name]: new Uint8Array(16) }).error, /^expected the name of a table such as KQvK.rtbw, got /);
  }
  assert.throws(() => rules.openTablebase({ "KQvK.rtbw": "text" }), TypeError);
});

test("a book finds and picks moves", () => {
  const book = rules.openBook(exactBuffer(bookFile));
  assert.equal(book.count, bookFile.length / 16);
  assert.deepEqual(book.find(rules.startFen), [{ uci: "e2e4", san: "e4", weight: 2, learn: 0 }]);
  let moves = [];
  for (let found = book.find(rules.startFen); found.length > 0; found = book.find(rules.startFen, moves)) {
    const shown = execFileSync(process.env.LUFT, ["book", "show", join(data, "book", "classics.bin"), "--moves", moves.join(" ")]).toString();
    const expected = [...shown.matchAll(/^(\S+) +(\d+) /gm)].map(([, san, weight]) => [san, Number(weight)]);
    assert.deepEqual(found.map((move) => [move.san, move.weight]), expected);
    moves = [...moves, found.at(-1).uci];
  }
  assert.ok(moves.length > 5);
  assert.equal(book.pick(rules.startFen).uci, "e2e4");
  assert.equal(book.pick(rules.startFen, moves), null);
  assert.ok(book.find("nonsense").error && book.pick(rules.startFen, ["e2e5"]).error);
  book.free();
  assert.throws(() => book.find(rules.startFen), /the book was freed/);
});

test("a pick is by weight, and bad books are refused", () => {
  const entry = (key, move, weight) => {
    const view = new DataView(new ArrayBuffer(16));
    view.setBigUint64(0, key);
    view.setUint16(8, move);
    view.setUint16(10, weight);
    return [...new Uint8Array(view.buffer)];
  };
  const start = 0x463b96181691fc9cn; // of the start position, as the format defines it
  const e4 = (12 << 6) | 28;
  const d4 = (11 << 6) | 27;
  const book = rules.openBook(new Uint8Array([...entry(start, e4, 3), ...entry(start, d4, 1)]));
  const picked = [0, 0.7, 0.8, 0.99].map((number) => book.pick(rules.startFen, [], false, () => number).uci);
  assert.deepEqual(picked, ["e2e4", "e2e4", "d2d4", "d2d4"]);
  book.free();
  for (const bad of [[], [1, 2, 3], [...entry(2n, e4, 1), ...entry(1n, e4, 1)]]) {
    assert.match(rules.openBook(new Uint8Array(bad)).error, /^malformed book: /);
  }
  assert.throws(() => rules.openBook("text"), TypeError);
});

test("en passant counts in a book as the format defines it", () => {
  // After e4 the pawn on d4 is pinned: no capture is legal, and yet the key counts the file.
  const start = "3k4/8/8/8/3p4/8/4P3/3R3K w - - 0 1";
  const place = mkdtempSync(join(tmpdir(), "luft-book-"));
  try {
    const [pgn, bin] = [join(place, "game.pgn"), join(place, "book.bin")];
    writeFileSync(pgn, `[SetUp "1"]\n[FEN "${start}"]\n[Result "0-1"]\n\n1. e4 Kc7 0-1\n`);
    execFileSync(process.env.LUFT, ["book", "make", pgn, "--min-games", "1", "-o", bin], { stdio: "ignore" });
    const book = rules.openBook(readFileSync(bin));
    assert.deepEqual(book.find(start, ["e2e4"]).map((move) => move.san), ["Kc7"]);
    assert.deepEqual(book.find("3k4/8/8/8/3pP3/8/8/3R3K b - - 0 1"), []);
    book.free();
  } finally {
    rmSync(place, { recursive: true });
  }
});

test("freed books and tablebases leave no memory behind", async () => {
  const { own, size } = await ownRules();
  const round = () => {
    const [tables, book] = [own.openTablebase(tableFiles), own.openBook(bookFile)];
    tables.probe("8/8/8/8/3k4/8/8/KR6 w - - 0 1");
    book.find(own.startFen);
    own.openTablebase({ ...tableFiles, x: bookFile });
    tables.free();
    book.free();
  };
  for (let i = 0; i < 20; i++) round();
  const before = size();
  for (let i = 0; i < 500; i++) round();
  assert.equal(size(), before);
});

// --- A game that is played ------------------------------------------------------------------

test("a game: moves, undo and redo agree with the rules", () => {
  const game = rules.game();
  const line = ["e4", "c5", "Nf3", "d6", "Bb5+", "Bd7", "O-O"];
  const fens = [game.fen];
  for (const move of line) {
    assert.equal(game.move(move).error, undefined);
    fens.push(game.fen);
  }
  assert.deepEqual(game.history().map((move) => move.san), line);
  assert.deepEqual(rules.sanLine(rules.startFen, game.uciMoves), line);
  for (let i = line.length - 1; i >= 0; i--) {
    assert.equal(game.undo().san, line[i]);
    assert.equal(game.fen, fens[i]);
  }
  assert.equal(game.undo(), null);
  for (const [i, move] of line.entries()) {
    assert.equal(game.redo().san, move);
    assert.equal(game.fen, fens[i + 1]);
  }
  assert.equal(game.redo(), null);
  game.undo();
  game.undo();
  game.move("Nc6"); // another move than the one that was undone
  assert.equal(game.redo(), null);
  assert.match(game.pgn({ White: "Ann" }), /\[White "Ann"\][^]*3\. Bb5\+ Nc6 \*/);
});

test("a game: a refused move changes nothing", () => {
  const game = rules.game();
  game.move("e4");
  game.undo();
  for (const bad of ["e5", "Ke2", "", "e4 e5", "a1a1"]) {
    assert.ok(isFailure(game.move(bad)), bad);
    assert.equal(game.fen, rules.startFen);
  }
  assert.equal(game.redo().san, "e4");
  assert.throws(() => rules.game({ start: "8/8/8/8/8/8/8/8 w - - 0 1" }), /no king/);
});

test("a game: its board is that of the FEN, its ends are those of the rules", () => {
  const game = rules.game({ start: "7k/8/8/6K1/8/8/8/1R6 w - - 98 60" });
  assert.deepEqual(game.board().map((row) => row.length), Array(8).fill(8));
  assert.deepEqual([game.pieceAt("b1"), game.pieceAt("h8"), game.pieceAt("a1")], ["R", "k", null]);
  assert.throws(() => game.pieceAt("i9"), RangeError);
  game.move("Kg6");
  assert.deepEqual([game.end, game.result], [null, null]);
  game.move("Kg8");
  assert.deepEqual([game.end, game.result], ["fifty", "1/2-1/2"]);
  const stalemate = rules.game({ start: "7k/5Q2/8/6K1/8/8/8/8 w - - 0 1" });
  stalemate.move("Kg6"); // the queen and the king take every square
  assert.deepEqual([stalemate.end, stalemate.result], ["stalemate", "1/2-1/2"]);
  const mate = rules.game();
  for (const move of ["f3", "e5", "g4", "Qh4#"]) mate.move(move);
  assert.deepEqual([mate.end, mate.result, mate.moves.length], ["checkmate", "0-1", 0]);
  const repeated = rules.game();
  for (let i = 0; i < 2; i++) for (const move of ["Nf3", "Nf6", "Ng1", "Ng8"]) repeated.move(move);
  assert.equal(repeated.end, "threefold");
});

test("results: a failure differs from a value, also from a game that was read up to a mistake", () => {
  const cut = rules.readPgn("1. e4 e5 2. Ke5 *");
  assert.equal(typeof cut.error, "string");
  assert.ok(!isFailure(cut));
  assert.equal(unwrap(cut), cut);
  assert.ok(isFailure(rules.position("nonsense")));
  assert.throws(() => unwrap(rules.position("nonsense")), Error);
});

test("results: require() gives the functions that import gives", () => {
  const required = createRequire(import.meta.url)(join(folder, "node-rules.cjs"));
  assert.deepEqual(Object.keys(required).sort(), ["isFailure", "loadRules", "unwrap"]);
  assert.equal(required.isFailure.toString(), isFailure.toString());
  assert.equal(required.unwrap.toString(), unwrap.toString());
  for (const value of [{ error: "a" }, { error: 5 }, { error: "a", moves: [] }, null, "a"]) assert.equal(required.isFailure(value), isFailure(value));
  assert.throws(() => required.unwrap({ error: "the reason" }), new Error("the reason"));
});

// --- Searches as promises --------------------------------------------------------------------

test("analyse: a mate, several variations, limits, reports", async () => {
  const engine = await startEngine();
  const mate = await engine.analyse({ fen: "6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1", depth: 4 });
  assert.equal(mate.best, "a1a8");
  assert.deepEqual(mate.lines[0].score, { kind: "mate", value: 1 });
  const heard = [];
  const forget = engine.on("info", (info) => heard.push(info));
  const reports = [];
  const three = await engine.analyse({ moves: ["e2e4", "c7c5"], lines: 3, nodes: 20000, onInfo: (info) => reports.push(info) });
  assert.deepEqual(three.lines.map((info) => info.multipv), [1, 2, 3]);
  assert.equal(three.lines[0].pv[0], three.best);
  for (const { pv } of three.lines) assert.equal(rules.status(rules.startFen, ["e2e4", "c7c5", ...pv]).error, undefined);
  assert.ok(new Set(three.lines.map((info) => info.pv[0])).size === 3);
  assert.ok(reports.length > 3 && reports.every((info) => Number.isFinite(info.score.value) && info.nodes >= 0 && info.depth >= 0));
  assert.deepEqual(heard, reports);
  forget();
  const one = await engine.analyse({ depth: 3, searchMoves: ["a2a3"] });
  assert.deepEqual([one.best, one.lines.length, heard.length], ["a2a3", 1, reports.length]);
  assert.equal((await engine.analyse({ fen: "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", depth: 3 })).best, null);
  engine.quit();
});

test("analyse: searches wait for each other, are aborted, and refuse what is wrong", async () => {
  const engine = await startEngine();
  const abort = new AbortController();
  const endless = engine.analyse({ signal: abort.signal });
  const next = engine.analyse({ fen: "6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1", depth: 3 });
  const refused = engine.analyse({ fen: "8/8/8/8/8/8/8/8 w - - 0 1", depth: 3 });
  const after = engine.analyse({ depth: 1 });
  refused.catch(() => {});
  setTimeout(() => abort.abort(), 100);
  assert.match((await endless).best, /^[a-h][1-8][a-h][1-8]$/);
  assert.equal((await next).best, "a1a8");
  await assert.rejects(refused, /king/);
  assert.match((await after).best, /^[a-h]/);
  const early = AbortSignal.abort();
  assert.match((await engine.analyse({ signal: early })).best, /^[a-h]/);
  await assert.rejects(engine.analyse({ depth: 0 }), /depth: expected a positive integer/);
  await assert.rejects(engine.analyse({ fen: "a\nquit", depth: 1 }), TypeError);
  await assert.rejects(engine.analyse({ lines: 1.5, depth: 1 }), RangeError);
  assert.throws(() => engine.on("bestmove", () => {}), RangeError);
  engine.quit();
});

test("analyse: searches reject when the engine ends", async () => {
  const engine = await startEngine();
  const running = engine.analyse();
  const waiting = engine.analyse({ depth: 1 });
  await new Promise((resolve) => engine.on("info", resolve));
  engine.quit();
  for (const search of [running, waiting, engine.analyse({ depth: 1 })]) await assert.rejects(search, new Error("the engine has ended"));
  const early = await startEngine();
  const first = early.analyse({ depth: 1 });
  early.quit();
  await assert.rejects(first, new Error("the engine has ended"));
});

/** A port whose engine is the test, and what was sent to it. */
async function fakePort() {
  const { EnginePort } = await import(pathToFileURL(join(folder, "port.js")));
  const sent = [];
  return { port: new EnginePort({ post: (line) => sent.push(line), end() {} }), sent };
}

test("analyse: searches reject with the reason of a crash", async () => {
  const { port } = await fakePort();
  const searches = [port.analyse(), port.analyse()];
  await pause(0);
  port.fail(new Error("a crash"));
  for (const search of [...searches, port.analyse()]) await assert.rejects(search, new Error("a crash"));
  assert.equal((await port.failed).message, "a crash");
});

test("analyse: a search that is over is not kept, nor is its signal listened to", async () => {
  setFlagsFromString("--expose-gc");
  const collect = runInNewContext("gc");
  const { port, sent } = await fakePort();
  const abort = new AbortController();
  const search = async () => {
    const kept = { text: "x".repeat(1000) };
    const result = port.analyse({ signal: abort.signal, onInfo: () => kept.text });
    await pause(0);
    port.receive("bestmove e2e4");
    assert.equal((await result).best, "e2e4");
    return new WeakRef(kept);
  };
  const references = [];
  for (let i = 0; i < 10; i++) references.push(await search());
  await pause(0);
  collect();
  assert.ok(references.filter((reference) => reference.deref()).length <= 1); // the last one may be
  abort.abort();
  assert.ok(!sent.includes("stop"));
});

test("analyse: an info line has the fields of the types alone", async () => {
  const { parseInfo } = await import(pathToFileURL(join(folder, "analysis.js")));
  assert.deepEqual(parseInfo("info depth 3 constructor 5 toString 6 score cp 10 time 7 pv e2e4"), {
    depth: 3, score: { kind: "cp", value: 10 }, time: 7, pv: ["e2e4"],
  });
});

// --- The README --------------------------------------------------------------------------

test("the README examples print what they say", () => {
  const text = readFileSync(join(folder, "README.md"), "utf8");
  const examples = [...text.matchAll(/```js\n([\s\S]*?)```/g)].map((match) => match[1]);
  assert.equal(examples.length, 5);
  const place = mkdtempSync(join(tmpdir(), "luft-readme-"));
  try {
    mkdirSync(join(place, "node_modules"));
    symlinkSync(folder, join(place, "node_modules/luft-chess"));
    for (const example of examples) {
      const expected = [...example.matchAll(/console\.log\(.*\); \/\/ (.*)$/gm)].map((match) => match[1]);
      const file = join(place, "example.mjs");
      writeFileSync(file, example);
      const printed = execFileSync(process.execPath, [file]).toString().trim().split("\n");
      assert.deepEqual(printed, expected);
    }
  } finally {
    rmSync(place, { recursive: true });
  }
});
