// What opens under a case: message, Expected / Got / difference, printed text, inputs; in this order.
import { button, h } from "./dom.js";
import { copyButton } from "./clipboard.js";
import { comparison, inputTables } from "./matrices.js";
import { canBeCode, torchCode } from "./torchcode.js";
import { failed } from "./verdicts.js";

// An own case has no stored tolerance: the problem's rule gives it.
function toleranceOf(one, problem) {
  if (one.tolerance) return one.tolerance;
  const sample = problem.samples.find(({ case: name }) => name === one.case);
  if (sample) return { rtol: sample.rtol, atol: sample.atol };
  const values = [one.expected?.values ?? 0].flat(Infinity).map(Number).filter(Number.isFinite);
  const largest = values.reduce((most, value) => Math.max(most, Math.abs(value)), 0);
  return { rtol: problem.tolerance.rtol, atol: problem.tolerance.atolPerMax * largest };
}

// `tools` is {problem, source, goTo(line), tryLike(one, place) or null}.
export function detail(one, tools) {
  const { problem, source, goTo, tryLike } = tools;
  const tolerance = toleranceOf(one, problem);
  const parts = [];
  const jump = one.line && button(`Go to line ${one.line}`, () => goTo(one.line), { kind: "link" });
  if (one.message) parts.push(h("p", { class: "message" }, one.message, jump && " ", jump));
  if (one.hint) parts.push(h("p", { class: "quiet" }, one.hint));
  if (one.expected || one.got) parts.push(comparison(one, tolerance));
  if (one.traceback) parts.push(fold("Traceback", printed(one.traceback), true));
  if (one.stdout) parts.push(h("div", { class: "tensor" }, h("h3", {}, one.stdout_cut ? "Printed (cut)" : "Printed"), printed(one.stdout)));
  if (one.inputs) parts.push(fold("Inputs", inputTables(one.inputs), false));
  if (one.group === "secret" && !one.inputs) {
    parts.push(h("p", { class: "quiet" }, "This case is secret: its inputs, values and printed text are not shown."));
    if (failed(one) && tryLike) parts.push(likeThis(one, tryLike));
  }
  if (canBeCode(one)) {
    const copy = copyButton("Copy as torch code", () => torchCode(one, problem, source, tolerance));
    parts.push(h("div", { class: "row" }, copy));
  }
  return h("div", { class: "detail" }, ...parts);
}

const printed = (text) => h("pre", { class: "printed", tabindex: "0", role: "group", "aria-label": "Text" }, text);

function fold(title, content, open) {
  return h("details", { class: "fold", open }, h("summary", {}, title), content);
}

function likeThis(one, tryLike) {
  const place = h("div", { "aria-live": "polite" });
  const start = button("Try a small case like it", async () => {
    start.setAttribute("aria-disabled", "true");
    await tryLike(one, place);
    start.removeAttribute("aria-disabled");
    start.textContent = "Try another one";
  });
  return h("div", { class: "detail-part" }, h("div", { class: "row" }, start, h("span", { class: "quiet" }, "Fresh random inputs of the same kind, with all values shown.")), place);
}
