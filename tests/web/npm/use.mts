// SPDX-License-Identifier: MIT
//
// Compiled by tsc --strict, and run: what the types promise is there. The README's examples are compiled too.

import assert from "node:assert/strict";

import { isFailure, loadRules, startEngine, unwrap, type Analysis, type Info, type Move, type Played, type Result } from "luft-chess";
import { loadRules as loadRulesOnly } from "luft-chess/rules";

const rules = await loadRules();
assert.equal(rules, await loadRulesOnly());

// `error` tells a result apart, and so does the guard.
const played: Result<Played> = rules.play(rules.startFen, "e4");
if (played.error !== undefined) {
  throw new Error(played.error);
}
const move: Move = played.move;
assert.equal(move.uci, "e2e4");
const position = rules.position("nonsense");
assert.ok(isFailure(position) && position.error.length > 0);
// @ts-expect-error: a result may be a failure
const untested: Move = rules.play(rules.startFen, "e4").move;
assert.equal(untested.uci, "e2e4");
assert.equal(unwrap(rules.readPgn("1. d4 *")).moves[0]?.san, "d4");

const game = rules.game({ chess960: false });
unwrap(game.move("d4"));
const letter: "P" | null | string = game.pieceAt("d4");
assert.equal(letter, "P");

const engine = await startEngine();
let last: Info | undefined;
engine.on("info", (info) => {
  last = info;
});
const analysis: Analysis = await engine.analyse({ moves: game.uciMoves, depth: 4 });
assert.ok(analysis.best !== null && game.move(analysis.best).error === undefined);
assert.equal(last?.score.kind, "cp");
// @ts-expect-error: no such limit
await engine.analyse({ depht: 4, depth: 1 });
engine.quit();
console.log("good");
