// SPDX-License-Identifier: MIT
// Puts the puzzles of learn.ts on the board.

import type { Board } from "../board/board.js";
import type { EngineClient } from "../engine/client.js";
import type { Learn, Puzzle } from "../play/learn.js";
import { failed } from "../state/game.js";
import type { Listed } from "../state/pgn_worker.js";
import type { Session } from "../state/session.js";
import { LearnPanel } from "./learn_panel.js";

export interface LessonHost {
  draw(): void;
  updateInput(): void;
  /** Shows the Review tab and ends the live analysis. */
  prepare(): void;
}

export class Lessons {
  /** True while a puzzle is put on the board: other changes of the game end the puzzles. */
  posing = false;
  private readonly panel: LearnPanel;

  constructor(
    private readonly session: Session,
    learn: Learn,
    private readonly engine: EngineClient,
    private readonly board: Board,
    private readonly host: LessonHost,
  ) {
    this.panel = new LearnPanel(session, learn);
    learn.onChange = () => {
      this.panel.show();
      host.updateInput();
      if (!learn.active) host.draw();
    };
    learn.onPuzzle = (puzzle) => this.pose(puzzle);
    learn.onMove = (move) => {
      const { puzzle } = learn;
      const next = puzzle && session.rules.play(puzzle.game.fen(puzzle.at), move.uci, puzzle.game.chess960);
      board.shapes("hint", []);
      if (next && !failed(next)) board.show(next.position, next.move);
    };
    learn.onHint = (from, to) => board.shapes("hint", [{ kind: from === to ? "G" : "hint", from, to }]);
  }

  /** Makes puzzles of the games of a file; a second call ends that. */
  fromFile(file: Blob, games: readonly Listed[], button: HTMLElement): Promise<void> {
    this.host.prepare();
    return this.panel.fromFile(this.session.rules, this.engine, file, games, button);
  }

  private pose({ game, at }: Puzzle): void {
    this.posing = true;
    this.host.prepare();
    if (this.session.game.root.id === game.root.id) this.session.go(at);
    else this.session.open(game, at);
    this.posing = false;
    this.board.orient(game.turn(at));
    this.host.draw();
  }
}
