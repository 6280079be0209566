// What was typed, kept in this browser for each problem and each version of it.
import { keys, load, loadJson, save } from "./storage.js";

const KEPT_VERSIONS = 3;
const PAUSE_MS = 300;

export class Drafts {
  constructor(problem, say) {
    this.start = `draft:${problem.slug}:`;
    this.key = this.start + problem.revision.slice(0, 16);
    this.say = say;
    this.timer = 0;
    addEventListener("pagehide", () => this.flush());
    document.addEventListener("visibilitychange", () => { if (document.hidden) this.flush(); });
  }

  // The draft of this version, else the newest of an earlier one, else null. Says which.
  restore() {
    const own = loadJson(this.key);
    if (own) return { text: own.text, earlier: false };
    const older = this.all()[0];
    return older ? { text: older.text, earlier: true } : null;
  }

  all() {
    return keys(this.start)
      .map((key) => ({ key, ...loadJson(key) }))
      .filter((draft) => typeof draft.text === "string")
      .sort((a, b) => b.at - a.at);
  }

  changed(text) {
    this.text = text;
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.flush(), PAUSE_MS);
    this.say("");
  }

  // Writes at once; true when the browser kept it.
  flush() {
    clearTimeout(this.timer);
    if (this.text === undefined) return load(this.key) !== null;
    const kept = save(this.key, JSON.stringify({ text: this.text, at: Date.now() }));
    if (kept) {
      for (const old of this.all().slice(KEPT_VERSIONS)) save(old.key, null);
      this.text = undefined;
    }
    this.say(kept ? "Draft saved" : "This browser keeps no drafts");
    return kept;
  }
}
