// SPDX-License-Identifier: MIT
// Learning from mistakes: each mistake of a review is a puzzle. The user sees the position before it and looks for a better
// move. A move counts as right if it is the engine's or loses less than an inaccuracy. views/learn_panel.ts shows it.

import type { Move } from "../../../package/index.js";
import type { EngineClient, Search } from "../engine/client.js";
import { chances, isMistake, type ReviewLayer } from "../engine/judge.js";
import { flipped, text, type Score } from "../engine/score.js";
import type { Colour, Game } from "../state/game.js";

export interface Puzzle {
  game: Game;
  /** The id of the node before the mistake. */
  at: number;
  /** The engine's variation from there, and its score. */
  best: readonly string[];
  score: Score;
  /** The mistake, such as "12... Nf6". */
  played: string;
  playedUci: string;
}

/** Nodes to search a move that is not the engine's. */
const CHECK_NODES = 100_000;
/** A solution loses less than this: less than an inaccuracy. */
const TOLERANCE = 0.1;

/** The mistakes of one side, or of both. */
export function puzzlesOf(game: Game, layer: ReviewLayer, side: Colour | null): Puzzle[] {
  const puzzles: Puzzle[] = [];
  for (const node of game.mainLine()) {
    const parent = game.parent(node.id);
    const review = layer.moves.get(node.id);
    const before = parent && layer.moves.get(parent.id);
    if (!before || !review || !isMistake(review.judgement) || review.better.length === 0) continue;
    if (side && game.movedBy(node.id) !== side) continue;
    puzzles.push({ game, at: parent.id, best: review.better, score: before.score, played: game.label(node.id), playedUci: node.uci });
  }
  return puzzles;
}

export class Learn {
  puzzles: readonly Puzzle[] = [];
  index = 0;
  /** What to tell the user. */
  text = "";
  /** The puzzle waits for a move. */
  asking = false;
  solved = 0;
  /** Whether the last answer was right. */
  wasRight = false;
  private hints = 0;
  private search: Search | null = null;

  /** Called when the state changed. */
  onChange: () => void = () => {};
  /** Shows a puzzle's position. */
  onPuzzle: (puzzle: Puzzle) => void = () => {};
  /** Shows the position after a move. */
  onMove: (move: Move) => void = () => {};
  /** Shows where to look: the piece, or the whole move. */
  onHint: (from: string, to: string) => void = () => {};

  constructor(private readonly engine: EngineClient) {}

  get active(): boolean {
    return this.puzzles.length > 0;
  }

  get puzzle(): Puzzle | null {
    return this.puzzles[this.index] ?? null;
  }

  /** The side to move in the puzzle while it waits for a move. */
  side(): Colour | null {
    return this.asking && this.puzzle ? this.puzzle.game.turn(this.puzzle.at) : null;
  }

  start(puzzles: readonly Puzzle[]): void {
    this.puzzles = puzzles;
    this.index = 0;
    this.solved = 0;
    this.show();
  }

  stop(): void {
    if (!this.active) return;
    this.search?.stop();
    this.search = null;
    this.puzzles = [];
    this.asking = false;
    this.onChange();
  }

  next(): void {
    this.index++;
    if (this.puzzle) return this.show();
    this.text = `Finished: ${this.solved} of ${this.puzzles.length} found.`;
    this.asking = false;
    this.onChange();
  }

  /** Shows the puzzle again after a wrong move. */
  retry(): void {
    this.index = Math.min(this.index, this.puzzles.length - 1);
    this.show();
  }

  private show(): void {
    const { puzzle } = this;
    if (!puzzle) return;
    this.search?.stop();
    this.search = null;
    this.hints = 0;
    this.asking = true;
    this.text = `${puzzle.played} was a mistake. Find a better move for ${puzzle.game.turn(puzzle.at) === "w" ? "White" : "Black"}.`;
    this.onPuzzle(puzzle);
    this.onChange();
  }

  hint(): void {
    const { puzzle } = this;
    const move = this.bestMove();
    if (!puzzle || !move || !this.asking) return;
    this.hints++;
    this.text = this.hints === 1 ? "Move the marked piece." : "This is the move.";
    this.onHint(move.from, this.hints === 1 ? move.from : move.to);
    this.onChange();
  }

  solution(): void {
    const move = this.bestMove();
    if (!move) return;
    this.asking = false;
    this.text = `Best is ${move.san} (${text(this.puzzle?.score ?? {})}).`;
    this.onMove(move);
    this.onChange();
  }

  private bestMove(): Move | undefined {
    const { puzzle } = this;
    return puzzle?.game.position(puzzle.at).moves.find((move) => move.uci === puzzle.best[0]);
  }

  /** The user tries a move. */
  async try(move: Move): Promise<void> {
    const { puzzle } = this;
    if (!puzzle || !this.asking) return;
    this.asking = false;
    this.onMove(move);
    if (move.uci === puzzle.playedUci) return this.answer(false, `${move.san} is what was played.`);
    if (move.uci === puzzle.best[0]) return this.answer(true, `Right: ${move.san} is best.`);
    this.text = `Checking ${move.san} …`;
    this.onChange();
    const lost = await this.lostChances(puzzle, move);
    if (lost === null || this.puzzle !== puzzle) return;
    if (lost < TOLERANCE) this.answer(true, `Good: ${move.san} works too.`);
    else this.answer(false, `${move.san} is not good enough.`);
  }

  private answer(isRight: boolean, told: string): void {
    if (isRight && this.hints < 2) this.solved++;
    this.text = told;
    this.asking = false;
    this.wasRight = isRight;
    this.onChange();
  }

  /** The chances that a move loses; null if the search was stopped. */
  private async lostChances(puzzle: Puzzle, move: Move): Promise<number | null> {
    const { game, at } = puzzle;
    const history = game.history(at);
    const after = game.play(move.uci, at);
    if (!("game" in after)) return null;
    const status = after.game.status(after.id);
    const sign = game.turn(at) === "w" ? 1 : -1;
    if (status.end === "checkmate") return 0;
    if (status.end) return sign * chances(puzzle.score);
    let score: Score | null = null;
    const search = this.engine.search({
      start: history.start,
      moves: [...history.moves, move.uci],
      chess960: game.chess960,
      go: `nodes ${CHECK_NODES}`,
      onInfo: (info) => {
        if (!info.bound) score = game.turn(at) === "w" ? flipped(info.score) : info.score;
      },
    });
    this.search = search;
    if ((await search.done) === null || this.search !== search || !score) return null;
    return sign * (chances(puzzle.score) - chances(score));
  }
}
