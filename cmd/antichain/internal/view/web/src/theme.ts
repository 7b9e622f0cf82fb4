// Light and dark: as the system has it, unless the reader chooses.

export interface Colours {
  surface: string;
  head: string;
  text: string;
  dim: string;
  line: string;
  border: string;
  node: string;
  arrow: string;
  accent: string;
  band: string;
  cut: string;
  cutShade: string;
  found: string;
  foundBand: string;
  lens: string;
}

const light: Colours = {
  surface: "#ffffff",
  head: "#f6f7f8",
  text: "#1c2126",
  dim: "#69727c",
  line: "#dde1e5",
  border: "#c9ced4",
  node: "#4a5560",
  arrow: "#9aa5b1",
  accent: "#1f5fbf",
  band: "#e4eefb",
  cut: "#b3261e",
  cutShade: "rgba(179, 38, 30, 0.12)",
  found: "#9a6700",
  foundBand: "#fdf3d3",
  lens: "rgba(31, 95, 191, 0.10)",
};

const dark: Colours = {
  surface: "#16191d",
  head: "#1d2126",
  text: "#e6e9ec",
  dim: "#98a2ad",
  line: "#30363d",
  border: "#3d444d",
  node: "#b4bec8",
  arrow: "#626d79",
  accent: "#78b0ff",
  band: "#1e3350",
  cut: "#ff8a80",
  cutShade: "rgba(255, 138, 128, 0.15)",
  found: "#e3b341",
  foundBand: "#3a2f12",
  lens: "rgba(120, 176, 255, 0.15)",
};

const system = matchMedia("(prefers-color-scheme: dark)");
const changed: (() => void)[] = [];

function isDark(): boolean {
  const chosen = document.documentElement.dataset.theme;
  return chosen ? chosen === "dark" : system.matches;
}

export function colours(paper: boolean): Colours {
  return isDark() && !paper ? dark : light;
}

export function onTheme(f: () => void) {
  changed.push(f);
}

export function switchTheme() {
  document.documentElement.dataset.theme = isDark() ? "light" : "dark";
  changed.forEach((f) => f());
}

system.addEventListener("change", () => changed.forEach((f) => f()));
