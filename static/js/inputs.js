// Inputs of one's own for Run: up to four sets, checked against the shapes while they are typed, kept in this browser.
import { button, h } from "./dom.js";
import { NotATensor, misfits, readTensor } from "./literal.js";
import { loadJson, save } from "./storage.js";

const MOST_SETS = 4;
const MOST_ELEMENTS = 4096;
const SIZES = { n: 3, m: 4 };

const written = (values) => (Array.isArray(values) && Array.isArray(values[0])
  ? `[${values.map(written).join(",\n ")}]`
  : JSON.stringify(values).replaceAll(",", ", "));

export class OwnInputs {
  constructor(panel, problem, onChange) {
    this.problem = problem;
    this.key = `inputs:${problem.slug}`;
    this.onChange = onChange;
    this.list = h("div", { class: "own" });
    this.add = h("div", { class: "row" });
    const sample = problem.samples.find(({ inputs }) => inputs);
    if (sample) this.add.append(button(`Start from ${sample.title.toLowerCase()}`, () => this.open(sample.inputs)));
    this.add.append(button("Random", () => this.open(this.random())), button("Empty", () => this.open({})));
    panel.replaceChildren(
      h("p", { class: "quiet" }, "Run judges the samples and shows what your code gives on these inputs beside the reference. At most four sets; they are kept in this browser."),
      this.list, this.add);
    for (const texts of loadJson(this.key) ?? []) this.set(texts);
    this.changed();
  }

  // The sets as the service takes them; throws NotATensor when one is not right.
  read() {
    return this.sets().map((set) => {
      const { values, wrong } = this.check(set);
      if (Object.values(wrong).some(Boolean)) throw new NotATensor("Your inputs have an error; see the tab “Your inputs”.");
      return values;
    });
  }

  get size() { return this.list.childElementCount; }

  sets() { return [...this.list.children]; }

  open(inputs) {
    const set = this.set(Object.fromEntries(Object.entries(inputs).map(([name, values]) => [name, written(values)])));
    this.changed();
    set.querySelector("textarea").focus();
  }

  set(texts) {
    const set = h("fieldset");
    const fields = this.problem.parameters.map(({ name, shape }, index) => {
      const id = `own-${crypto.getRandomValues(new Uint32Array(1))[0]}-${index}`;
      const area = h("textarea", { "data-name": name, "aria-describedby": id, spellcheck: "false", autocapitalize: "off", autocomplete: "off", placeholder: "[[1, 0], [0, 1]]" });
      area.value = texts[name] ?? "";
      area.addEventListener("input", () => this.changed());
      return h("label", {}, h("span", {}, h("code", {}, name), ` (${shape})`), area, h("span", { class: "shape", id }));
    });
    const remove = button("Remove", () => {
      set.remove();
      this.changed();
      this.add.querySelector("button").focus();
    }, { kind: "link" });
    set.append(h("legend", {}), h("div", { class: "fields" }, ...fields), remove);
    this.list.append(set);
    return set;
  }

  check(set) {
    const values = {};
    const shapes = {};
    const wrong = {};
    for (const area of set.querySelectorAll("textarea")) {
      const { name } = area.dataset;
      try {
        ({ values: values[name], shape: shapes[name] } = readTensor(area.value));
      } catch (error) {
        if (!(error instanceof NotATensor)) throw error;
        wrong[name] = error.message;
      }
    }
    Object.assign(wrong, misfits(this.problem.parameters, shapes));
    const elements = Object.values(shapes).reduce((sum, shape) => sum + shape.reduce((product, size) => product * size, 1), 0);
    if (elements > MOST_ELEMENTS) wrong[this.problem.parameters[0].name] ??= `All inputs together may have ${MOST_ELEMENTS} elements.`;
    return { values, shapes, wrong };
  }

  changed() {
    const sets = this.sets();
    sets.forEach((set, index) => {
      set.querySelector("legend").textContent = `Inputs ${index + 1}`;
      const { shapes, wrong } = this.check(set);
      for (const area of set.querySelectorAll("textarea")) {
        const { name } = area.dataset;
        const note = area.nextElementSibling;
        const empty = area.value.trim() === "";
        area.setAttribute("aria-invalid", String(Boolean(wrong[name]) && !empty));
        note.classList.toggle("wrong", Boolean(wrong[name]) && !empty);
        note.textContent = wrong[name] ?? `float32 (${shapes[name].join(", ")})`;
      }
    });
    for (const one of this.add.children) one.disabled = sets.length >= MOST_SETS;
    save(this.key, sets.length ? JSON.stringify(sets.map((set) =>
      Object.fromEntries([...set.querySelectorAll("textarea")].map((area) => [area.dataset.name, area.value])))) : null);
    this.onChange(sets.length);
  }

  // Normal values with two decimals; equal letters get equal sizes.
  random() {
    const sizes = { ...SIZES };
    let next = 2;
    const sizeOf = (dim) => (typeof dim === "number" ? dim : (sizes[dim] ??= next++));
    const normal = () => Math.round(100 * Math.sqrt(-2 * Math.log(1 - Math.random())) * Math.cos(2 * Math.PI * Math.random())) / 100;
    const fill = ([size, ...rest]) => (size === undefined ? normal() : Array.from({ length: size }, () => fill(rest)));
    return Object.fromEntries(this.problem.parameters.map(({ name, dims }) => [name, fill(dims.map(sizeOf))]));
  }
}
