// SPDX-License-Identifier: MIT
// Helpers for the document. They set text only by textContent, so that it never becomes markup.

/** The element of index.html with this id; throws if it is missing. */
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

/** Shows the state of a toggle button. */
export function press(button: Element, pressed: boolean): void {
  button.setAttribute("aria-pressed", String(pressed));
}

let announcing = 0;

/** Announces a text to screen readers. */
export function announce(text: string): void {
  const live = element("live");
  // Screen readers repeat a text only if it was removed in between.
  live.textContent = "";
  clearTimeout(announcing);
  announcing = window.setTimeout(() => (live.textContent = text), 60);
}

let noticing = 0;

/** Shows a message at the top of the page for some seconds; with 0, until the next one. */
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
