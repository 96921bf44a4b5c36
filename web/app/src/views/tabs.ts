// SPDX-License-Identifier: MIT
// The tabs. On a phone the moves are a tab of their own; in wider windows they are always visible.

import { element } from "../dom.js";
import { TABS, type Tab } from "../state/settings.js";

export class Tabs {
  /** Called after a tab was shown. */
  onShow: (tab: Tab) => void = () => {};
  private readonly known: Tab[];

  constructor(public current: Tab) {
    this.known = TABS.filter((tab) => document.getElementById(`tab-${tab}`));
    for (const tab of this.known) {
      element(`tab-${tab}`).addEventListener("click", (event) => {
        this.show(tab);
        // After a mouse click the arrow keys should navigate the game, not the tabs.
        if (event.detail > 0) (event.currentTarget as HTMLElement).blur();
      });
    }
    // A window that becomes wide loses the tab of the moves.
    addEventListener("resize", () => {
      if (this.current === "moves" && !this.visible().includes("moves")) this.show("play");
    });
    document.querySelector(".tabs")?.addEventListener("keydown", (event) => {
      const step = { ArrowLeft: -1, ArrowRight: 1 }[(event as KeyboardEvent).key];
      if (!step) return;
      event.preventDefault();
      event.stopPropagation();
      const visible = this.visible();
      const next = visible[(visible.indexOf(this.current) + step + visible.length) % visible.length] ?? "play";
      this.show(next);
      element(`tab-${next}`).focus();
    });
  }

  /** The tabs that the window has room for, from left to right. */
  visible(): Tab[] {
    return this.known.filter((tab) => element(`tab-${tab}`).offsetParent !== null);
  }

  show(tab: Tab): void {
    const wanted = this.known.includes(tab) ? tab : "play";
    // The moves are always visible in a wide window, where their tab is hidden.
    this.current = wanted === "moves" && !this.visible().includes("moves") ? "play" : wanted;
    document.body.dataset["tab"] = this.current;
    for (const each of this.known) {
      const button = element(`tab-${each}`);
      button.setAttribute("aria-selected", String(each === this.current));
      button.tabIndex = each === this.current ? 0 : -1;
      if (each !== "moves") element(each).hidden = each !== this.current;
    }
    this.onShow(this.current);
  }
}
