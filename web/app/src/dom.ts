// SPDX-License-Identifier: MIT
// Small helpers for the page. Text goes in by textContent alone, so it can never become markup.

/** The element of index.html with this id; it must be there. */
export function element<T extends Element = HTMLElement>(id: string): T {
  const found = document.getElementById(id);
  if (!found) throw new Error(`no element #${id}`);
  return found as unknown as T;
}

/** A new element with a class and text. */
export function make<K extends keyof HTMLElementTagNameMap>(tag: K, className = "", text = ""): HTMLElementTagNameMap[K] {
  const made = document.createElement(tag);
  if (className) made.className = className;
  if (text) made.textContent = text;
  return made;
}

export function makeSvg<K extends keyof SVGElementTagNameMap>(tag: K, attributes: Record<string, string | number>): SVGElementTagNameMap[K] {
  const made = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, String(value));
  return made;
}

/** A button that is one of two states. */
export function press(button: Element, pressed: boolean): void {
  button.setAttribute("aria-pressed", String(pressed));
}

let announcing = 0;

/** Says something to screen readers. */
export function announce(text: string): void {
  const live = element("live");
  // The same text twice is only read again if it went away in between.
  live.textContent = "";
  clearTimeout(announcing);
  announcing = window.setTimeout(() => (live.textContent = text), 60);
}

let noticing = 0;

/** A line at the top of the page, for a while or until the next one. */
export function notice(text: string, seconds = 6): void {
  const line = element("notice");
  line.textContent = text;
  line.hidden = text === "";
  clearTimeout(noticing);
  if (text && seconds > 0) noticing = window.setTimeout(() => (line.hidden = true), seconds * 1000);
}

export function isTyping(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  if (target instanceof HTMLInputElement) return !["button", "checkbox", "radio"].includes(target.type);
  return target instanceof HTMLTextAreaElement || target instanceof HTMLSelectElement || target.isContentEditable;
}
