// SPDX-License-Identifier: MIT
// The Review tab: runs a review and shows its report: accuracy, average loss, phases, counts and key moments.

import { element, make } from "../dom.js";
import type { EngineClient } from "../engine/client.js";
import { isMistake, JUDGEMENTS, keyMoments, PHASES, report, SIGNS, type Judgement, type Mistake, type PlayerReport } from "../engine/judge.js";
import { Review } from "../engine/review.js";
import type { Colour } from "../state/game.js";
import type { Session } from "../state/session.js";
import { REVIEW_NODES, type Settings } from "../state/settings.js";
import type { GameNode } from "../state/tree.js";

const NAMES: Record<Mistake, [string, string]> = {
  inaccuracy: ["inaccuracy", "inaccuracies"],
  mistake: ["mistake", "mistakes"],
  blunder: ["blunder", "blunders"],
};

const LABELS: Record<Judgement, string> = { brilliant: "Brilliant", best: "Best", good: "Good", inaccuracy: "Inaccuracies", mistake: "Mistakes", blunder: "Blunders" };

export class ReviewPanel {
  /** Called before a review starts, to end other searches. */
  onStart: () => void = () => {};
  /** The reason why no review can start now; empty if there is none. */
  blocked: () => string = () => "";
  private review: Review | null = null;

  constructor(
    private readonly session: Session,
    private readonly engine: EngineClient,
    settings: Settings,
    remember: () => void,
  ) {
    const depth = element<HTMLSelectElement>("review-depth");
    depth.value = String(settings.reviewNodes);
    depth.addEventListener("change", () => {
      settings.reviewNodes = Number(depth.value);
      remember();
    });
    element("review-start").addEventListener("click", () => (this.review ? this.stop() : this.start(settings.reviewNodes)));
    element("review-report").addEventListener("click", (event) => {
      const button = event.target instanceof Element ? event.target.closest<HTMLElement>("[data-id]") : null;
      if (button) session.go(Number(button.dataset["id"]));
      if (event.target instanceof Element && event.target.closest("#next-mistake")) this.goToMistake(1);
      if (event.target instanceof Element && event.target.closest("#previous-mistake")) this.goToMistake(-1);
    });
    session.listen((change) => {
      if (this.review && (change === "game" || change === "move")) this.stop();
      if (change !== "node") this.show();
    });
    this.show();
  }

  get running(): boolean {
    return this.review !== null;
  }

  start(nodes: number = REVIEW_NODES[1]): void {
    const { session } = this;
    const { game } = session;
    const reason = this.blocked() || (game.size === 0 ? "There are no moves to review." : "");
    element("review-text").textContent = reason;
    if (reason) return;
    this.onStart();
    const progress = element<HTMLProgressElement>("review-progress");
    progress.hidden = false;
    progress.value = 0;
    element("review-start").textContent = "Stop";
    const review = new Review(game, session.rules, this.engine, nodes, (done, of) => {
      progress.value = done / of;
      element("review-text").textContent = `${done} of ${of} positions`;
    });
    this.review = review;
    void review.run().then((layer) => {
      if (this.review !== review) return;
      this.review = null;
      this.ended(layer ? summary(report(session.game, layer)) : "Stopped.");
      if (!layer) return;
      session.scores.clear();
      session.edit("a review", session.game, { review: layer });
    });
  }

  stop(): void {
    this.review?.stop();
    this.review = null;
    this.ended("Stopped.");
  }

  private ended(text: string): void {
    element("review-progress").hidden = true;
    element("review-start").textContent = this.session.review ? "Review again" : "Review the game";
    element("review-text").textContent = text;
  }

  /** Goes to the next (1) or previous (-1) mistake of the main line. */
  goToMistake(step: 1 | -1): void {
    const { game, review, current } = this.session;
    if (!review) return;
    const line = game.mainLine();
    const path = new Set(game.line(current).map((node) => node.id));
    const at = line.findLastIndex((node) => path.has(node.id));
    const rest = step === 1 ? line.slice(at + 1) : line.slice(0, Math.max(0, at)).reverse();
    this.session.go(rest.find((node) => isMistake(review.moves.get(node.id)?.judgement)));
  }

  private show(): void {
    const { game, review } = this.session;
    const host = element("review-report");
    if (!this.review) element("review-start").textContent = review ? "Review again" : "Review the game";
    if (!review || game.size === 0) return host.replaceChildren();
    const totals = report(game, review);
    const mistakes = JUDGEMENTS.filter(isMistake).reduce((sum, kind) => sum + totals.w.counts[kind] + totals.b.counts[kind], 0);
    const steps = make("div", "buttons");
    for (const [id, label] of [["previous-mistake", "‹ Mistake"], ["next-mistake", "Mistake ›"]] as const) {
      const button = make("button", "", label);
      button.type = "button";
      button.id = id;
      button.title = id === "next-mistake" ? "Next mistake (n)" : "Previous mistake (p)";
      button.setAttribute("aria-label", button.title);
      button.disabled = mistakes === 0;
      steps.append(button);
    }
    host.replaceChildren(steps, this.table(totals), ...this.moments());
  }

  private table(totals: Record<Colour, PlayerReport>): HTMLElement {
    const table = make("table", "report-table");
    const row = (label: string, value: (player: PlayerReport) => string, className = ""): void => {
      const line = make("tr", className);
      const head = make("th", "", label);
      head.scope = "row";
      line.append(make("td", "", value(totals.w)), head, make("td", "", value(totals.b)));
      table.append(line);
    };
    const { White, Black } = this.session.game.tags;
    const names = make("tr", "names");
    const column = (text: string): HTMLElement => {
      const head = make("th", "", text);
      head.scope = "col";
      head.title = text;
      return head;
    };
    names.append(column(named(White, "White")), make("td"), column(named(Black, "Black")));
    table.append(names);
    row("Accuracy", (player) => `${player.accuracy.toFixed(1)} %`, "large");
    row("Average loss", (player) => `${Math.round(player.averageLoss)} cp`);
    for (const kind of JUDGEMENTS) row(LABELS[kind], (player) => String(player.counts[kind]), `count ${kind}`);
    for (const phase of PHASES) row(capital(phase), (player) => (player.phases[phase] === null ? "–" : `${Math.round(player.phases[phase] ?? 0)} %`));
    return table;
  }

  private moments(): HTMLElement[] {
    const { game, review } = this.session;
    const moments = review ? keyMoments(game, review) : [];
    if (moments.length === 0) return [make("p", "hint", "No key moments: nobody made a mistake.")];
    const list = make("div", "moments");
    for (const node of moments) list.append(this.moment(node));
    return [make("h2", "", "Key moments"), list];
  }

  private moment(node: GameNode): HTMLElement {
    const judgement = this.session.review?.moves.get(node.id)?.judgement ?? "good";
    const button = make("button", `moment ${judgement}`, `${this.session.game.label(node.id)}${SIGNS[judgement]?.sign ?? ""}`);
    button.type = "button";
    button.dataset["id"] = String(node.id);
    return button;
  }
}

/** "White: 1 blunder, 2 inaccuracies. Black: no mistakes found." */
export function summary(totals: Record<Colour, PlayerReport>): string {
  const side = (name: string, { counts }: PlayerReport): string => {
    const parts = (["blunder", "mistake", "inaccuracy"] as const).filter((kind) => counts[kind] > 0).map((kind) => `${counts[kind]} ${NAMES[kind][counts[kind] === 1 ? 0 : 1]}`);
    return `${name}: ${parts.length > 0 ? parts.join(", ") : "no mistakes found"}.`;
  };
  return `${side("White", totals.w)} ${side("Black", totals.b)}`;
}

function named(name: string | undefined, other: string): string {
  return name && !/^\?*$/.test(name) ? name : other;
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
