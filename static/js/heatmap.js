// |Got − Expected| as coloured cells, in steps of the tolerance: within it, up to 10, 100, 1000 times, more.
import { h, s } from "./dom.js";

const LARGEST = 32; // more rows or columns are pooled: each cell shows the worst of its block

export const differenceOf = (got, expected) => (Object.is(got, expected) || got === expected ? 0 : Math.abs(got - expected));

function stepOf(difference, tolerance) {
  if (!Number.isFinite(difference)) return "x";
  const times = difference / tolerance;
  return times <= 1 ? 0 : times < 10 ? 1 : times < 100 ? 2 : times < 1000 ? 3 : 4;
}

const worse = (a, b) => b === null || (Number.isFinite(b.times) && !(a.times <= b.times));

// `got` and `expected` hold one slice; `allowed(expected)` is the tolerance of an element.
export function heatmap({ got, expected, rows, columns, allowed }) {
  const height = Math.ceil(rows / LARGEST);
  const width = Math.ceil(columns / LARGEST);
  const down = Math.ceil(rows / height);
  const across = Math.ceil(columns / width);
  const cells = new Array(down * across).fill(null);
  let worst = null;
  let outside = 0;
  for (let row = 0; row < rows; row += 1) {
    for (let column = 0; column < columns; column += 1) {
      const at = row * columns + column;
      const difference = differenceOf(got[at], expected[at]);
      const cell = { row, column, difference, times: difference / allowed(expected[at]), step: stepOf(difference, allowed(expected[at])) };
      if (cell.step !== 0) outside += 1;
      const place = Math.floor(row / height) * across + Math.floor(column / width);
      if (worse(cell, cells[place])) cells[place] = cell;
      if (worse(cell, worst)) worst = cell;
    }
  }
  return draw({ cells, down, across, pooled: height * width > 1, worst, outside, total: rows * columns });
}

function draw({ cells, down, across, pooled, worst, outside, total }) {
  const size = Math.max(7, Math.min(28, 224 / across, 224 / down));
  const text = (cell) => (Number.isFinite(cell.difference) ? cell.difference.toExponential(2) : "not finite");
  const sentence = `${outside} of ${total} elements outside the tolerance; the largest difference is ${text(worst)} at [${worst.row}, ${worst.column}].`;
  const picture = s("svg", { class: "heat", width: across * size, height: down * size, viewBox: `0 0 ${across} ${down}`, role: "img", "aria-label": sentence },
    ...cells.map((cell, at) => s("rect", { x: at % across, y: Math.floor(at / across), width: 1, height: 1, class: `heat-${cell.step}` },
      s("title", {}, `[${cell.row}, ${cell.column}] |difference| ${text(cell)}${pooled ? " (worst of a block)" : ""}`))));
  const key = s("svg", { class: "key", width: 60, height: 10, viewBox: "0 0 5 1", preserveAspectRatio: "none", "aria-hidden": "true" },
    ...[0, 1, 2, 3, 4].map((step) => s("rect", { x: step, y: 0, width: 1, height: 1, class: `heat-${step}` })));
  const notFinite = cells.some((cell) => cell.step === "x");
  const extra = notFinite && s("svg", { class: "key", width: 12, height: 10, viewBox: "0 0 1 1", preserveAspectRatio: "none", "aria-hidden": "true" },
    s("rect", { x: 0, y: 0, width: 1, height: 1, class: "heat-x" }));
  return h("div", { class: "tensor" },
    h("h3", {}, "|Got − Expected|"),
    picture,
    h("p", { class: "legend" }, "within tolerance", key, "over 1000×", extra, notFinite && "NaN or ∞"),
    h("p", { class: "legend" }, `${outside} of ${total} outside, max ${text(worst)} at [${worst.row}, ${worst.column}]${pooled ? ", each cell is the worst of a block" : ""}`));
}
