// Two texts line by line: the longest common subsequence, drawn with signs and not by colour alone.
import { h } from "./dom.js";

const CONTEXT = 3;

// [{sign: " " | "+" | "-", line}], from `before` to `after`.
export function difference(before, after) {
  const [a, b] = [before.split("\n"), after.split("\n")];
  const common = Array.from({ length: a.length + 1 }, () => new Uint16Array(b.length + 1));
  for (let i = a.length - 1; i >= 0; i -= 1) {
    for (let j = b.length - 1; j >= 0; j -= 1) {
      common[i][j] = a[i] === b[j] ? common[i + 1][j + 1] + 1 : Math.max(common[i + 1][j], common[i][j + 1]);
    }
  }
  const lines = [];
  let [i, j] = [0, 0];
  while (i < a.length || j < b.length) {
    if (i < a.length && j < b.length && a[i] === b[j]) {
      lines.push({ sign: " ", line: a[i] });
      i += 1;
      j += 1;
    } else if (i < a.length && (j === b.length || common[i + 1][j] >= common[i][j + 1])) {
      lines.push({ sign: "-", line: a[i] });
      i += 1;
    } else {
      lines.push({ sign: "+", line: b[j] });
      j += 1;
    }
  }
  return lines;
}

const CLASSES = { "+": "added", "-": "removed", " ": null };
const SPOKEN = { "+": "added: ", "-": "removed: ", " ": "" };

const draw = ({ sign, line }) => h("div", { class: CLASSES[sign] },
  h("span", { class: "sign", "aria-hidden": "true" }, sign), h("pre", {}, SPOKEN[sign] && h("span", { class: "unseen" }, SPOKEN[sign]), line || " "));

export function listing(text, label) {
  return frame(label, text.split("\n").map((line) => draw({ sign: " ", line })));
}

export function comparisonOf(before, after, label) {
  const lines = difference(before, after);
  const near = lines.map((_, at) => lines.slice(Math.max(0, at - CONTEXT), at + CONTEXT + 1).some(({ sign }) => sign !== " "));
  const rows = [];
  lines.forEach((line, at) => {
    if (near[at]) rows.push(draw(line));
    else if (at === 0 || near[at - 1]) rows.push(h("div", { class: "gap" }, h("span", { class: "sign" }), h("pre", {}, "…")));
  });
  return frame(label, rows);
}

const frame = (label, rows) => h("div", { class: "listing", tabindex: "0", role: "group", "aria-label": label }, ...rows);
