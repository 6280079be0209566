// One run or submission from the click to the report; when the server is gone or busy, the same submission again.
import { button, h } from "./dom.js";
import { Trouble, newKey, submit } from "./api.js";

const MOST_TRIES = 6;
const LONGEST_WAIT_S = 30;

export class Runner {
  // `onState` hears "judging", "waiting" and "idle".
  constructor(results, onState) {
    this.results = results;
    this.onState = onState;
    this.current = null;
    this.giveUp = null;
  }

  // Resolves to the report, or null. A click while it waits for the server starts afresh; while it judges, does nothing.
  async go(body, expected, key = newKey()) {
    if (this.giveUp) {
      this.giveUp();
      await this.current;
    }
    if (this.current) return null;
    this.current = this.untilJudged(body, expected, key);
    try {
      return await this.current;
    } finally {
      this.current = null;
      this.onState("idle");
    }
  }

  // The key is the same for each try: the server judges it once.
  async untilJudged(body, expected, key) {
    for (let tries = 1; ; tries += 1) {
      this.onState("judging");
      this.results.start(body.source, expected);
      try {
        return await this.once(body, key);
      } catch (error) {
        if (!(error instanceof Trouble)) throw error;
        const again = error.retryS !== null && tries < MOST_TRIES && (await this.wait(error, tries));
        if (!again) {
          this.stopped(error, () => this.go(body, expected, key));
          return null;
        }
      }
    }
  }

  async once(body, key) {
    for await (const { event, data } of submit(body, key)) {
      if (event === "case") this.results.add(data);
      else if (event === "report") {
        this.results.finish(data);
        return data;
      }
    }
    throw new Trouble("lost", "The connection ended before the report came.", { retryS: 2 });
  }

  stopped(trouble, again) {
    const refused = trouble.kind === "refused";
    const next = refused ? "Nothing was judged. Your code is unchanged." : "Your code is kept in this browser. Nothing is lost: try again when you like.";
    this.results.trouble(trouble.message, next, refused ? null : button("Try again", again));
  }

  // Counts down in sight and resolves to whether to send the submission again.
  wait(trouble, tries) {
    const growth = trouble.kind === "busy" ? 1 : 2 ** (tries - 1);
    let left = Math.min(LONGEST_WAIT_S, trouble.retryS * growth);
    this.onState("waiting");
    return new Promise((resolve) => {
      let ticking = 0;
      const settle = (again) => {
        clearInterval(ticking);
        removeEventListener("online", now);
        this.giveUp = null;
        resolve(again);
      };
      const now = () => settle(true);
      this.giveUp = () => settle(false);
      const clock = h("span", { class: "quiet", "aria-hidden": "true" });
      this.results.trouble(trouble.message, "Your code is kept in this browser. The same submission is sent again by itself.",
        button("Try now", now), button("Stop", this.giveUp, { kind: "small ghost" }), clock);
      const tick = () => {
        clock.textContent = `in ${left} s`;
        if (left <= 0) now();
        left -= 1;
      };
      ticking = setInterval(tick, 1000);
      addEventListener("online", now);
      tick();
    });
  }
}
