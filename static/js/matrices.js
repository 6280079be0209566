// Tensors as tables; Expected, Got and their difference side by side, with one slice picker for all three.
import { h } from "./dom.js";
import { differenceOf, heatmap } from "./heatmap.js";
import { Tensor, formatFor, sameShape } from "./tensor.js";

const LARGEST = 32; // rows and columns of a table; the rest is counted, not shown
const MOST_SLICES = 256;

function table(name, tensor, slice, { off = () => false, smallest = 0 } = {}) {
  const heading = h("h3", {}, `${name} `, h("code", {}, `${tensor.label} ${tensor.dtype}`));
  if (tensor.values === null) return h("div", { class: "tensor" }, heading, h("p", { class: "quiet" }, "Too large to show."));
  if (!tensor.isShown) return h("div", { class: "tensor" }, heading, h("p", { class: "quiet" }, "It has no elements."));
  const values = tensor.slice(slice);
  const format = formatFor(values, smallest);
  const rows = Math.min(tensor.rows, LARGEST);
  const columns = Math.min(tensor.columns, LARGEST);
  const body = h("tbody");
  for (let row = 0; row < rows; row += 1) {
    const line = h("tr");
    for (let column = 0; column < columns; column += 1) {
      const at = row * tensor.columns + column;
      line.append(h("td", { class: off(at) ? "off" : null, title: String(values[at]) }, format(values[at])));
    }
    if (columns < tensor.columns) line.append(h("td", {}, "…"));
    body.append(line);
  }
  const cut = rows < tensor.rows || columns < tensor.columns;
  return h("div", { class: "tensor" }, heading,
    h("div", { class: "scroll", tabindex: "0", role: "group", "aria-label": `${name}, values` }, h("table", {}, body)),
    cut && h("p", { class: "legend" }, `The first ${rows} × ${columns} of ${tensor.rows} × ${tensor.columns}`));
}

function slicePicker(tensor, chosen, redraw) {
  if (tensor.slices <= 1) return null;
  const select = h("select", {}, ...Array.from({ length: Math.min(tensor.slices, MOST_SLICES) }, (_, number) =>
    h("option", { value: number, selected: number === chosen }, tensor.sliceName(number))));
  select.addEventListener("change", () => redraw(Number(select.value)));
  return h("label", { class: "slice" }, "Slice", select, `of ${tensor.slices}`);
}

// The first slice in which an element is outside the tolerance.
function firstWrongSlice(got, expected, allowed) {
  const at = expected.values.findIndex((value, index) => !(differenceOf(got.values[index], value) <= allowed(value)));
  return at < 0 ? 0 : Math.min(MOST_SLICES - 1, Math.floor(at / (expected.rows * expected.columns)));
}

// What a case gave against what is right. `tolerance` is {rtol, atol}.
export function comparison(one, tolerance) {
  const expected = one.expected && new Tensor(one.expected);
  const got = one.got && new Tensor(one.got);
  const box = h("div", { class: "tensors" });
  if (!expected || !got || !expected.isShown || !got.isShown || !sameShape(expected, got)) {
    if (expected) box.append(alone("Expected", expected));
    if (got) box.append(alone(one.got_from_sequence ? "Got, first tensor of the sequence" : "Got", got));
    return box;
  }
  const allowed = (value) => (Number.isFinite(value) ? tolerance.atol + tolerance.rtol * Math.abs(value) : 0);
  const smallest = Number(one.max_abs_error) || 0;
  const outer = h("div", { class: "detail-part" });
  const draw = (slice) => {
    const [right, mine] = [expected.slice(slice), got.slice(slice)];
    const off = (at) => !(differenceOf(mine[at], right[at]) <= allowed(right[at]));
    const heat = heatmap({ got: mine, expected: right, rows: expected.rows, columns: expected.columns, allowed });
    box.replaceChildren(table("Expected", expected, slice, { smallest }), table("Got", got, slice, { off, smallest }), heat);
  };
  const start = firstWrongSlice(got, expected, allowed);
  draw(start);
  outer.append(...[slicePicker(expected, start, draw), box].filter(Boolean));
  return outer;
}

// One tensor with its own slice picker.
export function alone(name, tensor) {
  const outer = h("div", { class: "tensor" });
  const draw = (slice) => {
    outer.replaceChildren(...[slicePicker(tensor, slice, draw), table(name, tensor, slice)].filter(Boolean));
  };
  draw(0);
  return outer;
}

export const inputTables = (inputs) => h("div", { class: "tensors" },
  ...Object.entries(inputs).map(([name, value]) => alone(name, new Tensor(value))));
