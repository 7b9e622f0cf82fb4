// Draws what stands around a diagram: the heads of its columns, and a map of the whole order.

import type { Diagram } from "./diagram";
import { headHeight, mapWidth } from "./measures";
import { fitName, sans } from "./text";
import type { Colours } from "./theme";

export class Margins {
  private map: HTMLCanvasElement | null = null;

  constructor(private readonly d: Diagram) {}

  /** Has the map drawn again. */
  forget() {
    this.map = null;
  }

  paintHead(g: CanvasRenderingContext2D, c: Colours) {
    g.fillStyle = c.head;
    g.fillRect(0, 0, this.d.width, headHeight);
    g.strokeStyle = c.border;
    g.lineWidth = 1;
    g.beginPath();
    g.moveTo(0, headHeight - 0.5);
    g.lineTo(this.d.width, headHeight - 0.5);
    g.stroke();
    const { first, last } = this.d.visibleColumns();
    const w = this.d.columnWidth;
    g.textBaseline = "middle";
    for (let i = first; i < last; i++) {
      const column = this.d.layout.columns[i];
      const x = i * w - this.d.left;
      g.save();
      g.beginPath();
      g.rect(x, 0, w, headHeight);
      g.clip();
      if (w < 40) {
        this.paintNarrowHead(g, c, column.name, x + w / 2);
      } else {
        const sign = column.kind ? (column.folded ? "▸ " : "▾ ") : "";
        g.font = `600 13px ${sans}`;
        g.fillStyle = c.text;
        g.fillText(fitName(g, sign + column.name, w - 20), x + 12, 16);
        g.font = `11px ${sans}`;
        g.fillStyle = c.dim;
        g.fillText(fitName(g, column.detail, w - 20), x + 12, 33);
      }
      g.restore();
    }
  }

  private paintNarrowHead(g: CanvasRenderingContext2D, c: Colours, name: string, x: number) {
    g.save();
    g.translate(x, headHeight - 4);
    g.rotate(-Math.PI / 2);
    g.font = `10px ${sans}`;
    g.fillStyle = c.dim;
    g.fillText(fitName(g, name, headHeight - 6), 0, 0);
    g.restore();
  }

  /** The whole order in a strip, with what is to be seen of it. */
  paintMap(g: CanvasRenderingContext2D, c: Colours) {
    const x = this.d.width - mapWidth;
    const h = this.d.bodyHeight;
    g.fillStyle = c.surface;
    g.fillRect(x, headHeight, mapWidth, h);
    if (this.d.layout.length * this.d.scale <= h) return;
    this.map ??= this.makeMap(c);
    g.drawImage(this.map, x, headHeight, mapWidth, h);
    const rows = this.d.layout.length + 1;
    const y = headHeight + (this.d.top / rows) * h;
    const size = Math.max(Math.min((h / this.d.scale / rows) * h, h), 6);
    if (size < h - 1) {
      g.fillStyle = c.lens;
      g.fillRect(x, y, mapWidth, size);
      g.strokeStyle = c.accent;
      g.lineWidth = 1.5;
      g.strokeRect(x + 0.75, y + 0.75, mapWidth - 1.5, size - 1.5);
    }
  }

  private makeMap(c: Colours): HTMLCanvasElement {
    const canvas = document.createElement("canvas");
    canvas.width = mapWidth;
    canvas.height = Math.max(Math.round(this.d.bodyHeight), 1);
    const g = canvas.getContext("2d")!;
    g.fillStyle = c.head;
    g.fillRect(0, 0, canvas.width, canvas.height);
    const { model } = this.d.layout;
    const h = canvas.height;
    const counts = new Uint32Array(h);
    const hits = new Uint8Array(h);
    for (let p = 0; p < this.d.layout.length; p++) {
      const y = Math.floor((p / this.d.layout.length) * h);
      counts[y]++;
      if (!this.d.marks.found || hits[y]) continue;
      const r = this.d.layout.row(p);
      for (let e = model.rowStart[r]; e < model.rowStart[r + 1]; e++) if (this.d.marks.found(e)) hits[y] = 1;
    }
    for (let y = 0; y < h; y++) {
      if (hits[y]) {
        g.fillStyle = c.found;
        g.fillRect(2, y, mapWidth - 4, 2);
      } else if (counts[y]) {
        g.fillStyle = c.border;
        g.fillRect(5, y, mapWidth - 10, 1);
      }
    }
    return canvas;
  }
}
