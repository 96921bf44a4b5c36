// SPDX-License-Identifier: MIT
// Shows a puzzle of learn.ts in the Review tab: what to do, and the buttons for it. Makes puzzles of the current review or
// of all games of an open file.

import type { Rules } from "../../../package/index.js";
import { element, make, notice } from "../dom.js";
import type { EngineClient } from "../engine/client.js";
import { Review } from "../engine/review.js";
import { puzzlesOf, type Learn, type Puzzle } from "../play/learn.js";
import { failed, Game, type Colour } from "../state/game.js";
import type { Listed } from "../state/pgn_worker.js";
import type { Session } from "../state/session.js";

/** Nodes for each position of a file's games. */
const FILE_NODES = 20_000;
const MAX_PUZZLES = 100;

export class LearnPanel {
  private readonly host = element("learn");
  private making: Review | null = null;

  constructor(
    private readonly session: Session,
    private readonly learn: Learn,
  ) {
    const act: Record<string, () => void> = {
      "learn-w": () => this.start("w"),
      "learn-b": () => this.start("b"),
      "learn-hint": () => learn.hint(),
      "learn-solution": () => learn.solution(),
      "learn-retry": () => learn.retry(),
      "learn-next": () => learn.next(),
      "learn-stop": () => learn.stop(),
    };
    this.host.addEventListener("click", (event) => {
      const id = event.target instanceof Element ? event.target.closest("button")?.id : undefined;
      if (id) act[id]?.();
    });
    session.listen((change) => {
      if (change !== "node" && !learn.active) this.show();
    });
    this.show();
  }

  private start(side: Colour): void {
    const { game, review } = this.session;
    const puzzles = review ? puzzlesOf(game, review, side) : [];
    if (puzzles.length > 0) this.learn.start(puzzles);
  }

  show(): void {
    const { learn } = this;
    document.body.classList.toggle("learning", learn.active);
    if (!learn.active) return this.host.replaceChildren(...this.offers());
    const done = learn.puzzle === null;
    const heading = make("h2", "", done ? "Learn from mistakes" : `Mistake ${learn.index + 1} of ${learn.puzzles.length}`);
    const told = make("p", `lead ${learn.asking || done ? "" : learn.wasRight ? "right-answer" : ""}`, learn.text);
    told.id = "learn-text";
    told.setAttribute("role", "status");
    const buttons = make("div", "buttons");
    const add = (id: string, label: string, className = ""): void => {
      const button = make("button", className, label);
      button.type = "button";
      button.id = id;
      buttons.append(button);
    };
    if (!done && learn.asking) {
      add("learn-hint", "Hint");
      add("learn-solution", "Solution");
    } else if (!done) {
      add("learn-retry", "Try again");
    }
    if (!done) add("learn-next", learn.index + 1 < learn.puzzles.length ? "Next" : "Finish", learn.asking ? "" : "primary");
    add("learn-stop", "Stop");
    this.host.replaceChildren(heading, told, buttons);
  }

  /** The buttons that start learning from the present review. */
  private offers(): HTMLElement[] {
    const { game, review } = this.session;
    if (!review) return [];
    const buttons = make("div", "buttons");
    for (const [side, name] of [["w", "White"], ["b", "Black"]] as const) {
      const number = puzzlesOf(game, review, side).length;
      if (number === 0) continue;
      const button = make("button", "", `${name}’s mistakes (${number})`);
      button.type = "button";
      button.id = `learn-${side}`;
      buttons.append(button);
    }
    return buttons.childElementCount > 0 ? [make("h2", "", "Learn from mistakes"), buttons] : [];
  }

  /** Reviews the games of a file one after the other; a second call ends it. Then starts the puzzles that were found. */
  async fromFile(rules: Rules, engine: EngineClient, file: Blob, games: readonly Listed[], button: HTMLElement): Promise<void> {
    if (this.making) return this.making.stop();
    const label = button.textContent;
    const puzzles: Puzzle[] = [];
    for (const [index, listed] of games.entries()) {
      const read = rules.readPgn(new Uint8Array(await file.slice(listed.offset, listed.offset + listed.length).arrayBuffer()));
      if (failed(read) || read.moves.length === 0) continue;
      const game = Game.fromPgn(rules, read);
      this.making = new Review(game, rules, engine, FILE_NODES, () => {
        button.textContent = `Stop: game ${index + 1} of ${games.length}, ${puzzles.length} puzzles`;
      });
      const layer = await this.making.run();
      if (!layer) break;
      puzzles.push(...puzzlesOf(game, layer, null).filter((puzzle) => isClear(game, layer.moves, puzzle)));
      if (puzzles.length >= MAX_PUZZLES) break;
    }
    this.making = null;
    button.textContent = label;
    if (puzzles.length === 0) notice("No puzzles found: these games have no large mistakes.");
    else this.learn.start(puzzles);
  }
}

/** A puzzle for strangers to the game: the mistake was a blunder. */
function isClear(game: Game, moves: ReadonlyMap<number, { judgement: string | null }>, puzzle: Puzzle): boolean {
  const node = game.node(puzzle.at).children[0];
  return node !== undefined && moves.get(node.id)?.judgement === "blunder";
}
