// Which columns and rows a diagram has, and in which order.

import type { Model } from "./model";

export interface ColumnLayout {
  tasks: number[]; // more than one if they are folded
  name: string;
  detail: string;
  title: string;
  kind: string; // that can be folded or unfolded; "" if there is but one such task
  folded: boolean;
}

export interface Choices {
  minor: boolean; // with rows that a short view leaves out
  aside: boolean; // with tasks that have no part in the finding
  recorded: boolean; // rows in the order in which the run recorded them
  hidden: Set<number>; // tasks
  folds: Map<string, boolean>; // by kind, what the user has chosen
}

/** More tasks than these of one kind are folded, if there are many columns. */
const foldFrom = 3;
const manyColumns = 8;

export class Layout {
  columns: ColumnLayout[] = [];
  columnOf: Int32Array; // by task; -1 is none
  rows: Uint32Array | null = null; // by position; null if all rows have theirs
  private positions: Int32Array | null = null; // by row; -1 is none
  length: number;

  constructor(
    readonly model: Model,
    readonly choices: Choices,
  ) {
    this.columnOf = new Int32Array(model.tasks.length).fill(-1);
    this.length = model.rows;
    this.placeColumns();
    this.placeRows();
  }

  row(position: number): number {
    return this.rows ? this.rows[position] : position;
  }

  /** The position of a row; -1 if it is not shown. */
  position(row: number): number {
    return this.positions ? this.positions[row] : row;
  }

  /** The position of the last row up to one that is shown, -1 if there is none. */
  positionUpTo(row: number): number {
    for (let r = row; r >= 0; r--) {
      const p = this.position(r);
      if (p >= 0) return p;
    }
    return -1;
  }

  private placeColumns() {
    const { model, choices } = this;
    const shown: number[] = [];
    const ofKind = new Map<string, number[]>();
    model.tasks.forEach((t, i) => {
      if (choices.hidden.has(i) || (t.aside && !choices.aside)) return;
      shown.push(i);
      const kin = ofKind.get(t.kind);
      if (kin) kin.push(i);
      else if (t.kind) ofKind.set(t.kind, [i]);
    });
    const placed = new Set<string>();
    for (const i of shown) {
      const t = model.tasks[i];
      const kin = ofKind.get(t.kind) ?? [i];
      const folded = kin.length > 1 && (choices.folds.get(t.kind) ?? (shown.length > manyColumns && kin.length >= foldFrom));
      if (folded && placed.has(t.kind)) continue;
      placed.add(t.kind);
      const tasks = folded ? kin : [i];
      for (const k of tasks) this.columnOf[k] = this.columns.length;
      this.columns.push({
        tasks,
        name: folded ? `${t.title} … (${kin.length})` : t.title,
        detail: [folded ? `${t.name} …` : t.precise, t.roles.join(", ") || (t.precise ? "" : shortKind(t.kind))].filter((x) => x).join(" · "),
        title: folded ? kin.slice(0, 30).map((k) => model.tasks[k].name).join(", ") : [t.title, t.precise, t.origin].filter((x) => x).join(", "),
        kind: kin.length > 1 ? t.kind : "",
        folded,
      });
    }
  }

  private placeRows() {
    const { model, choices } = this;
    const all = choices.minor && choices.aside && choices.hidden.size === 0;
    if (all && !choices.recorded) return;
    const rows: number[] = [];
    for (let r = 0; r < model.rows; r++) {
      for (let e = model.rowStart[r]; e < model.rowStart[r + 1]; e++) {
        if (this.columnOf[model.task[e]] >= 0 && (choices.minor || !model.minor(e))) {
          rows.push(r);
          break;
        }
      }
    }
    if (choices.recorded) rows.sort((a, b) => model.recorded(a) - model.recorded(b));
    this.rows = Uint32Array.from(rows);
    this.length = rows.length;
    this.positions = new Int32Array(model.rows).fill(-1);
    rows.forEach((r, p) => (this.positions![r] = p));
  }
}

function shortKind(kind: string): string {
  return kind.replace(/ started at .*$/, "");
}

/** A global state: how many events of each task are behind it. */
export type Cut = Uint32Array;

/** The state behind the first rows. */
export function cutBehind(model: Model, rows: number): Cut {
  const cut = new Uint32Array(model.tasks.length);
  const end = model.rowStart[rows];
  for (let t = 0; t < cut.length; t++) {
    let low = model.taskStart[t];
    let high = model.taskStart[t + 1];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (model.byTask[middle] < end) low = middle + 1;
      else high = middle;
    }
    cut[t] = low - model.taskStart[t];
  }
  return cut;
}

/** The smallest state with an event: what must come before it, and the event itself. */
export function cutWith(model: Model, event: number): Cut {
  const cut = new Uint32Array(model.tasks.length);
  const row = model.row[event];
  for (let e = model.rowStart[row]; e < model.rowStart[row + 1]; e++) cut[model.task[e]] = model.index[e] + 1;
  for (let r = row; r >= 0; r--) {
    const from = model.rowStart[r];
    const to = model.rowStart[r + 1];
    let inside = false;
    for (let e = from; e < to; e++) inside ||= model.index[e] < cut[model.task[e]];
    if (!inside) continue;
    for (let e = from; e < to; e++) {
      if (cut[model.task[e]] <= model.index[e]) cut[model.task[e]] = model.index[e] + 1;
      for (let i = model.causeStart[e]; i < model.causeStart[e + 1]; i++) {
        const c = model.causes[i];
        if (cut[model.task[c]] <= model.index[c]) cut[model.task[c]] = model.index[c] + 1;
      }
    }
  }
  return cut;
}
