// SPDX-License-Identifier: MIT
// Tests of the parts of the page that need no browser: UCI lines, links, clocks, scores, settings, the engine client and
// the game tree. The rules come from the package, as on the page.

import assert from "node:assert/strict";
import type { End, Engine, Game, Rules } from "../../web/package/index.js";
import { afterNullMove } from "../../web/app/src/fen.js";
import { Clocks, clockText, parseControl } from "../../web/app/src/clocks.js";
import { EngineClient } from "../../web/app/src/engine.js";
import { looksLikeFen } from "../../web/app/src/fen.js";
import { failed, GameTree } from "../../web/app/src/game.js";
import { readable } from "../../web/app/src/movelist.js";
import { annotate, summary } from "../../web/app/src/review.js";
import { expectation, flipped, judge, pgnEval, readPgnEval, text, type Score } from "../../web/app/src/score.js";
import { checked, DEFAULTS } from "../../web/app/src/settings.js";
import { threadChoices, threadCount } from "../../web/app/src/threads.js";
import { parse } from "../../web/app/src/uci.js";
import { readLink, writeLink } from "../../web/app/src/url.js";
import { outcome, spoken } from "../../web/app/src/words.js";

let failures = 0;

async function test(name: string, body: () => void | Promise<void>): Promise<void> {
  try {
    await body();
    console.log(`ok - ${name}`);
  } catch (error) {
    failures++;
    console.log(String(error instanceof Error ? error.stack : error).replace(/^/gm, "# "));
    console.log(`not ok - ${name}`);
  }
}

await test("uci: a report with score, WDL and PV", () => {
  const info = parse("info depth 12 seldepth 20 multipv 2 score cp -35 wdl 200 500 300 nodes 12345 nps 400000 hashfull 3 tbhits 0 time 31 pv e2e4 e7e5");
  assert.deepEqual(info, { kind: "info", depth: 12, multipv: 2, score: { cp: -35, wdl: [200, 500, 300] }, bound: false, nodes: 12345, nps: 400000, time: 31, pv: ["e2e4", "e7e5"] });
});

await test("uci: mates, bounds, messages, and lines without information", () => {
  const mate = parse("info depth 3 score mate -2 lowerbound pv a2a1q");
  assert.ok(mate?.kind === "info" && mate.score.mate === -2 && mate.bound && mate.pv[0] === "a2a1q");
  assert.deepEqual(parse("bestmove e7e8q ponder a1a2"), { kind: "bestmove", move: "e7e8q", ponder: "a1a2" });
  assert.deepEqual(parse("bestmove 0000"), { kind: "bestmove", move: null, ponder: null });
  assert.deepEqual(parse("info string error: no"), { kind: "message", text: "error: no" });
  for (const line of ["", "readyok", "info", "info depth", "info score cp", "info score cp x", "info pv e2e4"]) assert.equal(parse(line), null, line);
});

await test("links: a written link is read back unchanged", () => {
  const fen = "r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 2 3";
  const state = { fen, moves: ["f1b5", "a7a6"], ply: 1, chess960: true, flipped: true };
  assert.deepEqual(readLink(writeLink(state)), state);
  assert.equal(writeLink({ fen: null, moves: [], ply: 0, chess960: false, flipped: false }), "");
  assert.doesNotMatch(writeLink(state), /[ "<>]/);
});

await test("links: invalid parts of hostile links are dropped", () => {
  for (const hash of ["", "#", "#x", "#<script>alert(1)</script>", `#moves=${"e2e4,".repeat(10_000)}`, "#constructor=1&__proto__=2"]) assert.equal(readLink(hash), null, hash.slice(0, 40));
  const link = readLink("#fen=%E0%A4%A&moves=e2e4,<img>,e9e4,javascript:alert(1),e7e5&ply=99999&960=yes");
  assert.deepEqual(link?.moves, ["e2e4", "e7e5"]);
  assert.equal(link?.ply, 2);
  assert.equal(link?.chess960, false);
  assert.equal(readLink("#moves=e2e4&ply=-1")?.ply, 1);
  assert.ok((readLink(`#fen=${"k".repeat(5000)}`)?.fen?.length ?? 0) <= 200);
});

await test("clocks: time runs for one side, with increments, until the flag falls", () => {
  let now = 1000;
  const control = parseControl("1+2");
  assert.ok(control);
  const clocks = new Clocks(control, () => now);
  clocks.start("w");
  now += 10_000;
  assert.equal(clocks.remaining("w"), 50_000);
  assert.equal(clocks.remaining("b"), 60_000);
  clocks.press();
  assert.equal(clocks.remaining("w"), 52_000);
  assert.equal(clocks.turn, "b");
  now += 59_999;
  assert.equal(clocks.flagged(), null);
  now += 1;
  assert.equal(clocks.flagged(), "b");
  clocks.pause();
  now += 5000;
  assert.equal(clocks.remaining("w"), 52_000);
  for (const bad of ["", "0+1", "x", "1+", "1+2+3", "9999+1"]) assert.equal(parseControl(bad), null, bad);
});

await test("clocks: their text", () => {
  assert.equal(clockText(300_000), "5:00");
  assert.equal(clockText(299_001), "5:00");
  assert.equal(clockText(61_000), "1:01");
  assert.equal(clockText(3_723_000), "1:02:03");
  assert.equal(clockText(9_450), "0:09.4");
  assert.equal(clockText(0), "0:00.0");
});

await test("scores: the other side's view, expected points, text", () => {
  const score: Score = { cp: 35, wdl: [300, 500, 200] };
  assert.deepEqual(flipped(flipped(score)), score);
  assert.equal(expectation(score), 0.55);
  assert.ok(Math.abs(expectation(score) + expectation(flipped(score)) - 1) < 1e-12);
  assert.equal(expectation({ mate: -3 }), 0);
  assert.equal(text({ cp: 35 }), "+0.35");
  assert.equal(text({ cp: -120 }), "−1.20");
  assert.equal(text({ cp: 0 }), "0.00");
  assert.equal(text({ mate: -3 }), "#−3");
  for (const each of [{ cp: 35 }, { cp: -1234 }, { mate: 4 }, { mate: -1 }]) assert.deepEqual(readPgnEval(pgnEval(each)), each);
  assert.equal(readPgnEval("no score"), null);
});

await test("scores: mistakes are measured in expected points, for either side", () => {
  const level: Score = { wdl: [100, 800, 100] };
  const lost: Score = { wdl: [0, 300, 700] };
  assert.equal(judge(level, lost, "w"), "blunder");
  assert.equal(judge(level, lost, "b"), null);
  assert.equal(judge(flipped(level), flipped(lost), "b"), "blunder");
  assert.equal(judge(level, { wdl: [0, 680, 320] }, "w"), "mistake");
  assert.equal(judge(level, { wdl: [50, 750, 200] }, "w"), "inaccuracy");
  assert.equal(judge(level, level, "w"), null);
});

await test("settings: invalid stored values give the defaults", () => {
  for (const bad of [null, 1, "x", [], { level: "9", theme: "<b>", lines: 99, sound: 1, clock: "javascript:" }]) assert.deepEqual(checked(bad), DEFAULTS);
  assert.equal(checked({ level: 2000 }).level, 2000);
  assert.equal(checked({ theme: "dark" }).theme, "dark");
});

await test("words: moves for screen readers", () => {
  assert.equal(spoken("Nf3"), "Knight f3");
  assert.equal(spoken("exd8=Q+"), "e captures d8 promotes to Queen, check");
  assert.equal(spoken("O-O-O#"), "castles long, checkmate");
});

await test("words: outcomes in the terms of the rules of chess", () => {
  const position = { fen: "", turn: "w" as const, check: false, moves: [], end: null };
  const said = (end: End | null): string => outcome({ position, end, result: null });
  assert.equal(said(null), "");
  assert.equal(said("checkmate"), "Checkmate. Black wins.");
  assert.equal(said("stalemate"), "Draw: stalemate.");
  assert.equal(said("insufficient"), "Draw: insufficient material.");
  assert.equal(said("threefold"), "Draw: threefold repetition.");
  assert.equal(said("fivefold"), "Draw: fivefold repetition.");
  assert.equal(said("fifty"), "Draw: fifty-move rule.");
  assert.equal(said("seventyfive"), "Draw: seventy-five-move rule.");
});

await test("text: which texts count as FEN; null moves", () => {
  for (const fen of ["8/8/8/8/8/8/8/8 w - - 0 1", "rnbqkbnr/pppppppp w", "x/y"]) assert.ok(looksLikeFen(fen), fen);
  for (const pgn of ["1. e4 e5 1/2-1/2", "e4 e5", "[Event \"x/y\"]", "1.e4/", "a/b\n1. e4"]) assert.ok(!looksLikeFen(pgn), pgn);
  assert.equal(afterNullMove("8/8/8/8/8/8/8/8 w - e3 0 1"), "8/8/8/8/8/8/8/8 b - - 0 1");
  assert.equal(afterNullMove("8/8/8/8/8/8/8/8 b - - 0 7"), "8/8/8/8/8/8/8/8 w - - 0 8");
});

await test("comments: commands are removed, in linear time", () => {
  assert.equal(readable("[%eval 0.3] [%clk 0:01:00]  good [sic]"), "good [sic]");
  const begun = performance.now();
  assert.equal(readable("[%".repeat(100_000)).length, 200_000);
  assert.ok(performance.now() - begun < 1000);
});

/** An engine whose output the test writes. */
class Script {
  readonly sent: string[] = [];
  private listener: (line: string) => void = () => {};
  fail!: (error: Error) => void;
  readonly engine: Engine = {
    send: (line) => void this.sent.push(line),
    listen: (listener) => {
      this.listener = listener;
      return () => {};
    },
    quit: () => {},
    failed: new Promise((resolve) => (this.fail = resolve)),
  };
  say(line: string): void {
    this.listener(line);
  }
  count(word: string): number {
    return this.sent.filter((line) => line.split(" ")[0] === word).length;
  }
}

const START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
const request = { start: START, moves: [], chess960: false, go: "infinite" };

await test("threads: powers of two up to the processors, one without isolation, half of them by default", () => {
  assert.deepEqual(threadChoices(8, true), [1, 2, 4, 8]);
  assert.deepEqual(threadChoices(6, true), [1, 2, 4, 6]);
  assert.deepEqual(threadChoices(256, true), [1, 2, 4, 8, 16, 32]);
  assert.deepEqual(threadChoices(8, false), [1]);
  for (const odd of [0, -1, NaN, undefined as unknown as number]) assert.deepEqual(threadChoices(odd, true), [1]);
  assert.equal(threadCount(0, [1, 2, 4, 6]), 2);
  assert.equal(threadCount(0, [1, 2]), 1);
  assert.equal(threadCount(32, [1, 2, 4, 6]), 6);
  assert.equal(threadCount(3, [1, 2, 4]), 2);
});

await test("engine: of many requests at once only the first and the last search run, one after the other", async () => {
  const script = new Script();
  const client = new EngineClient(() => Promise.resolve(script.engine));
  await client.start();
  const searches = Array.from({ length: 50 }, (_, index) => client.search({ ...request, go: `depth ${index + 1}` }));
  assert.equal(script.count("go"), 1);
  assert.equal(script.count("stop"), 1);
  script.say("bestmove e2e4");
  assert.equal(script.count("go"), 2);
  assert.equal(script.sent.at(-1), "go depth 50");
  script.say("bestmove d2d4");
  const moves = await Promise.all(searches.map((search) => search.done));
  assert.ok(moves.slice(0, 49).every((move) => move === null));
  assert.equal(moves[49]?.move, "d2d4");
});

await test("engine: options are sent when they change; strength is limited only on request", async () => {
  const script = new Script();
  const client = new EngineClient(() => Promise.resolve(script.engine));
  await client.start();
  void client.search({ ...request, elo: 1200, lines: 3 });
  script.say("bestmove e2e4");
  assert.ok(script.sent.includes("setoption name UCI_LimitStrength value true"));
  assert.ok(script.sent.includes("setoption name UCI_Elo value 1200"));
  const before = script.sent.length;
  void client.search({ ...request, elo: 1200, lines: 3, moves: ["e2e4"] });
  assert.deepEqual(script.sent.slice(before), [`position fen ${START} moves e2e4`, "go infinite"]);
  script.say("bestmove e7e5");
  void client.search(request);
  assert.ok(script.sent.includes("setoption name UCI_LimitStrength value false"));
});

await test("engine: reports of a replaced search are dropped", async () => {
  const script = new Script();
  const client = new EngineClient(() => Promise.resolve(script.engine));
  await client.start();
  const heard: string[] = [];
  client.search({ ...request, onInfo: (info) => heard.push(`first ${info.pv[0]}`) });
  client.search({ ...request, onInfo: (info) => heard.push(`second ${info.pv[0]}`) });
  script.say("info depth 1 score cp 1 pv a2a3");
  script.say("bestmove a2a3");
  script.say("info depth 1 score cp 1 pv b2b3");
  assert.deepEqual(heard, ["second b2b3"]);
});

await test("engine: a crashed engine restarts and continues", async () => {
  const scripts: Script[] = [];
  const client = new EngineClient(() => {
    scripts.push(new Script());
    return Promise.resolve(scripts.at(-1)!.engine);
  });
  let trouble = "";
  client.onTrouble = (line) => (trouble = line);
  await client.start();
  const crash = async (): Promise<void> => {
    scripts.at(-1)?.fail(new Error("out of bounds"));
    await new Promise((resolve) => setTimeout(resolve, 5));
  };
  const search = client.search(request);
  await crash();
  assert.match(trouble, /out of bounds/);
  assert.equal(scripts.length, 2);
  assert.equal(scripts[1]?.sent.at(-1), "go infinite");
  scripts[1]?.say("bestmove e2e4");
  assert.equal((await search.done)?.move, "e2e4");
  // A search that has crashed two engines is not repeated, nor is one that was stopped.
  const bad = client.search(request);
  await crash();
  await crash();
  assert.equal(await bad.done, null);
  const stopped = client.search(request);
  stopped.stop();
  await crash();
  assert.equal(await stopped.done, null);
  assert.equal(scripts.at(-1)?.count("go"), 0);
});

const location = process.env["LUFT_PACKAGE"];
assert.ok(location, "LUFT_PACKAGE: where the package's index.js is");
const rules = await ((await import(location)) as { loadRules(): Promise<Rules> }).loadRules();

function good<T extends object>(value: T | { error: string }): T {
  if (failed(value)) assert.fail(value.error);
  return value as T;
}

await test("game: moves, variations, navigation, promoting, deleting", () => {
  const tree = new GameTree(rules, rules.startFen, false);
  const e4 = good(tree.play("e4"));
  const e5 = good(tree.play("e7e5", e4));
  const c5 = good(tree.play("c5", e4));
  const nf3 = good(tree.play("Nf3", c5));
  assert.equal(good(tree.play("e5", e4)), e5, "the same move is the same node");
  assert.ok(failed(tree.play("Ke7", e4)));
  assert.deepEqual(tree.uciLine(nf3), ["e2e4", "c7c5", "g1f3"]);
  assert.equal(tree.label(nf3), "2. Nf3");
  assert.equal(tree.label(c5), "1... c5");
  assert.deepEqual(tree.mainLine(), [e4, e5]);
  tree.go(e5);
  assert.equal(tree.sibling(1), c5);
  assert.equal(tree.sibling(-1), null);
  tree.promote(nf3);
  assert.deepEqual(tree.mainLine(), [e4, c5, nf3]);
  tree.go(nf3);
  tree.remove(c5);
  assert.equal(tree.current, e4);
  assert.deepEqual(tree.mainLine(), [e4, e5]);
});

await test("game: move numbers from a position with Black to move", () => {
  const tree = good(GameTree.fromFen(rules, "4k3/8/8/8/8/8/4p3/K7 b - - 0 40"));
  const queen = good(tree.play("e1=Q+"));
  assert.equal(tree.label(queen), "40... e1=Q+");
  assert.equal(tree.turn(queen), "w");
  assert.equal(tree.label(good(tree.play("Kb2", queen))), "41. Kb2");
});

const PGN = `[Event "Test"]
[Site "?"]
[Date "2024.01.02"]
[Round "1"]
[White "A <b>"]
[Black "B"]
[Result "1-0"]

{Before all} 1. e4 $1 {best by test} e5 (1... c5 {Sicilian} 2. Nf3 (2. c3 d5 (2... Nf6 3. e5)) 2... d6) (1... e6) 2. Nf3 Nc6 3. Bb5 a6 $6 1-0
`;

await test("game: a PGN with variations passes through the tree unchanged", () => {
  const game = good(rules.readPgn(PGN));
  const tree = GameTree.fromGame(rules, game);
  assert.deepEqual(tree.toGame(), game);
  const again = good(rules.readPgn(rules.writePgn(tree.toGame())));
  assert.deepEqual(again, game);
  assert.equal([...tree.all()].length, 14);
  for (const node of tree.all()) assert.ok(tree.position(node).fen);
});

await test("review: signs and better variations for the moves that lost points", () => {
  const game = good(rules.readPgn("1. f3 e5 2. g4 Qh4# 0-1"));
  const tree = GameTree.fromGame(rules, game as Game);
  const nodes = [tree.root, ...tree.mainLine()];
  const scores: Score[] = [{ wdl: [100, 800, 100] }, { wdl: [60, 800, 140] }, { wdl: [60, 800, 140] }, { mate: -1 }, { mate: 0, won: "b" }];
  nodes.forEach((node, index) => (node.score = scores[index] ?? null));
  const counts = annotate(tree, nodes, [["e2e4"], ["e7e5"], ["d2d4", "e5d4"], ["d8h4"], []]);
  assert.deepEqual(nodes[3]?.nags, [4]);
  assert.deepEqual(nodes.filter((_, index) => index !== 3).flatMap((node) => node.nags), []);
  assert.equal(nodes[2]?.children[1]?.san, "d4");
  assert.equal(nodes[2]?.children[1]?.children[0]?.san, "exd4");
  assert.equal(summary(counts), "White: 1 blunder. Black: no mistakes found.");
});

await test("game: null moves have positions; the rules and the engine receive the moves after them", () => {
  const tree = GameTree.fromGame(rules, good(rules.readPgn("1. e4 e5 2. -- Nf6 3. Nc3 *")) as Game);
  const [, , pass, , last] = tree.mainLine();
  assert.ok(pass && last);
  assert.equal(tree.fen(pass), "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 2");
  assert.deepEqual(tree.history(last), { start: tree.fen(pass), moves: ["g8f6", "b1c3"] });
  assert.equal(tree.status(last).position.turn, "b");
  assert.match(rules.writePgn(tree.toGame()), /2\. -- Nf6 3\. Nc3/);
});

process.exit(failures === 0 ? 0 : 1);
