// The results panel: one row for each case as it comes, then the summary sentence, cards above the rows.
import { byId, button, count, h } from "./dom.js";
import { detail } from "./detail.js";
import { chevron, icon } from "./icons.js";
import { NOTES, failed, lookOf, summaryOf } from "./verdicts.js";

const LONGEST_LINE = 200;
const GROUPS = { sample: "Samples", secret: "Secret cases", own: "Your inputs" };

export class Results {
  // `tools` is what a case's detail needs, without the source.
  constructor(problem, { goTo, tryLike, showPitfall }) {
    this.problem = problem;
    this.actions = { goTo, tryLike };
    this.showPitfall = showPitfall;
    this.panel = byId("panel-results");
    this.rows = new Map();
    this.source = null;
  }

  start(source, expected) {
    this.source = source;
    this.expected = expected;
    this.rows.clear();
    this.group = null;
    if (this.panel.contains(document.activeElement)) this.panel.focus(); // what had the focus goes away
    byId("cases").replaceChildren();
    byId("notices").replaceChildren();
    byId("progress").hidden = false;
    this.panel.scrollTop = 0;
    this.stale(false);
    this.say("busy", "Judging…");
    this.advance();
  }

  say(state, text, mark = null) {
    byId("summary").dataset.state = state;
    byId("verdict").textContent = text;
    byId("summary-icon").replaceChildren(...(mark ? [icon(mark, state)] : []));
  }

  advance() {
    const bar = byId("bar");
    bar.max = Math.max(this.expected, this.rows.size, 1);
    bar.value = this.rows.size;
    byId("bar-label").textContent = `${this.rows.size} of ${count(bar.max, "case")} judged`;
  }

  add(one) {
    const text = JSON.stringify(one);
    const old = this.rows.get(one.case);
    if (old?.text === text) return;
    const row = this.row(one);
    this.rows.set(one.case, { text, row });
    if (old) old.row.replaceWith(row);
    else {
      if (one.group !== this.group) byId("cases").append(h("h2", { class: "group" }, GROUPS[one.group] ?? one.group));
      this.group = one.group;
      byId("cases").append(row);
    }
    this.advance();
  }

  finish(report) {
    for (const one of report.cases) this.add(one);
    byId("progress").hidden = true;
    const { tone, text } = summaryOf(report, report.cases);
    const first = report.cases.find(failed);
    this.say(tone, text, first ? lookOf(first).icon : report.errors?.length ? "raised" : tone === "ok" ? "passes" : "note");
    byId("notices").replaceChildren(...this.cards(report));
    if (report.errors?.length) byId("cases").replaceChildren(this.errors(report.errors));
    if (first) this.rows.get(first.case).row.open = true;
  }

  cards(report) {
    const cards = [];
    const { diagnosis } = report;
    if (diagnosis) {
      const more = diagnosis.pitfall && button("Read about it in the theory", () => this.showPitfall(diagnosis.pitfall), { kind: "link" });
      cards.push(card("diagnosis", "hint", diagnosis.title, diagnosis.message, more));
    }
    for (const note of report.notes ?? []) cards.push(card("note", "note", "", NOTES[note] ?? note));
    for (const remark of report.remarks ?? []) cards.push(card("note", "note", "", remark));
    if (report.revision && report.revision !== this.problem.revision) {
      const reload = button("Reload the page", () => location.reload(), { kind: "link" });
      cards.push(card("note", "note", "", "The problem was updated since you opened this page. Your code was judged by the new version.", reload));
    }
    return cards;
  }

  // Something is in the way: what, what happens next, and the ways on.
  trouble(message, next, ...ways) {
    byId("progress").hidden = true;
    this.say("warn", message, "grader");
    byId("notices").replaceChildren(card("trouble", "note", "", next, ...ways));
  }

  errors(errors) {
    const lines = this.source.split("\n");
    return h("ul", { class: "errors" }, ...errors.map(({ line, message }) => h("li", {},
      button(`Line ${line}`, () => this.actions.goTo(line), { kind: "link" }),
      h("div", {}, h("p", {}, message), lines[line - 1]?.trim() && h("code", {}, lines[line - 1].trim().slice(0, LONGEST_LINE))))));
  }

  row(one) {
    const { word, icon: mark, tone } = lookOf(one);
    const row = h("details", { class: "case", "data-tone": tone, "data-case": one.case },
      h("summary", {}, icon(mark, tone),
        h("span", { class: "title" }, one.title || one.case),
        h("span", { class: "why" }, tone === "ok" || one.group === "secret" ? "" : one.message),
        h("span", { class: "word" }, word),
        h("span", { class: "time" }, timeOf(one)), chevron()));
    const tools = { problem: this.problem, source: this.source, ...this.actions };
    row.addEventListener("toggle", () => {
      if (row.open && row.childElementCount === 1) row.append(detail(one, tools));
    });
    return row;
  }

  // Whether what is shown belongs to the code as it stands now.
  stale(isStale) {
    byId("stale").hidden = !isStale;
    this.panel.classList.toggle("is-stale", isStale);
  }
}

function timeOf({ verdict, time_ms: ms }) {
  if (typeof ms !== "number" || verdict === "skipped") return "";
  return ms < 0.1 ? "< 0.1 ms" : `${ms.toFixed(ms < 100 ? 1 : 0)} ms`;
}

function card(kind, mark, title, text, ...ways) {
  return h("div", { class: `card ${kind}` }, icon(mark),
    h("div", {}, title && h("h2", {}, title), h("p", {}, text), ways.some(Boolean) && h("div", { class: "row" }, ...ways)));
}
