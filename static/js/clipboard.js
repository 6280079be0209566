// Copies text; the newer interface exists only on HTTPS and localhost.
import { announce, button, h } from "./dom.js";

async function copy(text) {
  if (navigator.clipboard) {
    try {
      await navigator.clipboard.writeText(text);
      return true;
    } catch {
      // not permitted: the older way
    }
  }
  const area = h("textarea", { class: "unseen", "aria-hidden": "true" });
  area.value = text;
  document.body.append(area);
  area.select();
  const done = document.execCommand("copy");
  area.remove();
  return done;
}

export function copyButton(label, text) {
  const element = button(label, async () => {
    const done = await copy(text());
    element.textContent = done ? "Copied" : "Copying is not permitted";
    announce(element.textContent);
    element.focus();
    setTimeout(() => { element.textContent = label; }, 2000);
  });
  return element;
}
