// Shortcuts outside the editor (inside, the editor has the same ones), and their names beside the buttons.
const isMac = /Mac|iP(hone|ad|od)/.test(navigator.platform);
const NAMES = isMac ? { Enter: "⌘ ↵", "Shift Enter": "⇧ ⌘ ↵" } : { Enter: "Ctrl ↵", "Shift Enter": "Ctrl ⇧ ↵" };

export function showKeys(root) {
  for (const key of root.querySelectorAll("kbd[data-keys]")) {
    key.textContent = NAMES[key.dataset.keys];
    key.setAttribute("aria-hidden", "true");
    const shift = key.dataset.keys.startsWith("Shift") ? "Shift+" : "";
    key.closest("button").setAttribute("aria-keyshortcuts", `${isMac ? "Meta" : "Control"}+${shift}Enter`);
  }
}

export function shortcuts({ run, submit, save }) {
  document.addEventListener("keydown", (event) => {
    if (!(event.ctrlKey || event.metaKey) || event.altKey || event.defaultPrevented) return;
    if (event.key === "Enter") (event.shiftKey ? submit : run)();
    else if (event.key.toLowerCase() === "s" && !event.shiftKey) save();
    else return;
    event.preventDefault();
  });
}
