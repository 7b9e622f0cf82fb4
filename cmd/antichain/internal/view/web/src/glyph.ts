// What an event is shows in the form of its node, also without colour.

export type Glyph = "dot" | "go" | "lock" | "unlock" | "send" | "recv" | "enter" | "leave" | "wait" | "end";

const byWord: Record<string, Glyph> = {
  go: "go",
  lock: "lock",
  rlock: "lock",
  unlock: "unlock",
  runlock: "unlock",
  send: "send",
  recv: "recv",
  close: "end",
  enter: "enter",
  leave: "leave",
  waits: "wait",
  wait: "wait",
  condwait: "wait",
  end: "end",
  the: "end",
};

export function glyphOf(label: string): Glyph {
  const space = label.indexOf(" ");
  return byWord[space < 0 ? label : label.slice(0, space)] ?? "dot";
}

/** What the forms mean, for the help. */
export const glyphNames: [Glyph, string][] = [
  ["go", "starts a goroutine"],
  ["lock", "locks"],
  ["unlock", "unlocks"],
  ["send", "sends"],
  ["recv", "receives"],
  ["enter", "enters a function"],
  ["leave", "leaves a function"],
  ["wait", "waits"],
  ["end", "closes, or ends"],
  ["dot", "anything else"],
];

export function drawGlyph(g: CanvasRenderingContext2D, glyph: Glyph, x: number, y: number, r: number, inside: string) {
  g.lineWidth = 1.5;
  g.beginPath();
  switch (glyph) {
    case "dot":
      g.arc(x, y, r * 0.8, 0, 2 * Math.PI);
      g.fill();
      return;
    case "go":
      polygon(g, [x, y - r * 1.2, x + r * 1.2, y, x, y + r * 1.2, x - r * 1.2, y]);
      g.fill();
      return;
    case "lock":
      g.rect(x - r, y - r, 2 * r, 2 * r);
      g.fill();
      return;
    case "unlock":
      g.rect(x - r, y - r, 2 * r, 2 * r);
      break;
    case "send":
      polygon(g, [x - r, y - r * 1.1, x + r * 1.2, y, x - r, y + r * 1.1]);
      g.fill();
      return;
    case "recv":
      polygon(g, [x - r, y - r * 1.1, x + r * 1.2, y, x - r, y + r * 1.1]);
      break;
    case "enter":
      polygon(g, [x - r * 1.1, y - r * 0.8, x + r * 1.1, y - r * 0.8, x, y + r]);
      g.fill();
      return;
    case "leave":
      polygon(g, [x - r * 1.1, y + r * 0.8, x + r * 1.1, y + r * 0.8, x, y - r]);
      break;
    case "wait":
      g.arc(x, y, r, 0, 2 * Math.PI);
      break;
    case "end":
      g.rect(x - r * 1.2, y - 1, r * 2.4, 2.5);
      g.fill();
      return;
  }
  const fill = g.fillStyle;
  g.fillStyle = inside;
  g.fill();
  g.stroke();
  g.fillStyle = fill;
  if (glyph === "wait") {
    g.beginPath();
    g.moveTo(x, y - r * 0.6);
    g.lineTo(x, y);
    g.lineTo(x + r * 0.5, y);
    g.stroke();
  }
}

function polygon(g: CanvasRenderingContext2D, points: number[]) {
  g.moveTo(points[0], points[1]);
  for (let i = 2; i < points.length; i += 2) g.lineTo(points[i], points[i + 1]);
  g.closePath();
}
