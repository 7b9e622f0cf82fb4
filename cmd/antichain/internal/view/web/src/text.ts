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

/** As much of a text as there is room for, cut in the middle: the end of a name distinguishes it. */
export function fitName(g: CanvasRenderingContext2D, name: string, room: number): string {
  if (room <= 0) return "";
  if (name.length <= 400 && g.measureText(name).width <= room) return name;
  let low = 0;
  let high = Math.min(name.length - 1, 400);
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (g.measureText(cutName(name, middle)).width <= room) low = middle;
    else high = middle - 1;
  }
  return low === 0 ? "" : cutName(name, low);
}

/** So many characters of a name, from both ends, most from its beginning. */
export function cutName(name: string, length: number): string {
  if (name.length <= length) return name;
  const first = Math.ceil(length * 0.65);
  return `${name.slice(0, first)}…${name.slice(name.length - length + first)}`;
}

/** The file and line of a position. */
export function shortPlace(at: string): string {
  return at.slice(at.lastIndexOf("/") + 1);
}
