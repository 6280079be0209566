// One shape for each kind of verdict: colour is never the only difference.
import { s } from "./dom.js";

const SHAPES = {
  passes: ["M10 2a8 8 0 1 1 0 16 8 8 0 0 1 0-16z", "M6.4 10.4l2.4 2.4 4.9-5.6"],
  wrong: ["M10 2a8 8 0 1 1 0 16 8 8 0 0 1 0-16z", "M7.2 7.2l5.6 5.6M12.8 7.2l-5.6 5.6"],
  raised: ["M10 2.2l8.2 14.6H1.8z", "M10 7.5v4.2M10 14.2v.2"],
  clock: ["M10 2a8 8 0 1 1 0 16 8 8 0 0 1 0-16z", "M10 5.6V10l3 2"],
  memory: ["M4.5 4.5h11v11h-11z", "M7.5 2v2.5M12.5 2v2.5M7.5 15.5V18M12.5 15.5V18M2 7.5h2.5M2 12.5h2.5M15.5 7.5H18M15.5 12.5H18"],
  output: ["M4 2.5h8.5L16 6v11.5H4z", "M7 8h6M7 11h6M7 14h3.5"],
  skipped: ["M10 2a8 8 0 1 1 0 16 8 8 0 0 1 0-16z", "M6.5 10h7"],
  grader: ["M3 4h14v9H3z", "M6.5 17h7M10 13v4M10 6.2v2.6M10 10.6v.2"],
  ran: ["M10 2a8 8 0 1 1 0 16 8 8 0 0 1 0-16z", "M8.2 6.8l5 3.2-5 3.2z"],
  hint: ["M7 13.6a5 5 0 1 1 6 0v1.6H7z", "M8 17.6h4"],
  note: ["M10 2a8 8 0 1 1 0 16 8 8 0 0 1 0-16z", "M10 9.2v4.6M10 6.2v.2"],
};

export function icon(name, tone = "") {
  const [outline, mark] = SHAPES[name];
  const line = { fill: "none", stroke: "currentColor", "stroke-linecap": "round", "stroke-linejoin": "round" };
  return s("svg", { class: `icon ${tone}`, viewBox: "0 0 20 20", "aria-hidden": "true" },
    s("path", { d: outline, ...line, "stroke-width": 1.5, fill: "currentColor", "fill-opacity": 0.12 }),
    s("path", { d: mark, ...line, "stroke-width": 1.8 }));
}

export const chevron = () => s("svg", { class: "chevron", viewBox: "0 0 12 12", "aria-hidden": "true" },
  s("path", { d: "M4 2l4 4-4 4", fill: "none", stroke: "currentColor", "stroke-width": 1.6 }));
