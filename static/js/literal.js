// Reads what a student types for a tensor: [[1, 0], [.5, 1e-3]], with or without torch.tensor(...) around it.
export class NotATensor extends Error {}

const WRAPPED = /^(?:[A-Za-z_]\w*\s*=\s*)?(?:torch\.)?[Tt]ensor\(([^]*?)(?:,\s*dtype\s*=\s*[\w.]+\s*)?\)$/;
const TOKEN = /\s*(?:([[\](),])|([+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)|(\S+))/y;

export function readTensor(text) {
  const trimmed = text.trim();
  if (!trimmed) throw new NotATensor("Type nested lists of numbers, such as [[1, 0], [0, 1]].");
  const inner = (WRAPPED.exec(trimmed)?.[1] ?? trimmed).trim();
  const tokens = [];
  TOKEN.lastIndex = 0;
  while (TOKEN.lastIndex < inner.length) {
    const match = TOKEN.exec(inner);
    if (!match) break;
    const [, mark, number, other] = match;
    if (other !== undefined) throw new NotATensor(`“${other.slice(0, 20)}” is not a number.`);
    tokens.push(mark ? { "(": "[", ")": "]" }[mark] ?? mark : Number(number));
  }
  const reader = { tokens, at: 0 };
  const values = readValue(reader, 0);
  if (reader.at < tokens.length) throw new NotATensor("There is something after the end of the list.");
  return { values, shape: shapeOf(values) };
}

function readValue(reader, depth) {
  const token = reader.tokens[reader.at];
  reader.at += 1;
  if (typeof token === "number") {
    if (!Number.isFinite(Math.fround(token))) throw new NotATensor("A number is too large for float32.");
    return token;
  }
  if (token !== "[") throw new NotATensor(token === undefined ? "A bracket is not closed." : `“${token}” is out of place.`);
  if (depth >= 8) throw new NotATensor("There are more than 8 dimensions.");
  const list = [];
  while (reader.tokens[reader.at] !== "]") {
    list.push(readValue(reader, depth + 1));
    if (reader.tokens[reader.at] === ",") reader.at += 1;
    else if (reader.tokens[reader.at] !== "]") throw new NotATensor(reader.at < reader.tokens.length ? "A comma is missing." : "A bracket is not closed.");
  }
  reader.at += 1;
  if (!list.length) throw new NotATensor("A list is empty; every size is at least 1.");
  return list;
}

function shapeOf(value) {
  if (!Array.isArray(value)) return [];
  const shapes = value.map(shapeOf);
  const first = shapes[0];
  if (shapes.some((shape) => shape.length !== first.length || shape.some((size, at) => size !== first[at]))) {
    throw new NotATensor("The lists at one depth have different lengths.");
  }
  return [value.length, ...first];
}

// Sentences about shapes that do not fit the parameters, by name; empty when all fit. Letters are bound in order.
export function misfits(parameters, shapes) {
  const sizes = new Map();
  const wrong = {};
  let leading = null;
  for (const { name, shape: symbols, dims, leading: free } of parameters) {
    const shape = shapes[name];
    if (!shape) continue;
    const spare = shape.length - dims.length;
    if (spare < 0 || (spare > 0 && !free)) {
      wrong[name] = `The shape must be (${symbols}); this has ${shape.length} dimension${shape.length === 1 ? "" : "s"}.`;
      continue;
    }
    dims.forEach((dim, at) => {
      const size = shape[spare + at];
      if (typeof dim === "number" ? dim !== size : sizes.has(dim) && sizes.get(dim) !== size) {
        wrong[name] ??= `${dim} is ${typeof dim === "number" ? dim : sizes.get(dim)} elsewhere, ${size} here: (${symbols}).`;
      } else if (typeof dim === "string") sizes.set(dim, size);
    });
    if (!free) continue;
    const front = shape.slice(0, spare).join(", ");
    if (leading !== null && leading !== front) wrong[name] ??= "The leading dimensions differ from those of the other tensors.";
    leading ??= front;
  }
  return wrong;
}
