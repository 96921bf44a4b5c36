// SPDX-License-Identifier: MIT
// The moves of a game as an immutable tree. An edit copies the nodes from the root to the changed one and shares all
// others, so that old versions stay valid for undo, and a view sees by identity which parts changed.

import type { GameMove } from "../../../package/index.js";

export interface GameNode {
  /** The same in all versions of the tree, and unique on the page. */
  readonly id: number;
  /** Empty at the root, which has no move. */
  readonly uci: string;
  readonly san: string;
  readonly nags: readonly number[];
  /** Comments before the move (only at the start of a variation) and after it. */
  readonly before: string;
  readonly after: string;
  /** The first child continues the line; the others are variations. */
  readonly children: readonly GameNode[];
}

let ids = 0;

export function makeNode(uci: string, san: string, more: Partial<GameNode> = {}): GameNode {
  return { uci, san, nags: [], before: "", after: "", children: [], ...more, id: ++ids };
}

/** The parent and the ply of every node, computed once for each version of the tree. */
export class TreeIndex {
  private readonly places = new Map<number, { node: GameNode; parent: GameNode | null; ply: number }>();

  constructor(root: GameNode) {
    this.places.set(root.id, { node: root, parent: null, ply: 0 });
    // A map iterates over entries that are added meanwhile.
    for (const { node, ply } of this.places.values()) {
      for (const child of node.children) this.places.set(child.id, { node: child, parent: node, ply: ply + 1 });
    }
  }

  get size(): number {
    return this.places.size;
  }

  has(id: number): boolean {
    return this.places.has(id);
  }

  node(id: number): GameNode {
    return this.place(id).node;
  }

  parent(id: number): GameNode | null {
    return this.place(id).parent;
  }

  ply(id: number): number {
    return this.place(id).ply;
  }

  private place(id: number): { node: GameNode; parent: GameNode | null; ply: number } {
    const place = this.places.get(id);
    if (!place) throw new Error(`no node ${id}`);
    return place;
  }
}

const indices = new WeakMap<GameNode, TreeIndex>();

export function indexOf(root: GameNode): TreeIndex {
  let index = indices.get(root);
  if (!index) indices.set(root, (index = new TreeIndex(root)));
  return index;
}

/** The tree with a node replaced. Returns the new root. */
export function replaceNode(root: GameNode, id: number, change: (node: GameNode) => GameNode): GameNode {
  const index = indexOf(root);
  let old = index.node(id);
  let made = change(old);
  for (let parent = index.parent(id); parent; parent = index.parent(parent.id)) {
    const [before, after] = [old, made];
    made = { ...parent, children: parent.children.map((child) => (child === before ? after : child)) };
    old = parent;
  }
  return made;
}

/** Removes a node and everything after it. */
export function removeNode(root: GameNode, id: number): GameNode {
  const parent = indexOf(root).parent(id);
  if (!parent) return root;
  return replaceNode(root, parent.id, (node) => ({ ...node, children: node.children.filter((child) => child.id !== id) }));
}

/** Makes the line to a node the main line. */
export function promoteNode(root: GameNode, id: number): GameNode {
  const index = indexOf(root);
  let made = index.node(id);
  for (let parent = index.parent(id); parent; parent = index.parent(parent.id)) {
    const first: GameNode = made;
    made = { ...parent, children: [first, ...parent.children.filter((child) => child.id !== first.id)] };
  }
  return made;
}

/** All nodes except the root, in preorder. */
export function* allNodes(root: GameNode): Generator<GameNode> {
  const stack = [...root.children].reverse();
  for (let node = stack.pop(); node; node = stack.pop()) {
    yield node;
    for (let i = node.children.length - 1; i >= 0; i--) stack.push(node.children[i] as GameNode);
  }
}

/** The children of a node from the moves of a PGN game. Iterates along a line, which can be too long for recursion. */
export function nodesFrom(moves: readonly GameMove[]): GameNode[] {
  let following: GameNode[] = [];
  for (let i = moves.length - 1; i >= 0; i--) {
    const move = moves[i] as GameMove;
    const node = makeNode(move.uci, move.san, { nags: [...move.nags], before: move.before ?? "", after: move.after ?? "", children: following });
    following = [node, ...move.variations.flatMap(nodesFrom)];
  }
  return following;
}

/** What another layer adds to a move when the game is written. */
export interface Extra {
  nags: number[];
  after: string;
  variations: GameMove[][];
}

/** The line of a PGN game after a node, or the one that begins with `first`. */
export function movesOf(at: GameNode, extra: (node: GameNode, parent: GameNode) => Extra | null, first: GameNode | undefined = at.children[0]): GameMove[] {
  const moves: GameMove[] = [];
  let parent = at;
  for (let child = first; child; child = parent.children[0]) {
    const added = extra(child, parent);
    const move: GameMove = { uci: child.uci, san: child.san, nags: [...child.nags, ...(added?.nags ?? [])], variations: [] };
    const after = [added?.after ?? "", child.after].filter(Boolean).join(" ");
    if (child.before) move.before = child.before;
    if (after) move.after = after;
    // Only the first of several alternatives lists the others.
    if (parent.children[0] === child) {
      const line = parent;
      move.variations = [...line.children.slice(1).map((other) => movesOf(line, extra, other)), ...(added?.variations ?? [])];
    }
    moves.push(move);
    parent = child;
  }
  return moves;
}
