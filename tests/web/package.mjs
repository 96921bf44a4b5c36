// SPDX-License-Identifier: MIT
//
// Tests of the npm package under Node. What the rules and the engine say is compared with the native program, whose
// path is in LUFT, or with what the game itself demands; LUFT_PACKAGE is the folder of the package.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { cpSync, readFileSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { test } from "node:test";

const folder = process.env.LUFT_PACKAGE;
const { loadRules, startEngine } = await import(pathToFileURL(join(folder, "node.js")));
const rules = await loadRules();
const data = join(import.meta.dirname, "../data");
const bytes = (text) => new TextEncoder().encode(text);

/** What the native program says to these lines. */
function native(lines) {
  return execFileSync(process.env.LUFT, { input: lines.join("\n") + "\n", maxBuffer: 1 << 28 }).toString().split("\n");
}

/** An engine that remembers its lines. */
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
    /** Waits until so many lines match. */
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
  test(`legal moves are those of the native program: ${name}`, () => {
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

test("what is said of a move agrees with the position after it", () => {
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

test("castling: the king's own square, in both spellings", () => {
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

test("hostile text is refused, never thrown", () => {
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
  assert.throws(() => rules.chess960Start(960), RangeError);
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

test("of a tag that comes twice the first counts", () => {
  const text = '[Event "one"]\n[White "first"]\n[White "second"]\n[__proto__ "a"]\n[__proto__ "b"]\n\n1. e4 *\n';
  const scan = rules.scanPgn();
  const [summary] = [...scan.push(new TextEncoder().encode(text)), ...scan.finish()];
  for (const { tags } of [rules.readPgn(text), summary]) {
    assert.deepEqual(Object.entries(tags), [["Event", "one"], ["White", "first"], ["__proto__", "a"]]);
  }
});

test("games are written as the native program writes them", () => {
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

test("mistakes, Latin-1, Chess960, null moves, no game", () => {
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

test("a scan finds the same games however the text is cut, and each can be cut out of it", () => {
  const mixed = bytes("\ufeff" + annotated + "\n% no game\n" + annotated.replaceAll("\n", "\r\n") +
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

/** Rules with an instance of their own, and its memory. */
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

test("a scan of much text, or of one endless game, keeps within its memory", async () => {
  const { own, size } = await ownRules();
  const scan = own.scanPgn();
  const game = bytes(annotated);
  const piece = new Uint8Array(game.length * 2000);
  for (let i = 0; i < 2000; i++) piece.set(game, i * game.length);
  let count = 0;
  for (let i = 0; i < 20; i++) count += scan.push(piece).length;
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

/** A test of both modules of the engine: without threads, and with them but using one. */
function engineTest(name, body) {
  for (const threads of [false, true]) test(`${name}${threads ? ", in shared memory" : ""}`, () => body({ threads }));
}

engineTest("bench: the same nodes as the native program", async (options) => {
  const engine = await talk(options);
  engine.send("bench 7");
  const last = await engine.until(/ nps$/);
  engine.quit();
  assert.equal(last.split(" ")[0], native(["bench 7"]).at(-2).split(" ")[0]);
});

engineTest("a fixed depth and fixed nodes give the native lines", async (options) => {
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

engineTest("while it searches isready is answered, and nothing but stop brings the best move", async (options) => {
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

engineTest("mate on the board: go infinite is silent until stop, also without a legal move", async (options) => {
  const engine = await talk(options);
  engine.send("position fen 7k/5Q2/6K1/8/8/8/8/8 b - - 0 1");
  engine.send("go infinite");
  await pause(200);
  assert.deepEqual(engine.lines.filter((line) => line.startsWith("bestmove")), []);
  engine.send("stop");
  await engine.until(/^bestmove 0000|^bestmove \(none\)/);
  engine.quit();
});

engineTest("pondering: the clock runs from ponderhit, also in one message", async (options) => {
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

engineTest("W2: position, go and options during a search end it, with one best move each", async (options) => {
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

engineTest("L6: a blocked position to the greatest depth", async (options) => {
  const engine = await talk(options);
  engine.send("position fen 8/8/6k1/3p4/3P4/3K4/8/8 w - - 0 1");
  engine.send("go depth 250 movetime 3000");
  await engine.until(/^bestmove d3/);
  engine.quit();
});

engineTest("W6: Hash changes up to its most, whatever it was", async (options) => {
  const engine = await talk(options);
  for (const size of [512, 1024, 600, 1000, 1]) engine.send(`setoption name Hash value ${size}`);
  engine.send("isready");
  await engine.until(/^readyok/);
  engine.quit();
  assert.deepEqual(engine.lines.filter((line) => line.startsWith("info string")), []);
});

test("W6: Hash and Threads are cut to what there is", async () => {
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
  assert.ok(engine.lines.some((line) => /^info string Hash: 1024 /.test(line) || /no memory/.test(line)));
  assert.ok(engine.lines.some((line) => /^option name Threads type spin default 1 min 1 max 1$/.test(line)));
});

test("several threads: they search, stop, come and go, and the rest of the session does not mind", async () => {
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
  assert.ok(four > alone, `${four} nodes of four threads, ${alone} of one`); // the others count too
  for (const threads of [2, 3, 1, 4]) {
    await search(`setoption name Threads value ${threads}\nsetoption name Hash value ${threads}\nucinewgame\ngo infinite\nstop`);
    await search("go movetime 20");
  }
  for (let i = 0; i < 30; i++) await search("go infinite\nisready\nstop");
  await search("go ponder movetime 20\nponderhit");
  // An option that waits for perft gets its threads before the search begins.
  await search("setoption name Threads value 1\ngo perft 5\nsetoption name Threads value 6\nposition startpos\ngo movetime 100");
  // Bench has one thread, which is a Worker here; it stops while the first one waits for it.
  engine.send("bench 20");
  engine.send("isready");
  await engine.until(/^readyok/, 31);
  const begin = performance.now();
  engine.send("stop");
  await engine.until(/^info string bench was stopped/);
  assert.ok(performance.now() - begin < 5000);
  assert.equal(await search("setoption name Threads value 1", "ucinewgame", "position startpos", "go depth 12"), alone);
  engine.quit();
  assert.deepEqual(engine.lines.filter((line) => / error|the system gives/.test(line)), []);
});

test("no more threads enter than there is room for, however late they come", async () => {
  const module = await WebAssembly.compile(readFileSync(join(folder, "luft-threads.wasm")));
  const memory = new WebAssembly.Memory({ initial: 128, maximum: 65536, shared: true });
  const imports = { env: { memory } };
  for (const { module: from, name, kind } of WebAssembly.Module.imports(module)) if (kind === "function") (imports[from] ??= {})[name] = () => 0;
  const { exports } = new WebAssembly.Instance(module, imports);
  const numbers = Array.from({ length: 34 }, () => exports.crew_enter());
  assert.deepEqual(numbers, [...Array(31).keys(), -1, -1, -1]);
});

test("threads that cannot be started: an error for each, and those that there are search", async () => {
  const place = mkdtempSync(join(tmpdir(), "luft-threads-"));
  try {
    cpSync(folder, place, { recursive: true });
    for (const [end, reason] of [['throw new Error("of a test");', "of a test"], ["process.exit(0);", "it has ended"]]) {
      writeFileSync(join(place, "node-thread.js"), end);
      const { startEngine: start } = await import(`${pathToFileURL(join(place, "node.js"))}?${reason.length}`);
      const engine = await talk({}, start);
      for (let round = 1; round <= 2; round++) {
        engine.send("setoption name Threads value 4\ngo depth 8");
        await engine.until(/^bestmove/, round);
        assert.equal(engine.lines.filter((line) => line === `info string error: a thread cannot be started: ${reason}`).length, 3 * round);
      }
      assert.ok(!engine.lines.some((line) => /the system gives/.test(line)));
      engine.quit();
    }
  } finally {
    rmSync(place, { recursive: true });
  }
});

test("many lines in one message take time in proportion", async () => {
  const engine = await talk();
  const begin = performance.now();
  engine.send("debug on\n".repeat(100000) + "isready");
  await engine.until(/^readyok/);
  engine.quit();
  assert.ok(performance.now() - begin < 20000);
});

test("one stop ends all perft and bench before it", async () => {
  const engine = await talk();
  engine.send("go perft 9\nbench 60\ngo perft 9\nstop\ngo depth 1");
  await engine.until(/^bestmove/);
  assert.equal(engine.lines.filter((line) => line.endsWith("was stopped")).length, 3);
  engine.quit();
});

test("perft and bench stop, and lines that come meanwhile wait for their end", async () => {
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

test("files can be given as paths, addresses and the text of addresses", async () => {
  for (const wasm of [join(folder, "luft.wasm"), pathToFileURL(join(folder, "luft.wasm")), pathToFileURL(join(folder, "luft.wasm")).href]) {
    (await startEngine({ wasm, worker: pathToFileURL(join(folder, "node-worker.js")).href })).quit();
  }
  // A module of its own for each, because rules are loaded once.
  for (const [query, wasm] of [join(folder, "luft-rules.wasm"), pathToFileURL(join(folder, "luft-rules.wasm")).href].entries()) {
    const own = await import(`${pathToFileURL(join(folder, "node.js"))}?${query}`);
    assert.equal((await own.loadRules({ wasm })).startFen, rules.startFen);
  }
});

test("a listener that throws keeps no line from the others, and its error is not lost", async () => {
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

test("quit ends the engine, whatever it does", () => {
  const program = `import { startEngine } from ${JSON.stringify(pathToFileURL(join(folder, "node.js")).href)};
    const engine = await startEngine();
    engine.send(process.argv[1]);
    setTimeout(() => engine.send("quit"), 300);`;
  for (const lines of ["isready", "go infinite", "setoption name Threads value 3\ngo infinite", "setoption name Threads value 3\ngo movetime 600",
    "setoption name Threads value 2\nbench 20", "go perft 9"]) {
    execFileSync(process.execPath, ["--input-type=module", "-e", program, lines], { timeout: 20000 });
  }
});

test("a module that is not there is an error", async () => {
  await assert.rejects(startEngine({ wasm: join(tmpdir(), "no-such-file.wasm") }));
});

// --- The README --------------------------------------------------------------------------

test("the examples of the README print what they say", () => {
  const text = readFileSync(join(folder, "README.md"), "utf8");
  const examples = [...text.matchAll(/```js\n([\s\S]*?)```/g)].map((match) => match[1]);
  assert.equal(examples.length, 3);
  const place = mkdtempSync(join(tmpdir(), "luft-readme-"));
  try {
    for (const example of examples) {
      const expected = [...example.matchAll(/console\.log\(.*\); \/\/ (.*)$/gm)].map((match) => match[1]);
      const file = join(place, "example.mjs");
      writeFileSync(file, example.replace('"luft-chess"', JSON.stringify(pathToFileURL(join(folder, "node.js")).href)));
      const printed = execFileSync(process.execPath, [file]).toString().trim().split("\n");
      assert.deepEqual(printed, expected);
    }
  } finally {
    rmSync(place, { recursive: true });
  }
});
