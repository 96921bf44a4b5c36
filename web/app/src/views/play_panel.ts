// SPDX-License-Identifier: MIT
// The Play tab: the form for a new game, and the buttons of a running one.

import { element } from "../dom.js";
import { clockText } from "../play/clocks.js";
import { levelHint, levelName, type MatchOptions } from "../play/match.js";
import type { Play } from "../play/play.js";
import type { Colour } from "../state/game.js";
import type { Session } from "../state/session.js";
import type { Settings } from "../state/settings.js";

export class PlayPanel {
  onReview: () => void = () => {};
  /** The timer of the second click on Resign; 0 before the first one. */
  private resigning = 0;

  constructor(
    private readonly session: Session,
    private readonly play: Play,
    private readonly settings: Settings,
    private readonly remember: () => void,
  ) {
    this.form();
    const on = (id: string, act: () => void): void => element(id).addEventListener("click", act);
    on("take-back", () => play.takeBack());
    on("hint", () => play.hint());
    on("draw", () => play.offerDraw());
    on("resign", () => this.resign());
    on("play-review", () => this.onReview());
    on("play-again", () => {
      play.leave();
      element("play-start").focus();
    });
  }

  name(colour: Colour): string {
    const { match } = this.play;
    if (!match) return this.session.game.tags[colour === "w" ? "White" : "Black"] ?? "";
    return colour === match.human ? "You" : `Luft, ${levelName(match.level).toLowerCase()}`;
  }

  clock(colour: Colour): string {
    const clocks = this.play.match?.clocks;
    return clocks ? clockText(clocks.remaining(colour)) : "";
  }

  show(): void {
    const { play, session } = this;
    const { match } = play;
    element("play-form").hidden = match !== null;
    element("play-running").hidden = match === null;
    if (!match || !session.game.has(match.at)) return;
    const over = match.over !== "";
    const mine = session.game.turn(match.at) === match.human;
    element("play-text").textContent = over ? match.over : mine ? "Your move." : play.premove ? `Luft is thinking … your reply: ${play.premove.from}${play.premove.to}` : "Luft is thinking …";
    element("hint-text").textContent = play.remark;
    element<HTMLButtonElement>("take-back").disabled = play.backTo === null;
    element<HTMLButtonElement>("hint").disabled = over || !mine;
    for (const id of ["hint", "resign", "draw"]) element(id).hidden = over;
    for (const id of ["play-again", "play-review"]) element(id).hidden = !over;
    if (over) this.resetResign();
  }

  /** What the form says. `first` is the side that the user's first move on the board gives. */
  options(first: Colour | null = null): MatchOptions {
    const { settings } = this;
    const random: Colour = Math.random() < 0.5 ? "w" : "b";
    const number = element<HTMLInputElement>("play-960").value;
    return {
      level: settings.level,
      human: first ?? (settings.colour === "random" ? random : settings.colour),
      clock: settings.clock,
      from: first ? "here" : (element<HTMLSelectElement>("from").value as MatchOptions["from"]),
      number: /^\d{1,3}$/.test(number) && Number(number) < 960 ? Number(number) : null,
    };
  }

  private form(): void {
    const { settings } = this;
    const level = element<HTMLInputElement>("level");
    const clock = element<HTMLSelectElement>("clock");
    const [minutes, seconds] = [element<HTMLInputElement>("clock-minutes"), element<HTMLInputElement>("clock-seconds")];
    const showLevel = (): void => {
      const value = Number(level.value);
      element("level-text").textContent = levelName(value);
      element("level-hint").textContent = levelHint(value);
      level.setAttribute("aria-valuetext", levelName(value));
    };
    level.value = String(settings.level);
    const known = [...clock.options].some((option) => option.value === settings.clock);
    clock.value = known ? settings.clock : "custom";
    if (!known) [minutes.value, seconds.value] = settings.clock.split("+") as [string, string];
    for (const radio of document.querySelectorAll<HTMLInputElement>("input[name=colour]")) radio.checked = radio.value === settings.colour;
    const read = (): void => {
      const colour = document.querySelector<HTMLInputElement>("input[name=colour]:checked")?.value;
      const whole = (field: HTMLInputElement, low: number): number => Math.max(low, Math.min(600, Math.round(Number(field.value)) || low));
      settings.level = Number(level.value);
      settings.clock = clock.value === "custom" ? `${whole(minutes, 1)}+${whole(seconds, 0)}` : clock.value;
      settings.colour = colour === "b" || colour === "random" ? colour : "w";
      element("custom-clock").hidden = clock.value !== "custom";
      element("number-960").hidden = element<HTMLSelectElement>("from").value !== "960";
      this.remember();
    };
    showLevel();
    read();
    level.addEventListener("input", showLevel);
    element("play-form").addEventListener("change", read);
    element("play-form").addEventListener("submit", (event) => {
      event.preventDefault();
      read();
      this.play.start(this.options());
    });
  }

  // Asks for a second click, so that an accidental one does not lose the game.
  private resign(): void {
    if (!this.resigning) {
      element("resign").textContent = "Really resign?";
      this.resigning = window.setTimeout(() => this.resetResign(), 4000);
      return;
    }
    this.resetResign();
    this.play.resign();
  }

  private resetResign(): void {
    clearTimeout(this.resigning);
    this.resigning = 0;
    element("resign").textContent = "Resign";
  }
}
