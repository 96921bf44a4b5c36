// SPDX-License-Identifier: MIT
//
// Searches as promises: writes the UCI commands of one search at a time and parses what the engine says.

const NUMBERS = new Set(["depth", "seldepth", "multipv", "nodes", "nps", "hashfull", "tbhits", "time"]);

/** An info line as an object; null if it has no score or variation. */
export function parseInfo(line) {
  const words = line.split(" ");
  if (words[0] !== "info" || words[1] === "string") {
    return null;
  }
  const info = { pv: [] };
  for (let i = 1; i < words.length; i++) {
    if (words[i] === "pv") {
      info.pv = words.slice(i + 1);
      break;
    } else if (words[i] === "score") {
      info.score = { kind: words[i + 1], value: Number(words[i + 2]) };
      i += 2;
      if (words[i + 1] === "lowerbound" || words[i + 1] === "upperbound") {
        info.score.bound = words[++i] === "lowerbound" ? "lower" : "upper";
      }
    } else if (words[i] === "wdl") {
      info.wdl = words.slice(i + 1, i + 4).map(Number);
      i += 3;
    } else if (NUMBERS.has(words[i])) {
      info[words[i]] = Number(words[++i]);
    }
  }
  return info.score ? info : null;
}

/** `go` with the limits; without one the search runs until it is aborted. */
function goCommand({ depth, nodes, time, searchMoves }) {
  const parts = [];
  for (const [word, value] of [["depth", depth], ["nodes", nodes], ["movetime", time]]) {
    if (value !== undefined) {
      if (!Number.isSafeInteger(value) || value < 1) {
        throw new RangeError(`analyse: ${word === "movetime" ? "time" : word}: expected a positive integer, got ${value}`);
      }
      parts.push(word, value);
    }
  }
  const restriction = searchMoves?.length ? ["searchmoves", ...searchMoves] : [];
  return ["go", ...(parts.length ? parts : ["infinite"]), ...restriction].join(" ");
}

/** Everything the engine's caller may choose must stay one line. */
function oneLine(text) {
  if (/[\r\n]/.test(text)) {
    throw new TypeError("analyse: a position and its moves are one line");
  }
  return text;
}

/**
 * Runs one search. `port` has send and listen. `result` rejects if the engine refuses the position, or if `abandon` is called
 * with an Error.
 */
export function analyse(port, options = {}) {
  const { fen = "startpos", moves = [], lines = 1, chess960 = false, signal, onInfo } = options;
  const go = oneLine(goCommand(options));
  const place = oneLine(`position ${fen === "startpos" ? fen : `fen ${fen}`}${moves.length ? ` moves ${moves.join(" ")}` : ""}`);
  if (!Number.isSafeInteger(lines) || lines < 1) {
    throw new RangeError(`analyse: lines: expected a positive integer, got ${lines}`);
  }
  let abandon;
  const result = new Promise((resolve, reject) => {
    let last = [];
    let reason;
    const stop = () => port.send("stop");
    const settle = (how, value) => {
      unlisten();
      signal?.removeEventListener("abort", stop);
      how(value);
    };
    abandon = (error) => settle(reject, error);
    const unlisten = port.listen((line) => {
      if (line.startsWith("info string error: ")) {
        reason ??= line.slice("info string error: ".length);
        return;
      }
      const info = parseInfo(line);
      if (info) {
        last[(info.multipv ?? 1) - 1] = info;
        onInfo?.(info);
      } else if (line.startsWith("bestmove ")) {
        const [, best, , ponder] = line.split(" ");
        if (reason !== undefined) {
          settle(reject, new Error(reason));
        } else {
          settle(resolve, { best: best === "0000" ? null : best, ponder: ponder ?? null, lines: last.filter(Boolean) });
        }
      }
    });
    port.send(`setoption name MultiPV value ${lines}`);
    port.send(`setoption name UCI_Chess960 value ${chess960}`);
    port.send(place);
    port.send(go);
    if (signal?.aborted) {
      stop();
    } else {
      signal?.addEventListener("abort", stop, { once: true });
    }
  });
  return { result, abandon };
}
