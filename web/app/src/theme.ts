// SPDX-License-Identifier: MIT
// The theme: light, dark, or that of the system.

import { element } from "./dom.js";
import type { Settings } from "./settings.js";

const ORDER: Settings["theme"][] = ["auto", "light", "dark"];
const NAMES = { auto: "system", light: "light", dark: "dark" };

export function startTheme(settings: Settings, remember: () => void): void {
  const show = (): void => {
    if (settings.theme === "auto") delete document.documentElement.dataset["theme"];
    else document.documentElement.dataset["theme"] = settings.theme;
    const text = `Theme: ${NAMES[settings.theme]}`;
    element("theme-text").textContent = text;
    element("theme").title = text;
  };
  element("theme").addEventListener("click", () => {
    settings.theme = ORDER[(ORDER.indexOf(settings.theme) + 1) % ORDER.length] ?? "auto";
    remember();
    show();
  });
  show();
}
