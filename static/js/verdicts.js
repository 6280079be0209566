// Verdicts in words. On a case "Passes"; "Accepted" is kept for a whole submission.
import { count } from "./dom.js";

const LOOKS = {
  accepted: ["Passes", "passes", "ok"],
  wrong_answer: ["Wrong answer", "wrong", "bad"],
  run_time_error: ["Run-time error", "raised", "bad"],
  time_limit_exceeded: ["Time limit exceeded", "clock", "bad"],
  memory_limit_exceeded: ["Memory limit exceeded", "memory", "bad"],
  output_limit_exceeded: ["Printed too much", "output", "bad"],
  compile_error: ["Does not compile", "raised", "bad"],
  skipped: ["Skipped", "skipped", "neutral"],
  judge_error: ["The grader failed, not you", "grader", "warn"],
};
const REASONS = {
  values_differ: "Values differ",
  wrong_shape: "Wrong shape",
  wrong_dtype: "Wrong dtype",
  wrong_type: "Not a tensor",
  non_finite: "NaN or infinity",
  returned_none: "Returned None",
  exception: "Exception",
  crashed: "Crashed",
  exited: "Exited",
  syntax_error: "Syntax error",
  forbidden_construct: "Not allowed here",
  forbidden_name: "Name not allowed",
  forbidden_import: "Import not allowed",
  missing_function: "Function missing",
  too_large: "Too large",
  wall: "Time limit exceeded",
  while_loading: "Too slow while loading",
  total: "Total time exceeded",
};

export const NOTES = {
  mutated_input: "Your function changes its input tensors. That is accepted here, but surprises whoever calls it.",
  nondeterministic: "The same inputs gave different outputs on a second call. Random numbers or kept state may be the cause.",
};

// {word, icon, tone} of a case or a submission. The verdict of an own case is null when its code ran.
export function lookOf({ verdict, reason, error_type: type }) {
  if (!verdict) return { word: "Ran", icon: "ran", tone: "neutral" };
  const [word, icon, tone] = LOOKS[verdict] ?? [String(verdict), "note", "neutral"];
  if (verdict === "run_time_error" && reason === "exception" && type) return { word: `Raised ${/^[A-Z_a-z.]+$/.test(type) ? type : "an exception"}`, icon, tone };
  return { word: REASONS[reason] ?? word, icon, tone };
}

export const failed = ({ verdict }) => Boolean(verdict) && verdict !== "accepted" && verdict !== "skipped";
export const reasonName = (code) => REASONS[code] ?? code;

// One sentence about a whole report, and its tone.
export function summaryOf(report, cases) {
  if (report.errors?.length || report.verdict === "compile_error") {
    const first = report.errors?.[0];
    return { tone: "bad", text: `Your code was not run. ${first ? `Line ${first.line}: ${first.message}` : ""}`.trim() };
  }
  const passes = cases.filter((one) => one.verdict === "accepted").length;
  const judged = cases.filter((one) => one.group !== "own");
  const first = cases.find(failed);
  if (!first && report.mode === "run") return { tone: "ok", text: runSentence(cases, judged) };
  if (report.verdict === "accepted") return { tone: "ok", text: `Accepted: all ${count(report.total, "case")} pass.` };
  if (first?.verdict === "judge_error") {
    return { tone: "warn", text: `The grader failed, not you. ${passes} of ${cases.length} cases passed before; try again.` };
  }
  if (!first) return { tone: "bad", text: `${passes} of ${count(judged.length, "case")} pass.` };
  const verb = passes === 1 ? "passes" : "pass";
  const start = judged.length ? `${passes} of ${count(judged.length, report.mode === "run" ? "sample" : "case")} ${verb}. ` : "";
  return { tone: "bad", text: `${start}First failure: ${first.title}: ${lowerFirst(lookOf(first).word)}.` };
}

function runSentence(cases, samples) {
  const own = cases.length - samples.length;
  const first = samples.length ? `${samples.length === 1 ? "The sample passes" : `All ${samples.length} samples pass`}. ` : "";
  const second = own ? `Your code ran on ${own === 1 ? "your inputs" : `${own} sets of your inputs`}. ` : "";
  return `${first}${second}Submit to judge every case.`;
}

const lowerFirst = (text) => text[0].toLowerCase() + text.slice(1);
