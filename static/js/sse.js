// Reads an event stream from a fetch body: yields {event, data} for each event, and null for a comment (a sign of life).
export async function* events(body) {
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  let event = "message";
  let data = [];
  try {
    for (;;) {
      const { value, done } = await reader.read();
      if (done) return;
      const lines = (rest + value).split(/\r\n|\n|\r(?!$)/);
      rest = lines.pop();
      for (const line of lines) {
        if (line === "") {
          if (data.length) yield { event, data: data.join("\n") };
          event = "message";
          data = [];
        } else if (line.startsWith(":")) {
          yield null;
        } else {
          const [, name, text] = /^([^:]*):? ?(.*)$/.exec(line);
          if (name === "event") event = text;
          else if (name === "data") data.push(text);
        }
      }
    }
  } finally {
    reader.cancel().catch(() => {}); // the connection is gone or no longer wanted: either way it is closed
  }
}
