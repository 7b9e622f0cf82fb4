// Draws a global state: a line between what is behind it and what comes.

import type { Diagram } from "./diagram";
import type { Cut } from "./layout";
import { headHeight, mapWidth, nodeScale } from "./measures";
import { sans } from "./text";
import type { Colours } from "./theme";

export class CutLine {
  private cutAt: number[] | null = null; // by column, the position of the cut

  constructor(private readonly d: Diagram) {}

  /** Has the positions computed again. */
  forget() {
    this.cutAt = null;
  }

  paint(g: CanvasRenderingContext2D, c: Colours) {
    const { cut } = this.d.marks;
    if (!cut) return;
    const { first, last } = this.d.visibleColumns();
    const at = (this.cutAt ??= this.positionsOf(cut));
    const line = () => {
      g.beginPath();
      const w = this.d.columnWidth;
      for (let i = first; i < last; i++) {
        const y = headHeight + (at[i] - this.d.top) * this.d.scale;
        const x = i * w - this.d.left;
        if (i === first) g.moveTo(i === 0 ? Math.max(x, 0) : x, y);
        else g.lineTo(x + 4, y);
        g.lineTo(x + w - 4, y);
      }
    };
    g.lineWidth = 6;
    g.strokeStyle = c.cutShade;
    line();
    g.stroke();
    g.lineWidth = 2;
    g.strokeStyle = c.cut;
    g.setLineDash([7, 4]);
    line();
    g.stroke();
    g.setLineDash([]);
    if (last <= first || this.d.scale < nodeScale || !this.d.cutLabel) return;
    g.font = `600 11px ${sans}`;
    g.textBaseline = "middle";
    const x = Math.min(last * this.d.columnWidth - this.d.left, this.d.width - mapWidth) - 14 - g.measureText(this.d.cutLabel).width;
    const y = headHeight + (at[last - 1] - this.d.top) * this.d.scale;
    g.fillStyle = c.surface;
    g.fillRect(x - 6, y - 7, g.measureText(this.d.cutLabel).width + 12, 14);
    g.fillStyle = c.cut;
    g.fillText(this.d.cutLabel, x, y);
  }

  /** The position of a cut in each column: all the same if that is possible. */
  private positionsOf(cut: Cut): number[] {
    const bounds = this.d.layout.columns.map((column) => this.boundsOf(column.tasks, cut));
    let nominal = 0;
    for (const b of bounds) nominal = Math.max(nominal, b[0]);
    return bounds.map(([low, high]) => Math.min(Math.max(nominal, low), Math.max(high, low)));
  }

  /** Between which positions the cut passes through a column. */
  private boundsOf(tasks: number[], cut: Cut): [number, number] {
    const { model } = this.d.layout;
    let low = 0;
    let high = this.d.layout.length;
    for (const t of tasks) {
      const start = model.taskStart[t];
      const end = model.taskStart[t + 1];
      for (let i = start + cut[t] - 1, n = 0; i >= start && n < 2000; i--, n++) {
        const p = this.d.layout.position(model.row[model.byTask[i]]);
        if (p < 0) continue;
        low = Math.max(low, p + 1);
        break;
      }
      for (let i = start + cut[t], n = 0; i < end && n < 2000; i++, n++) {
        const p = this.d.layout.position(model.row[model.byTask[i]]);
        if (p < 0) continue;
        high = Math.min(high, p);
        break;
      }
    }
    return [low, high];
  }
}
