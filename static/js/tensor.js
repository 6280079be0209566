// A tensor of a report: shape, dtype and values, looked at as matrices (the last two dimensions), one slice at a time.
const NUMBERS = { NaN, Infinity, "-Infinity": -Infinity };

export class Tensor {
  constructor({ shape, dtype, values }) {
    this.shape = shape;
    this.dtype = dtype;
    this.values = values === null || values === undefined ? null
      : [values].flat(Infinity).map((value) => (typeof value === "string" && value in NUMBERS ? NUMBERS[value] : value));
    this.columns = shape.at(-1) ?? 1;
    this.rows = shape.at(-2) ?? 1;
    this.slices = shape.slice(0, -2).reduce((product, size) => product * size, 1);
  }

  get isShown() { return this.values !== null && this.values.length > 0; }
  get label() { return `(${this.shape.join(", ")}${this.shape.length === 1 ? "," : ""})`; }

  // The values of one slice, row after row.
  slice(number) {
    const size = this.rows * this.columns;
    return this.values.slice(number * size, (number + 1) * size);
  }

  // The leading indices of a slice: 5 of (2, 3, n, d) is [1, 2].
  leading(number) {
    const indices = [];
    let rest = number;
    for (const size of this.shape.slice(0, -2).reverse()) {
      indices.unshift(rest % size);
      rest = Math.floor(rest / size);
    }
    return indices;
  }

  sliceName(number) { return `[${[...this.leading(number), ":", ":"].join(", ")}]`; }
}

export const sameShape = (a, b) => a.shape.length === b.shape.length && a.shape.every((size, at) => size === b.shape[at]);

// How numbers are written in one table: enough decimals to see a difference of `smallest`.
export function formatFor(numbers, smallest = 0) {
  const sizes = numbers.filter((value) => typeof value === "number" && Number.isFinite(value)).map(Math.abs);
  const largest = Math.max(0, ...sizes);
  if (sizes.every(Number.isInteger) && largest < 1e6) return plain((value) => String(value));
  if (largest >= 1e5 || (largest > 0 && largest < 1e-3)) return plain((value) => value.toExponential(4));
  const decimals = smallest > 0 ? Math.min(8, Math.max(4, Math.ceil(-Math.log10(smallest)) + 1)) : 4;
  return plain((value) => value.toFixed(decimals));
}

function plain(finite) {
  return (value) => {
    if (typeof value !== "number") return String(value);
    if (Number.isNaN(value)) return "NaN";
    return Number.isFinite(value) ? finite(value) : value > 0 ? "∞" : "−∞";
  };
}
