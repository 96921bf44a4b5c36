// SPDX-License-Identifier: MIT
// A game: an immutable tree of moves with tags and a result. Every edit returns a new game. The library decides which
// moves are legal and writes their SAN. Nodes are named by their ids, which are the same in all versions of a game.

import type { Failure, Game as PgnGame, Position, Rules, Status } from "../../../package/index.js";
import { afterNullMove } from "./fen.js";
import { type Extra, type GameNode, indexOf, makeNode, movesOf, nodesFrom, promoteNode, removeNode, replaceNode } from "./tree.js";

/** The UCI text of a null move. PGN files contain null moves; the rules and the engine refuse them. */
export const NULL_MOVE = "0000";

export type Colour = "w" | "b";
export type Result = PgnGame["result"];
export type Tags = Readonly<Record<string, string>>;

export function failed<T extends object>(value: T | Failure): value is Failure {
  return "error" in value && typeof value.error === "string" && !("moves" in value);
}

/** What the versions of a game share: the rules, and the FEN of each node, which no edit changes. */
interface Shared {
  rules: Rules;
  start: string;
  chess960: boolean;
  fens: Map<number, string>;
  last: { id: number; position: Position } | null;
}

export class Game {
  private constructor(
    private readonly shared: Shared,
    readonly root: GameNode,
    readonly tags: Tags,
    readonly result: Result,
  ) {}

  static create(rules: Rules, start = rules.startFen, chess960 = false, tags: Tags = {}): Game {
    const root = makeNode("", "");
    return new Game({ rules, start, chess960, fens: new Map([[root.id, start]]), last: null }, root, tags, "*");
  }

  /** From a FEN that may be invalid. */
  static fromFen(rules: Rules, fen: string, chess960 = false): Game | Failure {
    const position = rules.position(fen, chess960);
    return failed(position) ? position : Game.create(rules, position.fen, chess960);
  }

  static fromPgn(rules: Rules, game: PgnGame): Game {
    const root = makeNode("", "", { after: game.comment ?? "", children: nodesFrom(game.moves) });
    const shared = { rules, start: game.start, chess960: game.chess960, fens: new Map([[root.id, game.start]]), last: null };
    return new Game(shared, root, { ...game.tags }, game.result);
  }

  toPgn(extra: (node: GameNode, parent: GameNode) => Extra | null = () => null): PgnGame {
    const game: PgnGame = { tags: { ...this.tags }, start: this.start, chess960: this.chess960, moves: movesOf(this.root, extra), result: this.result };
    if (this.root.after) game.comment = this.root.after;
    return game;
  }

  get start(): string {
    return this.shared.start;
  }

  get chess960(): boolean {
    return this.shared.chess960;
  }

  // --- Nodes ---

  /** The number of moves, variations included. */
  get size(): number {
    return indexOf(this.root).size - 1;
  }

  has(id: number): boolean {
    return indexOf(this.root).has(id);
  }

  node(id: number): GameNode {
    return indexOf(this.root).node(id);
  }

  parent(id: number): GameNode | null {
    return indexOf(this.root).parent(id);
  }

  ply(id: number): number {
    return indexOf(this.root).ply(id);
  }

  /** The nodes from the root, exclusive, to this one. */
  line(id: number): GameNode[] {
    const line: GameNode[] = [];
    for (let node = this.node(id), parent = this.parent(id); parent; node = parent, parent = this.parent(parent.id)) line.push(node);
    return line.reverse();
  }

  uciLine(id: number): string[] {
    return this.line(id).map((node) => node.uci);
  }

  /** The last node of the line through a node. */
  end(id: number = this.root.id): GameNode {
    let node = this.node(id);
    while (node.children[0]) node = node.children[0];
    return node;
  }

  mainLine(): GameNode[] {
    const line: GameNode[] = [];
    for (let node = this.root.children[0]; node; node = node.children[0]) line.push(node);
    return line;
  }

  isMainLine(id: number): boolean {
    for (let node = this.node(id), parent = this.parent(id); parent; node = parent, parent = this.parent(parent.id)) {
      if (parent.children[0] !== node) return false;
    }
    return true;
  }

  /** The previous (-1) or next (1) alternative to a move. */
  sibling(id: number, step: 1 | -1): GameNode | null {
    const siblings = this.parent(id)?.children ?? [];
    return siblings[siblings.findIndex((node) => node.id === id) + step] ?? null;
  }

  // --- Positions ---

  fen(id: number): string {
    const { fens } = this.shared;
    const missing: GameNode[] = [];
    for (let node: GameNode | null = this.node(id); node && !fens.has(node.id); node = this.parent(node.id)) missing.push(node);
    for (const node of missing.reverse()) {
      const before = fens.get(this.parent(node.id)?.id ?? 0) ?? this.start;
      fens.set(node.id, this.fenAfter(before, node.uci));
    }
    return fens.get(id) ?? this.start;
  }

  private fenAfter(fen: string, uci: string): string {
    const { rules, chess960 } = this.shared;
    const next = uci === NULL_MOVE ? rules.position(afterNullMove(fen), chess960) : rules.play(fen, uci, chess960);
    if (failed(next)) throw new Error(next.error);
    return "position" in next ? next.position.fen : next.fen;
  }

  position(id: number): Position {
    if (this.shared.last?.id === id) return this.shared.last.position;
    const position = this.shared.rules.position(this.fen(id), this.chess960);
    if (failed(position)) throw new Error(position.error);
    this.shared.last = { id, position };
    return position;
  }

  /** The moves to a node for the rules and the engine: from the start, or from the last null move. */
  history(id: number): { start: string; moves: string[] } {
    const line = this.line(id);
    const last = line.findLastIndex((node) => node.uci === NULL_MOVE);
    const from = line[last];
    return { start: from ? this.fen(from.id) : this.start, moves: line.slice(last + 1).map((node) => node.uci) };
  }

  status(id: number): Status {
    const { start, moves } = this.history(id);
    const status = this.shared.rules.status(start, moves, this.chess960);
    if (failed(status)) throw new Error(status.error);
    return status;
  }

  /** The side to move. */
  turn(id: number): Colour {
    const blackStarts = this.start.split(" ")[1] === "b";
    return (this.ply(id) % 2 === 1) !== blackStarts ? "b" : "w";
  }

  /** The side that made the move of a node; at the root, the side not to move. */
  movedBy(id: number): Colour {
    return this.turn(id) === "w" ? "b" : "w";
  }

  /** The number of the move of a node. */
  moveNumber(id: number): number {
    const fields = this.start.split(" ");
    const offset = fields[1] === "b" ? 1 : 0;
    return (Number(fields[5]) || 1) + Math.floor((this.ply(id) - 1 + offset) / 2);
  }

  /** "12. Nf3" or "12... Nf6"; "Start" for the root. */
  label(id: number): string {
    if (!this.parent(id)) return "Start";
    return `${this.moveNumber(id)}${this.movedBy(id) === "w" ? "." : "..."} ${this.node(id).san}`;
  }

  // --- Edits ---

  /** Adds a move (UCI or SAN) after a node. Returns its id; the move may exist already. */
  play(move: string, at: number): { game: Game; id: number } | Failure {
    const parent = this.node(at);
    const known = parent.children.find((child) => child.uci === move);
    if (known) return { game: this, id: known.id };
    const played = this.shared.rules.play(this.fen(at), move, this.chess960);
    if (failed(played)) return played;
    const same = parent.children.find((child) => child.uci === played.move.uci);
    if (same) return { game: this, id: same.id };
    const child = makeNode(played.move.uci, played.move.san);
    this.shared.fens.set(child.id, played.position.fen);
    return { game: this.change(at, (node) => ({ ...node, children: [...node.children, child] })), id: child.id };
  }

  /** Adds several moves, up to the first illegal one. Returns the id of the last. */
  playLine(moves: readonly string[], at: number): { game: Game; id: number } {
    let reached: { game: Game; id: number } = { game: this, id: at };
    for (const move of moves) {
      const next = reached.game.play(move, reached.id);
      if (failed(next)) break;
      reached = next;
    }
    return reached;
  }

  /** Changes the annotations of a node. */
  annotate(id: number, notes: Partial<Pick<GameNode, "nags" | "before" | "after">>): Game {
    return this.change(id, (node) => ({ ...node, ...notes }));
  }

  promote(id: number): Game {
    return this.with(promoteNode(this.root, id));
  }

  remove(id: number): Game {
    return this.with(removeNode(this.root, id));
  }

  /** Removes everything after a node. */
  cut(id: number): Game {
    return this.change(id, (node) => ({ ...node, children: [] }));
  }

  withTags(tags: Tags): Game {
    return new Game(this.shared, this.root, tags, this.result);
  }

  withResult(result: Result): Game {
    return new Game(this.shared, this.root, this.tags, result);
  }

  private change(id: number, change: (node: GameNode) => GameNode): Game {
    return this.with(replaceNode(this.root, id, change));
  }

  private with(root: GameNode): Game {
    return new Game(this.shared, root, this.tags, this.result);
  }
}
