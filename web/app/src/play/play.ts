// SPDX-License-Identifier: MIT
// Plays a game against Luft: Luft's moves, clocks, takebacks, hints, draw offers, premoves and the end of the game. The
// session owns the moves; views/play_panel.ts shows the state.

import { announce, notice } from "../dom.js";
import type { EngineClient, Search } from "../engine/client.js";
import type { Premove } from "../board/input.js";
import { type Colour, Game } from "../state/game.js";
import type { Session } from "../state/session.js";
import { outcome, spoken } from "../words.js";
import { Clocks, parseControl } from "./clocks.js";
import { acceptsDraw, FULL_STRENGTH, hasOnlyKing, matchTags, savedMatch, TERMINATION, thinkingTime, type Match, type MatchOptions, type SavedMatch } from "./match.js";

/** Minimum time before Luft's move appears without a clock, so that users see their own move first. */
const MIN_REPLY_MS = 250;

export class Play {
  match: Match | null = null;
  premove: Premove | null = null;
  /** What Luft said last about a hint or a draw offer. */
  remark = "";

  /** Called when the state of the match changed. */
  onChange: () => void = () => {};
  /** Called ten times per second while a clock runs. */
  onTick: () => void = () => {};
  onHint: (from: string, to: string) => void = () => {};
  /** Called when a game begins, with the user's side. */
  onStart: (human: Colour) => void = () => {};

  private search: Search | null = null;
  /** True while this class itself changes the game in the session. */
  private busy = false;

  constructor(
    private readonly session: Session,
    private readonly engine: EngineClient,
  ) {
    session.listen((change) => {
      if (this.busy || !this.match) return;
      if (change === "game") this.leave();
      else if (change === "move") this.moved();
      else if (change === "tree" && !this.isIntact()) this.leave();
    });
    setInterval(() => this.tick(), 100);
  }

  /** A game against Luft is in progress. */
  get running(): boolean {
    return this.match !== null && !this.match.over;
  }

  /** The side whose pieces the user may move now; null if none. */
  movableSide(): Colour | null {
    const { game, current } = this.session;
    const { match } = this;
    if (!match || match.over) return game.turn(current);
    return current === match.at && game.turn(current) === match.human ? match.human : null;
  }

  /** The side for which a move may be made in advance. */
  premoveSide(): Colour | null {
    const { match, session } = this;
    return match && this.running && session.current === match.at && session.game.turn(match.at) !== match.human ? match.human : null;
  }

  // --- Beginning and ending ---

  start(options: MatchOptions, firstMove = ""): void {
    const game = this.gameFor(options).withTags(matchTags(options));
    const control = parseControl(options.clock);
    this.stopSearch();
    this.engine.newGame();
    this.match = { human: options.human, level: options.level, clocks: control ? new Clocks(control) : null, at: game.root.id, over: "", score: null, offered: -100 };
    this.premove = null;
    this.remark = "";
    this.ourselves(() => this.session.open(game));
    this.onStart(options.human);
    this.match.clocks?.start(game.turn(game.root.id));
    announce(`New game. You play ${options.human === "w" ? "White" : "Black"}.`);
    if (firstMove) this.session.play(firstMove);
    else this.proceed();
  }

  saved(): SavedMatch | null {
    return this.match && savedMatch(this.match);
  }

  /** Continues a stored game, which is in the session. */
  resume(saved: SavedMatch): void {
    const control = parseControl(saved.clock);
    const clocks = control ? new Clocks(control) : null;
    clocks?.set("w", saved.w);
    clocks?.set("b", saved.b);
    const { game } = this.session;
    const at = game.end();
    this.match = { human: saved.human, level: saved.level, clocks, at: at.id, over: saved.over, score: null, offered: -100 };
    if (saved.over) return this.onChange();
    clocks?.start(game.turn(at.id));
    this.proceed();
  }

  /** Gives up the match; the game stays on the board. */
  leave(): void {
    if (!this.match) return;
    this.stopSearch();
    this.match = null;
    this.premove = null;
    this.onChange();
  }

  resign(): void {
    const { match } = this;
    if (match && this.running) this.finish("You resigned. Luft wins.", match.human === "w" ? "0-1" : "1-0");
  }

  offerDraw(): void {
    const { match, session } = this;
    if (!match || !this.running) return;
    const ply = session.game.ply(match.at);
    if (ply - match.offered < 10) this.remark = "Luft has declined. Play some moves before you ask again.";
    else if (acceptsDraw(match, ply)) return this.finish("Draw by agreement.", "1/2-1/2");
    else this.remark = "Luft declines the draw.";
    match.offered = Math.max(match.offered, ply);
    announce(this.remark);
    this.onChange();
  }

  private finish(text: string, result: "1-0" | "0-1" | "1/2-1/2"): void {
    const { match, session } = this;
    if (!match) return;
    match.clocks?.pause();
    match.over = text;
    this.remark = "";
    this.premove = null;
    this.stopSearch();
    const { game } = session;
    const ended = game.status(match.at).end ? game : game.withTags({ ...game.tags, [TERMINATION]: text });
    this.ourselves(() => session.edit("the end of the game", ended.withResult(result)));
    announce(text);
    this.onChange();
  }

  private gameFor({ from, number }: MatchOptions): Game {
    const { rules, game, current } = this.session;
    if (from === "960") return Game.create(rules, rules.chess960Start(number ?? Math.floor(Math.random() * 960)), true);
    if (from === "here") {
      if (game.position(current).moves.length > 0) return Game.create(rules, game.fen(current), game.chess960);
      notice("The current position has no legal moves. The game begins from the start position.");
    }
    return Game.create(rules);
  }

  /** The match still fits the game, which the user may have changed by undo or by deleting moves. */
  private isIntact(): boolean {
    const { match, session } = this;
    return match !== null && session.game.has(match.at) && (match.over === "" || session.game.result !== "*");
  }

  // --- Moves ---

  private moved(): void {
    const { match, session } = this;
    if (!match || match.over || session.game.parent(session.current)?.id !== match.at) return;
    match.at = session.current;
    match.clocks?.press();
    this.proceed();
  }

  /** After a move or at the start: ends the game if it is over, else plays a premove or starts Luft's search. */
  private proceed(): void {
    const { match, session } = this;
    if (!match) return;
    this.remark = "";
    const status = session.game.status(match.at);
    if (status.end) return this.finish(outcome(status), status.result ?? "1/2-1/2");
    if (status.position.turn !== match.human) this.think(match);
    this.onChange();
    const { premove } = this;
    if (!premove || status.position.turn !== match.human) return;
    this.premove = null;
    const move = status.position.moves.find(({ from, to, promotion }) => from === premove.from && to === premove.to && (!promotion || promotion === "q"));
    if (move && session.current === match.at) session.play(move.uci);
    else this.onChange();
  }

  setPremove(premove: Premove | null): void {
    if (!this.premoveSide() && premove) return;
    this.premove = premove;
    this.onChange();
  }

  private think(match: Match): void {
    const { game } = this.session;
    const { at } = match;
    const asked = performance.now();
    const search = this.engine.search({
      ...game.history(at),
      chess960: game.chess960,
      go: thinkingTime(match),
      ...(match.level < FULL_STRENGTH ? { elo: match.level } : {}),
      onInfo: ({ score, multipv }) => {
        if (multipv === 1) match.score = score.mate !== undefined ? Math.sign(score.mate) * 10_000 : (score.cp ?? 0);
      },
    });
    this.search = search;
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

  hint(): void {
    const { match, session } = this;
    if (!match || !this.running || session.game.turn(match.at) !== match.human || this.search) return;
    const { game } = session;
    const { at } = match;
    this.remark = "Searching …";
    this.onChange();
    const search = this.engine.search({ ...game.history(at), chess960: game.chess960, go: "movetime 600" });
    this.search = search;
    void search.done.then((best) => {
      // A move or a takeback has replaced this search.
      if (this.search !== search) return;
      this.search = null;
      const move = game.position(at).moves.find((each) => each.uci === best?.move);
      this.remark = move ? `Try ${move.san}.` : "";
      this.onChange();
      if (!move) return;
      announce(`Try ${spoken(move.san)}`);
      if (session.current === at) this.onHint(move.from, move.to);
    });
  }

  /** The node before the user's last move; null if no move can be taken back. */
  get backTo(): number | null {
    const { match, session } = this;
    if (!match || match.clocks?.remaining(match.human) === 0) return null;
    let node = session.game.parent(match.at);
    while (node && session.game.turn(node.id) !== match.human) node = session.game.parent(node.id);
    return node?.id ?? null;
  }

  takeBack(): boolean {
    const { match, session, backTo } = this;
    if (!match || backTo === null) return false;
    this.stopSearch();
    match.over = "";
    match.at = backTo;
    this.premove = null;
    this.remark = "";
    const { [TERMINATION]: _, ...tags } = session.game.tags;
    this.ourselves(() => session.edit("taking back a move", session.game.cut(backTo).withResult("*").withTags(tags), { current: backTo }));
    match.clocks?.start(match.human);
    this.onChange();
    announce("Move taken back.");
    return true;
  }

  private tick(): void {
    const { match } = this;
    if (!match?.clocks || match.over) return;
    this.onTick();
    const late = match.clocks.flagged();
    if (!late) return;
    const winner = late === "w" ? "b" : "w";
    const text = late === match.human ? "Your time is up. Luft wins." : "Luft's time is up. You win.";
    if (hasOnlyKing(this.session.game.fen(match.at), winner)) this.finish("Draw: time is up, but the opponent has only a king.", "1/2-1/2");
    else this.finish(text, winner === "w" ? "1-0" : "0-1");
  }

  private stopSearch(): void {
    this.search?.stop();
    this.search = null;
  }

  /** Changes the session without reacting to the change. */
  private ourselves(change: () => void): void {
    this.busy = true;
    change();
    this.busy = false;
  }
}

function sleep(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, Math.max(0, milliseconds)));
}
