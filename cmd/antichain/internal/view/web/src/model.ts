// An order of events, whatever it comes from: rows of events, and which event comes directly before which.

import type { Order, RunColumns, SourceFile, Value } from "./data";
import { tasksOf } from "./data";

export interface Task {
  name: string;
  title: string; // of its column
  precise: string; // its name in formulas, if not the title
  kind: string; // tasks of a kind can be folded; "" is none
  origin: string;
  roles: string[];
  aside: boolean;
}

/** What is known of a task behind an event. */
export interface Local {
  place: string; // as in the files of the source
  at: string; // the same, for people
  stack: string[];
  values: Value[];
  locks: string[];
}

export interface Model {
  tasks: Task[];
  events: number;
  rows: number;
  task: Uint32Array; // by event
  row: Uint32Array; // by event
  rowStart: Uint32Array; // by row the first event, and the end
  causeStart: Uint32Array;
  causes: Uint32Array;
  effectStart: Uint32Array;
  effects: Uint32Array;
  index: Uint32Array; // of an event among those of its task
  taskStart: Uint32Array;
  byTask: Uint32Array;
  states: number; // rows that can be stepped to; those behind come later
  label(e: number): string;
  at(e: number): string;
  minor(e: number): boolean;
  recorded(row: number): number; // 0 if not known
  /** what is known behind the first k events of a task */
  local(task: number, k: number): Local;
  /** events whose label, position or task contains a text in lower case */
  find(text: string): (e: number) => boolean;
}

export function effectsOf(events: number, causeStart: Uint32Array, causes: Uint32Array) {
  const effectStart = new Uint32Array(events + 1);
  for (let i = 0; i < causes.length; i++) effectStart[causes[i] + 1]++;
  for (let e = 0; e < events; e++) effectStart[e + 1] += effectStart[e];
  const next = effectStart.slice();
  const effects = new Uint32Array(causes.length);
  for (let e = 0; e < events; e++) {
    for (let i = causeStart[e]; i < causeStart[e + 1]; i++) effects[next[causes[i]]++] = e;
  }
  return { effectStart, effects };
}

/** The line of the source at a position, "" if it is not known. */
function sourceLine(files: SourceFile[], place: string): string {
  const colon = place.lastIndexOf(":");
  const name = place.slice(0, colon);
  const line = Number(place.slice(colon + 1));
  for (const x of files.find((f) => f.name === name)?.excerpts ?? []) {
    if (line >= x.from && line < x.from + x.lines.length) return x.lines[line - x.from].trim();
  }
  return "";
}

/** What an event without any name is called: its line. */
const unnamed = "step";

export function modelOfOrder(o: Order, files: SourceFile[]): Model {
  const cells = o.steps.flatMap((s, step) => s.cells.map((cell) => ({ cell, step })));
  const events = cells.length;
  const label = (e: number) => {
    const { text, place } = cells[e].cell;
    return (text === unnamed && place && sourceLine(files, place)) || text;
  };
  const task = Uint32Array.from(cells, (c) => c.cell.column);
  const row = Uint32Array.from(cells, (c) => c.step);
  const rowStart = new Uint32Array(o.steps.length + 1);
  for (const s of row) rowStart[s + 1]++;
  for (let r = 0; r < o.steps.length; r++) rowStart[r + 1] += rowStart[r];
  const { index, taskStart, byTask } = tasksOf(task, o.columns.length);
  const list: number[] = [];
  const causeStart = new Uint32Array(events + 1);
  for (let e = 0; e < events; e++) {
    if (rowStart[row[e]] === e) {
      for (const from of o.steps[row[e]].after ?? []) list.push(rowStart[from]);
    }
    causeStart[e + 1] = list.length;
  }
  const causes = Uint32Array.from(list);
  const locals = cells.map((): Local | undefined => undefined);
  const none: Local = { place: "", at: "", stack: [], values: [], locks: [] };
  for (const e of byTask) {
    const before = index[e] > 0 ? locals[byTask[taskStart[task[e]] + index[e] - 1]]! : none;
    const c = cells[e].cell;
    locals[e] = {
      place: c.place ?? before.place,
      at: c.at ?? before.at,
      stack: c.stack ?? before.stack,
      values: c.values ?? before.values,
      locks: c.locks ?? before.locks,
    };
  }
  const texts = cells.map(({ cell }, e) => `${label(e)}\n${cell.at ?? ""}\n${o.columns[cell.column].name}`.toLowerCase());
  const later = o.steps.findIndex((s) => s.later);
  return {
    tasks: o.columns.map((c) => ({
      name: c.name,
      title: c.title ?? c.name,
      precise: c.precise ?? "",
      kind: c.aside ? (c.kind ?? "") : "",
      origin: c.origin ?? "",
      roles: c.roles ?? [],
      aside: c.aside ?? false,
    })),
    events,
    rows: o.steps.length,
    task,
    row,
    rowStart,
    causeStart,
    causes,
    ...effectsOf(events, causeStart, causes),
    index,
    taskStart,
    byTask,
    states: later < 0 ? o.steps.length : later,
    label,
    at: (e) => cells[e].cell.at ?? "",
    minor: (e) => cells[e].cell.minor ?? false,
    recorded: (r) => o.steps[r].recorded ?? 0,
    local: (t, k) => (k > 0 ? locals[byTask[taskStart[t] + k - 1]]! : none),
    find: (text) => (e) => texts[e].includes(text),
  };
}

const phases = [" (just entered)", "", " (just left)"];

export function modelOfRun(c: RunColumns, files: SourceFile[]): Model {
  const s = c.head.strings;
  const events = c.task.length;
  const names = c.head.tasks.map((t) => s[t.n]);
  const starts = new Map<number, string>(); // what an event starts
  for (let t = 0; t < names.length; t++) {
    const first = c.taskStart[t];
    if (!c.head.tasks[t].b || first === c.taskStart[t + 1]) continue;
    const e = c.byTask[first];
    for (let i = c.causeStart[e]; i < c.causeStart[e + 1]; i++) {
      const site = c.head.sites[c.site[c.causes[i]]];
      if (s[site[0]] === "go") {
        starts.set(c.causes[i], names[t]);
        break;
      }
    }
  }
  const siteLines = c.head.sites.map(([, at]) => sourceLine(files, s[at]));
  const siteTexts = c.head.sites.map(([op, , enter, exit]) => (enter ? `enter ${s[enter]}` : exit ? `leave ${s[exit]}` : s[op]));
  const label = (e: number) => {
    const site = c.site[e];
    const [, , enter, exit] = c.head.sites[site];
    const started = starts.get(e);
    if (started !== undefined) return `go ${started}`;
    let text = siteTexts[site];
    if (!enter && !exit && c.object[e]) text = `${text} ${s[c.object[e]]}`;
    for (let i = c.valueStart[e]; i < c.valueStart[e + 1] && i < c.valueStart[e] + 3; i++) {
      text += `${text ? ", " : ""}${s[c.head.names[c.valueName[i]].n]} = ${valueText(c, i)}`;
    }
    return text || siteLines[site] || unnamed;
  };
  const lower = s.map((x) => x.toLowerCase());
  return {
    tasks: c.head.tasks.map((t, i) => ({
      name: names[i],
      title: t.f ? s[t.f] : names[i],
      precise: t.f ? names[i] : "",
      kind: t.k ? s[t.k] : "",
      origin: t.b ? `started by ${names[t.b - 1]}${t.o ? ` at ${s[t.o]}` : ""}` : "",
      roles: [],
      aside: false,
    })),
    events,
    rows: c.rowStart.length - 1,
    task: c.task,
    row: c.row,
    rowStart: c.rowStart,
    causeStart: c.causeStart,
    causes: c.causes,
    ...effectsOf(events, c.causeStart, c.causes),
    index: c.index,
    taskStart: c.taskStart,
    byTask: c.byTask,
    states: c.rowStart.length - 1,
    label,
    at: (e) => s[c.head.sites[c.site[e]][1]],
    minor: () => false,
    recorded: (r) => r + 1,
    local: (t, k) => runLocal(c, t, k),
    find: (text) => {
      const sites = c.head.sites.map(([op, at, enter, exit], i) => [lower[op], lower[at], siteTexts[i].toLowerCase(), lower[enter], lower[exit]].some((x) => x.includes(text)));
      const objects = lower.map((x) => x !== "" && x.includes(text));
      const tasks = names.map((x) => x.toLowerCase().includes(text));
      const spaced = text.includes(" ") || text.includes("=");
      return (e) => sites[c.site[e]] || objects[c.object[e]] || tasks[c.task[e]] || (spaced && label(e).toLowerCase().includes(text));
    },
  };
}

function valueText(c: RunColumns, i: number): string {
  return c.isString[i] ? c.head.strings[c.value[i]] : String(c.value[i]);
}

/** How far back values and positions are looked for. */
const lookBack = 5000;

function runLocal(c: RunColumns, task: number, k: number): Local {
  const s = c.head.strings;
  const local: Local = { place: "", at: "", stack: [], values: [], locks: [] };
  if (k === 0) return local;
  const e = c.byTask[c.taskStart[task] + k - 1];
  for (let x = c.stack[e]; x !== 0; x = c.head.stacks[x][0]) {
    local.stack.unshift(s[c.head.stacks[x][1]] + phases[c.head.stacks[x][2]]);
  }
  local.locks = c.head.locks[c.locks[e]].map((l) => s[l]);
  const seen = new Set<string>();
  let depth = Infinity; // of the functions on the stack that were there all the time
  for (let i = k - 1; i >= 0 && i > k - lookBack; i--) {
    const b = c.byTask[c.taskStart[task] + i];
    const at = c.head.sites[c.site[b]][1];
    if (!local.place && at) local.place = local.at = s[at];
    depth = Math.min(depth, depthOf(c, c.stack[b]));
    for (let v = c.valueStart[b + 1] - 1; v >= c.valueStart[b]; v--) {
      const name = c.head.names[c.valueName[v]];
      if (seen.has(s[name.n]) || (!name.g && depthOf(c, c.stack[b]) > depth)) continue;
      seen.add(s[name.n]);
      local.values.push({ name: s[name.n], value: valueText(c, v) });
    }
    if (c.head.sites[c.site[b]][2] !== 0) depth = Math.min(depth, depthOf(c, c.stack[b]) - 1); // another call of the function is another one
  }
  return local;
}

function depthOf(c: RunColumns, stack: number): number {
  let depth = 0;
  for (; stack !== 0; stack = c.head.stacks[stack][0]) depth++;
  return depth;
}
