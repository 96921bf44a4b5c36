// SPDX-License-Identifier: MIT
// The help dialog: the keys, and what the page does with the user's games.

import { element, make } from "../dom.js";

const KEYS: [keys: string[], text: string][] = [
  [["←", "→"], "go one move back or forward"],
  [["↑", "↓"], "go to the previous or next variation"],
  [["Home", "End"], "go to the start or end of the game"],
  [["Ctrl+Z", "Ctrl+Shift+Z"], "undo and redo any change"],
  [["/"], "type a move; Esc leaves the field"],
  [["f"], "flip the board"],
  [["e"], "turn the engine on or off"],
  [["t"], "show the opponent's threat"],
  [["n", "p"], "go to the next or previous mistake"],
  [["h"], "show a hint in a game against Luft"],
  [["1", "2", "3", "4", "5"], "open the tabs from left to right"],
  [["?"], "show this help"],
];

const TEXTS = [
  "On the board: choose a square with the arrow keys, pick up and put down a piece with Enter, cancel with Esc. Draw arrows and circles with the right mouse button; Shift, Alt and both change the colour.",
  "Everything runs in this page. No game leaves your computer.",
];

export function startHelp(version: string): void {
  const dialog = element<HTMLDialogElement>("help");
  const title = make("h2", "", "Help");
  title.id = "help-title";
  const list = make("dl", "keys");
  for (const [keys, text] of KEYS) {
    const term = make("dt");
    term.append(...keys.flatMap((key) => [make("kbd", "", key), " "]));
    list.append(term, make("dd", "", text));
  }
  const form = make("form");
  form.method = "dialog";
  const close = make("button", "primary", "Close");
  close.autofocus = true;
  form.append(close);
  const paragraphs = [...TEXTS, `Luft ${version}. Luft and its pieces: MIT licence.`].map((text) => make("p", "", text));
  dialog.append(title, list, ...paragraphs, form);
  dialog.addEventListener("click", (event) => {
    if (event.target === dialog) dialog.close();
  });
  element("help-open").addEventListener("click", () => dialog.showModal());
}
