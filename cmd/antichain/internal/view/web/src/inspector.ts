// What stands beside the diagram: the source, the goroutines in the global state, the formula.

import type { Column, Part, SourceFile } from "./data";
import { el, foreign } from "./dom";
import type { Cut } from "./layout";
import type { Model } from "./model";
import { cutName } from "./text";

export function section(title: string, ...children: (Node | false | null)[]): HTMLElement {
  return el("section", "part", el("h2", "", title), ...children);
}

/** What a report says beside the finding. */
export function notesList(notes: string[]): HTMLElement {
  return el("ul", "notes", ...notes.map((n) => foreign("li", n.endsWith(":") ? "heading" : "", n)));
}

/** The source around a position, with the goroutines that stand there. */
export class SourcePanel {
  readonly element = el("div", "source");

  constructor(private readonly files: SourceFile[]) {}

  /** others are positions of goroutines, with their names. */
  show(place: string, at: string, others: Map<string, string[]>) {
    const colon = place.lastIndexOf(":");
    const file = this.files.find((f) => f.name === place.slice(0, colon));
    const line = Number(place.slice(colon + 1));
    const excerpt = file?.excerpts.find((x) => line >= x.from && line < x.from + x.lines.length);
    this.element.replaceChildren(foreign("div", "place", at || place || "position unknown"));
    if (!file || !excerpt) {
      this.element.append(el("p", "quiet", place ? "The source of this line was not found." : "This event has no position in the source."));
      return;
    }
    const lines = el("ol", "lines");
    let current: HTMLElement | null = null;
    excerpt.lines.forEach((text, i) => {
      const n = excerpt.from + i;
      const row = el("li", n === line ? "current" : "", el("span", "number", String(n)), foreign("code", "", text || " "));
      if (n === line) {
        current = row;
        row.setAttribute("aria-current", "true");
      }
      const here = others.get(`${file.name}:${n}`);
      if (here) {
        const names = foreign("span", "standing-here", here.map((name) => cutName(name, 24)).join(", "));
        names.title = here.join(", ");
        row.append(names);
      }
      lines.append(row);
    });
    this.element.append(lines);
    requestAnimationFrame(() => {
      if (!current) return;
      const c = current as HTMLElement;
      lines.scrollTop = c.offsetTop - lines.clientHeight / 2 + 10;
    });
  }
}

/** Where the goroutines are in a global state. */
export function goroutines(model: Model, cut: Cut, tasks: number[], moved: number[], columns: Column[] | null, last: boolean): HTMLElement {
  const list = el("div", "goroutines");
  for (const t of tasks) {
    const task = model.tasks[t];
    const local = model.local(t, cut[t]);
    const card = el("article", moved.includes(t) ? "goroutine moved" : "goroutine");
    const head = el("header", "", foreign("b", "", task.title), task.precise && !task.origin.startsWith(task.precise) ? foreign("span", "quiet", task.precise) : null);
    for (const r of task.roles) head.append(el("span", "role", r));
    if (moved.includes(t)) head.append(el("span", "quiet", "moved last"));
    card.append(head);
    if (task.origin) card.append(foreign("p", "quiet", task.origin));
    if (cut[t] === 0) card.append(el("p", "quiet", "before its first event"));
    if (local.stack.length > 0) card.append(line("in", local.stack.join(" › ")));
    const standing = last ? columns?.[t]?.standing : undefined; // which says where it is
    if (local.at && !standing?.length) card.append(line("at", local.at));
    if (local.locks.length > 0 && !standing?.length) card.append(line("holds", local.locks.join(", ")));
    if (local.values.length > 0) card.append(valueTable(local.values));
    if (standing?.length) {
      const ul = el("ul", "reasons");
      for (const s of standing.filter((s) => !s.startsWith("│"))) ul.append(foreign("li", "", s));
      card.append(ul);
    }
    list.append(card);
  }
  return list;
}

function line(word: string, text: string): HTMLElement {
  return el("p", "fact", el("span", "word", word), foreign("span", "", text));
}

function valueTable(values: { name: string; value: string; watch?: boolean }[]): HTMLElement {
  const table = el("table", "values");
  for (const v of values) {
    table.append(el("tr", v.watch ? "watch" : "", cell("th", v.name), cell("td", v.value)));
  }
  return table;
}

function cell(tag: "th" | "td", text: string): HTMLElement {
  const c = foreign(tag, "", text);
  c.title = text.length > 40 ? text : "";
  return c;
}

const truths: Record<string, [string, string, string]> = {
  t: ["✓", "true", "is-true"],
  f: ["✗", "false", "is-false"],
  u: ["–", "undefined", "is-undefined"],
  x: ["?", "not computed", "is-undefined"],
};

/** The formula as a tree, with the truth of each part in the global state, and along the schedule. */
export class FormulaPanel {
  readonly element = el("div", "formula-tree");
  private readonly rows: { mark: HTMLElement; row: HTMLElement; needle: HTMLElement; truth: string[] }[] = [];

  constructor(
    parts: Part[],
    private readonly states: number,
    go: (state: number) => void,
  ) {
    this.element.setAttribute("role", "tree");
    for (const p of parts) {
      const mark = el("span", "truth");
      const needle = el("span", "needle");
      const strip = el("span", "strip");
      strip.title = "its truth along the schedule; click to go there";
      for (const run of runsOf(p, states)) {
        const bar = el("span", `bar ${truths[run.letter][2]}`);
        bar.style.left = `${(100 * run.from) / states}%`;
        bar.style.width = `${(100 * (run.to - run.from)) / states}%`;
        strip.append(bar);
      }
      strip.append(needle);
      strip.addEventListener("click", (e) => go(Math.min(Math.floor((e.offsetX / strip.clientWidth) * states), states - 1)));
      const row = el("div", "row", mark, foreign("code", "text", p.text), p.who ? foreign("span", "who", p.who) : null, strip);
      row.title = p.text.length > 60 ? p.text : "";
      row.setAttribute("role", "treeitem");
      row.setAttribute("aria-level", String(p.depth + 1));
      row.style.setProperty("--depth", String(p.depth));
      this.element.append(row);
      this.rows.push({ mark, row, needle, truth: lettersOf(p, states) });
    }
  }

  show(state: number) {
    for (const r of this.rows) {
      const [sign, word, cls] = truths[r.truth[state] ?? "x"];
      r.mark.textContent = `${sign} ${word}`;
      r.mark.className = `truth ${cls}`;
      r.row.setAttribute("aria-label", `${r.row.querySelector(".text")!.textContent}: ${word}`);
      r.needle.style.left = `${(100 * (state + 0.5)) / this.states}%`;
    }
  }
}

function runsOf(p: Part, states: number) {
  return p.truth.map((t, i) => ({
    from: parseInt(t, 10),
    to: i + 1 < p.truth.length ? parseInt(p.truth[i + 1], 10) : states,
    letter: t.slice(-1),
  }));
}

function lettersOf(p: Part, states: number): string[] {
  const letters: string[] = [];
  for (const r of runsOf(p, states)) for (let i = r.from; i < r.to; i++) letters.push(r.letter);
  return letters;
}
