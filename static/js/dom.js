// Element builders. Text is always set as text: nothing in this page parses HTML.
function build(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value !== null && value !== undefined && value !== false) element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...children.filter((child) => child !== null && child !== undefined && child !== false));
  return element;
}

export const h = (tag, attributes = {}, ...children) => build(document.createElement(tag), attributes, children);
export const s = (tag, attributes = {}, ...children) =>
  build(document.createElementNS("http://www.w3.org/2000/svg", tag), attributes, children);
export const byId = (id) => document.getElementById(id);

export function button(label, act, { kind = "small", ...attributes } = {}) {
  const element = h("button", { type: "button", class: `btn ${kind}`, ...attributes }, label);
  element.addEventListener("click", act);
  return element;
}

// Plurals and lists in sentences.
export const count = (number, noun) => `${number} ${noun}${number === 1 ? "" : "s"}`;

// Says something to a screen reader that the eye sees elsewhere.
export function announce(text) {
  let region = byId("announcer");
  if (!region) {
    region = h("div", { id: "announcer", class: "unseen", "aria-live": "polite" });
    document.body.append(region);
  }
  region.textContent = text;
}
