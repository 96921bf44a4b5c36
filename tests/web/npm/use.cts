// SPDX-License-Identifier: MIT
//
// The same from CommonJS.

import assert = require("node:assert/strict");
import luft = require("luft-chess");
import luftRules = require("luft-chess/rules");

async function main(): Promise<void> {
  const rules = await luft.loadRules();
  assert.equal(rules, await luftRules.loadRules());
  assert.equal(luft.unwrap(rules.play(rules.startFen, "e4")).move.uci, "e2e4");
  assert.ok(luft.isFailure(rules.position("nonsense")));
  assert.throws(() => luftRules.unwrap(rules.position("nonsense")));
  assert.equal(luft.unwrap(rules.readPgn("1. e4 e5 2. Ke5 *")).moves.length, 2);
  const engine = await luft.startEngine();
  assert.equal((await engine.analyse({ fen: "6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1", depth: 4 })).best, "a1a8");
  engine.quit();
  console.log("good");
}

void main();
