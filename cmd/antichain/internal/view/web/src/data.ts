// What the page is given: see document.go.

export interface Doc {
  title: string;
  runs?: RunData[];
  findings?: Finding[];
  notes?: string[];
}

export interface Finding {
  property: string;
  builtin?: boolean;
  formula?: string;
  verdict: "holds" | "violated" | "unknown" | "possible";
  how?: string;
  group?: string;
  message?: string;
  covered?: string;
  vacuous?: string;
  caveat?: string;
  notes?: string[];
  again?: string;
  report: string;
  order?: Order;
  parts?: Part[];
  files?: SourceFile[];
}

export interface Order {
  lead: string;
  word?: string;
  columns: Column[];
  steps: Step[];
  state: number;
  focus?: number;
  skipped?: number;
  lost?: number;
}

export interface Column {
  name: string;
  title?: string;
  precise?: string;
  kind?: string;
  origin?: string;
  roles?: string[];
  aside?: boolean;
  standing?: string[];
}

export interface Step {
  cells: Cell[];
  after?: number[];
  recorded?: number;
  later?: boolean;
}

export interface Cell {
  column: number;
  text: string;
  at?: string;
  place?: string;
  minor?: boolean;
  stack?: string[];
  values?: Value[];
  locks?: string[];
}

export interface Value {
  name: string;
  value: string;
  watch?: boolean;
}

export interface Part {
  depth: number;
  text: string;
  who?: string;
  truth: string[];
}

export interface SourceFile {
  name: string;
  shown?: string;
  excerpts: { from: number; lines: string[] }[];
}

export interface RunData {
  name: string;
  events: number;
  tasks: number;
  word?: string;
  note?: string;
  data: string; // base64
  files?: SourceFile[];
}

interface RunHead {
  strings: string[];
  tasks: { n: number; k?: number; b?: number; o?: number; f?: number }[];
  sites: [number, number, number, number][];
  stacks: [number, number, number][];
  locks: number[][];
  names: { n: number; g?: boolean }[];
}

/** The columns of a run, by event in the recorded order: see Run in run.go. */
export interface RunColumns {
  head: RunHead;
  task: Uint32Array;
  site: Uint32Array;
  object: Uint32Array;
  row: Uint32Array;
  rowStart: Uint32Array; // of each row, and the end
  stack: Uint32Array;
  locks: Uint32Array;
  causeStart: Uint32Array;
  causes: Uint32Array; // events
  valueStart: Uint32Array;
  valueName: Uint32Array;
  value: Float64Array; // a number, or of those in isString the string
  isString: Uint8Array;
  index: Uint32Array; // of an event among those of its task, from 0
  taskStart: Uint32Array;
  byTask: Uint32Array; // events of each task
}

function bytesOf(base64: string): Uint8Array<ArrayBuffer> {
  const text = atob(base64);
  const bytes = new Uint8Array(text.length);
  for (let i = 0; i < text.length; i++) bytes[i] = text.charCodeAt(i);
  return bytes;
}

async function inflate(bytes: Uint8Array<ArrayBuffer>): Promise<Uint8Array> {
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

/** Reads variable-length integers. */
class Numbers {
  private at = 0;
  constructor(private readonly bytes: Uint8Array) {}

  next(): number {
    let b = this.bytes[this.at++];
    if (b < 0x80) return b;
    let n = b & 0x7f;
    let scale = 0x80;
    do {
      b = this.bytes[this.at++];
      n += (b & 0x7f) * scale;
      scale *= 0x80;
    } while (b >= 0x80);
    return n;
  }

  signed(): number {
    const n = this.next();
    return n % 2 === 0 ? n / 2 : -(n + 1) / 2;
  }

  all(count: number): Uint32Array {
    const list = new Uint32Array(count);
    for (let i = 0; i < count; i++) list[i] = this.next();
    return list;
  }
}

/** A list of numbers that grows. */
class Growing {
  list: Float64Array;
  length = 0;
  constructor(size: number) {
    this.list = new Float64Array(Math.max(size, 16));
  }
  push(n: number) {
    if (this.length === this.list.length) {
      const larger = new Float64Array(2 * this.length);
      larger.set(this.list);
      this.list = larger;
    }
    this.list[this.length++] = n;
  }
}

export async function readRun(run: RunData): Promise<RunColumns> {
  const bytes = await inflate(bytesOf(run.data));
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let at = 0;
  const block = () => {
    const size = view.getUint32(at, true);
    at += 4 + size;
    return bytes.subarray(at - size, at);
  };
  const head = JSON.parse(new TextDecoder().decode(block())) as RunHead;
  const numbers = () => new Numbers(block());
  const n = run.events;
  const task = numbers().all(n);
  const site = numbers().all(n);
  const object = numbers().all(n);
  const { row, rowStart } = rowsOf(numbers(), n);
  const stack = numbers().all(n);
  const locks = numbers().all(n);
  const { index, taskStart, byTask } = tasksOf(task, head.tasks.length);
  const causes = causesOf(numbers(), task, taskStart, byTask, head.tasks.length);
  const values = valuesOf(numbers(), n);
  return { head, task, site, object, row, rowStart, stack, locks, index, taskStart, byTask, ...causes, ...values };
}

function rowsOf(joint: Numbers, n: number) {
  const row = new Uint32Array(n);
  const rowStart = new Uint32Array(n + 1);
  let rows = 0;
  for (let e = 0; e < n; e++) {
    if (joint.next() === 0 || e === 0) rowStart[rows++] = e;
    row[e] = rows - 1;
  }
  rowStart[rows] = n;
  return { row, rowStart: rowStart.subarray(0, rows + 1) };
}

export function tasksOf(task: Uint32Array, tasks: number) {
  const taskStart = new Uint32Array(tasks + 1);
  for (let e = 0; e < task.length; e++) taskStart[task[e] + 1]++;
  for (let t = 0; t < tasks; t++) taskStart[t + 1] += taskStart[t];
  const next = taskStart.slice();
  const byTask = new Uint32Array(task.length);
  const index = new Uint32Array(task.length);
  for (let e = 0; e < task.length; e++) {
    const t = task[e];
    index[e] = next[t] - taskStart[t];
    byTask[next[t]++] = e;
  }
  return { index, taskStart, byTask };
}

function causesOf(from: Numbers, task: Uint32Array, taskStart: Uint32Array, byTask: Uint32Array, tasks: number) {
  const causeStart = new Uint32Array(task.length + 1);
  const list = new Growing(task.length >> 2);
  const count = new Uint32Array(tasks);
  for (let e = 0; e < task.length; e++) {
    count[task[e]]++;
    for (let n = from.next(); n > 0; n--) {
      const t = from.next();
      const back = from.next();
      list.push(byTask[taskStart[t] + count[t] - back - 1]);
    }
    causeStart[e + 1] = list.length;
  }
  return { causeStart, causes: Uint32Array.from(list.list.subarray(0, list.length)) };
}

function valuesOf(from: Numbers, n: number) {
  const valueStart = new Uint32Array(n + 1);
  const names = new Growing(n);
  const values = new Growing(n);
  const strings = new Growing(n);
  const last: number[] = [];
  for (let e = 0; e < n; e++) {
    for (let k = from.next(); k > 0; k--) {
      const word = from.next();
      const isString = word % 2;
      const name = (word - isString) / 2;
      names.push(name);
      strings.push(isString);
      if (isString) {
        values.push(from.next());
      } else {
        last[name] = (last[name] ?? 0) + from.signed();
        values.push(last[name]);
      }
    }
    valueStart[e + 1] = names.length;
  }
  return {
    valueStart,
    valueName: Uint32Array.from(names.list.subarray(0, names.length)),
    value: values.list.subarray(0, values.length),
    isString: Uint8Array.from(strings.list.subarray(0, strings.length)),
  };
}
