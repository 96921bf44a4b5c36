// SPDX-License-Identifier: MIT
// The settings dialog. Changes apply at once and are remembered.

import { PIECE_SETS } from "../board/pieces.js";
import { element, make } from "../dom.js";
import { BOARD_COLOURS, type Settings } from "../state/settings.js";

interface Choice {
  name: keyof Settings;
  label: string;
  options: [value: string, text: string][];
}

interface Switch {
  name: keyof Settings;
  label: string;
}

const HASHES = [16, 32, 64, 128, 256, 512, 1024];

export class SettingsDialog {
  private readonly dialog = element<HTMLDialogElement>("settings");

  /** `threads` are the possible numbers of threads. */
  constructor(
    private readonly settings: Settings,
    threads: readonly number[],
    private readonly onChange: (name: keyof Settings) => void,
  ) {
    const number = (values: readonly number[], unit = ""): [string, string][] => values.map((value) => [String(value), `${value}${unit}`]);
    this.build([
      ["Board", [
        { name: "boardColours", label: "Colours", options: Object.entries(BOARD_COLOURS) },
        { name: "pieces", label: "Pieces", options: Object.entries(PIECE_SETS) },
      ], [
        { name: "animation", label: "Animate moves" },
        { name: "coordinates", label: "Coordinates" },
        { name: "bar", label: "Evaluation bar" },
        { name: "arrows", label: "Engine arrows" },
      ]],
      ["Engine", [
        { name: "lines", label: "Lines", options: number([1, 2, 3, 4, 5]) },
        { name: "threads", label: "Threads", options: number(threads) },
        { name: "hash", label: "Hash table", options: number(HASHES, " MB") },
      ], []],
      ["Page", [
        { name: "theme", label: "Theme", options: [["auto", "As the system"], ["light", "Light"], ["dark", "Dark"]] },
      ], [
        { name: "sound", label: "Sound" },
      ]],
    ]);
    element("settings-open").addEventListener("click", () => this.dialog.showModal());
    this.dialog.addEventListener("click", (event) => {
      if (event.target === this.dialog) this.dialog.close();
    });
  }

  private build(groups: [string, Choice[], Switch[]][]): void {
    const title = make("h2", "", "Settings");
    title.id = "settings-title";
    this.dialog.append(title);
    for (const [heading, choices, switches] of groups) {
      const group = make("fieldset", "settings-group");
      group.append(make("legend", "", heading));
      for (const choice of choices) group.append(this.choice(choice));
      for (const each of switches) group.append(this.switch(each));
      this.dialog.append(group);
    }
    const form = make("form");
    form.method = "dialog";
    const close = make("button", "primary", "Done");
    form.append(close);
    this.dialog.append(form);
  }

  private choice({ name, label, options }: Choice): HTMLElement {
    const line = make("label", "setting", label);
    const select = make("select");
    select.id = `set-${name}`;
    select.append(...options.map(([value, text]) => new Option(text, value)));
    select.value = String(this.settings[name]);
    if (select.selectedIndex < 0) select.selectedIndex = 0;
    select.disabled = options.length < 2;
    select.addEventListener("change", () => {
      const isNumber = typeof this.settings[name] === "number";
      Object.assign(this.settings, { [name]: isNumber ? Number(select.value) : select.value });
      this.onChange(name);
    });
    line.append(select);
    return line;
  }

  private switch({ name, label }: Switch): HTMLElement {
    const line = make("label", "setting check");
    const box = make("input");
    box.type = "checkbox";
    box.id = `set-${name}`;
    box.checked = this.settings[name] === true;
    box.addEventListener("change", () => {
      Object.assign(this.settings, { [name]: box.checked });
      this.onChange(name);
    });
    line.append(box, ` ${label}`);
    return line;
  }
}
