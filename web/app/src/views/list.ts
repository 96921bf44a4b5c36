// SPDX-License-Identifier: MIT
// Keeps the children of an element equal to a list of items, with as few changes as possible: items with a known key keep
// their elements, and an element is updated only if what it depends on differs.

export interface Item {
  key: string;
  /** What the element depends on, compared one by one. */
  same: readonly unknown[];
  make: () => HTMLElement;
  update: (element: HTMLElement, isNew: boolean) => void;
  /** Call update also if nothing differs; it must then be cheap. */
  always?: boolean;
}

interface Known {
  element: HTMLElement;
  same: readonly unknown[];
}

export class List {
  private known = new Map<string, Known>();

  constructor(private readonly host: HTMLElement) {}

  show(items: Iterable<Item>): void {
    const list = [...items];
    const next = new Map<string, Known>();
    const keys = new Set(list.map((item) => item.key));
    for (const [key, { element }] of this.known) if (!keys.has(key)) element.remove();
    let place: ChildNode | null = this.host.firstChild;
    for (const item of list) {
      const old = this.known.get(item.key);
      const isSame = old !== undefined && old.same.length === item.same.length && old.same.every((part, index) => part === item.same[index]);
      // A row whose moves changed is made again; other elements are updated in place.
      const element: HTMLElement = old && (isSame || !item.always) ? old.element : item.make();
      if (!isSame) item.update(element, element !== old?.element);
      else if (item.always) item.update(element, false);
      next.set(item.key, { element, same: item.same });
      if (place === element) {
        place = place.nextSibling;
      } else {
        this.host.insertBefore(element, place);
        if (old && old.element !== element) {
          if (place === old.element) place = place.nextSibling;
          old.element.remove();
        }
      }
    }
    this.known = next;
  }
}
