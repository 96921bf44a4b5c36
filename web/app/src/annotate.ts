// SPDX-License-Identifier: MIT
// Notes on the move that is on the board: a sign, a comment; and what can be done with its line.

import { element, press } from "./dom.js";
import { COMMANDS, readable } from "./movelist.js";
import type { Change, Session } from "./session.js";

const SIGNS = [1, 2, 3, 4, 5, 6];

/** `playing`: the moves belong to a game that goes on, and must stay. */
export function startAnnotating(session: Session, playing: () => boolean): void {
  const comment = element<HTMLTextAreaElement>("comment");
  const buttons = [...document.querySelectorAll<HTMLElement>(".nag")];
  let noted = session.tree.current; // the move that the field is about
  const show = (change?: Change): void => {
    const { current } = session.tree;
    // While somebody types, the field is his, and stays with its move.
    if (document.activeElement !== comment || change === "game") {
      noted = current;
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
      // A move has one of these signs.
      current.nags = current.nags.filter((each) => !SIGNS.includes(each));
      if (!had) current.nags.unshift(nag);
      session.edited();
    });
  }
  comment.addEventListener("input", () => {
    // Commands such as [%clk 0:01:00] are not shown, and stay.
    const commands = noted.after.match(COMMANDS) ?? [];
    noted.after = [...commands, comment.value.replace(/[{}]/g, "")].join(" ").trim();
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
