// SPDX-License-Identifier: MIT
// A game as a tree of moves, and the current node, whose position is on the board. The first child of a node continues the
// main line; the others are variations. The library decides which moves are legal and writes their SAN.

import type { Failure, Game, GameMove, Move, Position, Rules, Status } from "../../package/index.js";
import { afterNullMove } from "./fen.js";
import { readPgnEval, type Score } from "./score.js";

export interface GameNode {
  readonly id: number;
  readonly parent: GameNode | null;
  /** Plies from the start; 0 for the root, which has no move. */
  readonly ply: number;
  readonly uci: string;
  readonly san: string;
  readonly children: GameNode[];
  nags: number[];
  before: string;
  after: string;
  score: Score | null;
  /** null until it is first needed. */
  fen: string | null;
}

/** The UCI text of a null move. PGN files contain null moves; the rules and the engine refuse them. */
export const NULL_MOVE = "0000";

export function failed<T extends object>(value: T | Failure): value is Failure {
  return "error" in value && typeof value.error === "string" && !("moves" in value);
}

export class GameTree {
  readonly root: GameNode;
  current: GameNode;
  tags: Record<string, string> = {};
  result: Game["result"] = "*";
  private ids = 0;
  private cached: { node: GameNode; position: Position } | null = null;

  constructor(
    private readonly rules: Rules,
    readonly start: string,
    readonly chess960: boolean,
  ) {
    this.root = this.node(null, "", "");
    this.root.fen = start;
    this.current = this.root;
  }

  /** From a FEN that may be invalid. */
  static fromFen(rules: Rules, fen: string, chess960 = false): GameTree | Failure {
    const position = rules.position(fen, chess960);
    return failed(position) ? position : new GameTree(rules, position.fen, chess960);
  }

  static fromGame(rules: Rules, game: Game): GameTree {
    const tree = new GameTree(rules, game.start, game.chess960);
    tree.tags = { ...game.tags };
    tree.result = game.result;
    tree.root.after = game.comment ?? "";
    tree.addLine(tree.root, game.moves);
    return tree;
  }

  toGame(): Game {
    const game: Game = {
      tags: { ...this.tags },
      start: this.start,
      chess960: this.chess960,
      moves: this.movesFrom(this.root),
      result: this.result,
    };
    if (this.root.after) game.comment = this.root.after;
    return game;
  }

  position(node: GameNode = this.current): Position {
    if (this.cached?.node === node) return this.cached.position;
    const position = this.rules.position(this.fen(node), this.chess960);
    if (failed(position)) throw new Error(position.error);
    this.cached = { node, position };
    return position;
  }

  fen(node: GameNode = this.current): string {
    if (node.fen === null) {
      // Starts from the nearest ancestor with a FEN. Iterates, because games can be too long for recursion.
      const line: GameNode[] = [];
      let known: GameNode = node;
      while (known.fen === null && known.parent) {
        line.push(known);
        known = known.parent;
      }
      let fen = known.fen ?? this.start;
      for (const step of line.reverse()) {
        fen = step.fen = this.fenAfter(fen, step.uci);
      }
    }
    return node.fen ?? this.start;
  }

  private fenAfter(fen: string, uci: string): string {
    const next = uci === NULL_MOVE ? this.rules.position(afterNullMove(fen), this.chess960) : this.rules.play(fen, uci, this.chess960);
    if (failed(next)) throw new Error(next.error);
    return "position" in next ? next.position.fen : next.fen;
  }

  /** The side that made the move of a node; at the root, the side not to move. */
  movedBy(node: GameNode): "w" | "b" {
    return this.turn(node) === "w" ? "b" : "w";
  }

  /** The side to move. */
  turn(node: GameNode = this.current): "w" | "b" {
    const blackStarts = this.start.split(" ")[1] === "b";
    return (node.ply % 2 === 1) !== blackStarts ? "b" : "w";
  }

  /** The number of the move of a node. */
  moveNumber(node: GameNode): number {
    const fields = this.start.split(" ");
    const first = Number(fields[5]) || 1;
    const offset = fields[1] === "b" ? 1 : 0;
    return first + Math.floor((node.ply - 1 + offset) / 2);
  }

  /** "12. Nf3" or "12... Nf6"; "Start" for the root. */
  label(node: GameNode): string {
    if (!node.parent) return "Start";
    return `${this.moveNumber(node)}${this.movedBy(node) === "w" ? "." : "..."} ${node.san}`;
  }

  /** Adds a move (UCI or SAN) to a node. Returns its node, which may exist already. */
  play(move: string, at: GameNode = this.current): GameNode | Failure {
    const known = at.children.find((child) => child.uci === move);
    if (known) return known;
    const played = this.rules.play(this.fen(at), move, this.chess960);
    if (failed(played)) return played;
    return this.add(at, played.move, played.position.fen);
  }

  private add(at: GameNode, move: Move, fen: string): GameNode {
    const known = at.children.find((child) => child.uci === move.uci);
    if (known) return known;
    const child = this.node(at, move.uci, move.san);
    child.fen = fen;
    at.children.push(child);
    return child;
  }

  go(node: GameNode): void {
    this.current = node;
  }

  /** The nodes from the root, exclusive, to this one. */
  line(node: GameNode = this.current): GameNode[] {
    const line: GameNode[] = [];
    for (let at: GameNode = node; at.parent; at = at.parent) line.push(at);
    return line.reverse();
  }

  uciLine(node: GameNode = this.current): string[] {
    return this.line(node).map((step) => step.uci);
  }

  /** The moves to a node for the rules and the engine: from the start, or from the last null move. */
  history(node: GameNode = this.current): { start: string; moves: string[] } {
    const moves = this.uciLine(node);
    const last = moves.lastIndexOf(NULL_MOVE);
    const from = this.line(node)[last];
    return { start: from ? this.fen(from) : this.start, moves: moves.slice(last + 1) };
  }

  /** The last node of the line through a node. */
  end(node: GameNode = this.current): GameNode {
    let at = node;
    while (at.children[0]) at = at.children[0];
    return at;
  }

  mainLine(): GameNode[] {
    return this.line(this.end(this.root));
  }

  isMainLine(node: GameNode): boolean {
    for (let at: GameNode = node; at.parent; at = at.parent) if (at.parent.children[0] !== at) return false;
    return true;
  }

  /** The previous (-1) or next (1) alternative to the current move. */
  sibling(step: 1 | -1): GameNode | null {
    const siblings = this.current.parent?.children ?? [];
    return siblings[siblings.indexOf(this.current) + step] ?? null;
  }

  status(node: GameNode = this.current): Status {
    const { start, moves } = this.history(node);
    const status = this.rules.status(start, moves, this.chess960);
    if (failed(status)) throw new Error(status.error);
    return status;
  }

  /** Makes the line to a node the main line. */
  promote(node: GameNode): void {
    for (let at: GameNode = node; at.parent; at = at.parent) {
      const siblings = at.parent.children;
      siblings.splice(siblings.indexOf(at), 1);
      siblings.unshift(at);
    }
  }

  /** Removes a move and everything after it. */
  remove(node: GameNode): void {
    if (!node.parent) return;
    const siblings = node.parent.children;
    siblings.splice(siblings.indexOf(node), 1);
    for (let at: GameNode | null = this.current; at; at = at.parent) if (at === node) this.current = node.parent;
  }

  /** All nodes except the root, in preorder. */
  *all(): Generator<GameNode> {
    const stack = [...this.root.children].reverse();
    for (let node = stack.pop(); node; node = stack.pop()) {
      yield node;
      stack.push(...[...node.children].reverse());
    }
  }

  private node(parent: GameNode | null, uci: string, san: string): GameNode {
    const ply = parent ? parent.ply + 1 : 0;
    return { id: this.ids++, parent, ply, uci, san, children: [], nags: [], before: "", after: "", score: null, fen: null };
  }

  private addLine(at: GameNode, moves: GameMove[]): void {
    let parent = at;
    for (const move of moves) {
      const child = this.node(parent, move.uci, move.san);
      child.nags = [...move.nags];
      child.before = move.before ?? "";
      child.after = move.after ?? "";
      child.score = readPgnEval(child.after);
      parent.children.push(child);
      for (const variation of move.variations) this.addLine(parent, variation);
      parent = child;
    }
  }

  private movesFrom(at: GameNode, first: GameNode | undefined = at.children[0]): GameMove[] {
    const moves: GameMove[] = [];
    let parent = at;
    for (let child = first; child; child = parent.children[0]) {
      const move: GameMove = { uci: child.uci, san: child.san, nags: [...child.nags], variations: [] };
      if (child.before) move.before = child.before;
      if (child.after) move.after = child.after;
      // Only the first of several alternatives lists the others.
      if (parent.children[0] === child) move.variations = parent.children.slice(1).map((other) => this.movesFrom(parent, other));
      moves.push(move);
      parent = child;
    }
    return moves;
  }
}
