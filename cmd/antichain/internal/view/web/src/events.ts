// Draws the events of a diagram, and the arrows between them.

import type { Diagram } from "./diagram";
import { drawGlyph, glyphOf } from "./glyph";
import { headHeight, mapWidth, nodeScale, textScale } from "./measures";
import { fitName, halo, mono, sans, shortPlace } from "./text";
import type { Colours } from "./theme";

const maxArrows = 5000;

export class EventPainter {
  constructor(private readonly d: Diagram) {}

  /** Draws what is to be seen: so much that only densities show, or each event. */
  paint(g: CanvasRenderingContext2D, c: Colours) {
    this.paintLines(g, c);
    const { top, scale, bodyHeight, layout } = this.d;
    const from = Math.max(Math.floor(top) - 1, 0);
    const to = Math.min(Math.ceil(top + bodyHeight / scale) + 1, layout.length);
    if (scale < 1.5 && to - from > 600) {
      this.paintDensity(g, c, from, to);
      return;
    }
    if (scale >= 2.5) this.paintArrows(g, c, from, to);
    this.paintEvents(g, c, from, to);
  }

  private paintLines(g: CanvasRenderingContext2D, c: Colours) {
    const { first, last } = this.d.visibleColumns();
    g.strokeStyle = c.line;
    g.lineWidth = 1;
    g.beginPath();
    for (let i = first; i < last; i++) {
      const x = Math.round(this.d.x(i)) + 0.5;
      g.moveTo(x, headHeight);
      g.lineTo(x, Math.min(this.d.y(this.d.layout.length - 0.5), this.d.height));
    }
    g.stroke();
  }

  private included(e: number): boolean {
    const { cut } = this.d.marks;
    return !cut || this.d.layout.model.index[e] < cut[this.d.layout.model.task[e]];
  }

  /** So many events are in a pixel that only their number shows. */
  private paintDensity(g: CanvasRenderingContext2D, c: Colours, from: number, to: number) {
    const { model, columnOf, rows } = this.d.layout;
    const columns = this.d.layout.columns.length;
    const h = Math.ceil(this.d.bodyHeight);
    const bins = new Uint32Array(columns * h);
    const hits = this.d.marks.found ? new Uint8Array(columns * h) : null;
    const { scale, top } = this.d;
    for (let p = from; p < to; p++) {
      const y = ((p - top) * scale) | 0;
      if (y < 0 || y >= h) continue;
      const r = rows ? rows[p] : p;
      for (let e = model.rowStart[r], end = model.rowStart[r + 1]; e < end; e++) {
        const column = columnOf[model.task[e]];
        if (column < 0) continue;
        bins[column * h + y]++;
        if (hits && hits[column * h + y] === 0 && this.d.marks.found!(e)) hits[column * h + y] = 1;
      }
    }
    let most = 1;
    for (const n of bins) if (n > most) most = n;
    const { first, last } = this.d.visibleColumns();
    const width = Math.max(Math.min(this.d.columnWidth - 4, 28), 3);
    const levels = 8;
    for (let level = 1; level <= levels; level++) {
      g.globalAlpha = 0.15 + (0.85 * level) / levels;
      g.fillStyle = c.node;
      for (let i = first; i < last; i++) {
        const x = Math.round(this.d.x(i) - width / 2);
        for (let y = 0; y < h; ) {
          const at = levelOf(bins[i * h + y], most, levels);
          let end = y + 1;
          while (end < h && levelOf(bins[i * h + end], most, levels) === at) end++;
          if (at === level) g.fillRect(x, headHeight + y, width, end - y);
          y = end;
        }
      }
    }
    g.globalAlpha = 1;
    if (!hits) return;
    g.fillStyle = c.found;
    for (let i = first; i < last; i++) {
      const x = Math.round(this.d.x(i) + width / 2 + 2);
      for (let y = 0; y < h; y++) if (hits[i * h + y]) g.fillRect(x, headHeight + y - 1, 4, 3);
    }
  }

  private paintArrows(g: CanvasRenderingContext2D, c: Colours, from: number, to: number) {
    const { model } = this.d.layout;
    const strong: [number, number][] = [];
    let left = maxArrows;
    g.strokeStyle = c.arrow;
    g.fillStyle = c.arrow;
    g.lineWidth = 1;
    const heads = this.d.scale >= nodeScale;
    const one = (a: number, b: number) => {
      if (left-- <= 0) return;
      if (a === this.d.hovered || b === this.d.hovered || a === this.d.marks.selected || b === this.d.marks.selected) strong.push([a, b]);
      else this.arrow(g, a, b, heads);
    };
    g.beginPath();
    for (let p = from; p < to; p++) {
      const r = this.d.layout.row(p);
      for (let e = model.rowStart[r]; e < model.rowStart[r + 1]; e++) {
        for (let i = model.causeStart[e]; i < model.causeStart[e + 1]; i++) one(model.causes[i], e);
        for (let i = model.effectStart[e]; i < model.effectStart[e + 1]; i++) {
          const at = this.d.layout.position(model.row[model.effects[i]]);
          if (at < from || at >= to) one(e, model.effects[i]);
        }
      }
    }
    g.stroke();
    this.paintArrowEnds(g);
    g.strokeStyle = c.accent;
    g.fillStyle = c.accent;
    g.lineWidth = 2;
    g.beginPath();
    for (const [a, b] of strong) this.arrow(g, a, b, heads);
    g.stroke();
    this.paintArrowEnds(g);
    this.paintJoints(g, c, from, to);
  }

  private arrowEnds: [number, number, number, number][] = []; // where, and in which direction

  private arrow(g: CanvasRenderingContext2D, a: number, b: number, heads: boolean) {
    const { model, columnOf } = this.d.layout;
    const ca = columnOf[model.task[a]];
    const cb = columnOf[model.task[b]];
    const pa = this.d.layout.position(model.row[a]);
    const pb = this.d.layout.position(model.row[b]);
    if (ca < 0 || cb < 0 || pa < 0 || pb < 0 || ca === cb) return;
    const x1 = this.d.x(ca);
    const y1 = this.d.y(pa);
    const x2 = this.d.x(cb);
    const y2 = this.d.y(pb);
    const gap = heads ? 7 : 0;
    const bend = Math.min(Math.abs(x2 - x1) * 0.7, 140);
    const down = Math.sign(y2 - y1);
    // Texts stand on the right of nodes. So an arrow leaves and reaches a node from above, below or the left.
    if (x2 > x1) {
      g.moveTo(x1, y1 + down * gap);
      g.bezierCurveTo(x1 + 6, y1 + (y2 - y1) * 0.75, x2 - bend, y2, x2 - gap, y2);
      if (heads) this.arrowEnds.push([x2 - gap, y2, 1, 0]);
    } else {
      g.moveTo(x1 - gap, y1);
      g.bezierCurveTo(x1 - bend, y1, x2 + 6, y2 - (y2 - y1) * 0.75, x2, y2 - down * gap);
      if (heads) this.arrowEnds.push([x2, y2 - down * gap, 0, down]);
    }
  }

  private paintArrowEnds(g: CanvasRenderingContext2D) {
    g.beginPath();
    for (const [x, y, dx, dy] of this.arrowEnds) {
      g.moveTo(x, y);
      g.lineTo(x - dx * 6 - dy * 3.5, y - dy * 6 - dx * 3.5);
      g.lineTo(x - dx * 6 + dy * 3.5, y - dy * 6 + dx * 3.5);
      g.closePath();
    }
    g.fill();
    this.arrowEnds.length = 0;
  }

  /** Sides of one action stand in one row. */
  private paintJoints(g: CanvasRenderingContext2D, c: Colours, from: number, to: number) {
    const { model, columnOf } = this.d.layout;
    g.strokeStyle = c.node;
    g.lineWidth = 1.5;
    g.beginPath();
    for (let p = from; p < to; p++) {
      const r = this.d.layout.row(p);
      const start = model.rowStart[r];
      const end = model.rowStart[r + 1];
      if (end - start < 2) continue;
      let low = Infinity;
      let high = -1;
      for (let e = start; e < end; e++) {
        const column = columnOf[model.task[e]];
        if (column < 0) continue;
        low = Math.min(low, column);
        high = Math.max(high, column);
      }
      if (low >= high) continue;
      for (const d of [-1.5, 1.5]) {
        g.moveTo(this.d.x(low), this.d.y(p) + d);
        g.lineTo(this.d.x(high), this.d.y(p) + d);
      }
    }
    g.stroke();
  }

  private paintEvents(g: CanvasRenderingContext2D, c: Colours, from: number, to: number) {
    const { model, columnOf } = this.d.layout;
    const texts = this.d.scale >= textScale;
    const width = this.d.columnWidth;
    const { first, last } = this.d.visibleColumns();
    for (let p = from; p < to; p++) {
      const r = this.d.layout.row(p);
      for (let e = model.rowStart[r]; e < model.rowStart[r + 1]; e++) {
        const column = columnOf[model.task[e]];
        if (column < first || column >= last) continue;
        const x = this.d.x(column);
        const y = this.d.y(p);
        const marked = e === this.d.marks.selected || e === this.d.hovered;
        const found = this.d.marks.found?.(e) ?? false;
        g.globalAlpha = this.included(e) ? 1 : 0.38;
        if (this.d.scale < nodeScale) {
          g.fillStyle = found ? c.found : marked ? c.accent : c.node;
          const h = Math.max(Math.min(this.d.scale - 0.5, 2), 1);
          g.fillRect(x - (found || marked ? 9 : 5), y - h / 2, found || marked ? 18 : 10, h);
          continue;
        }
        if (texts && (marked || found)) this.paintBand(g, c, column, y, width, marked, found);
        g.fillStyle = g.strokeStyle = marked ? c.accent : c.node;
        drawGlyph(g, texts || marked ? glyphOf(model.label(e)) : "dot", x, y, Math.min(this.d.scale / 5, 5), c.surface);
        if (!texts && found) {
          g.strokeStyle = c.found;
          g.strokeRect(x - 6, y - 4, 12, 8);
        }
        if (texts) this.paintText(g, c, e, x + 12, y, this.room(column));
      }
    }
    g.globalAlpha = 1;
  }

  /** How wide a text may be: up to the next column. */
  private room(column: number): number {
    const last = column === this.d.layout.columns.length - 1;
    const edge = last ? this.d.width - mapWidth - 4 : this.d.x(column) + this.d.columnWidth - 4;
    return Math.max(edge - this.d.x(column) - 12, 0);
  }

  private paintBand(g: CanvasRenderingContext2D, c: Colours, column: number, y: number, width: number, marked: boolean, found: boolean) {
    const x = column * width - this.d.left + 4;
    const h = Math.min(this.d.scale - 2, 24);
    g.fillStyle = marked ? c.band : c.foundBand;
    g.beginPath();
    g.roundRect(x, y - h / 2, width - 6, h, 5);
    g.fill();
    if (found) {
      g.strokeStyle = c.found;
      g.lineWidth = 1;
      g.stroke();
    }
  }

  private paintText(g: CanvasRenderingContext2D, c: Colours, e: number, x: number, y: number, room: number) {
    const { model } = this.d.layout;
    const many = this.d.layout.columns[this.d.layout.columnOf[model.task[e]]].tasks.length > 1;
    g.textBaseline = "middle";
    g.lineJoin = "round";
    g.font = `13px ${sans}`;
    const label = (many ? model.tasks[model.task[e]].name + ": " : "") + model.label(e);
    const shown = fitName(g, label, room);
    const w = halo(g, shown, x, y, c.text, c.surface);
    const at = shortPlace(model.at(e));
    if (!at) return;
    g.font = `11px ${mono}`;
    if (g.measureText(at).width <= room - w - 10) halo(g, at, x + w + 10, y + 0.5, c.dim, c.surface);
  }
}

function levelOf(n: number, most: number, levels: number): number {
  return n === 0 ? 0 : Math.max(Math.ceil((Math.log1p(n) / Math.log1p(most)) * levels), 1);
}
