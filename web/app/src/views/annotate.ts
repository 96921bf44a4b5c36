// SPDX-License-Identifier: MIT
// Edits the current move: its annotation sign, comment and arrows, and the place of its variation.

import type { Board } from "../board/board.js";
import { element, press } from "../dom.js";
import { readable, shapesOf, toggledShape, withShapes, withText, type ShapeColour } from "../state/comments.js";
import type { Change, Session } from "../state/session.js";

const SIGNS = [1, 2, 3, 4, 5, 6];

/** `playing` is true during a game against Luft, whose moves cannot be changed. */
export function startAnnotating(session: Session, playing: () => boolean): void {
  const comment = element<HTMLTextAreaElement>("comment");
  const buttons = [...document.querySelectorAll<HTMLElement>(".nag")];
  let edited = session.current; // the move whose comment is in the field
  const show = (change?: Change): void => {
    const { node, game, current } = session;
    // While the user types, the field keeps its move.
    if (document.activeElement !== comment || change === "game" || !game.has(edited)) edited = current;
    const text = readable(game.node(edited).after);
    if (document.activeElement !== comment || readable(comment.value) !== text) comment.value = text;
    for (const button of buttons) {
      press(button, node.nags.includes(Number(button.dataset["nag"])));
      button.toggleAttribute("disabled", current === game.root.id);
    }
    element<HTMLButtonElement>("promote").disabled = playing() || game.isMainLine(current);
    element<HTMLButtonElement>("remove").disabled = playing() || current === game.root.id;
  };
  for (const button of buttons) {
    button.addEventListener("click", () => {
      const nag = Number(button.dataset["nag"]);
      const { nags } = session.node;
      // A move has at most one of these signs.
      const others = nags.filter((each) => !SIGNS.includes(each));
      session.edit("a sign", session.game.annotate(session.current, { nags: nags.includes(nag) ? others : [nag, ...others] }));
    });
  }
  comment.addEventListener("input", () => {
    const after = withText(session.game.node(edited).after, comment.value);
    session.edit("a comment", session.game.annotate(edited, { after }), { key: `comment ${edited}` });
  });
  comment.addEventListener("blur", () => show());
  element("promote").addEventListener("click", () => session.edit("making a main line", session.game.promote(session.current)));
  element("remove").addEventListener("click", () => session.edit("deleting moves", session.game.remove(session.current)));
  session.listen(show);
  show();
}

/** Draws an arrow or a coloured square into the current move's comment. */
export function drawInto(session: Session, colour: ShapeColour, from: string, to: string): void {
  const { after } = session.node;
  const shapes = toggledShape(shapesOf(after), { colour, from, to });
  session.edit("drawing", session.game.annotate(session.current, { after: withShapes(after, shapes) }));
}

/** Shows the arrows and squares of the current move. */
export function showDrawings(session: Session, board: Board): void {
  board.shapes("drawn", shapesOf(session.node.after).map(({ colour, from, to }) => ({ kind: colour, from, to })));
}
