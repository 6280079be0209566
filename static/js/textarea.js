// The plain editor: the text area that the page comes with, with Tab, indentation and undo. Used until the bundle is there.
const INDENT = "    ";

export function plainEditor(area, { onChange }) {
  let leaving = false; // Esc was pressed: the next Tab leaves

  const insert = (text) => {
    // The only way that keeps the browser's own undo.
    if (!document.execCommand("insertText", false, text)) {
      area.setRangeText(text, area.selectionStart, area.selectionEnd, "end");
      onChange();
    }
  };
  const onKey = (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
    if (event.key === "Escape") {
      leaving = true;
      return;
    }
    if (event.key === "Tab" && !leaving && !event.shiftKey) {
      event.preventDefault();
      insert(INDENT);
    } else if (event.key === "Enter") {
      event.preventDefault();
      const line = area.value.slice(area.value.lastIndexOf("\n", area.selectionStart - 1) + 1, area.selectionStart);
      insert(`\n${/^\s*/.exec(line)[0]}${/:\s*$/.test(line) ? INDENT : ""}`);
    }
    if (event.key !== "Tab" && event.key !== "Shift") leaving = false;
  };
  const onBlur = () => { leaving = false; };
  area.addEventListener("input", onChange);
  area.addEventListener("keydown", onKey);
  area.addEventListener("blur", onBlur);

  return {
    kind: "textarea",
    get: () => area.value,
    set(text) {
      area.focus();
      area.select();
      insert(text);
    },
    focus: () => area.focus(),
    mark() {},
    goTo(line) {
      const lines = area.value.split("\n");
      const start = lines.slice(0, line - 1).join("\n").length + (line > 1 ? 1 : 0);
      area.focus();
      area.setSelectionRange(start, start + (lines[line - 1] ?? "").length);
    },
    close() {
      area.removeEventListener("input", onChange);
      area.removeEventListener("keydown", onKey);
      area.removeEventListener("blur", onBlur);
    },
  };
}
