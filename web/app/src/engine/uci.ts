// SPDX-License-Identifier: MIT
// Parses the output of a UCI engine. Skips unknown words; returns null for other lines.

import type { Score } from "./score.js";

export interface Info {
  kind: "info";
  depth: number;
  multipv: number;
  /** From the point of view of the side to move. */
  score: Score;
  /** The score is a lower or upper bound. */
  bound: boolean;
  nodes: number;
  nps: number;
  time: number;
  pv: string[];
}

export interface BestMove {
  kind: "bestmove";
  /** null if there is no legal move, or if the engine refused the position. */
  move: string | null;
  ponder: string | null;
}

export interface Message {
  kind: "message";
  text: string;
}

const MOVE = /^[a-h][1-8][a-h][1-8][qrbn]?$/;

export function parse(line: string): Info | BestMove | Message | null {
  const words = line.trim().split(/\s+/);
  if (words[0] === "bestmove") return parseBestMove(words);
  if (words[0] !== "info") return null;
  if (words[1] === "string") return { kind: "message", text: words.slice(2).join(" ") };
  return parseInfo(words);
}

function parseBestMove(words: string[]): BestMove {
  const move = words[1] ?? "";
  const ponder = words[2] === "ponder" ? (words[3] ?? "") : "";
  return { kind: "bestmove", move: MOVE.test(move) ? move : null, ponder: MOVE.test(ponder) ? ponder : null };
}

function parseInfo(words: string[]): Info | null {
  const info: Info = { kind: "info", depth: 0, multipv: 1, score: {}, bound: false, nodes: 0, nps: 0, time: 0, pv: [] };
  let scored = false;
  for (let i = 1; i < words.length; i++) {
    const word = words[i];
    const number = Number(words[i + 1]);
    switch (word) {
      case "depth":
      case "multipv":
      case "nodes":
      case "nps":
      case "time":
        if (Number.isFinite(number)) info[word] = number;
        i++;
        break;
      case "cp":
      case "mate":
        if (!Number.isFinite(number)) return null;
        info.score[word] = number;
        scored = true;
        i++;
        break;
      case "lowerbound":
      case "upperbound":
        info.bound = true;
        break;
      case "wdl": {
        const three = words.slice(i + 1, i + 4).map(Number);
        if (three.length === 3 && three.every(Number.isFinite)) info.score.wdl = three as [number, number, number];
        i += 3;
        break;
      }
      case "pv":
        info.pv = words.slice(i + 1).filter((move) => MOVE.test(move));
        i = words.length;
        break;
    }
  }
  return scored ? info : null;
}
