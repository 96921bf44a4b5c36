// SPDX-License-Identifier: MIT
// A game against Luft: sides, clocks, takebacks, hints and the end of the game. The session owns the moves; this class
// listens to it and plays Luft's moves.

import type { Board } from "./board.js";
import { Clocks, clockText, parseControl, type Colour } from "./clocks.js";
import { announce, element, notice } from "./dom.js";
import type { EngineClient, Search } from "./engine.js";
import { GameTree, type GameNode } from "./game.js";
import type { Session } from "./session.js";
import type { Settings } from "./settings.js";
import { outcome, spoken } from "./words.js";

/** The last step of the slider: unlimited strength. */
export const FULL_STRENGTH = 2600;
/** Minimum time before Luft's move appears without a clock, so that users see their own move first. */
const MIN_REPLY_MS = 250;

interface Match {
  human: Colour;
  level: number;
  clocks: Clocks | null;
  /** The last node of the game; the current node may be an earlier one. */
  at: GameNode;
  /** The outcome in words; empty during the game. */
  over: string;
}

/** An unfinished game, stored for a reload. Times are in milliseconds. */
export interface SavedMatch {
  human: Colour;
  level: number;
  clock: string;
  w: number;
  b: number;
}

export function isMatch(value: unknown): value is SavedMatch {
  if (typeof value !== "object" || value === null) return false;
  const { human, level, clock, w, b } = value as Record<string, unknown>;
  const time = (ms: unknown): boolean => typeof ms === "number" && ms >= 0 && ms < 1e8;
  return (human === "w" || human === "b") && typeof level === "number" && level >= 800 && level <= FULL_STRENGTH && typeof clock === "string" && time(w) && time(b);
}

export function levelName(level: number): string {
  return level >= FULL_STRENGTH ? "Full strength" : String(level);
}

export class Play {
  private match: Match | null = null;
  private search: Search | null = null;
  /** True while this class itself opens a game in the session. */
  private opening = false;
  /** The timer of the second click on Resign; 0 before the first one. */
  private resigning = 0;

  /** Called when names, clocks or the side to move may have changed. */
  onPlayers: () => void = () => {};
  onReview: () => void = () => {};

  constructor(
    private readonly session: Session,
    private readonly engine: EngineClient,
    private readonly board: Board,
    private readonly settings: Settings,
    private readonly remember: () => void,
  ) {
    this.form();
    session.listen((change) => {
      if (change === "game" && !this.opening) this.leave();
      if (change === "move") this.moved();
    });
    setInterval(() => this.tick(), 100);
  }

  /** A game against Luft is in progress. */
  get running(): boolean {
    return this.match !== null && !this.match.over;
  }

  /** The side whose pieces the user may move now; null if none. */
  movableSide(): Colour | null {
    const { tree } = this.session;
    const { match } = this;
    if (!match || match.over) return tree.turn();
    return tree.current === match.at && tree.turn() === match.human ? match.human : null;
  }


  name(colour: Colour): string {
    if (!this.match) return this.session.tree.tags[colour === "w" ? "White" : "Black"] ?? "";
    if (colour === this.match.human) return "You";
    return `Luft, ${levelName(this.match.level).toLowerCase()}`;
  }

  clock(colour: Colour): string {
    const clocks = this.match?.clocks;
    return clocks ? clockText(clocks.remaining(colour)) : "";
  }

  ticking(colour: Colour): boolean {
    return this.match?.clocks?.turn === colour;
  }

  /** The outcome at the current node, which the position alone may not show: loss on time or resignation. */
  get ending(): string {
    return this.match && this.session.tree.current === this.match.at ? this.match.over : "";
  }

  start(level: number, human: Colour, clock: string, from: string): void {
    const tree = this.treeFrom(from);
    const control = parseControl(clock);
    this.search?.stop();
    this.search = null;
    this.engine.newGame();
    const luft = level >= FULL_STRENGTH ? "Luft" : `Luft ${level}`;
    const today = new Date().toISOString().slice(0, 10).replace(/-/g, ".");
    tree.tags = { Event: "Game against Luft", Date: today, White: human === "w" ? "You" : luft, Black: human === "b" ? "You" : luft };
    if (control) tree.tags["TimeControl"] = `${control.minutes * 60}+${control.increment}`;
    this.match = { human, level, clocks: control ? new Clocks(control) : null, at: tree.current, over: "" };
    this.opening = true;
    this.session.open(tree);
    this.opening = false;
    this.board.orient(human);
    this.match.clocks?.start(tree.turn());
    this.show();
    announce(`New game. You play ${human === "w" ? "White" : "Black"}.`);
    this.proceed();
  }

  /** The data that resume() needs; null if no game is in progress. */
  saved(): SavedMatch | null {
    const { match } = this;
    if (!match || match.over) return null;
    const { clocks } = match;
    const clock = clocks ? `${clocks.control.minutes}+${clocks.control.increment}` : "";
    return { human: match.human, level: match.level, clock, w: clocks?.remaining("w") ?? 0, b: clocks?.remaining("b") ?? 0 };
  }

  /** Continues a stored game. */
  resume(tree: GameTree, saved: SavedMatch): void {
    const control = parseControl(saved.clock);
    const clocks = control ? new Clocks(control) : null;
    clocks?.set("w", saved.w);
    clocks?.set("b", saved.b);
    this.match = { human: saved.human, level: saved.level, clocks, at: tree.end(tree.root), over: "" };
    this.opening = true;
    this.session.open(tree);
    this.opening = false;
    clocks?.start(tree.turn(this.match.at));
    this.proceed();
  }

  hint(): void {
    const { match } = this;
    if (!match || !this.running || this.session.tree.turn(match.at) !== match.human || this.search) return;
    const { tree } = this.session;
    const at = match.at;
    element("hint-text").textContent = "Searching …";
    const search = this.engine.search({ ...tree.history(at), chess960: tree.chess960, go: "movetime 600" });
    this.search = search;
    void search.done.then((best) => {
      // A move or a takeback has replaced this search.
      if (this.search !== search) return;
      this.search = null;
      const move = tree.position(at).moves.find((each) => each.uci === best?.move);
      if (!move) return void (element("hint-text").textContent = "");
      element("hint-text").textContent = `Try ${move.san}.`;
      announce(`Try ${spoken(move.san)}`);
      if (tree.current === at) this.board.arrows([{ kind: "hint", from: move.from, to: move.to }]);
    });
  }

  takeBack(): void {
    const { match } = this;
    const back = this.backTo();
    if (!match || !back) return;
    this.search?.stop();
    this.search = null;
    const { tree } = this.session;
    match.over = "";
    tree.result = "*";
    match.at = back;
    for (const child of [...back.children]) tree.remove(child);
    tree.go(back);
    match.clocks?.start(match.human);
    element("hint-text").textContent = "";
    this.session.edited();
    this.show();
    announce("Move taken back.");
  }

  resign(): void {
    const button = element("resign");
    if (!this.running || !this.match) return;
    // Asks for a second click, so that an accidental one does not lose the game.
    if (!this.resigning) {
      button.textContent = "Really resign?";
      this.resigning = window.setTimeout(() => this.resetResign(), 4000);
      return;
    }
    this.resetResign();
    const { human } = this.match;
    this.finish(`${human === "w" ? "White" : "Black"} resigns.`, human === "w" ? "0-1" : "1-0");
  }

  private resetResign(): void {
    clearTimeout(this.resigning);
    this.resigning = 0;
    element("resign").textContent = "Resign";
  }

  private treeFrom(from: string): GameTree {
    const { rules, tree } = this.session;
    if (from === "960") return new GameTree(rules, rules.chess960Start(Math.floor(Math.random() * 960)), true);
    if (from === "here") {
      if (tree.position().moves.length > 0) return new GameTree(rules, tree.fen(), tree.chess960);
      notice("The current position has no legal moves. The game begins from the start position.");
    }
    return new GameTree(rules, rules.startFen, false);
  }

  /** The node before the user's last move; null if no move can be taken back. */
  private backTo(): GameNode | null {
    const { match } = this;
    if (!match || match.clocks?.remaining(match.human) === 0) return null;
    let node: GameNode | null = match.at.parent;
    while (node && this.session.tree.turn(node) !== match.human) node = node.parent;
    return node;
  }

  private moved(): void {
    const { match } = this;
    if (!match || match.over || this.session.tree.current.parent !== match.at) return;
    match.at = this.session.tree.current;
    match.clocks?.press();
    this.proceed();
  }

  /** After a move or at the start: ends the game if it is over, else starts Luft's search if it is to move. */
  private proceed(): void {
    const { match } = this;
    if (!match) return;
    element("hint-text").textContent = "";
    const status = this.session.tree.status(match.at);
    if (status.end) {
      this.finish(outcome(status), status.result ?? "1/2-1/2");
      return;
    }
    if (status.position.turn !== match.human) this.think(match);
    this.show();
  }

  private think(match: Match): void {
    const { tree } = this.session;
    const at = match.at;
    const asked = performance.now();
    this.search = this.engine.search({
      ...tree.history(at),
      chess960: tree.chess960,
      go: thinkingTime(match),
      ...(match.level < FULL_STRENGTH ? { elo: match.level } : {}),
    });
    const { search } = this;
    void search.done.then(async (best) => {
      if (match.clocks === null) await sleep(MIN_REPLY_MS - (performance.now() - asked));
      if (this.match !== match || match.at !== at || match.over || this.search !== search) return;
      this.search = null;
      if (!best?.move) {
        notice("The engine returned no move. Searching again.");
        this.think(match);
        return;
      }
      this.session.go(at);
      this.session.play(best.move);
    });
  }

  private finish(text: string, result: "1-0" | "0-1" | "1/2-1/2"): void {
    const { match } = this;
    if (!match) return;
    match.clocks?.pause();
    match.over = text;
    element("hint-text").textContent = "";
    this.board.arrows([]);
    this.search?.stop();
    this.search = null;
    this.session.tree.result = result;
    this.session.edited();
    announce(text);
    this.show();
  }

  private leave(): void {
    if (!this.match) return;
    this.search?.stop();
    this.search = null;
    this.match = null;
    this.show();
  }

  private tick(): void {
    const { match } = this;
    if (!match?.clocks || match.over) return;
    this.onPlayers();
    const late = match.clocks.flagged();
    if (!late) return;
    const winner = late === "w" ? "b" : "w";
    const name = late === "w" ? "White" : "Black";
    if (hasOnlyKing(this.session.tree.fen(match.at), winner)) this.finish(`Draw: ${name} is out of time, but ${late === "w" ? "Black" : "White"} has only a king.`, "1/2-1/2");
    else this.finish(`${name} loses on time.`, winner === "w" ? "1-0" : "0-1");
  }

  private show(): void {
    const { match } = this;
    element("play-form").hidden = match !== null;
    element("play-running").hidden = match === null;
    this.onPlayers();
    if (!match) return;
    const over = match.over !== "";
    const mine = this.session.tree.turn(match.at) === match.human;
    element("play-text").textContent = over ? match.over : mine ? "Your move." : "Luft is thinking …";
    element<HTMLButtonElement>("take-back").disabled = this.backTo() === null;
    element<HTMLButtonElement>("hint").disabled = over || !mine;
    element("hint").hidden = over;
    element("resign").hidden = over;
    element("play-again").hidden = !over;
    element("play-review").hidden = !over;
  }

  private form(): void {
    const { settings } = this;
    const level = element<HTMLInputElement>("level");
    const clock = element<HTMLSelectElement>("clock");
    const colour = (): string => document.querySelector<HTMLInputElement>("input[name=colour]:checked")?.value ?? "w";
    const showLevel = (): void => {
      const name = levelName(Number(level.value));
      element("level-text").textContent = name;
      level.setAttribute("aria-valuetext", name);
    };
    level.value = String(settings.level);
    clock.value = settings.clock;
    for (const radio of document.querySelectorAll<HTMLInputElement>("input[name=colour]")) radio.checked = radio.value === settings.colour;
    showLevel();
    level.addEventListener("input", showLevel);
    element("play-form").addEventListener("submit", (event) => {
      event.preventDefault();
      const chosen = colour();
      settings.level = Number(level.value);
      settings.clock = clock.value;
      settings.colour = chosen === "b" || chosen === "random" ? chosen : "w";
      this.remember();
      const human = settings.colour === "random" ? (Math.random() < 0.5 ? "w" : "b") : settings.colour;
      this.start(settings.level, human, settings.clock, element<HTMLSelectElement>("from").value);
    });
    element("take-back").addEventListener("click", () => this.takeBack());
    element("hint").addEventListener("click", () => this.hint());
    element("resign").addEventListener("click", () => this.resign());
    element("play-again").addEventListener("click", () => {
      this.leave();
      element("play-start").focus();
    });
    element("play-review").addEventListener("click", () => this.onReview());
  }
}

function thinkingTime(match: Match): string {
  const { clocks } = match;
  if (!clocks) return "movetime 1000";
  const increment = clocks.control.increment * 1000;
  const left = (colour: Colour): number => Math.max(1, Math.round(clocks.remaining(colour)));
  return `wtime ${left("w")} btime ${left("b")} winc ${increment} binc ${increment}`;
}

/** A side with only a king cannot win on time. */
function hasOnlyKing(fen: string, colour: Colour): boolean {
  const pieces = (fen.split(" ")[0] ?? "").replace(colour === "w" ? /[^A-Z]/g : /[^a-z]/g, "");
  return pieces.length === 1;
}

function sleep(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, Math.max(0, milliseconds)));
}

