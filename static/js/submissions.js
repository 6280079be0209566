// The Submissions tab: this browser's own, newest first. Opening one never touches the draft; restoring can be undone.
import { button, h } from "./dom.js";
import { Trouble, get } from "./api.js";
import { comparisonOf, listing } from "./diff.js";
import { icon } from "./icons.js";
import { lookOf } from "./verdicts.js";

const UNITS = [["day", 86_400], ["hour", 3_600], ["minute", 60]];

function ago(moment) {
  const seconds = Math.round((Date.parse(moment) - Date.now()) / 1000);
  const [unit, size] = UNITS.find(([, length]) => Math.abs(seconds) >= length) ?? ["second", 1];
  return new Intl.RelativeTimeFormat("en", { numeric: "auto" }).format(Math.round(seconds / size), unit);
}

export class Submissions {
  // `tools` is {current(): source in the editor, restore(source), show(report)}.
  constructor(panel, problem, tools) {
    this.panel = panel;
    this.problem = problem;
    this.tools = tools;
    this.list = h("ul", { class: "history" });
    this.foot = h("div", { class: "row" });
    this.status = h("p", { class: "quiet", "aria-live": "polite" });
    panel.replaceChildren(this.status, this.list, this.foot);
  }

  // The first page again: at opening the tab and after a submission.
  async refresh() {
    this.list.replaceChildren();
    await this.more(null);
  }

  async more(before) {
    this.foot.replaceChildren();
    this.status.textContent = "Loading…";
    const query = new URLSearchParams({ problem: this.problem.slug, ...(before ? { before } : {}) });
    try {
      const page = await get(`/submissions?${query}`);
      this.list.append(...page.items.map((item) => this.row(item)));
      this.status.textContent = this.list.childElementCount ? "" : "Nothing submitted from this browser yet.";
      if (page.next) this.foot.append(button("Older", () => this.more(page.next)));
    } catch (error) {
      this.explain(error, () => this.more(before));
    }
  }

  explain(error, again) {
    if (!(error instanceof Trouble)) throw error;
    this.status.textContent = error.message;
    this.foot.replaceChildren(button("Try again", again));
  }

  row(item) {
    const done = item.state === "done";
    const { word, icon: mark, tone } = item.verdict === "accepted" ? { word: "Accepted", icon: "passes", tone: "ok" } : lookOf(item);
    const body = h("div", { class: "body", hidden: true });
    const open = async (draw) => {
      try {
        const report = await get(`/submissions/${encodeURIComponent(item.id)}`);
        body.replaceChildren(...draw(report));
      } catch (error) {
        if (!(error instanceof Trouble)) throw error;
        body.replaceChildren(h("p", { class: "quiet" }, error.message));
      }
      body.hidden = false;
    };
    return h("li", {},
      done ? icon(mark, tone) : icon("clock", "neutral"),
      h("div", { class: "what" }, h("strong", {}, done ? word : "Not judged yet"),
        done && item.total > 0 && h("span", { class: "quiet" }, `${item.passed} of ${item.total} cases`),
        h("time", { class: "quiet", datetime: item.submitted_at, title: new Date(item.submitted_at).toLocaleString() }, ago(item.submitted_at))),
      h("div", { class: "row" },
        button("Open", () => open((report) => this.opened(report))),
        button("Compare", () => open((report) => this.compared(report)))),
      body);
  }

  opened(report) {
    if (report.state === "done") this.tools.show(report);
    if (typeof report.source !== "string") return [h("p", { class: "quiet" }, "Its code is not kept.")];
    return [listing(report.source, "Submitted code"), this.ways(report)];
  }

  compared(report) {
    const now = this.tools.current();
    if (report.source === now) return [h("p", { class: "quiet" }, "It is the same as the code in the editor.")];
    return [
      h("p", { class: "quiet" }, "From this submission (−) to the code in the editor (+):"),
      comparisonOf(report.source, now, "Changes since this submission"),
      this.ways(report),
    ];
  }

  ways(report) {
    return h("div", { class: "row listing-ways" }, button("Restore into the editor", () => this.tools.restore(report.source)));
  }
}
