// SPDX-License-Identifier: MIT
// The move list: the main line in two columns, variations and comments in between. A click on a move goes to it.
// Rebuilt when the game changes; navigation only moves the highlight.

import { element, make } from "./dom.js";
import type { GameNode } from "./game.js";
import type { Session } from "./session.js";

export const NAG_SIGNS: Record<number, string> = {
  1: "!", 2: "?", 3: "!!", 4: "??", 5: "!?", 6: "?!", 7: "□", 10: "=", 13: "∞", 14: "⩲", 15: "⩱", 16: "±", 17: "∓", 18: "+−", 19: "−+", 146: "N",
};

/** Commands in a comment, such as [%eval 0.3]. The pattern excludes nested brackets, so that it takes linear time. */
export const COMMANDS = /\[%[^[\]]*\]/g;

/** A comment without its commands. */
export function readable(comment: string): string {
  return comment.replace(COMMANDS, "").replace(/\s+/g, " ").trim();
}

export class MoveList {
  private readonly host = element("moves");
  private readonly headers = element("headers");
  private buttons = new Map<number, { node: GameNode; button: HTMLButtonElement }>();
  private marked: HTMLButtonElement | null = null;

  constructor(private readonly session: Session) {
    this.host.addEventListener("click", (event) => {
      const button = event.target instanceof Element ? event.target.closest<HTMLElement>("button.move") : null;
      const found = button ? this.buttons.get(Number(button.dataset["id"])) : undefined;
      if (found) session.go(found.node);
    });
    session.listen((change) => (change === "node" ? this.mark() : this.build()));
    this.build();
  }

  private build(): void {
    const { tree } = this.session;
    this.buttons = new Map();
    this.marked = null;
    const rows: HTMLElement[] = [];
    this.remark(rows, tree.root.after);
    let row: HTMLElement | null = null;
    for (let node = tree.root.children[0]; node; node = node.children[0]) {
      const white = tree.movedBy(node) === "w";
      if (node.before) {
        row = null;
        this.remark(rows, node.before);
      }
      if (white || !row) {
        row = make("div", "move-row");
        row.append(make("span", "number", `${tree.moveNumber(node)}.`));
        if (!white) row.append(make("span", "gap", "…"));
        rows.push(row);
      }
      row.append(this.button(node));
      const others = node.parent?.children.slice(1) ?? [];
      if (readable(node.after) || others.length > 0) {
        this.remark(rows, node.after);
        for (const other of others) rows.push(this.variation(other));
        row = null;
      }
    }
    if (tree.result !== "*" && tree.root.children.length > 0) rows.push(make("p", "result", tree.result.replace(/1\/2/g, "½")));
    if (tree.root.children.length === 0) rows.push(make("p", "hint", "No moves yet. Move a piece or type a move."));
    this.host.replaceChildren(...rows);
    this.title();
    this.mark();
  }

  private title(): void {
    const { White, Black, Event, Date: date } = this.session.tree.tags;
    const known = (text: string | undefined): text is string => !!text && !/^[?.]+$/.test(text);
    const names = known(White) || known(Black) ? `${White ?? "?"} – ${Black ?? "?"}` : "";
    const rest = [Event, date?.slice(0, 4)].filter(known).join(", ");
    this.headers.replaceChildren(...[make("strong", "", names), make("span", "", rest)].filter((part) => part.textContent));
    this.headers.hidden = !this.headers.hasChildNodes();
  }

  private remark(rows: HTMLElement[], comment: string): void {
    const text = readable(comment);
    if (text) rows.push(make("p", "remark", text));
  }

  private button(node: GameNode): HTMLButtonElement {
    const button = make("button", "move", node.san);
    button.type = "button";
    button.tabIndex = -1;
    button.dataset["id"] = String(node.id);
    button.setAttribute("aria-label", this.session.tree.label(node) + node.nags.map((nag) => ` ${NAG_SIGNS[nag] ?? ""}`).join(""));
    for (const nag of node.nags) {
      const sign = NAG_SIGNS[nag] ?? `$${nag}`;
      button.append(make("span", `sign nag-${nag}`, sign));
    }
    this.buttons.set(node.id, { node, button });
    return button;
  }

  /** A variation with the variations inside it. */
  private variation(first: GameNode): HTMLElement {
    const block = make("div", "variation");
    const { tree } = this.session;
    let numbered = false;
    for (let node: GameNode | undefined = first; node; node = node.children[0]) {
      if (readable(node.before)) block.append(make("span", "remark", `${readable(node.before)} `));
      if (!numbered || tree.movedBy(node) === "w") {
        block.append(make("span", "number", `${tree.moveNumber(node)}${tree.movedBy(node) === "w" ? "." : "…"}`));
      }
      numbered = true;
      block.append(this.button(node));
      if (readable(node.after)) {
        block.append(make("span", "remark", ` ${readable(node.after)} `));
        numbered = false;
      }
      if (node !== first) {
        for (const other of node.parent?.children.slice(1) ?? []) {
          block.append(this.variation(other));
          numbered = false;
        }
      }
    }
    return block;
  }

  private mark(): void {
    this.marked?.removeAttribute("aria-current");
    if (this.marked) this.marked.tabIndex = -1;
    const found = this.buttons.get(this.session.tree.current.id);
    this.marked = found?.button ?? null;
    if (this.marked) {
      this.marked.setAttribute("aria-current", "true");
      this.marked.tabIndex = 0;
      this.reveal(this.marked);
    } else {
      this.host.scrollTop = 0;
    }
  }

  // Scrolls only the list; scrollIntoView would also scroll the page on a phone.
  private reveal(button: HTMLElement): void {
    const inside = this.host.getBoundingClientRect();
    const place = button.getBoundingClientRect();
    if (place.top < inside.top) this.host.scrollTop += place.top - inside.top - 8;
    else if (place.bottom > inside.bottom) this.host.scrollTop += place.bottom - inside.bottom + 8;
  }
}
