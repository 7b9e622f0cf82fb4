// The page: a list of findings and runs, and what is chosen in it.

import { readRun, type Doc, type Finding, type RunData } from "./data";
import { button, el, foreign, plural } from "./dom";
import { helpDialog } from "./help";
import { modelOfOrder, modelOfRun } from "./model";
import { Stage } from "./stage";
import { switchTheme } from "./theme";

const verdicts: Record<string, { sign: string; title: string }> = {
  violated: { sign: "✗", title: "Violated" },
  possible: { sign: "▲", title: "Possible" },
  unknown: { sign: "?", title: "Unknown" },
  holds: { sign: "✓", title: "Holds" },
};

interface Item {
  element: HTMLElement; // in the list
  text: string;
  open(): Promise<HTMLElement[]> | HTMLElement[];
}

class Page {
  private readonly items: Item[] = [];
  private readonly list = el("nav", "list");
  private readonly main = el("main", "main");
  private readonly help = helpDialog();
  private chosen = -1;
  stage: Stage | null = null;

  constructor(private readonly doc: Doc) {}

  async start(root: HTMLElement) {
    this.list.setAttribute("aria-label", "findings and runs");
    this.fillList();
    const top = el(
      "header",
      "top",
      el("span", "brand", "antichain"),
      foreign("span", "title", this.doc.title),
      el("span", "quiet counts", this.counts()),
      button("◐", "light or dark (t)", switchTheme, "icon"),
      button("?", "keys and help (?)", () => this.help.showModal(), "icon"),
    );
    root.append(top, el("div", "columns", this.list, this.main), this.help);
    document.addEventListener("keydown", (e) => this.key(e));
    window.addEventListener("hashchange", () => this.openHash());
    window.addEventListener("beforeprint", () => this.stage?.diagram.print(true));
    window.addEventListener("afterprint", () => this.stage?.diagram.print(false));
    await this.openHash();
  }

  private counts(): string {
    const n = (v: string) => this.doc.findings?.filter((f) => f.verdict === v).length ?? 0;
    const parts = ["violated", "possible", "unknown", "holds"].filter((v) => n(v) > 0).map((v) => `${n(v)} ${v === "holds" ? (n(v) === 1 ? "holds" : "hold") : v}`);
    return parts.join(", ");
  }

  // The list.

  private fillList() {
    const findings = this.doc.findings ?? [];
    const filter = el("input", "filter");
    filter.type = "search";
    filter.placeholder = "Filter findings";
    filter.setAttribute("aria-label", "filter findings");
    filter.addEventListener("input", () => this.filter(filter.value.toLowerCase()));
    if (findings.length > 8) this.list.append(filter);
    for (const v of ["violated", "possible", "unknown", "holds"]) {
      const group = findings.filter((f) => f.verdict === v);
      if (group.length === 0) continue;
      const title = el("h2", "", el("span", "sign", verdicts[v].sign), `${verdicts[v].title} (${group.length})`);
      const folds = v === "holds" && group.length > 1 && (group.length < findings.length || this.doc.runs?.length);
      const box = folds ? el("details", `verdict-group ${v}`, el("summary", "", title)) : el("section", `verdict-group ${v}`, title);
      let under = "";
      for (const f of [...group].sort((a, b) => (a.group ?? "").localeCompare(b.group ?? ""))) {
        if (f.group && f.group !== under) box.append(foreign("h3", "", f.group));
        under = f.group ?? "";
        box.append(this.findingItem(f));
      }
      this.list.append(box);
    }
    const runs = this.doc.runs ?? [];
    if (runs.length > 0) {
      const box = el("section", "verdict-group", el("h2", "", runs.length === 1 ? "Run" : `Runs (${runs.length})`));
      for (const r of runs) box.append(this.runItem(r));
      this.list.append(box);
    }
    for (const note of this.doc.notes ?? []) this.list.append(foreign("p", "note quiet", note));
  }

  private addItem(element: HTMLButtonElement, text: string, open: Item["open"]): HTMLElement {
    const i = this.items.length;
    element.type = "button";
    element.addEventListener("click", () => this.go(i));
    this.items.push({ element, text: text.toLowerCase(), open });
    return element;
  }

  private findingItem(f: Finding): HTMLElement {
    const roles = f.order?.columns.filter((c) => c.roles?.length).map((c) => `${c.roles!.join(", ")} is ${c.name}`) ?? [];
    const text = f.message || roles.join("; ") || f.covered || f.vacuous || "";
    const b = el("button", "item", foreign("b", "", f.property), f.how && f.how !== f.verdict ? el("span", "how", f.how) : null, text ? foreign("span", "summary", text) : null);
    return this.addItem(b, `${f.property} ${f.how ?? ""} ${f.group ?? ""} ${text}`, () => this.findingView(f));
  }

  private runItem(r: RunData): HTMLElement {
    const b = el("button", "item", foreign("b", "", r.name), el("span", "summary", `${plural(r.events, "event")}, ${plural(r.tasks, r.word ?? "goroutine")}`));
    return this.addItem(b, r.name, () => this.runView(r));
  }

  private filter(text: string) {
    for (const i of this.items) i.element.hidden = !i.text.includes(text);
    for (const fold of this.list.querySelectorAll("details")) fold.open = text !== "";
  }

  // What is chosen.

  private go(i: number) {
    location.hash = `#${i + 1}`; // so that the reader can come back
    void this.open(i);
  }

  private openHash() {
    const n = Number(location.hash.slice(1));
    if (Number.isInteger(n) && n >= 1 && n <= this.items.length) return this.open(n - 1);
    const findings = this.doc.findings ?? []; // in the list they come first, those that hold last
    const allHold = findings.every((f) => f.verdict === "holds");
    return this.open(allHold && this.doc.runs?.length ? findings.length : 0);
  }

  private async open(i: number) {
    if (i === this.chosen) return;
    this.chosen = i; // what was chosen before may still be read
    this.items.forEach((item, k) => {
      item.element.classList.toggle("chosen", k === i);
      if (k === i) item.element.setAttribute("aria-current", "true");
      else item.element.removeAttribute("aria-current");
    });
    this.stage = null;
    if (this.items.length === 0) {
      this.main.replaceChildren(el("p", "empty quiet", "There is nothing to show."));
      document.documentElement.dataset.ready = "0";
      return;
    }
    const fold = this.items[i].element.closest("details");
    if (fold) fold.open = true;
    this.items[i].element.scrollIntoView({ block: "nearest" });
    const children = await this.items[i].open();
    if (this.chosen !== i) return;
    this.main.replaceChildren(...children);
    (this.stage as Stage | null)?.shown();
    document.documentElement.dataset.ready = String(i + 1);
    performance.mark("shown");
  }

  private findingView(f: Finding): HTMLElement[] {
    const v = verdicts[f.verdict];
    const text = el(
      "div",
      "head-text",
      el("div", "headline", el("span", `badge ${f.verdict}`, `${v.sign} ${f.verdict}${f.how && f.how !== f.verdict ? `, ${f.how}` : ""}`), foreign("h1", "", f.property), f.group ? foreign("span", "quiet", f.group) : null),
    );
    const staged = f.order && f.order.steps.length > 0;
    if (f.formula) text.append(foreign("pre", "formula", f.formula));
    for (const t of [f.message, f.order?.lead, f.covered, f.vacuous && `It could not be violated: ${f.vacuous}.`, f.caveat && `Mind: ${f.caveat}.`, ...((!staged && f.notes) || [])]) {
      if (t) text.append(foreign("p", t === f.message ? "message" : "", t));
    }
    if (f.order?.skipped) text.append(el("p", "quiet", `${plural(f.order.skipped, "step")} of the schedule that matter less are left out.`));
    if (f.order?.lost) text.append(el("p", "quiet", `${plural(f.order.lost, "event")} before these, which come first in every order, are not kept.`));
    const head = el("header", "finding-head", text, f.again ? againLine(f.again) : null);
    if (!staged) return [head, foreign("pre", "whole-report", f.report)];
    this.stage = new Stage(modelOfOrder(f.order!, f.files ?? []), { finding: f });
    return [head, this.stage.element];
  }

  private async runView(r: RunData): Promise<HTMLElement[]> {
    const mine = this.chosen;
    if (r.events > 200000) this.main.replaceChildren(el("p", "empty quiet", "Reading the run…"));
    const columns = await readRun(r);
    if (this.chosen !== mine) return [];
    const text = el("div", "head-text", el("div", "headline", foreign("h1", "", r.name), el("span", "quiet", `${plural(r.events, "event")} of ${plural(r.tasks, r.word ?? "goroutine")}`)));
    if (r.note) text.append(foreign("p", "", r.note));
    const head = el("header", "finding-head", text);
    if (r.events === 0) return [head, el("p", "empty quiet", "The run has no events.")];
    this.stage = new Stage(modelOfRun(columns, r.files ?? []), { run: r });
    return [head, this.stage.element];
  }

  // Keys.

  private key(e: KeyboardEvent) {
    const target = e.target as HTMLElement;
    if (e.ctrlKey || e.metaKey || e.altKey || this.help.open) return;
    const typing = target instanceof HTMLInputElement && target.type !== "range" && target.type !== "checkbox";
    if (typing) {
      if (e.key === "Escape") this.stage?.closeFilter();
      return;
    }
    if (e.key === " " && target instanceof HTMLButtonElement) return;
    if (e.key === "Enter") return;
    if (this.pageKey(e.key) || this.stageKey(e.key)) e.preventDefault();
  }

  private pageKey(key: string): boolean {
    switch (key) {
      case "?":
        this.help.showModal();
        return true;
      case "t":
        switchTheme();
        return true;
      case "n":
      case "p":
        if (this.items.length > 0) this.go((this.chosen + (key === "n" ? 1 : this.items.length - 1)) % this.items.length);
        return true;
    }
    return false;
  }

  private stageKey(key: string): boolean {
    const s = this.stage;
    if (!s) return false;
    const actions: Record<string, () => void> = {
      ArrowRight: () => s.step(1),
      ArrowDown: () => s.step(1),
      j: () => s.step(1),
      ArrowLeft: () => s.step(-1),
      ArrowUp: () => s.step(-1),
      k: () => s.step(-1),
      PageDown: () => s.step(10),
      PageUp: () => s.step(-10),
      Home: () => s.goTo(0),
      End: () => s.goTo(s.model.states),
      "]": () => s.along(1),
      "[": () => s.along(-1),
      " ": () => s.togglePlay(),
      "/": () => s.focusSearch(),
      g: () => s.openFilter(),
      f: () => s.foldAll(),
      m: () => s.flip("minor"),
      a: () => s.flip("aside"),
      r: () => s.flip("recorded"),
      "+": () => s.diagram.zoom(1.6),
      "=": () => s.diagram.zoom(1.6),
      "-": () => s.diagram.zoom(1 / 1.6),
      "0": () => s.diagram.fit(),
      "1": () => s.readable(),
      Escape: () => s.closeFilter(),
    };
    const action = actions[key];
    action?.();
    return action !== undefined;
  }
}

/** The command that shows a finding again. */
function againLine(command: string): HTMLElement {
  const code = foreign("code", "", command);
  const copy = button("Copy", "copy the command", () => {
    getSelection()!.selectAllChildren(code); // where the clipboard is not allowed
    void navigator.clipboard?.writeText(command).catch(() => {});
  });
  return el("div", "again", el("span", "quiet", "Show it again"), code, copy);
}

const page = new Page(JSON.parse(document.getElementById("document")!.textContent!) as Doc);
page.start(document.getElementById("page")!).catch((e) => console.error(e));
(window as unknown as { antichain: Page }).antichain = page; // for who looks at the page by a program
