// Texts on a canvas.

export const sans = "system-ui, -apple-system, 'Segoe UI', Roboto, 'Helvetica Neue', Arial, sans-serif";
export const mono = "ui-monospace, SFMono-Regular, Menlo, Consolas, 'DejaVu Sans Mono', monospace";

/** Writes a text that can be read over what is behind it, and returns its width. */
export function halo(g: CanvasRenderingContext2D, text: string, x: number, y: number, colour: string, behind: string): number {
  g.strokeStyle = behind;
  g.lineWidth = 4;
  g.strokeText(text, x, y);
  g.fillStyle = colour;
  g.fillText(text, x, y);
  return g.measureText(text).width;
}

/** As much of a text as there is room for. */
export function fitText(g: CanvasRenderingContext2D, text: string, room: number): string {
  if (text.length > 400) text = text.slice(0, 400) + "…";
  if (room <= 0) return "";
  if (g.measureText(text).width <= room) return text;
  let low = 0;
  let high = text.length;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (g.measureText(text.slice(0, middle) + "…").width <= room) low = middle;
    else high = middle - 1;
  }
  return low === 0 ? "" : text.slice(0, low) + "…";
}

/** A name cut in the middle: its end tells it from others. */
export function fitName(g: CanvasRenderingContext2D, name: string, room: number): string {
  if (room <= 0) return "";
  if (name.length <= 400 && g.measureText(name).width <= room) return name;
  const cut = (n: number) => `${name.slice(0, Math.ceil(n / 2))}…${name.slice(name.length - Math.floor(n / 2))}`;
  let low = 0;
  let high = Math.min(name.length - 1, 400);
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (g.measureText(cut(middle)).width <= room) low = middle;
    else high = middle - 1;
  }
  return low === 0 ? "" : cut(low);
}

/** The file and line of a position. */
export function shortPlace(at: string): string {
  return at.slice(at.lastIndexOf("/") + 1);
}
