// SPDX-License-Identifier: MIT
// Shows the current node of the game on the board and around it: position, last move, badge, drawings, players, outcome
// and opening.

import type { Board } from "../board/board.js";
import { announce, element } from "../dom.js";
import { SIGNS } from "../engine/judge.js";
import { agreedEnd } from "../play/match.js";
import type { Play } from "../play/play.js";
import { clockOf } from "../state/comments.js";
import { NULL_MOVE, type Colour, type Game } from "../state/game.js";
import type { Session } from "../state/session.js";
import type { Settings } from "../state/settings.js";
import * as sound from "../sound.js";
import { outcome, spoken } from "../words.js";
import { showDrawings } from "./annotate.js";
import type { Bar } from "./bar.js";
import type { PlayPanel } from "./play_panel.js";
import { showPlayer } from "./players.js";

export class BoardView {
  constructor(
    private readonly session: Session,
    private readonly board: Board,
    private readonly bar: Bar,
    private readonly play: Play,
    private readonly panel: PlayPanel,
    private readonly settings: Settings,
  ) {}

  draw(): void {
    const { session, board } = this;
    const { game, current } = session;
    board.show(game.position(current), squares(game, current));
    board.shapes("hint", []);
    this.badge();
    this.premove();
    showDrawings(session, board);
    element("outcome").textContent = outcome(game.status(current)) || agreedEnd(game, current);
    const opening = game.chess960 ? null : session.rules.opening(game.start, game.uciLine(current));
    element("opening").textContent = opening ? `${opening.code} ${opening.name}` : game.chess960 ? "Chess960" : "";
    for (const id of ["first", "previous"]) element<HTMLButtonElement>(id).disabled = current === game.root.id;
    for (const id of ["next", "last"]) element<HTMLButtonElement>(id).disabled = session.node.children.length === 0;
    this.players();
  }

  players(): void {
    const { board, session, play, panel } = this;
    const { game, current } = session;
    const sides: ["player-top" | "player-bottom", Colour][] = [
      ["player-top", board.below === "w" ? "b" : "w"],
      ["player-bottom", board.below],
    ];
    for (const [id, colour] of sides) {
      const ticking = play.match?.clocks?.turn === colour;
      const clock = panel.clock(colour) || recordedClock(game, current, colour);
      showPlayer(id, colour, { name: panel.name(colour), clock, ticking, toMove: game.turn(current) === colour }, session.fen);
    }
    this.bar.flip(board.below === "b");
  }

  premove(): void {
    this.board.clearMarks("premove");
    const { premove } = this.play;
    if (premove) for (const square of [premove.from, premove.to]) this.board.mark(square, "premove");
  }

  private badge(): void {
    const { session, board } = this;
    const judgement = session.review?.moves.get(session.current)?.judgement;
    const sign = judgement && SIGNS[judgement]?.sign;
    const move = squares(session.game, session.current);
    board.showBadge(sign && move ? { square: move.to, kind: judgement, text: sign } : null);
  }

  /** A move was played: says it to screen readers and makes its sound. */
  announceMove(): void {
    const { game, current, node } = this.session;
    const end = outcome(game.status(current));
    announce(`${game.movedBy(current) === "w" ? "White" : "Black"}: ${spoken(node.san)}. ${end}`);
    if (this.settings.sound) sound.play(end ? "end" : node.san.includes("+") ? "check" : node.san.includes("x") ? "capture" : "move");
  }
}

/** The squares of a move: in castling the square on which the king lands, for a null move none. */
function squares(game: Game, id: number): { from: string; to: string } | null {
  const { uci, san } = game.node(id);
  if (!uci || uci === NULL_MOVE) return null;
  const from = uci.slice(0, 2);
  if (san.startsWith("O-O")) return { from, to: (san.startsWith("O-O-O") ? "c" : "g") + (from[1] ?? "1") };
  return { from, to: uci.slice(2, 4) };
}

/** The time that a side had left after its last move, if the file has it. */
function recordedClock(game: Game, id: number, colour: Colour): string {
  const node = game.node(id);
  const moved = id !== game.root.id && game.movedBy(id) === colour ? node : game.parent(id);
  return moved ? clockOf(moved.after) : "";
}
