// Draws an order on a canvas: a column for each task, time downwards, arrows from what comes directly before to what comes behind.

import type { Cut, Layout } from "./layout";
import { CutLine } from "./cutline";
import { EventPainter } from "./events";
import { Margins } from "./margins";
import { headHeight, mapWidth, maxScale, nodeScale, textScale } from "./measures";
import { Pointer } from "./pointer";
import { colours } from "./theme";

export interface Marks {
  cut: Cut | null; // the global state that is looked at
  selected: number; // event, -1 is none
  found: ((e: number) => boolean) | null; // what a search has found
}

export class Diagram {
  readonly canvas = document.createElement("canvas");
  scale = 26; // pixels of a row
  top = 0; // the row at the upper edge
  left = 0; // pixels
  width = 300;
  height = 200;
  marks: Marks = { cut: null, selected: -1, found: null };
  hovered = -1;
  private waiting = false;
  private printing = false;
  cutLabel = "global state";
  frames: number[] = []; // how long the last ones took, for measurements

  onSelect: (e: number) => void = () => {};
  onHover: (e: number, x: number, y: number) => void = () => {};
  onHead: (column: number) => void = () => {};

  private readonly events = new EventPainter(this);
  private readonly cutLine = new CutLine(this);
  private readonly margins = new Margins(this);
  private revealed: [number, number] = [0, -1]; // the last position that was to be shown, and its column

  constructor(public layout: Layout) {
    this.canvas.tabIndex = 0;
    this.canvas.setAttribute("role", "img");
    new Pointer(this).attach();
    new ResizeObserver(() => this.resize()).observe(this.canvas);
  }

  // What is shown.

  setLayout(layout: Layout) {
    const middle = this.top + this.bodyHeight / this.scale / 2;
    const row = this.layout.length > 0 ? this.layout.row(Math.min(Math.max(Math.floor(middle), 0), this.layout.length - 1)) : 0;
    this.layout = layout;
    this.margins.forget();
    this.cutLine.forget();
    this.top = layout.positionUpTo(Math.min(row, layout.model.rows - 1)) - this.bodyHeight / this.scale / 2;
    this.clamp();
    this.draw();
  }

  setMarks(marks: Marks) {
    if (marks.found !== this.marks.found) this.margins.forget();
    this.marks = marks;
    this.cutLine.forget();
    this.draw();
  }

  get bodyHeight() {
    return this.height - headHeight;
  }

  private get fitScale() {
    return Math.min(this.bodyHeight / Math.max(this.layout.length + 1, 1), maxScale);
  }

  get columnWidth() {
    const n = Math.max(this.layout.columns.length, 1);
    const room = (this.width - mapWidth - 8) / n;
    if (this.scale >= textScale) return Math.min(Math.max(room, 140), 460);
    if (this.scale >= nodeScale) return Math.min(Math.max(room, 60), 300);
    return Math.min(Math.max(room, 12), 260);
  }

  private resize() {
    const r = this.canvas.getBoundingClientRect();
    if (r.width < 10 || r.height < 10 || this.printing) return;
    const first = this.canvas.width === 300 && this.height === 200;
    this.width = r.width;
    this.height = r.height;
    this.margins.forget();
    if (first) {
      this.scale = Math.min(Math.max(this.fitScale, 24), 32);
      this.reveal(...this.revealed);
    }
    this.clamp();
    this.draw();
  }

  zoom(factor: number, y = this.height / 2) {
    const at = this.top + (y - headHeight) / this.scale;
    this.scale = Math.min(Math.max(this.scale * factor, Math.min(this.fitScale, 24)), maxScale);
    this.top = at - (y - headHeight) / this.scale;
    this.clamp();
    this.draw();
  }

  fit() {
    this.scale = this.fitScale;
    this.top = 0;
    this.left = 0;
    this.clamp();
    this.draw();
  }

  readable() {
    this.zoom(26 / this.scale);
  }

  pan(dx: number, dy: number) {
    this.left += dx;
    this.top += dy / this.scale;
    this.clamp();
    this.draw();
  }

  /** Shows a position, in the middle if it is not to be seen yet. */
  reveal(position: number, column = -1) {
    this.revealed = [position, column];
    const rows = this.bodyHeight / this.scale;
    const margin = Math.min(2, rows / 4);
    if (position < this.top + margin || position > this.top + rows - margin - 1) this.top = position - rows / 2;
    if (column >= 0) {
      const x = column * this.columnWidth;
      if (x < this.left || x + this.columnWidth > this.left + this.width - mapWidth) this.left = x - (this.width - mapWidth - this.columnWidth) / 2;
    }
    this.clamp();
    this.draw();
  }

  private clamp() {
    const rows = this.bodyHeight / this.scale;
    const least = this.scale >= textScale ? -0.4 : 0; // room for a line above all events
    this.top = Math.max(Math.min(this.top, this.layout.length + 1 - rows), least);
    this.left = Math.max(Math.min(this.left, this.layout.columns.length * this.columnWidth - (this.width - mapWidth - 8)), 0);
  }

  get view() {
    return { top: this.top, rows: this.bodyHeight / this.scale, scale: this.scale };
  }

  // What is where.

  x(column: number) {
    return column * this.columnWidth - this.left + (this.scale >= textScale ? 18 : this.columnWidth / 2);
  }

  y(position: number) {
    return headHeight + (position - this.top + 0.5) * this.scale;
  }

  columnAt(x: number) {
    const column = Math.floor((x + this.left) / this.columnWidth);
    return column >= 0 && column < this.layout.columns.length && x < this.width - mapWidth ? column : -1;
  }

  inHead(y: number) {
    return y < headHeight;
  }

  inMap(x: number) {
    return x >= this.width - mapWidth;
  }

  /** Goes to where the map on the right is touched. */
  goTo(y: number) {
    this.top = ((y - headHeight) / this.bodyHeight) * this.layout.length - this.bodyHeight / this.scale / 2;
    this.clamp();
    this.draw();
  }

  eventAt(x: number, y: number): number {
    const column = this.columnAt(x);
    if (column < 0 || this.inHead(y)) return -1;
    const middle = this.top + (y - headHeight) / this.scale;
    const around = this.scale < 4 ? 4 / this.scale : 0;
    let best = -1;
    let distance = Infinity;
    const to = Math.min(middle + around, this.layout.length - 1);
    for (let p = Math.max(Math.floor(middle - around), 0); p <= to; p++) {
      const e = this.eventIn(p, column);
      const d = Math.abs(p + 0.5 - middle);
      if (e >= 0 && d < distance) {
        best = e;
        distance = d;
      }
    }
    return best;
  }

  private eventIn(position: number, column: number): number {
    const { model } = this.layout;
    const row = this.layout.row(position);
    for (let e = model.rowStart[row]; e < model.rowStart[row + 1]; e++) {
      if (this.layout.columnOf[model.task[e]] === column) return e;
    }
    return -1;
  }

  hover(e: number, x: number, y: number) {
    this.onHover(e, x, y);
    if (e === this.hovered) return;
    this.hovered = e;
    this.draw();
  }

  // Drawing.

  draw() {
    if (this.waiting || this.printing) return;
    this.waiting = true;
    requestAnimationFrame(() => {
      this.waiting = false;
      const start = performance.now();
      this.paint();
      this.frames.push(performance.now() - start);
      if (this.frames.length > 200) this.frames.shift();
    });
  }

  private paint() {
    if (!this.canvas.isConnected) return;
    const ratio = window.devicePixelRatio || 1;
    const w = Math.round(this.width * ratio);
    const h = Math.round(this.height * ratio);
    if (this.canvas.width !== w || this.canvas.height !== h) {
      this.canvas.width = w;
      this.canvas.height = h;
    }
    const g = this.canvas.getContext("2d")!;
    g.setTransform(ratio, 0, 0, ratio, 0, 0);
    g.direction = "ltr";
    const c = colours(this.printing);
    g.fillStyle = c.surface;
    g.fillRect(0, 0, this.width, this.height);
    g.save();
    g.beginPath();
    g.rect(0, headHeight, this.width - mapWidth, this.bodyHeight);
    g.clip();
    this.events.paint(g, c);
    this.cutLine.paint(g, c);
    g.restore();
    this.margins.paintMap(g, c);
    this.margins.paintHead(g, c);
  }

  visibleColumns() {
    const w = this.columnWidth;
    const first = Math.max(Math.floor(this.left / w), 0);
    const last = Math.min(Math.ceil((this.left + this.width) / w), this.layout.columns.length);
    return { first, last };
  }


  themeChanged() {
    this.margins.forget();
    this.draw();
  }

  /** Draws for paper: light, and as long as it needs to be, up to a bound. */
  print(on: boolean) {
    if (on) {
      const rows = Math.min(this.layout.length + 1, 120);
      const middle = this.top + this.bodyHeight / this.scale / 2;
      this.kept = [this.width, this.height, this.scale, this.top, this.left];
      this.printing = true;
      this.width = 1000;
      this.scale = 24;
      this.height = headHeight + rows * 24;
      this.top = Math.max(Math.min(middle - rows / 2, this.layout.length + 1 - rows), 0);
      this.left = 0;
      this.margins.forget();
      this.canvas.style.height = `${this.height}px`;
      this.paint();
    } else if (this.printing) {
      [this.width, this.height, this.scale, this.top, this.left] = this.kept;
      this.printing = false;
      this.margins.forget();
      this.canvas.style.height = "";
      this.resize();
      this.draw();
    }
  }

  private kept: [number, number, number, number, number] = [0, 0, 0, 0, 0];
}
