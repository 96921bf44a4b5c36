// SPDX-License-Identifier: MIT
// The page: creates its parts and connects them, so that they need not know each other.

import { loadRules, type Move } from "../../package/index.js";
import { Analysis } from "./analysis.js";
import { startAnnotating } from "./annotate.js";
import { Bar } from "./bar.js";
import { Board } from "./board.js";
import type { Colour } from "./clocks.js";
import { announce, element, isTyping, notice } from "./dom.js";
import { EngineClient } from "./engine.js";
import { failed, GameTree, NULL_MOVE } from "./game.js";
import { Graph } from "./graph.js";
import { Loading } from "./loading.js";
import { MoveList } from "./movelist.js";
import { Play } from "./play.js";
import { Review, summary } from "./review.js";
import { Session, type Change } from "./session.js";
import * as settingsStore from "./settings.js";
import { Setup } from "./setup.js";
import * as sound from "./sound.js";
import { startTheme } from "./theme.js";
import { threadChoices, threadCount } from "./threads.js";
import { restore, save } from "./saved.js";
import { readLink, writeLink } from "./url.js";
import { outcome, spoken } from "./words.js";

type Tab = settingsStore.Settings["tab"];
const TABS: Tab[] = ["play", "analyse", "game"];

class Page {
  private readonly settings = settingsStore.load();
  private readonly board = new Board(element("board"));
  private readonly bar = new Bar();
  private readonly engine = new EngineClient();
  private readonly graph: Graph;
  private readonly analysis: Analysis;
  private readonly play: Play;
  private readonly loading: Loading;
  private readonly setup: Setup;
  private review: Review | null = null;
  private linking = 0;
  /** The last link that the page itself wrote into the address. */
  private link = "";

  constructor(private readonly session: Session) {
    const remember = (): void => settingsStore.save(this.settings);
    startTheme(this.settings, remember);
    this.engine.onTrouble = (text) => notice(text);
    this.analysis = new Analysis(session, this.engine, this.board, this.bar);
    this.analysis.options = this.settings;
    this.play = new Play(session, this.engine, this.board, this.settings, remember);
    this.analysis.blocked = () => this.play.running;
    this.graph = new Graph(session);
    this.analysis.onScore = () => this.graph.refresh();
    new MoveList(session);
    startAnnotating(session, () => this.play.running);
    this.loading = new Loading(session);
    this.setup = new Setup(session.rules, this.board);
    element("version").textContent = `Luft ${session.rules.version}.`;
    this.connect();
    this.buttons();
    this.keys();
    this.tabs();
    session.listen((change) => this.changed(change));
    this.open(location.hash);
    addEventListener("pagehide", () => this.saveNow());
    addEventListener("hashchange", () => this.hashChanged(location.hash));
    this.show(this.settings.tab);
  }

  async start(): Promise<void> {
    await this.engine.start();
    document.documentElement.dataset["ready"] = "true";
  }

  // --- The board and the players ---

  private changed(change: Change): void {
    if (this.review && (change === "game" || change === "move")) this.stopReview();
    if (change === "game" && this.play.running) this.analysis.toggle(false);
    if (change === "game") this.setup.close();
    this.draw();
    if (change === "move") this.announceMove();
    this.analysis.restart();
    this.saveSoon();
  }

  private draw(): void {
    const { tree } = this.session;
    const node = tree.current;
    const position = tree.position();
    this.board.show(position, node.parent ? squares(tree, node.uci) : null);
    this.enableInput();
    const end = this.play.ending || outcome(tree.status());
    element("outcome").textContent = end;
    element("outcome").hidden = end === "";
    const opening = tree.chess960 ? null : this.session.rules.opening(tree.start, tree.uciLine());
    element("opening").textContent = opening ? `${opening.code} ${opening.name}` : tree.chess960 ? "Chess960" : "";
    for (const id of ["first", "previous"]) element<HTMLButtonElement>(id).disabled = !node.parent;
    for (const id of ["next", "last"]) element<HTMLButtonElement>(id).disabled = node.children.length === 0;
    this.showPlayers();
  }

  private enableInput(): void {
    if (this.setup.active) return;
    this.board.allow(this.play.movableSide(), (move: Move) => this.session.play(move.uci));
  }

  private showPlayers(): void {
    const below = this.board.orientation;
    const sides: [string, Colour][] = [
      ["player-top", below === "w" ? "b" : "w"],
      ["player-bottom", below],
    ];
    for (const [id, colour] of sides) {
      const player = element(id);
      const clock = this.play.clock(colour);
      const name = this.play.name(colour);
      setText(player.querySelector(".name"), name && !/^\?*$/.test(name) ? name : colour === "w" ? "White" : "Black");
      setText(player.querySelector(".clock"), clock);
      player.querySelector(".clock")?.toggleAttribute("hidden", clock === "");
      player.classList.toggle("ticking", this.play.ticking(colour));
      player.classList.toggle("to-move", this.session.tree.turn() === colour);
      player.classList.toggle("white", colour === "w");
    }
    this.bar.flip(below === "b");
  }

  private announceMove(): void {
    const { tree } = this.session;
    const { san } = tree.current;
    const end = outcome(tree.status());
    announce(`${tree.movedBy(tree.current) === "w" ? "White" : "Black"}: ${spoken(san)}. ${end}`);
    if (!this.settings.sound) return;
    sound.play(end ? "end" : san.includes("+") ? "check" : san.includes("x") ? "capture" : "move");
  }

  private flip(): void {
    this.board.orient(this.board.orientation === "w" ? "b" : "w");
    this.showPlayers();
    this.saveSoon();
  }

  // --- The address ---

  /** Delayed, because browsers limit how often a page changes its address. */
  private saveSoon(): void {
    clearTimeout(this.linking);
    this.linking = window.setTimeout(() => this.saveNow(), 200);
  }

  /** Writes the game into the address and stores it for a reload. */
  private saveNow(): void {
    const { tree, rules } = this.session;
    const { start, moves, ply } = linkContents(tree);
    const fen = start === rules.startFen ? null : start;
    this.link = writeLink({ fen, moves, ply, chess960: tree.chess960, flipped: this.board.orientation === "b" });
    if (this.link !== location.hash) history.replaceState(null, "", this.link || location.pathname + location.search);
    save(this.link, rules, tree, this.play.saved());
  }

  private open(hash: string): void {
    const stored = restore(hash, this.session.rules);
    if (!stored) return this.openLink(hash);
    this.board.orient(readLink(hash)?.flipped ? "b" : "w");
    if (stored.match) this.play.resume(stored.tree, stored.match);
    else this.session.open(stored.tree);
  }

  /** The user or the browser's Back button changed the address. */
  private hashChanged(hash: string): void {
    if (hash === this.link) return;
    const refused = this.busy() || (hash !== "" && !readLink(hash) ? "This link contains no game." : "");
    if (!refused) return this.openLink(hash);
    notice(refused);
    this.saveNow(); // restores the address of the game on the board
  }

  private openLink(hash: string): void {
    const link = readLink(hash);
    const { rules } = this.session;
    const tree = GameTree.fromFen(rules, link?.fen ?? rules.startFen, link?.chess960 ?? false);
    if (failed(tree)) {
      notice(`The link contains an invalid position: ${tree.error}`, 12);
      this.session.open(new GameTree(rules, rules.startFen, false));
      return;
    }
    let node = tree.root;
    for (const move of link?.moves ?? []) {
      const next = tree.play(move, node);
      if (failed(next)) {
        notice(`The link contains an illegal move: ${move}`, 12);
        break;
      }
      node = next;
    }
    if (link) {
      tree.go(tree.line(node)[Math.min(link.ply, node.ply) - 1] ?? tree.root);
      this.board.orient(link.flipped ? "b" : "w");
    }
    this.session.open(tree);
  }

  // --- Connections between the parts ---

  private connect(): void {
    this.play.onPlayers = () => {
      this.showPlayers();
      // After the end of a game the user may move both sides.
      this.updateInput();
    };
    this.play.onReview = () => {
      this.show("analyse");
      this.startReview();
    };
    this.loading.blocked = () => this.busy();
    this.loading.onArrived = () => this.show("game");
    this.loading.onLinkWanted = () => this.saveNow();
    this.loading.onOpened = () => announce("Loaded.");
    this.setup.onDone = (fen, chess960) => {
      const tree = GameTree.fromFen(this.session.rules, fen, chess960);
      if (!failed(tree)) this.session.open(tree);
    };
    this.setup.onCancel = () => this.draw();
    document.addEventListener("visibilitychange", () => {
      if (this.analysis.on && !this.review) this.analysis.restart();
    });
  }

  private inputSide: Colour | null | undefined;

  /** Acts only if the side has changed, because a running clock calls this ten times per second. */
  private updateInput(): void {
    const side = this.play.movableSide();
    if (side === this.inputSide) return;
    this.inputSide = side;
    this.enableInput();
  }

  private buttons(): void {
    const { session, settings } = this;
    const on = (id: string, act: () => void): void => element(id).addEventListener("click", act);
    on("first", () => session.go(session.tree.root));
    on("previous", () => session.go(session.tree.current.parent));
    on("next", () => session.go(session.tree.current.children[0]));
    on("last", () => session.go(session.tree.end()));
    on("flip", () => this.flip());
    on("new-game", () => {
      if (this.busy()) return notice(this.busy());
      session.open(new GameTree(session.rules, session.rules.startFen, false));
    });
    on("setup-open", () => {
      if (this.busy()) return notice(this.busy());
      this.analysis.toggle(false);
      this.setup.open(session.tree.fen(), session.tree.chess960);
    });
    on("analyse-toggle", () => this.toggleAnalysis());
    on("threat", () => this.toggleThreat());
    on("review", () => (this.review ? this.stopReview() : this.startReview()));
    on("help-open", () => element<HTMLDialogElement>("help").showModal());
    const lines = element<HTMLSelectElement>("lines");
    lines.value = String(settings.lines);
    lines.addEventListener("change", () => {
      settings.lines = Number(lines.value);
      settingsStore.save(settings);
      this.analysis.restart();
    });
    const choices = threadChoices(navigator.hardwareConcurrency, crossOriginIsolated);
    const threads = element<HTMLSelectElement>("threads");
    this.engine.threads = threadCount(settings.threads, choices);
    threads.replaceChildren(...choices.map((count) => new Option(String(count))));
    threads.value = String(this.engine.threads);
    element("threads-label").hidden = choices.length === 1;
    threads.addEventListener("change", () => {
      settings.threads = this.engine.threads = Number(threads.value);
      settingsStore.save(settings);
      this.analysis.restart();
    });
    const arrows = element<HTMLInputElement>("arrows");
    arrows.checked = settings.arrows;
    arrows.addEventListener("change", () => {
      settings.arrows = arrows.checked;
      settingsStore.save(settings);
      this.analysis.restart();
    });
    const showSound = (): void => element("sound").setAttribute("aria-pressed", String(settings.sound));
    on("sound", () => {
      settings.sound = !settings.sound;
      settingsStore.save(settings);
      showSound();
      if (settings.sound) sound.play("move");
    });
    showSound();
    document.querySelector(".skip")?.addEventListener("click", (event) => {
      event.preventDefault(); // the fragment of the address belongs to the game
      element("move-input").focus();
    });
    this.moveField();
  }

  /** The reason why the game on the board cannot be replaced; empty if there is none. */
  private busy(): string {
    return this.play.running ? "You are playing a game. Finish it or resign first." : "";
  }

  private moveField(): void {
    const field = element<HTMLInputElement>("move-input");
    const error = element("move-error");
    const showError = (text: string): void => {
      error.textContent = text;
      field.setAttribute("aria-invalid", String(text !== ""));
    };
    element("move-form").addEventListener("submit", (event) => {
      event.preventDefault();
      const move = field.value.trim();
      if (!move) return;
      if (this.play.movableSide() === null) {
        const isEarlier = this.session.tree.current.children.length > 0;
        return showError(isEarlier ? "This is an earlier position. Press End to return to the game." : "Luft is to move.");
      }
      const refused = this.session.play(move);
      showError(refused ? refused.error : "");
      if (!refused) field.value = "";
    });
    field.addEventListener("input", () => showError(""));
    field.addEventListener("keydown", (event) => {
      if (event.key === "Escape") field.blur(); // the arrow keys navigate the game again
    });
  }

  private toggleAnalysis(): void {
    if (this.review) this.stopReview();
    this.analysis.toggle();
  }

  private toggleThreat(): void {
    if (this.review) this.stopReview();
    this.analysis.toggleThreat();
  }

  private startReview(): void {
    const { tree } = this.session;
    const text = element("review-text");
    if (this.play.running) return void (text.textContent = "Finish the game first.");
    if (tree.root.children.length === 0) return void (text.textContent = "There are no moves to analyse.");
    this.analysis.toggle(false);
    const progress = element<HTMLProgressElement>("review-progress");
    progress.hidden = false;
    progress.value = 0;
    text.textContent = "";
    element("review").textContent = "Stop";
    const review = new Review(tree, this.engine, (done, of) => {
      progress.value = done / of;
      this.graph.refresh();
    });
    this.review = review;
    void review.run().then((counts) => {
      if (this.review !== review) return;
      this.review = null;
      this.endReview(counts ? summary(counts) : "Stopped.");
      this.session.edited();
    });
  }

  private stopReview(): void {
    this.review?.stop();
    this.review = null;
    this.endReview("Stopped.");
  }

  private endReview(text: string): void {
    element("review-progress").hidden = true;
    element("review").textContent = "Analyse the whole game";
    element("review-text").textContent = text;
  }

  // --- Tabs and keys ---

  private show(tab: Tab): void {
    for (const each of TABS) {
      const button = element(`tab-${each}`);
      button.setAttribute("aria-selected", String(each === tab));
      button.tabIndex = each === tab ? 0 : -1;
      element(each).hidden = each !== tab;
    }
    if (tab !== this.settings.tab) {
      this.settings.tab = tab;
      settingsStore.save(this.settings);
    }
  }

  private tabs(): void {
    for (const tab of TABS) {
      element(`tab-${tab}`).addEventListener("click", (event) => {
        this.show(tab);
        // After a mouse click the arrow keys should navigate the game, not the tabs.
        if (event.detail > 0) (event.currentTarget as HTMLElement).blur();
      });
    }
    document.querySelector(".tabs")?.addEventListener("keydown", (event) => {
      const step = { ArrowLeft: -1, ArrowRight: 1 }[(event as KeyboardEvent).key];
      if (!step) return;
      event.preventDefault();
      event.stopPropagation();
      const next = TABS[(TABS.indexOf(this.settings.tab) + step + TABS.length) % TABS.length] ?? "play";
      this.show(next);
      element(`tab-${next}`).focus();
    });
  }

  private keys(): void {
    const { session } = this;
    const acts: Record<string, () => void> = {
      ArrowLeft: () => session.go(session.tree.current.parent),
      ArrowRight: () => session.go(session.tree.current.children[0]),
      ArrowUp: () => session.go(session.tree.sibling(-1)),
      ArrowDown: () => session.go(session.tree.sibling(1)),
      Home: () => session.go(session.tree.root),
      End: () => session.go(session.tree.end()),
      f: () => this.flip(),
      e: () => this.toggleAnalysis(),
      t: () => this.toggleThreat(),
      h: () => this.play.hint(),
      "1": () => this.show("play"),
      "2": () => this.show("analyse"),
      "3": () => this.show("game"),
      "/": () => element("move-input").focus(),
      "?": () => element<HTMLDialogElement>("help").showModal(),
    };
    document.addEventListener("keydown", (event) => {
      const act = acts[event.key];
      if (!act || event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return;
      if (this.setup.active || document.querySelector("dialog[open]")) return;
      // On the board and in inputs the arrow keys have their own function.
      const owner = event.target instanceof Element ? event.target : null;
      if (event.key.startsWith("Arrow") && (owner?.closest("#board") || owner?.matches("input[type=radio], input[type=range]"))) return;
      event.preventDefault();
      act();
    });
  }
}

function setText(target: Element | null, text: string): void {
  if (target && target.textContent !== text) target.textContent = text;
}

/** The part of the game that a link can contain. Links have no null moves, so they start after the last one. */
function linkContents(tree: GameTree): { start: string; moves: string[]; ply: number } {
  const end = tree.end();
  const whole = tree.history(end);
  const ply = tree.current.ply - (end.ply - whole.moves.length);
  if (ply >= 0) return { ...whole, ply };
  const here = tree.history();
  return { ...here, ply: here.moves.length };
}

/** The squares of a move: in castling the square on which the king lands, for a null move none. */
function squares(tree: GameTree, uci: string): { from: string; to: string } | null {
  if (uci === NULL_MOVE) return null;
  const from = uci.slice(0, 2);
  const to = uci.slice(2, 4);
  const node = tree.current;
  if (node.san.startsWith("O-O")) return { from, to: (node.san.startsWith("O-O-O") ? "c" : "g") + (from[1] ?? "1") };
  return { from, to };
}

async function startPage(): Promise<void> {
  const rules = await loadRules();
  const page = new Page(new Session(rules));
  await page.start();
}

startPage().catch((error: unknown) => notice(`Cannot start Luft: ${error instanceof Error ? error.message : String(error)}`, 0));

if ("serviceWorker" in navigator && import.meta.env.PROD) {
  addEventListener("load", () => void navigator.serviceWorker.register("./sw.js").catch(() => {}));
}
