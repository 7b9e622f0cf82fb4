import { button, el } from "./dom";
import { drawGlyph, glyphNames } from "./glyph";
import { colours } from "./theme";

const keys: [string, string][] = [
  ["→ ↓ j", "next state"],
  ["← ↑ k", "previous state"],
  ["Page Down, Page Up", "ten states on, or back"],
  ["Home, End", "first and last state"],
  ["] [", "next and previous event of the same goroutine"],
  ["space", "play the schedule"],
  ["n p", "next and previous finding"],
  ["/", "search events; Enter and Shift+Enter go through what was found"],
  ["g", "choose goroutines"],
  ["f", "fold goroutines of the same kind, or unfold them"],
  ["m", "all events, or only those that matter"],
  ["a", "all goroutines, or only those with a part in it"],
  ["r", "rows as recorded, or as scheduled"],
  ["+ − 0 1", "zoom in, zoom out, the whole order, readable texts"],
  ["t", "light or dark"],
  ["?", "this help"],
];

export function helpDialog(): HTMLDialogElement {
  const d = el("dialog", "help");
  const table = el("table");
  for (const [key, what] of keys) table.append(el("tr", "", el("th", "", key), el("td", "", what)));
  const glyphs = el("ul", "glyphs");
  const drawn: (() => void)[] = [];
  for (const [glyph, what] of glyphNames) {
    const canvas = el("canvas");
    canvas.width = canvas.height = 32;
    drawn.push(() => {
      const g = canvas.getContext("2d")!;
      const c = colours(false);
      g.setTransform(2, 0, 0, 2, 0, 0);
      g.clearRect(0, 0, 16, 16);
      g.fillStyle = g.strokeStyle = c.node;
      drawGlyph(g, glyph, 8, 8, 5, c.surface);
    });
    glyphs.append(el("li", "", canvas, what));
  }
  d.append(
    el("header", "", el("h2", "", "How to read this page"), button("✕", "close", () => d.close())),
    el("p", "", "Each column is a goroutine, time runs downwards. An arrow leads from an event to one that cannot come before it. The dashed line is a global state: what is above it has happened."),
    el("p", "", "Wheel or drag to move, Ctrl+wheel to zoom, click an event to go to it, click ▸ above a column to unfold it."),
    glyphs,
    el("h3", "", "Keys"),
    table,
  );
  d.addEventListener("click", (e) => {
    if (e.target === d) d.close();
  });
  const show = d.showModal.bind(d);
  d.showModal = () => {
    drawn.forEach((f) => f());
    show();
  };
  return d;
}
