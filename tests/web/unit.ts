// SPDX-License-Identifier: MIT
// Tests of the parts of the page that need no browser: UCI lines, links, clocks, scores, settings, the engine client and
// the game tree. The rules come from the package, as on the page.

import assert from "node:assert/strict";
import type { End, Engine, Game as PgnGame, Rules } from "../../web/package/index.js";
import { judgeMove, keyMoments, report, accuracyOf, chances, type ReviewLayer } from "../../web/app/src/engine/judge.js";
import { EngineClient } from "../../web/app/src/engine/client.js";
import { exportExtra, layerOf } from "../../web/app/src/engine/review.js";
import { expectation, flipped, text, type Score } from "../../web/app/src/engine/score.js";
import { threadChoices, threadCount } from "../../web/app/src/engine/threads.js";
import { parse } from "../../web/app/src/engine/uci.js";
import { Clocks, clockText, parseControl } from "../../web/app/src/play/clocks.js";
import { clockOf, evalCommand, evalOf, readable, shapesOf, toggledShape, withShapes, withText } from "../../web/app/src/state/comments.js";
import { afterNullMove, completeFen, explainLink, looksLikeFen } from "../../web/app/src/state/fen.js";
import { failed, Game } from "../../web/app/src/state/game.js";
import { compress, decompress, readLink, writeLink } from "../../web/app/src/state/link.js";
import { nodeAt, pathTo, reviewFromList, reviewFromText, reviewToList, reviewToText } from "../../web/app/src/state/saved.js";
import { Session } from "../../web/app/src/state/session.js";
import { checked, DEFAULTS } from "../../web/app/src/state/settings.js";
import { allNodes } from "../../web/app/src/state/tree.js";
import { matches } from "../../web/app/src/views/game_list.js";
import { materialLead } from "../../web/app/src/state/material.js";
import { summary } from "../../web/app/src/views/review_panel.js";
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
  const state = { fen, moves: ["f1b5", "a7a6"], ply: 1, chess960: true, flipped: true, pgn: null, path: [], review: null };
  assert.deepEqual(readLink(writeLink(state)), state);
  const none = { fen: null, moves: [], ply: 0, chess960: false, flipped: false, pgn: null, path: [], review: null };
  assert.equal(writeLink(none), "");
  const path = [0, 0, 1, 0, 12, 2, 0];
  assert.deepEqual(readLink(writeLink({ ...none, pgn: "Abc_-9", path })), { ...none, pgn: "Abc_-9", path });
  assert.deepEqual(readLink(writeLink({ ...state, review: "Abc_-9" })), { ...state, review: "Abc_-9" });
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

await test("links: compressed text is read back; damaged and swollen text is refused", async () => {
  const value = await compress("1. e4 {ä – ü} e5 *");
  assert.match(value, /^[\w-]+$/);
  assert.equal(await decompress(value), "1. e4 {ä – ü} e5 *");
  for (const bad of ["A", "!!!!", `${value.slice(0, -4)}AAAA`, await compress("x".repeat(3_000_000))]) assert.equal(await decompress(bad), null, bad.slice(0, 20));
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
  for (const each of [{ cp: 35 }, { cp: -1234 }, { mate: 4 }, { mate: -1 }]) assert.deepEqual(evalOf(evalCommand(each)), each);
  assert.equal(evalOf("no score"), null);
});

await test("review: losses and mistakes as luft analyse defines them", () => {
  const judged = (before: Score, after: Score, side: "w" | "b" = "w"): string | null => judgeMove(side, "a2a3", ["e2e4"], before, after).judgement;
  // The thresholds are 0.1, 0.2 and 0.3 of 2 / (1 + exp(-0.00368208 cp)) - 1, which is 0.1 at 54.5 cp, 0.2 at 110.1 cp and 0.3 at 168.1 cp.
  assert.ok(Math.abs(chances({ cp: 100 }) - 0.1821) < 1e-4);
  assert.equal(judged({ cp: 0 }, { cp: -54 }), "good");
  assert.equal(judged({ cp: 0 }, { cp: -55 }), "inaccuracy");
  assert.equal(judged({ cp: 0 }, { cp: -111 }), "mistake");
  assert.equal(judged({ cp: 0 }, { cp: -169 }), "blunder");
  assert.equal(judged({ cp: 0 }, { cp: 169 }, "b"), "blunder");
  assert.equal(judged({ cp: 0 }, { cp: 169 }), "good");
  assert.equal(judged({ cp: 900 }, { cp: 700 }), "good", "little is lost in a won position");
  assert.equal(judged({ mate: 3 }, { cp: 0 }), "blunder");
  assert.equal(judgeMove("w", "e2e4", ["e2e4"], { cp: 0 }, { cp: -500 }).judgement, "best", "the engine's own move loses nothing");
  assert.equal(judgeMove("w", "a2a3", ["e2e4"], { cp: 2000 }, { cp: 500 }).loss, 500, "scores are clamped to 1000");
  assert.equal(judgeMove("b", "a7a6", ["e7e5"], { mate: -2 }, { cp: -300 }).loss, 700);
  assert.ok(Math.abs(accuracyOf(0) - 100) < 0.01 && accuracyOf(2) === 0 && accuracyOf(0.2) > 60 && accuracyOf(0.2) < 66);
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

await test("text: a FEN without its last fields is completed; links to other sites are explained", () => {
  const start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR";
  assert.equal(completeFen(start), `${start} w KQkq - 0 1`);
  assert.equal(completeFen("r3k3/8/8/8/8/8/8/4K2R b"), "r3k3/8/8/8/8/8/8/4K2R b Kq - 0 1");
  assert.equal(completeFen("4k3/8/8/8/8/8/8/4K3 w - -"), "4k3/8/8/8/8/8/8/4K3 w - - 0 1");
  assert.match(explainLink("https://lichess.org/abcdefgh/white#12"), /lichess\.org.*PGN/);
  assert.match(explainLink("www.chess.com/game/live/123"), /chess\.com/);
  assert.equal(explainLink("1. e4 https://lichess.org/x"), "");
  assert.ok(!looksLikeFen("https://lichess.org/abc"));
});

await test("comments: clocks, evaluations, arrows and squares; a text is edited without them", () => {
  const comment = "[%clk 0:04:59] [%csl Ge4,Rd5] [%cal Yg1f3] a plan";
  assert.equal(clockOf(comment), "4:59");
  assert.equal(clockOf("[%clk 1:02:03.4]"), "1:02:03");
  assert.deepEqual(shapesOf(comment), [{ colour: "G", from: "e4", to: "e4" }, { colour: "R", from: "d5", to: "d5" }, { colour: "Y", from: "g1", to: "f3" }]);
  assert.deepEqual(shapesOf("[%cal Xa1b2,Ga1z9,<b>] [%csl]"), []);
  assert.equal(withText(comment, "another {text}"), "[%clk 0:04:59] [%csl Ge4,Rd5] [%cal Yg1f3] another text");
  const arrow = { colour: "G", from: "e2", to: "e4" } as const;
  assert.equal(withShapes("[%clk 0:01:00] good", [arrow]), "[%cal Ge2e4] [%clk 0:01:00] good");
  assert.equal(withShapes(withShapes("good", [arrow]), []), "good");
  assert.deepEqual(toggledShape([arrow], arrow), []);
  assert.deepEqual(toggledShape([arrow], { ...arrow, colour: "R" }), [{ ...arrow, colour: "R" }]);
});

await test("games: a filter finds players, events, years, ECO codes and openings, several words at once", () => {
  const game = { white: "Carlsen, M", black: "Nepo", result: "1-0", date: "2021.12.03", event: "World Championship", eco: "D02", opening: "Queen's Pawn Game", plies: 271 };
  for (const words of [["carlsen"], ["2021", "nepo"], ["d02"], ["queen's", "pawn", "world"], ["1-0"]]) assert.ok(matches(game, words), words.join(" "));
  assert.ok(!matches(game, ["carlsen", "2022"]));
});

await test("players: the material that a side is ahead", () => {
  assert.deepEqual(materialLead("4k3/pp6/8/8/8/8/P7/R3K3 w - - 0 1", "w"), { pieces: ["r"], points: 4 });
  assert.deepEqual(materialLead("4k3/pp6/8/8/8/8/P7/R3K3 w - - 0 1", "b"), { pieces: ["p"], points: -4 });
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

await test("game: moves, variations, navigation, promoting, deleting; old versions stay as they were", () => {
  const start = Game.create(rules);
  const one = good(start.play("e4", start.root.id));
  const two = good(one.game.play("e7e5", one.id));
  const three = good(two.game.play("c5", one.id));
  const { game, id: nf3 } = good(three.game.play("Nf3", three.id));
  assert.equal(good(game.play("e5", one.id)).id, two.id, "the same move is the same node");
  assert.equal(good(game.play("e5", one.id)).game, game);
  assert.ok(failed(game.play("Ke7", one.id)));
  assert.deepEqual(game.uciLine(nf3), ["e2e4", "c7c5", "g1f3"]);
  assert.equal(game.label(nf3), "2. Nf3");
  assert.equal(game.label(three.id), "1... c5");
  const line = (of: Game): string[] => of.mainLine().map((node) => node.san);
  assert.deepEqual(line(game), ["e4", "e5"]);
  assert.equal(game.sibling(two.id, 1)?.id, three.id);
  assert.equal(game.sibling(two.id, -1), null);
  assert.ok(!game.isMainLine(nf3) && game.isMainLine(two.id));
  const promoted = game.promote(nf3);
  assert.deepEqual(line(promoted), ["e4", "c5", "Nf3"]);
  assert.ok(promoted.isMainLine(nf3));
  assert.deepEqual(line(promoted.remove(three.id)), ["e4", "e5"]);
  assert.deepEqual(line(promoted.cut(three.id)), ["e4", "c5"]);
  // No edit changed an earlier version; what an edit does not touch is shared.
  assert.deepEqual([start.size, one.game.size, game.size, promoted.size], [0, 1, 4, 4]);
  assert.deepEqual(line(game), ["e4", "e5"]);
  const noted = game.annotate(two.id, { after: "solid" });
  assert.equal(game.node(two.id).after, "");
  assert.equal(noted.node(three.id), game.node(three.id));
});

await test("session: everything can be undone and redone", () => {
  const session = new Session(rules);
  const told: string[] = [];
  session.listen((change) => told.push(change));
  const line = (): string => session.game.mainLine().map((node) => node.san).join(" ");
  for (const move of ["e4", "e5", "Nf3"]) assert.equal(session.play(move), null);
  session.edit("deleting", session.game.remove(session.game.mainLine()[1]?.id ?? 0));
  assert.equal(line(), "e4");
  assert.equal(session.node.san, "e4", "the parent of the deleted moves becomes current");
  const before = session.game;
  session.open(Game.create(rules, "4k3/8/8/8/8/8/8/4K2R w K - 0 1"));
  session.play("Rh8");
  assert.equal(session.undoes, "move Rh8+");
  assert.ok(session.undo() && session.undo());
  assert.equal(session.game, before);
  assert.equal(told.at(-1), "game");
  assert.ok(session.undo());
  assert.equal(line(), "e4 e5 Nf3");
  assert.equal(session.node.san, "Nf3");
  assert.ok(session.undo() && session.undo() && session.undo());
  assert.equal(session.undo(), false);
  for (let i = 0; i < 6; i++) assert.ok(session.redo(), `redo ${i}`);
  assert.equal(session.redo(), false);
  assert.equal(line(), "Rh8+");
  // The letters of a comment are one step; a new change ends what could be redone.
  for (const text of ["a", "ab", "abc"]) session.edit("a comment", session.game.annotate(session.current, { after: text }), { key: "comment" });
  assert.ok(session.undo());
  assert.equal(session.node.after, "");
  session.play("Kf7");
  assert.equal(session.redo(), false);
  // Ten thousand steps can be undone.
  for (let i = 0; i < 10_000; i++) session.edit("a sign", session.game.annotate(session.current, { nags: [i % 7] }));
  for (let i = 0; i < 10_000; i++) session.undo();
  assert.deepEqual(session.node.nags, []);
});

await test("game: move numbers from a position with Black to move", () => {
  const start = good(Game.fromFen(rules, "4k3/8/8/8/8/8/4p3/K7 b - - 0 40"));
  const queen = good(start.play("e1=Q+", start.root.id));
  assert.equal(queen.game.label(queen.id), "40... e1=Q+");
  assert.equal(queen.game.turn(queen.id), "w");
  const king = good(queen.game.play("Kb2", queen.id));
  assert.equal(king.game.label(king.id), "41. Kb2");
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
  const read = good(rules.readPgn(PGN));
  const game = Game.fromPgn(rules, read);
  assert.deepEqual(game.toPgn(), read);
  assert.deepEqual(good(rules.readPgn(rules.writePgn(game.toPgn()))), read);
  assert.equal(game.size, 14);
  for (const node of allNodes(game.root)) {
    assert.ok(game.position(node.id).fen);
    assert.equal(nodeAt(game, pathTo(game, node.id)), node.id);
  }
});

await test("review: a layer over the game, written only on request, the same after another review", () => {
  const game = Game.fromPgn(rules, good(rules.readPgn("1. f3 {my comment} e5 2. g4 $1 (2. d4 {mine}) Qh4# 0-1")));
  const line = [game.root, ...game.mainLine()];
  const found = [
    { score: { cp: 30 }, best: ["e2e4"] },
    { score: { cp: -60 }, best: ["e7e5"] },
    { score: { cp: -60 }, best: ["e2e4", "d7d5"] },
    { score: { mate: -1 }, best: ["d8h4"] },
    { score: { mate: 0, won: "b" as const }, best: [] },
  ];
  const layer = layerOf(rules, game, line, found, 1000);
  assert.deepEqual(line.map((node) => layer.moves.get(node.id)?.judgement), [null, "inaccuracy", "best", "blunder", "best"]);
  const totals = report(game, layer);
  assert.equal(summary(totals), "White: 1 blunder, 1 inaccuracy. Black: no mistakes found.");
  assert.equal(totals.b.accuracy, 100);
  assert.equal(totals.w.averageLoss, (90 + 940) / 2);
  assert.deepEqual(keyMoments(game, layer).map((node) => node.san), ["f3", "g4"]);
  assert.equal(game.size, 5, "the game itself does not change");
  const plain = rules.writePgn(game.toPgn());
  assert.doesNotMatch(plain, /eval|Blunder|e4/);
  const marked = rules.writePgn(game.toPgn(exportExtra(rules, game, layer))).replace(/\s+/g, " ");
  assert.match(marked, /1\. f3 \$6 \{\[%eval -0\.60\] Inaccuracy\. Better is e4 \(\+0\.30\)\. my comment\} \(1\. e4\)/);
  assert.match(marked, /2\. g4 \$1 \{\[%eval #-1\] Blunder: allows mate in 1\. Better is e4 \(-0\.60\)\.\} \(2\. d4 \{mine\}\) \(2\. e4 d5\)/);
  const again = reviewFromList(game, JSON.parse(JSON.stringify(reviewToList(game, layer))));
  assert.deepEqual([...(again?.moves ?? [])], [...layer.moves]);
  for (const bad of [null, 1, {}, { nodes: 1 }, { nodes: 1, moves: 2 }]) assert.equal(reviewFromList(game, bad), null);
  const linked = reviewFromText(game, reviewToText(game, layer));
  assert.deepEqual(report(game, linked as ReviewLayer).w.counts, report(game, layer).w.counts);
  for (const bad of [null, "", "[", "1", "{}"]) assert.equal(reviewFromText(game, bad), null);
  const fine = { score: { cp: 1 }, better: ["e2e4"], judgement: "good", loss: 0, lostChances: 0, accuracy: 100 };
  assert.equal(reviewFromList(game, { nodes: 1, moves: [fine] })?.moves.size, 1);
  for (const [name, value] of [["score", { cp: "<b>" }], ["score", {}], ["score", { cp: 1, won: "x" }], ["better", ["<img>"]], ["better", "e2e4"], ["judgement", "x"], ["loss", "1"], ["accuracy", null]] as const) {
    assert.equal(reviewFromList(game, { nodes: 1, moves: [{ ...fine, [name]: value }] })?.moves.size, 0, `${name}: ${JSON.stringify(value)}`);
  }
});

await test("game: null moves have positions; the rules and the engine receive the moves after them", () => {
  const game = Game.fromPgn(rules, good(rules.readPgn("1. e4 e5 2. -- Nf6 3. Nc3 *")) as PgnGame);
  const [, , pass, , last] = game.mainLine();
  assert.ok(pass && last);
  assert.equal(game.fen(pass.id), "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 2");
  assert.deepEqual(game.history(last.id), { start: game.fen(pass.id), moves: ["g8f6", "b1c3"] });
  assert.equal(game.status(last.id).position.turn, "b");
  assert.match(rules.writePgn(game.toPgn()), /2\. -- Nf6 3\. Nc3/);
});

process.exit(failures === 0 ? 0 : 1);
