// A shown case as a program that runs anywhere torch is installed: the submitted source, the inputs, the comparison.
const WIDTH = 100;

function literal(values, indent) {
  const flat = JSON.stringify(values).replaceAll(",", ", ").replace(/"(-?)(NaN|Infinity)"/g, (_, sign, word) => `float("${sign}${word === "NaN" ? "nan" : "inf"}")`);
  if (flat.length <= WIDTH || !Array.isArray(values) || !Array.isArray(values[0])) return flat;
  const inner = " ".repeat(indent + 4);
  return `[\n${values.map((row) => `${inner}${literal(row, indent + 4)},\n`).join("")}${" ".repeat(indent)}]`;
}

const tensor = ({ values, dtype }) => `torch.tensor(${literal(values, 0)}, dtype=torch.${dtype})`;

export const canBeCode = (one) => Boolean(one.inputs) && Object.values(one.inputs).every(({ values }) => values !== null);

export function torchCode(one, problem, source, tolerance) {
  const names = Object.keys(one.inputs);
  const layout = one.layout ?? {};
  const lines = [source.trimEnd(), "", "", `# ${one.case}: ${one.title}`, "import torch", ""];
  for (const name of names) lines.push(`${name} = ${tensor(one.inputs[name])}`);
  for (const name of Object.keys(layout)) lines.push(`${name} = ${name}.mT.contiguous().mT  # same values, not contiguous`);
  lines.push(`got = ${problem.function}(${names.join(", ")})`, "print(got)");
  if (one.expected?.values) {
    lines.push(`expected = ${tensor(one.expected)}`,
      `torch.testing.assert_close(got, expected, rtol=${tolerance.rtol}, atol=${tolerance.atol})`);
  }
  return `${lines.join("\n")}\n`;
}
