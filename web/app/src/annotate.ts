// SPDX-License-Identifier: MIT
// Edits the current move: its annotation sign and comment, and the place of its variation.

import { element, press } from "./dom.js";
import { COMMANDS, readable } from "./movelist.js";
import type { Change, Session } from "./session.js";

const SIGNS = [1, 2, 3, 4, 5, 6];

/** `playing` is true during a game against Luft, whose moves cannot be changed. */
export function startAnnotating(session: Session, playing: () => boolean): void {
  const comment = element<HTMLTextAreaElement>("comment");
  const buttons = [...document.querySelectorAll<HTMLElement>(".nag")];
  let edited = session.tree.current; // the move whose comment is in the field
  const show = (change?: Change): void => {
    const { current } = session.tree;
    // While the user types, the field keeps its move.
    if (document.activeElement !== comment || change === "game") {
      edited = current;
      comment.value = readable(current.after);
    }
    for (const button of buttons) {
      press(button, current.nags.includes(Number(button.dataset["nag"])));
      button.toggleAttribute("disabled", !current.parent);
    }
    element<HTMLButtonElement>("promote").disabled = playing() || session.tree.isMainLine(current);
    element<HTMLButtonElement>("remove").disabled = playing() || !current.parent;
  };
  for (const button of buttons) {
    button.addEventListener("click", () => {
      const { current } = session.tree;
      const nag = Number(button.dataset["nag"]);
      const had = current.nags.includes(nag);
      // A move has at most one of these signs.
      current.nags = current.nags.filter((each) => !SIGNS.includes(each));
      if (!had) current.nags.unshift(nag);
      session.edited();
    });
  }
  comment.addEventListener("input", () => {
    // Keeps commands such as [%clk 0:01:00], which the field does not show.
    const commands = edited.after.match(COMMANDS) ?? [];
    edited.after = [...commands, comment.value.replace(/[{}]/g, "")].join(" ").trim();
    session.edited();
  });
  comment.addEventListener("blur", () => show());
  element("promote").addEventListener("click", () => {
    session.tree.promote(session.tree.current);
    session.edited();
  });
  element("remove").addEventListener("click", () => {
    session.tree.remove(session.tree.current);
    session.edited();
  });
  session.listen(show);
  show();
}
