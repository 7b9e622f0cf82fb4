// Elements. Texts become nodes of text and nothing else.

type Child = Node | string | false | null | undefined;

export function el<K extends keyof HTMLElementTagNameMap>(tag: K, cls = "", ...children: Child[]): HTMLElementTagNameMap[K] {
  const e = document.createElement(tag);
  if (cls) e.className = cls;
  for (const c of children) {
    if (c || c === "") e.append(c);
  }
  return e;
}

/** A text of a program, which may run from right to left and has no say in what stands beside it. */
export function foreign(tag: keyof HTMLElementTagNameMap, cls: string, text: string): HTMLElement {
  const e = el(tag, cls, text);
  e.dir = "auto";
  e.classList.add("foreign");
  return e;
}

export function button(label: string, title: string, press: () => void, cls = ""): HTMLButtonElement {
  const b = el("button", cls, label);
  b.type = "button";
  b.title = title;
  b.setAttribute("aria-label", title);
  b.addEventListener("click", press);
  return b;
}

/** A button that is on or off. */
export function toggle(label: string, title: string, change: (on: boolean) => void, cls = "toggle") {
  const b = button(label, title, () => set(b.getAttribute("aria-pressed") !== "true"), cls);
  b.removeAttribute("aria-label");
  const set = (on: boolean, silent = false) => {
    b.setAttribute("aria-pressed", String(on));
    if (!silent) change(on);
  };
  set(false, true);
  return { element: b, set, on: () => b.getAttribute("aria-pressed") === "true" };
}

export function plural(n: number, what: string): string {
  return `${n.toLocaleString("en-US")} ${what}${n === 1 ? "" : "s"}`;
}
