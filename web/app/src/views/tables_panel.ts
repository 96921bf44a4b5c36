// SPDX-License-Identifier: MIT
// The tablebase in the Explore tab: the exact result of the position and of each move, from Syzygy files that the user adds.
// They stay in memory until the page closes. A click plays a move.

import type { TablebaseMove, TablebaseProbe, Wdl } from "../../../package/index.js";
import { element, make } from "../dom.js";
import type { Session } from "../state/session.js";
import type { TablesAnswer, TablesAsk } from "../state/tables_worker.js";
import type { Preview } from "./preview.js";

/** Files with such a name are tables, wherever they are dropped. */
export const TABLE_NAME = /\.rtb[wz]$/i;

const RESULTS: Record<Wdl, string> = { 2: "wins", 1: "draws: fifty-move rule", 0: "draws", [-1]: "draws: fifty-move rule", [-2]: "loses" };
const MAX_REFUSED = 5;

export class TablesPanel {
  onMove: (uci: string) => void = () => {};
  private worker: Worker | null = null;
  private visible = false;
  private count = 0;
  private asked = 0;

  constructor(
    private readonly session: Session,
    preview: Preview,
  ) {
    const input = element<HTMLInputElement>("tables-files");
    input.addEventListener("change", () => {
      this.add([...(input.files ?? [])]);
      input.value = "";
    });
    const list = element("tables-moves");
    const uciOf = (target: EventTarget | null): string => (target instanceof Element ? (target.closest<HTMLElement>("[data-uci]")?.dataset["uci"] ?? "") : "");
    list.addEventListener("click", (event) => {
      const uci = uciOf(event.target);
      if (uci) this.onMove(uci);
    });
    preview.listen(list, (target) => {
      const uci = uciOf(target);
      return uci ? { fen: session.fen, moves: [uci] } : null;
    });
    session.listen(() => this.ask());
  }

  show(visible: boolean): void {
    this.visible = visible;
    this.ask();
  }

  add(files: File[]): void {
    if (files.length > 0) this.send({ kind: "add", files });
  }

  private send(ask: TablesAsk): void {
    if (!this.worker) {
      this.worker = new Worker(new URL("../state/tables_worker.ts", import.meta.url), { type: "module" });
      this.worker.addEventListener("message", (event: MessageEvent<TablesAnswer>) => this.receive(event.data));
    }
    this.worker.postMessage(ask);
  }

  private ask(): void {
    if (!this.visible || this.count === 0) return;
    const { game, current } = this.session;
    const { start, moves } = game.history(current);
    this.send({ kind: "probe", id: ++this.asked, start, moves: [...moves], chess960: game.chess960 });
  }

  private receive(answer: TablesAnswer): void {
    const info = element("tables-info");
    if (answer.kind === "progress") {
      info.textContent = `Reading file ${answer.done + 1} of ${answer.of} …`;
    } else if (answer.kind === "added") {
      this.count = answer.count;
      info.textContent = this.count > 0 ? `${this.count} ${this.count === 1 ? "table" : "tables"}, up to ${answer.largest} pieces, until the page closes.` : "";
      const more = answer.refused.length - MAX_REFUSED;
      element("tables-error").textContent = [...answer.refused.slice(0, MAX_REFUSED), ...(more > 0 ? [`and ${more} more`] : [])].join("; ");
      this.ask();
    } else if (answer.id === this.asked) {
      this.draw(answer.found, answer.reason);
    }
  }

  private draw(probe: TablebaseProbe | null, reason: string): void {
    const { session } = this;
    const list = element("tables-moves");
    const text = element("tables-result");
    if (!probe) {
      text.textContent = `${reason.charAt(0).toUpperCase()}${reason.slice(1)}.`;
      list.replaceChildren();
      return;
    }
    const [result, distance] = resultText(probe, session.game.turn(session.current));
    text.replaceChildren(make("strong", "", result), distance);
    list.replaceChildren(...probe.moves.map(moveRow));
  }
}

/** "White wins.", and " The next capture, pawn move or mate comes in about 12 moves.": a distance can be one ply too short. */
function resultText({ wdl, dtz }: TablebaseProbe, turn: "w" | "b"): [string, string] {
  const winner = wdl > 0 === (turn === "w") ? "White" : "Black";
  if (wdl === 0) return ["Draw.", ""];
  if (Math.abs(wdl) === 1) return ["Draw.", ` ${winner} would win without the fifty-move rule.`];
  const moves = dtz === null ? 0 : Math.ceil(Math.abs(dtz) / 2);
  return [`${winner} wins.`, moves > 0 ? ` The next capture, pawn move or mate comes in about ${moves} ${moves === 1 ? "move" : "moves"}.` : ""];
}

function moveRow({ uci, san, wdl, dtz }: TablebaseMove): HTMLElement {
  const row = make("button", "table-row");
  row.type = "button";
  row.dataset["uci"] = uci;
  const distance = san.endsWith("#") ? "mate" : dtz ? `DTZ ${Math.abs(dtz)}` : "";
  row.append(make("strong", "", san), make("span", `table-result ${wdl === 2 ? "win" : wdl === -2 ? "loss" : "draw"}`, RESULTS[wdl]), make("span", "explore-count", distance));
  return row;
}
