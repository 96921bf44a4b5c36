// SPDX-License-Identifier: MIT
// The page: creates its parts and connects them, so that they need not know each other.

import type { Move } from "../../package/index.js";
import { Address } from "./address.js";
import { Board } from "./board/board.js";
import { BoardInput } from "./board/input.js";
import { usePieces } from "./board/pieces.js";
import { cancelPromotion } from "./board/promotion.js";
import { announce, element, notice } from "./dom.js";
import { EngineClient } from "./engine/client.js";
import { LiveAnalysis } from "./engine/live.js";
import { exportExtra } from "./engine/review.js";
import { threadChoices, threadCount } from "./engine/threads.js";
import { Learn } from "./play/learn.js";
import { Play } from "./play/play.js";
import { Autosave } from "./state/autosave.js";
import { failed, Game } from "./state/game.js";
import { Library } from "./state/library.js";
import type { Change, Session } from "./state/session.js";
import * as settingsStore from "./state/settings.js";
import { drawInto, startAnnotating } from "./views/annotate.js";
import { Appearance, listenToWheel } from "./views/appearance.js";
import { Bar } from "./views/bar.js";
import { BoardView } from "./views/board_view.js";
import { ExplorerPanel } from "./views/explorer_panel.js";
import { Graph } from "./views/graph.js";
import { startHelp } from "./views/help.js";
import { InsidePanel } from "./views/inside_panel.js";
import { listenToKeys } from "./views/keys.js";
import { Lessons } from "./views/lessons.js";
import { LibraryPanel } from "./views/library_panel.js";
import { Loading } from "./views/loading.js";
import { startMoveField } from "./views/move_field.js";
import { MoveList } from "./views/movelist.js";
import { PlayPanel } from "./views/play_panel.js";
import { Preview } from "./views/preview.js";
import { ReviewPanel } from "./views/review_panel.js";
import { SettingsDialog } from "./views/settings_dialog.js";
import { Setup } from "./views/setup.js";
import { Strip } from "./views/strip.js";
import { TablesPanel } from "./views/tables_panel.js";
import { Tabs } from "./views/tabs.js";

export class Page {
  private readonly settings = settingsStore.load();
  private readonly remember = (): void => settingsStore.save(this.settings);
  private readonly board = new Board(element("board"));
  private readonly input = new BoardInput(this.board, {
    move: (move) => this.moved(move),
    premove: (premove) => this.play.setPremove(premove),
    draw: (colour, from, to) => drawInto(this.session, colour, from, to),
  });
  private readonly engine = new EngineClient();
  private readonly live: LiveAnalysis;
  private readonly appearance: Appearance;
  private readonly learn: Learn;
  private readonly lessons: Lessons;
  private readonly play: Play;
  private readonly panel: PlayPanel;
  private readonly view: BoardView;
  private readonly review: ReviewPanel;
  private readonly strip: Strip;
  private readonly setup: Setup;
  private readonly tabs = new Tabs(this.settings.tab);
  private readonly autosave: Autosave;
  private readonly address: Address;

  constructor(private readonly session: Session) {
    const { settings, engine, board } = this;
    const bar = new Bar();
    engine.onTrouble = (text) => notice(text);
    this.play = new Play(session, engine);
    this.panel = new PlayPanel(session, this.play, settings, this.remember);
    this.live = new LiveAnalysis(session, engine);
    this.live.blocked = () => (this.play.running ? "No analysis during a game." : this.learn.active ? "No analysis during a puzzle." : "");
    this.appearance = new Appearance(settings, board, engine, this.live);
    this.learn = new Learn(engine);
    this.view = new BoardView(session, board, bar, this.play, this.panel, settings);
    const preview = new Preview(session.rules, board, () => session.game.chess960, () => this.draw());
    this.strip = new Strip(session, this.live, board, bar, settings, preview);
    const graph = new Graph(session);
    this.live.onScore = () => graph.refresh();
    new MoveList(session);
    startAnnotating(session, () => this.play.running);
    this.review = new ReviewPanel(session, engine, settings, this.remember);
    this.setup = new Setup(session.rules, board, this.input);
    const library = new Library();
    this.autosave = new Autosave(session, library);
    this.address = new Address(session, {
      flipped: () => board.below === "b",
      orient: (flipped) => board.orient(flipped ? "b" : "w"),
      extra: () => ({ match: this.play.saved(), key: this.autosave.key }),
      resume: (stored) => {
        session.open(stored.game, stored.current, stored.review);
        if (stored.key !== null) this.autosave.adopt(stored.key);
        if (stored.match) this.play.resume(stored.match);
      },
      busy: () => this.busy(),
    });
    startHelp(session.rules.version);
    startMoveField(session, this.input, board, () => this.play.movableSide(), (move) => this.moved(move));
    this.lessons = new Lessons(session, this.learn, engine, board, {
      draw: () => this.draw(),
      updateInput: () => this.updateInput(),
      prepare: () => {
        this.tabs.show("review");
        this.live.toggle(false);
      },
    });
    const loading = new Loading(session);
    this.connect(loading);
    const { games } = loading;
    const shelf = new LibraryPanel(session, library, this.autosave, () => games.file && { file: games.file, games: games.games });
    shelf.blocked = () => this.busy();
    const explorer = new ExplorerPanel(session, library, preview);
    explorer.file = () => games.file;
    const tables = new TablesPanel(session, preview);
    explorer.onMove = tables.onMove = (uci) => (this.busy() ? notice(this.busy()) : void session.play(uci));
    loading.onTables = (files) => {
      this.tabs.show("explore");
      tables.add(files);
    };
    const inside = new InsidePanel(session, board);
    this.tabs.onShow = (tab) => {
      explorer.show(tab === "explore");
      tables.show(tab === "explore");
      inside.show(tab === "inside");
      settings.tab = tab;
      this.remember();
    };
    shelf.onChange = () => explorer.changed();
    games.onFile = () => {
      shelf.fileChanged();
      explorer.changed();
    };
    element("make-puzzles").addEventListener("click", (event) => {
      const reason = this.busy();
      if (reason) notice(reason);
      else if (games.file) void this.lessons.fromFile(games.file, games.games, event.currentTarget as HTMLElement);
    });
    const choices = threadChoices(navigator.hardwareConcurrency, crossOriginIsolated);
    settings.threads = threadCount(settings.threads, choices);
    this.appearance.applyAll();
    new SettingsDialog(settings, choices, (name) => {
      this.remember();
      this.appearance.change(name);
    });
    this.buttons();
    this.keys();
    session.listen((change) => this.changed(change));
  }

  async start(): Promise<void> {
    await usePieces(this.settings.pieces);
    await this.address.start();
    this.tabs.show(this.settings.tab);
    await this.engine.start();
    document.documentElement.dataset["ready"] = "true";
  }

  // --- Changes of the game ---

  private changed(change: Change): void {
    cancelPromotion();
    if (!this.lessons.posing) this.learn.stop();
    if (change === "game") this.setup.close();
    if (change === "game" && this.play.running) this.live.toggle(false);
    this.draw();
    if (change === "move") this.view.announceMove();
    if (!this.review.running) this.live.restart();
    this.showHistory();
    this.address.saveSoon();
  }

  private draw(): void {
    if (this.setup.active) return;
    this.input.reset();
    this.view.draw();
    this.strip.draw();
    this.updateInput();
  }

  private updateInput(): void {
    const side = this.learn.active ? this.learn.side() : this.play.movableSide();
    this.input.side = this.setup.active ? null : side;
    this.input.premoveSide = this.play.premoveSide();
  }

  /** The user made a move on the board. In the Play tab the first move of a new board begins a game against Luft. */
  private moved(move: Move): void {
    const { game, current } = this.session;
    if (this.learn.active) return void this.learn.try(move);
    const begins = this.tabs.current === "play" && !this.play.match && game.size === 0 && Object.keys(game.tags).length === 0;
    if (begins) this.play.start(this.panel.options(game.turn(current)), move.uci);
    else this.session.play(move.uci);
  }

  /** The reason why the game on the board cannot be replaced; empty if there is none. */
  private busy(): string {
    return this.play.running ? "You are playing a game. Finish it or resign first." : "";
  }

  private undo(): void {
    if (!this.play.running) this.session.undo();
    else if (!this.play.takeBack()) this.session.undo();
  }

  private redo(): void {
    if (!this.play.running) this.session.redo();
  }

  private showHistory(): void {
    for (const [id, name, what] of [["undo", "Undo", this.session.undoes], ["redo", "Redo", this.play.running ? "" : this.session.redoes]] as const) {
      const button = element<HTMLButtonElement>(id);
      button.disabled = what === "";
      button.title = what ? `${name}: ${what} (${id === "undo" ? "Ctrl+Z" : "Ctrl+Shift+Z"})` : name;
    }
  }

  // --- Connections between the parts ---

  private connect(loading: Loading): void {
    const { play, session } = this;
    play.onChange = () => {
      this.panel.show();
      this.view.players();
      this.view.premove();
      this.updateInput();
      this.showHistory();
    };
    play.onTick = () => this.view.players();
    play.onHint = (from, to) => this.board.shapes("hint", [{ kind: "hint", from, to }]);
    play.onStart = (human) => this.board.orient(human);
    this.panel.onReview = () => {
      this.tabs.show("review");
      this.review.start(this.settings.reviewNodes);
    };
    this.review.onStart = () => this.live.toggle(false);
    this.review.blocked = () => (play.running ? "Finish the game first." : "");
    loading.blocked = () => this.busy();
    loading.onArrived = () => this.tabs.show("games");
    loading.onOpened = () => announce("Loaded.");
    loading.makeLink = () => this.address.saveNow();
    loading.writePgn = () => {
      const { review, game, rules } = session;
      return rules.writePgn(review && this.settings.exportReview ? game.toPgn(exportExtra(rules, game, review)) : game.toPgn());
    };
    this.setup.onDone = (fen, chess960) => {
      const game = Game.fromFen(session.rules, fen, chess960);
      if (!failed(game)) session.open(game);
    };
    this.setup.onCancel = () => this.draw();
    document.addEventListener("visibilitychange", () => {
      if (this.live.on && !this.review.running) this.live.restart();
    });
  }

  private buttons(): void {
    const { session, settings } = this;
    const on = (id: string, act: () => void): void => element(id).addEventListener("click", act);
    on("first", () => session.go(session.game.root));
    on("previous", () => session.go(session.game.parent(session.current)));
    on("next", () => session.go(session.node.children[0]));
    on("last", () => session.go(session.game.end(session.current)));
    on("flip", () => this.flip());
    on("undo", () => this.undo());
    on("redo", () => this.redo());
    on("new-game", () => (this.busy() ? notice(this.busy()) : session.open(Game.create(session.rules))));
    on("setup-open", () => {
      if (this.busy()) return notice(this.busy());
      this.live.toggle(false);
      this.setup.open(session.fen, session.game.chess960);
    });
    on("analyse-toggle", () => this.toggleEngine());
    on("threat", () => this.toggleThreat());
    on("more-lines", () => {
      settings.more = !settings.more;
      this.remember();
      this.appearance.change("more");
    });
    const exported = element<HTMLInputElement>("export-review");
    exported.checked = settings.exportReview;
    exported.addEventListener("change", () => {
      settings.exportReview = exported.checked;
      this.remember();
    });
    document.querySelector(".skip")?.addEventListener("click", (event) => {
      event.preventDefault(); // the fragment of the address belongs to the game
      element("move-input").focus();
    });
    listenToWheel(this.board, () => this.setup.active, (forward) => element(forward ? "next" : "previous").click());
  }

  private keys(): void {
    const { session } = this;
    const tab = (index: number) => (): void => {
      const name = this.tabs.visible().filter((each) => each !== "moves")[index];
      if (name) this.tabs.show(name);
    };
    listenToKeys(
      {
        ArrowLeft: () => session.go(session.game.parent(session.current)),
        ArrowRight: () => session.go(session.node.children[0]),
        ArrowUp: () => session.go(session.game.sibling(session.current, -1)),
        ArrowDown: () => session.go(session.game.sibling(session.current, 1)),
        Home: () => session.go(session.game.root),
        End: () => session.go(session.game.end(session.current)),
        f: () => this.flip(),
        e: () => this.toggleEngine(),
        t: () => this.toggleThreat(),
        h: () => this.play.hint(),
        n: () => this.review.goToMistake(1),
        p: () => this.review.goToMistake(-1),
        "1": tab(0), "2": tab(1), "3": tab(2), "4": tab(3), "5": tab(4),
        "/": () => element("move-input").focus(),
        "?": () => element<HTMLDialogElement>("help").showModal(),
      },
      { z: () => this.undo(), "Shift+z": () => this.redo(), y: () => this.redo() },
      () => this.setup.active,
    );
  }

  private flip(): void {
    this.board.orient(this.board.below === "w" ? "b" : "w");
    this.view.players();
    this.address.saveSoon();
  }

  private toggleEngine(): void {
    if (this.review.running) this.review.stop();
    this.live.toggle();
  }

  private toggleThreat(): void {
    if (this.review.running) this.review.stop();
    this.live.toggleThreat();
  }
}
