// SPDX-License-Identifier: MIT
//
// Searches as promises: writes the UCI commands of one search at a time and parses what the engine says.

const NUMBERS = { depth: "depth", seldepth: "seldepth", multipv: "multipv", nodes: "nodes", nps: "nps", hashfull: "hashfull", tbhits: "tbhits", time: "time" };

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
    } else if (words[i] in NUMBERS) {
      info[NUMBERS[words[i]]] = Number(words[++i]);
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

/** Runs one search. `port` has send, listen and failed. Rejects if the engine refuses the position, or crashes. */
export function analyse(port, options = {}) {
  const { fen = "startpos", moves = [], lines = 1, chess960 = false, signal, onInfo } = options;
  const go = oneLine(goCommand(options));
  const place = oneLine(`position ${fen === "startpos" ? fen : `fen ${fen}`}${moves.length ? ` moves ${moves.join(" ")}` : ""}`);
  if (!Number.isSafeInteger(lines) || lines < 1) {
    throw new RangeError(`analyse: lines: expected a positive integer, got ${lines}`);
  }
  return new Promise((resolve, reject) => {
    let last = [];
    let reason;
    const stop = () => port.send("stop");
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
        unlisten();
        signal?.removeEventListener("abort", stop);
        const [, best, , ponder] = line.split(" ");
        if (reason !== undefined) {
          reject(new Error(reason));
        } else {
          resolve({ best: best === "0000" ? null : best, ponder: ponder ?? null, lines: last.filter(Boolean) });
        }
      }
    });
    port.failed.then((error) => {
      unlisten();
      reject(error);
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
}
