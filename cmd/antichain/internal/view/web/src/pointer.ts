import type { Diagram } from "./diagram";

/** What mouse, wheel and fingers do. */
export class Pointer {
  private down: { x: number; y: number; moved: boolean; map: boolean } | null = null;

  constructor(private readonly d: Diagram) {}

  attach() {
    const { canvas } = this.d;
    canvas.addEventListener("wheel", (e) => this.wheel(e), { passive: false });
    canvas.addEventListener("pointerdown", (e) => this.press(e));
    canvas.addEventListener("pointermove", (e) => this.move(e));
    canvas.addEventListener("pointerup", (e) => this.release(e));
    canvas.addEventListener("pointerleave", () => this.d.hover(-1, 0, 0));
    canvas.addEventListener("dblclick", (e) => this.d.zoom(2.5, e.offsetY));
  }

  private wheel(e: WheelEvent) {
    e.preventDefault();
    const unit = e.deltaMode === 1 ? 16 : 1;
    if (e.ctrlKey || e.metaKey) this.d.zoom(Math.exp(-e.deltaY * unit * 0.004), e.offsetY);
    else if (e.shiftKey) this.d.pan((e.deltaY || e.deltaX) * unit, 0);
    else this.d.pan(e.deltaX * unit, e.deltaY * unit);
  }

  private press(e: PointerEvent) {
    if (e.button !== 0) return;
    this.down = { x: e.offsetX, y: e.offsetY, moved: false, map: this.d.inMap(e.offsetX) && !this.d.inHead(e.offsetY) };
    this.d.canvas.setPointerCapture(e.pointerId);
    if (this.down.map) this.d.goTo(e.offsetY);
  }

  private move(e: PointerEvent) {
    if (!this.down) {
      this.d.canvas.style.cursor = this.d.inHead(e.offsetY) && this.d.layout.columns[this.d.columnAt(e.offsetX)]?.kind ? "pointer" : "default";
      this.d.hover(this.d.eventAt(e.offsetX, e.offsetY), e.offsetX, e.offsetY);
      return;
    }
    if (this.down.map) {
      this.d.goTo(e.offsetY);
      return;
    }
    const dx = this.down.x - e.offsetX;
    const dy = this.down.y - e.offsetY;
    if (!this.down.moved && Math.abs(dx) + Math.abs(dy) < 4) return;
    this.down.moved = true;
    this.d.canvas.style.cursor = "grabbing";
    this.d.pan(dx, dy);
    this.down.x = e.offsetX;
    this.down.y = e.offsetY;
  }

  private release(e: PointerEvent) {
    const { down } = this;
    this.down = null;
    this.d.canvas.style.cursor = "default";
    if (!down || down.moved || down.map) return;
    if (this.d.inHead(e.offsetY)) {
      const column = this.d.columnAt(e.offsetX);
      if (column >= 0) this.d.onHead(column);
      return;
    }
    const event = this.d.eventAt(e.offsetX, e.offsetY);
    if (event >= 0) this.d.onSelect(event);
  }
}
