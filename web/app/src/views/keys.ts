// SPDX-License-Identifier: MIT
// The keys of the page. Text fields, dialogs and the board handle their own.

import { isTyping } from "../dom.js";

/** `acts` are called by the name of a key, `controlled` with Ctrl or Cmd held; Shift is a part of the name then. */
export function listenToKeys(acts: Record<string, () => void>, controlled: Record<string, () => void>, blocked: () => boolean): void {
  document.addEventListener("keydown", (event) => {
    if (isTyping(event.target) || blocked() || document.querySelector("dialog[open]")) return;
    const isControlled = event.ctrlKey || event.metaKey;
    const name = isControlled ? `${event.shiftKey ? "Shift+" : ""}${event.key.toLowerCase()}` : event.key;
    const act = event.altKey ? undefined : (isControlled ? controlled : acts)[name];
    if (!act) return;
    // In these inputs the arrow keys have their own function.
    const owner = event.target instanceof Element ? event.target : null;
    if (event.key.startsWith("Arrow") && owner?.matches("input[type=radio], input[type=range]")) return;
    event.preventDefault();
    act();
  });
}
