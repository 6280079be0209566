// Puts the page together. Each part is a module that knows nothing of the others.
import { newKey, submit, Trouble } from "./api.js";
import { announce, byId, h } from "./dom.js";
import { detail } from "./detail.js";
import { Drafts } from "./drafts.js";
import { Editor } from "./editor.js";
import { startHints } from "./hints.js";
import { OwnInputs } from "./inputs.js";
import { showKeys, shortcuts } from "./keys.js";
import { NotATensor } from "./literal.js";
import { startPanes, startViews } from "./panes.js";
import { Reset } from "./reset.js";
import { Results } from "./results.js";
import { Runner } from "./run.js";
import { Submissions } from "./submissions.js";
import { startTabs } from "./tabs.js";
import { startTheme } from "./theme.js";

const problem = JSON.parse(byId("problem-data").textContent);
const work = byId("work");
const saved = byId("saved");

startTheme(byId("theme"));
startPanes(byId("split"), work, byId("gutter"), byId("vgutter"));
const showView = startViews(document.body, document.querySelectorAll("[data-show]"));
if (byId("panel-hints")) startHints(byId("panel-hints"));

// --- code and drafts
const drafts = new Drafts(problem, (text) => { saved.textContent = text; });
const draft = drafts.restore();
const actions = {
  run: () => judge("run"),
  submit: () => judge("submit"),
  save() {
    const kept = drafts.flush();
    saved.textContent = kept ? "Draft saved" : "This browser keeps no drafts";
    announce(saved.textContent);
  },
};
const editor = new Editor(byId("source"), {
  text: draft?.text ?? problem.starter,
  words: problem.parameters.map(({ name }) => name),
  keys: { "Mod-Enter": actions.run, "Mod-Shift-Enter": actions.submit, "Mod-s": actions.save },
  onChange(text) {
    drafts.changed(text);
    reset.edited();
    results.stale(results.source !== null && results.source !== text);
  },
});
if (draft?.earlier) saved.textContent = "Draft from an earlier version of this problem";
const reset = new Reset(byId("reset"), editor, problem.starter, (text) => {
  saved.textContent = text;
  announce(text);
});

// --- results
const left = startTabs(byId("tabs"), { inAddress: true, onSelect: (name) => { if (name === "submissions") submissions?.refresh(); } });
const right = startTabs(byId("work-tabs"));
const goTo = (line) => {
  showView("code");
  editor.goTo(line);
};
const results = new Results(problem, {
  goTo,
  tryLike: problem.features.like ? tryLike : null,
  showPitfall(pitfall) {
    showView("read");
    left.show(`pitfall-${pitfall}`);
    byId("panel-theory")?.focus({ preventScroll: true });
  },
});
const runner = new Runner(results, (state) => {
  for (const id of ["run", "submit"]) {
    if (state === "judging") byId(id).setAttribute("aria-disabled", "true");
    else byId(id).removeAttribute("aria-disabled");
  }
});
const own = new OwnInputs(byId("panel-inputs"), problem, (number) => {
  byId("tab-inputs").textContent = number ? `Your inputs (${number})` : "Your inputs";
});
const submissions = problem.features.history && new Submissions(byId("panel-submissions"), problem, {
  current: () => editor.get(),
  restore(source) {
    reset.replace(source, "Submission restored");
    showView("code");
  },
  show(report) {
    results.start(report.source, report.total);
    results.finish(report);
    results.stale(report.source !== editor.get());
    right.select("results");
    work.classList.add("has-results");
  },
});

async function judge(mode) {
  const source = editor.get();
  const body = { problem: problem.slug, source, mode };
  let expected = mode === "run" ? problem.samples.length : problem.cases.length;
  showView("results");
  if (mode === "run" && own.size) {
    try {
      body.inputs = own.read();
    } catch (error) {
      if (!(error instanceof NotATensor)) throw error;
      right.select("inputs");
      announce(error.message);
      byId("panel-inputs").querySelector('[aria-invalid="true"], textarea')?.focus();
      return;
    }
    expected += body.inputs.length;
  }
  right.select("results");
  work.classList.add("has-results");
  editor.mark([]);
  drafts.flush();
  const report = await runner.go(body, expected);
  if (!report) return;
  results.stale(editor.get() !== source);
  editor.mark(marksOf(report));
  if (mode === "submit" && submissions && !byId("panel-submissions").hidden) submissions.refresh();
}

// Lines to underline: what does not compile, and where the first failing case raised.
function marksOf(report) {
  if (report.errors?.length) return report.errors;
  const raised = report.cases.find(({ verdict, line }) => verdict === "run_time_error" && line);
  return raised ? [{ line: raised.line, message: raised.message }] : [];
}

// A fresh small case of the same kind as a secret one, shown in `place`.
async function tryLike(one, place) {
  const source = results.source;
  place.textContent = "Trying…";
  try {
    for await (const { event, data } of submit({ problem: problem.slug, source, mode: "run", like: one.case }, newKey())) {
      if (event !== "report") continue;
      const fresh = data.cases.find(({ group }) => group === "own");
      place.replaceChildren(fresh ? detail(fresh, { problem, source, goTo, tryLike: null }) : h("p", {}, "Your code does not run."));
    }
  } catch (error) {
    if (!(error instanceof Trouble)) throw error;
    place.textContent = error.message;
  }
}

byId("run").addEventListener("click", actions.run);
byId("submit").addEventListener("click", actions.submit);
showKeys(document);
shortcuts(actions);

await editor.upgrade(byId("main").nonce);
document.documentElement.dataset.editor = editor.kind;
document.documentElement.dataset.ready = "";
