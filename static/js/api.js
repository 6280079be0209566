// Talks to the service. Everything that can go wrong becomes a Trouble: what happened, and whether trying again can help.
import { events } from "./sse.js";

const SILENCE_MS = 40_000; // the server sends a sign of life every 15 s
const FIRST_WAIT_S = 2;

export class Trouble extends Error {
  constructor(kind, message, { retryS = null } = {}) {
    super(message);
    this.kind = kind; // offline | lost | busy | refused | failed
    this.retryS = retryS; // seconds after which trying again makes sense by itself; null: only by hand
  }
}

export const newKey = () => [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, "0")).join("");

async function ask(address, options) {
  try {
    return await fetch(address, options);
  } catch (error) {
    if (error.name === "AbortError") throw new Trouble("lost", "The connection broke while your code was being judged.", { retryS: FIRST_WAIT_S });
    throw new Trouble("offline", "The server does not answer.", { retryS: FIRST_WAIT_S });
  }
}

async function refusal(response) {
  const body = await response.json().catch(() => null);
  const detail = typeof body?.detail === "string" ? body.detail : `The server answered ${response.status}.`;
  const retryS = Number(response.headers.get("Retry-After")) || 5;
  if (response.status === 503 || response.status === 429) return new Trouble("busy", detail, { retryS });
  if (response.status === 502 || response.status === 504) return new Trouble("offline", "The server does not answer.", { retryS: FIRST_WAIT_S });
  if (response.status >= 500) return new Trouble("failed", "The server failed; this is not about your code.");
  return new Trouble("refused", detail);
}

// A refusal that came when the answer had begun already, so as an event.
function toldLate({ status, detail }) {
  return status === 503
    ? new Trouble("busy", detail, { retryS: 5 })
    : new Trouble("failed", detail ?? "The server failed; this is not about your code.");
}

// Submits and yields {event: "case" | "report", data}; ends after the report, else throws a Trouble.
export async function* submit(body, key) {
  const silence = new AbortController();
  let alarm = setTimeout(() => silence.abort(), SILENCE_MS);
  const alive = () => {
    clearTimeout(alarm);
    alarm = setTimeout(() => silence.abort(), SILENCE_MS);
  };
  try {
    let response = await ask("/submit", {
      method: "POST",
      signal: silence.signal,
      headers: { "Content-Type": "application/json", Accept: "text/event-stream", "Idempotency-Key": key },
      body: JSON.stringify(body),
    });
    if (response.status === 202) {
      const address = new URL(response.headers.get("Location"), location.origin).pathname;
      response = await ask(`${address}/events`, { signal: silence.signal, headers: { Accept: "text/event-stream" } });
    }
    if (!response.ok) throw await refusal(response);
    if (!response.headers.get("Content-Type")?.startsWith("text/event-stream")) {
      yield { event: "report", data: await response.json() };
      return;
    }
    try {
      for await (const one of events(response.body)) {
        alive();
        if (!one) continue;
        const data = JSON.parse(one.data);
        if (one.event === "error") throw toldLate(data);
        yield { event: one.event, data };
        if (one.event === "report") return;
      }
    } catch (error) {
      if (error instanceof Trouble) throw error;
      throw new Trouble("lost", "The connection broke while your code was being judged.", { retryS: FIRST_WAIT_S });
    }
    throw new Trouble("lost", "The connection ended before the report came.", { retryS: FIRST_WAIT_S });
  } finally {
    clearTimeout(alarm);
  }
}

// A JSON document of the service, or a Trouble.
export async function get(address) {
  const response = await ask(address, { headers: { Accept: "application/json" } });
  if (!response.ok) throw await refusal(response);
  return response.json();
}
