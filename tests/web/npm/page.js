// SPDX-License-Identifier: MIT
//
// A page that bundlers build: writes what the rules and the engine say into its title.

import { loadRules, startEngine, unwrap } from "luft-chess";

async function main() {
  const rules = await loadRules();
  const { position } = unwrap(rules.play(rules.startFen, "Nf3"));
  const engine = await startEngine();
  const { best } = await engine.analyse({ fen: "6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1", depth: 4 });
  return `${position.moves.length} ${best}`;
}

main().then(
  (text) => (document.title = `done: ${text}`),
  (error) => (document.title = `done: ${error}`),
);
