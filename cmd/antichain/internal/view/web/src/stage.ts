// A diagram with its tools: stepping, searching, filtering, zooming. Findings and runs have one each.

import type { Finding, RunData, SourceFile } from "./data";
import { Diagram } from "./diagram";
import { button, el, foreign, plural, toggle } from "./dom";
import { FormulaPanel, goroutines, notesList, section, SourcePanel } from "./inspector";
import { cutBehind, cutWith, Layout, type Choices, type Cut } from "./layout";
import { headHeight } from "./measures";
import type { Model } from "./model";
import { onTheme } from "./theme";

export class Stage {
  readonly element = el("div", "stage");
  readonly diagram: Diagram;
  state: number; // rows of the schedule that are done
  private selected = -1;
  private choices: Choices;
  private layout: Layout;
  private found: ((e: number) => boolean) | null = null;
  private hits: number[] = [];
  private hit = -1;
  private timer = 0;

  private readonly slider = el("input", "slider");
  private readonly counter = el("output", "counter");
  private readonly live = el("div", "spoken");
  private readonly tip = el("div", "tip");
  private readonly search = el("input", "search");
  private readonly searchCount = el("span", "quiet search-count");
  private readonly play: HTMLButtonElement;
  private readonly filter = el("div", "popover");
  private readonly inspector = el("aside", "inspector");
  private readonly source: SourcePanel;
  private readonly formula: FormulaPanel | null = null;
  private readonly states = el("div");
  private readonly sourceSection = el("section", "part");
  private readonly toggles: Record<string, ReturnType<typeof toggle>> = {};

  constructor(
    readonly model: Model,
    readonly of: { finding: Finding } | { run: RunData },
  ) {
    const finding = "finding" in of ? of.finding : null;
    const files: SourceFile[] = (finding ? finding.files : "run" in of ? of.run.files : null) ?? [];
    const minors = count(model, (e) => model.minor(e));
    const asides = model.tasks.filter((t) => t.aside).length;
    const small = model.rows <= 40;
    this.choices = {
      minor: !finding || minors === 0 || (small && asides === 0),
      aside: !finding || (asides > 0 && small && asides <= 2 && minors === 0),
      recorded: false,
      hidden: new Set(),
      folds: new Map(),
    };
    this.layout = new Layout(model, this.choices);
    this.diagram = new Diagram(this.layout);
    this.diagram.canvas.setAttribute("aria-label", "the order of events; the list beside it says the same of each state");
    this.state = finding ? finding.order!.state : busiest(model);
    this.diagram.cutLabel = finding ? "global state" : "";
    this.source = new SourcePanel(files);
    if (finding?.parts) this.formula = new FormulaPanel(finding.parts, model.states + 1, (s) => this.goTo(s));
    this.play = button("Play", "play the schedule (space)", () => this.togglePlay(), "play");
    this.element.append(this.tools(finding, minors, asides), this.body(finding));
    this.listen();
    this.live.setAttribute("aria-live", "polite");
    this.element.append(this.live);
    onTheme(() => this.diagram.themeChanged());
  }

  /** Called when the stage has come into the page. */
  shown() {
    this.goTo(this.state);
    const focus = "finding" in this.of ? (this.of.finding.order!.focus ?? 0) - 1 : -1;
    const done = focus >= 0 ? this.cut()[focus] : 0;
    if (done === 0) return;
    this.selected = this.model.byTask[this.model.taskStart[focus] + done - 1];
    this.show();
  }

  // Parts of the page.

  private tools(finding: Finding | null, minors: number, asides: number): HTMLElement {
    this.slider.type = "range";
    this.slider.min = "0";
    this.slider.max = String(this.model.states);
    this.slider.setAttribute("aria-label", "state of the schedule");
    this.slider.addEventListener("input", () => this.goTo(Number(this.slider.value)));
    const steps = el(
      "div",
      "group steps",
      button("|◀", "first state (Home)", () => this.goTo(0)),
      button("◀", "previous state (←)", () => this.step(-1)),
      button("▶", "next state (→)", () => this.step(1)),
      button("▶|", "last state (End)", () => this.goTo(this.model.states)),
      this.slider,
      this.counter,
      finding ? this.play : null,
    );
    const options = el("div", "group options");
    const choice = (key: "minor" | "aside" | "recorded", label: string, title: string) => {
      const t = toggle(label, title, (on) => {
        this.choices[key] = on;
        this.relayout();
      });
      t.set(this.choices[key], true);
      this.toggles[key] = t;
      options.append(t.element);
    };
    if (minors > 0) choice("minor", "All events", "also events that do not matter for the finding (m)");
    if (asides > 0) choice("aside", "All goroutines", "also goroutines with no part in the finding (a)");
    if (finding && finding.order!.steps.some((s) => s.recorded)) choice("recorded", "As recorded", "rows in the order in which the run recorded them (r)");
    options.append(button("Goroutines…", "choose goroutines (g)", () => this.openFilter()));
    this.search.type = "search";
    this.search.placeholder = "Search ( / )";
    this.search.setAttribute("aria-label", "search events, goroutines and positions");
    return el("div", "tools", steps, options, el("div", "group", this.search, this.searchCount));
  }

  private zooms(): HTMLElement {
    return el(
      "div",
      "zooms",
      button("−", "zoom out (-)", () => this.diagram.zoom(1 / 1.6)),
      button("+", "zoom in (+)", () => this.diagram.zoom(1.6)),
      button("Fit", "the whole order (0)", () => this.diagram.fit()),
    );
  }

  private body(finding: Finding | null): HTMLElement {
    this.sourceSection.append(el("h2", "", "Source"), this.source.element);
    const word = ("finding" in this.of ? this.of.finding.order!.word : this.of.run.word) === "task" ? "Task" : "Goroutine";
    if (this.formula) this.inspector.append(section("Formula", this.formula.element));
    if (finding?.notes?.length) this.inspector.append(section("What else is known", notesList(finding.notes)));
    this.inspector.append(section(finding ? `${word}s in this state` : word, this.states));
    if (finding) {
      const details = el("details", "report", el("summary", "", "The report as text"), foreign("pre", "", finding.report));
      this.inspector.append(details);
    }
    this.tip.hidden = true;
    this.filter.hidden = true;
    const box = el("div", "canvas-box", this.diagram.canvas, this.zooms(), this.tip, this.filter);
    if (!finding || this.layout.length > shortRows || !finding.files) {
      if (!finding || finding.files) this.inspector.prepend(this.sourceSection);
      return el("div", "body", box, this.inspector);
    }
    const body = el("div", "body short", box, this.sourceSection, this.inspector); // the source has the room below
    body.style.setProperty("--diagram", `${headHeight + (this.layout.length + 1) * (this.layout.length > 6 ? 26 : 32) + 12}px`);
    return body;
  }

  private listen() {
    this.diagram.onSelect = (e) => this.select(e);
    this.diagram.onHover = (e, x, y) => this.hover(e, x, y);
    this.diagram.onHead = (c) => this.fold(c);
    let waiting = 0;
    this.search.addEventListener("input", () => {
      clearTimeout(waiting);
      waiting = window.setTimeout(() => this.find(this.search.value), 120);
    });
    this.search.addEventListener("keydown", (e) => {
      if (e.key === "Enter") {
        if (waiting) clearTimeout(waiting);
        this.find(this.search.value);
        this.nextHit(e.shiftKey ? -1 : 1);
      } else if (e.key === "Escape") {
        this.search.value = "";
        this.find("");
        this.diagram.canvas.focus({ preventScroll: true });
      } else return;
      e.preventDefault();
      e.stopPropagation();
    });
  }

  // States.

  /** Goes so many steps on, among those that are shown. */
  step(by: number) {
    let s = this.state;
    for (let n = Math.abs(by); n > 0; n--) {
      let next = s + Math.sign(by);
      while (next > 0 && next < this.model.states && this.layout.position(next - 1) < 0) next += Math.sign(by);
      if (next < 0 || next > this.model.states) break;
      s = next;
    }
    this.goTo(s);
  }

  goTo(state: number) {
    this.state = Math.max(0, Math.min(state, this.model.states));
    const row = this.state - 1;
    this.selected = row >= 0 ? this.model.rowStart[row] : -1;
    this.show();
    if (this.selected >= 0) this.diagram.reveal(this.layout.positionUpTo(row), this.layout.columnOf[this.model.task[this.selected]]);
    else this.diagram.reveal(0);
  }

  private select(e: number) {
    const row = this.model.row[e];
    if (row >= this.model.states) return;
    this.state = row + 1;
    this.selected = e;
    this.show();
  }

  private cut(): Cut {
    return "finding" in this.of || this.selected < 0 ? cutBehind(this.model, this.state) : cutWith(this.model, this.selected);
  }

  private show() {
    const { model } = this;
    const finding = "finding" in this.of ? this.of.finding : null;
    const cut = this.cut();
    if (finding) this.diagram.cutLabel = this.state === finding.order!.state ? "global state of the finding" : "global state";
    this.mark(cut);
    this.slider.value = String(this.state);
    this.counter.textContent = `state ${this.state.toLocaleString("en-US")} of ${model.states.toLocaleString("en-US")}`;
    const moved: number[] = [];
    if (this.state > 0) {
      for (let e = model.rowStart[this.state - 1]; e < model.rowStart[this.state]; e++) moved.push(model.task[e]);
    }
    const focus = this.selected >= 0 ? model.task[this.selected] : 0;
    const local = model.local(focus, cut[focus]);
    const others = new Map<string, string[]>();
    const tasks = finding ? this.layout.columns.flatMap((c) => c.tasks).slice(0, 60) : this.selected >= 0 ? [focus] : [];
    for (const t of tasks) {
      const l = model.local(t, cut[t]);
      if (l.place) others.set(l.place, [...(others.get(l.place) ?? []), model.tasks[t].name]);
    }
    this.sourceSection.hidden = this.selected < 0;
    if (this.selected >= 0) this.source.show(local.place, local.at, others);
    this.formula?.show(this.state);
    this.states.replaceChildren(
      goroutines(model, cut, tasks, moved, finding?.order!.columns ?? null, this.state === (finding?.order!.state ?? model.states)),
      finding ? "" : this.neighbours(),
    );
    this.live.textContent = this.selected >= 0 ? `${this.counter.textContent}: ${this.describe(this.selected)}` : "the initial state";
  }

  private mark(cut: Cut) {
    const shown = "finding" in this.of || this.selected >= 0 ? cut : null; // else nothing is looked at yet
    this.diagram.setMarks({ cut: shown, selected: this.selected, found: this.found });
  }

  private describe(e: number): string {
    const at = this.model.at(e);
    return `${this.model.tasks[this.model.task[e]].name}: ${this.model.label(e)}${at ? `, at ${at}` : ""}`;
  }

  /** What comes directly before and behind the event of a run. */
  private neighbours(): HTMLElement {
    const { model, selected } = this;
    const box = el("div", "neighbours");
    if (selected < 0) {
      box.append(el("p", "quiet", "Click an event, or step with the arrow keys. The dashed line is the smallest global state with that event: all that must come before it is above."));
      return box;
    }
    const t = model.task[selected];
    const own = (by: number) => {
      const i = model.taskStart[t] + model.index[selected] + by;
      return i >= model.taskStart[t] && i < model.taskStart[t + 1] ? [model.byTask[i]] : [];
    };
    const list = (title: string, events: number[]) => {
      if (events.length === 0) return;
      const ul = el("ul", "events");
      for (const e of events.slice(0, 12)) {
        const b = button("", this.describe(e), () => {
          this.select(e);
          this.diagram.reveal(this.layout.positionUpTo(model.row[e]), this.layout.columnOf[model.task[e]]);
        }, "event");
        b.append(foreign("b", "", model.tasks[model.task[e]].name), " ", foreign("span", "", model.label(e)));
        ul.append(el("li", "", b));
      }
      if (events.length > 12) ul.append(el("li", "quiet", `and ${plural(events.length - 12, "other")}`));
      box.append(el("h3", "", title), ul);
    };
    list("Selected", [selected]);
    list("Comes directly behind", [...own(-1), ...model.causes.subarray(model.causeStart[selected], model.causeStart[selected + 1])]);
    list("Comes directly before", [...own(1), ...model.effects.subarray(model.effectStart[selected], model.effectStart[selected + 1])]);
    return box;
  }

  togglePlay() {
    if (this.timer) {
      clearInterval(this.timer);
      this.timer = 0;
    } else {
      if (this.state >= this.model.states) this.goTo(0);
      this.timer = window.setInterval(() => {
        this.step(1);
        if (this.state >= this.model.states || !this.element.isConnected) this.togglePlay();
      }, 700);
    }
    this.play.textContent = this.timer ? "⏸︎ Pause" : "Play";
  }

  // Columns and rows.

  private relayout() {
    this.layout = new Layout(this.model, this.choices);
    this.diagram.setLayout(this.layout);
    this.hits = this.hits.filter((e) => this.isShown(e));
    this.show();
  }

  private isShown(e: number): boolean {
    return this.layout.columnOf[this.model.task[e]] >= 0 && this.layout.position(this.model.row[e]) >= 0;
  }

  flip(key: "minor" | "aside" | "recorded") {
    const t = this.toggles[key];
    t?.set(!t.on());
  }

  private fold(column: number) {
    const c = this.layout.columns[column];
    if (!c.kind) return;
    this.choices.folds.set(c.kind, !c.folded);
    this.relayout();
  }

  /** Folds all goroutines of the same kind, or none. */
  foldAll() {
    const any = this.layout.columns.some((c) => c.kind && !c.folded);
    for (const t of this.model.tasks) if (t.kind) this.choices.folds.set(t.kind, any);
    this.relayout();
  }

  openFilter() {
    if (!this.filter.hidden) {
      this.filter.hidden = true;
      this.diagram.canvas.focus({ preventScroll: true });
      return;
    }
    const input = el("input");
    input.type = "search";
    input.placeholder = "Filter";
    input.setAttribute("aria-label", "filter goroutines by name");
    const list = el("div", "choices");
    const fill = () => {
      const text = input.value.toLowerCase();
      const matching = this.model.tasks.map((t, i) => ({ t, i })).filter(({ t }) => `${t.name} ${t.kind}`.toLowerCase().includes(text));
      list.replaceChildren();
      for (const { t, i } of matching.slice(0, 300)) {
        const box = el("input");
        box.type = "checkbox";
        box.checked = !this.choices.hidden.has(i);
        box.addEventListener("change", () => {
          if (box.checked) this.choices.hidden.delete(i);
          else this.choices.hidden.add(i);
          this.relayout();
        });
        list.append(el("label", "", box, foreign("span", "", t.name), foreign("span", "quiet", t.kind)));
      }
      if (matching.length > 300) list.append(el("p", "quiet", `and ${plural(matching.length - 300, "other")}: filter by name`));
      return matching.map((m) => m.i);
    };
    let matching = fill();
    input.addEventListener("input", () => (matching = fill()));
    const only = () => {
      this.choices.hidden = new Set(this.model.tasks.map((_, i) => i).filter((i) => !matching.includes(i)));
      this.relayout();
      matching = fill();
    };
    const all = () => {
      this.choices.hidden = new Set();
      this.relayout();
      matching = fill();
    };
    this.filter.replaceChildren(el("div", "group", input, button("Only these", "show only the goroutines in the list", only), button("All", "show all goroutines", all), button("✕", "close (Esc)", () => this.openFilter())), list);
    this.filter.hidden = false;
    input.focus();
  }

  closeFilter(): boolean {
    if (this.filter.hidden) return false;
    this.openFilter();
    return true;
  }

  readable() {
    this.diagram.readable();
    if (this.selected >= 0) this.diagram.reveal(this.layout.positionUpTo(this.model.row[this.selected]), this.layout.columnOf[this.model.task[this.selected]]);
  }

  // Searching.

  focusSearch() {
    this.search.focus();
    this.search.select();
  }

  find(text: string) {
    text = text.trim().toLowerCase();
    this.hit = -1;
    this.hits = [];
    this.found = text === "" ? null : this.model.find(text);
    if (this.found) {
      for (let e = 0; e < this.model.events; e++) if (this.found(e) && this.isShown(e)) this.hits.push(e);
    }
    this.countHits();
    this.mark(this.cut());
  }

  private countHits() {
    const n = this.hits.length.toLocaleString("en-US");
    this.searchCount.textContent = !this.found ? "" : this.hit >= 0 ? `${(this.hit + 1).toLocaleString("en-US")} of ${n}` : `${n} found`;
  }

  nextHit(by: number) {
    if (this.hits.length === 0) return;
    if (this.hit < 0) {
      const after = this.hits.findIndex((e) => e > this.selected);
      this.hit = by > 0 ? Math.max(after, 0) : (after < 0 ? this.hits.length : after) - 1;
      if (this.hit < 0) this.hit = this.hits.length - 1;
    } else {
      this.hit = (this.hit + by + this.hits.length) % this.hits.length;
    }
    const e = this.hits[this.hit];
    this.countHits();
    if (this.diagram.scale < 12) this.readable();
    this.select(e);
    this.diagram.reveal(this.layout.positionUpTo(this.model.row[e]), this.layout.columnOf[this.model.task[e]]);
  }

  /** Goes to the next event of the same goroutine. */
  along(by: number) {
    if (this.selected < 0) return this.step(by);
    const t = this.model.task[this.selected];
    for (let i = this.model.taskStart[t] + this.model.index[this.selected] + by; i >= this.model.taskStart[t] && i < this.model.taskStart[t + 1]; i += by) {
      const e = this.model.byTask[i];
      if (!this.isShown(e) || this.model.row[e] >= this.model.states) continue;
      this.select(e);
      this.diagram.reveal(this.layout.position(this.model.row[e]), this.layout.columnOf[t]);
      return;
    }
  }

  private hover(e: number, x: number, y: number) {
    this.tip.hidden = e < 0;
    if (e < 0) return;
    this.tip.replaceChildren(foreign("b", "", this.model.tasks[this.model.task[e]].name), " ", foreign("span", "", this.model.label(e).slice(0, 300)));
    const at = this.model.at(e);
    if (at) this.tip.append(foreign("div", "quiet", at));
    this.tip.style.left = `${Math.min(x + 14, this.diagram.canvas.clientWidth - 280)}px`;
    this.tip.style.top = `${y + 18}px`;
  }
}

/** An order of so many rows leaves room below it. */
const shortRows = 11;

/** How many rows are looked at together. */
const busyRows = 30;

/** The row behind which most goroutines have just acted on each other, as a state. */
function busiest(model: Model): number {
  const arrows = (row: number) => model.causeStart[model.rowStart[row + 1]] - model.causeStart[model.rowStart[row]];
  const within = new Uint32Array(model.tasks.length); // events of the last rows
  let tasks = 0;
  let sum = 0;
  let best = 0;
  let most = -1;
  for (let r = 0; r < model.states; r++) {
    sum += arrows(r);
    for (let e = model.rowStart[r]; e < model.rowStart[r + 1]; e++) if (within[model.task[e]]++ === 0) tasks++;
    const gone = r - busyRows;
    if (gone >= 0) {
      sum -= arrows(gone);
      for (let e = model.rowStart[gone]; e < model.rowStart[gone + 1]; e++) if (--within[model.task[e]] === 0) tasks--;
    }
    if (sum + tasks > most) {
      most = sum + tasks;
      best = r + 1;
    }
  }
  return best;
}

function count(model: Model, f: (e: number) => boolean): number {
  let n = 0;
  for (let e = 0; e < model.events; e++) if (f(e)) n++;
  return n;
}

