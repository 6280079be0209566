// The code editor: a text area at once, CodeMirror as soon as its bundle has come.
import { plainEditor } from "./textarea.js";
import { codeMirrorEditor } from "./codemirror.js";

export class Editor {
  constructor(area, { text, keys, words, onChange }) {
    this.area = area;
    this.keys = keys;
    this.words = words;
    this.onChange = onChange;
    area.value = text;
    this.inner = plainEditor(area, { onChange: () => this.changed() });
  }

  // Resolves when the better editor stands, or when it is known that there is none.
  async upgrade(nonce) {
    let bundle;
    try {
      bundle = await import("../dist/editor.js");
    } catch {
      return;
    }
    const hadFocus = document.activeElement === this.area;
    this.inner.close();
    const { keys, words } = this;
    this.inner = codeMirrorEditor(bundle, this.area, { nonce, keys, words, onChange: () => this.changed() });
    this.area.hidden = true;
    if (hadFocus) this.inner.focus();
  }

  changed() {
    this.onChange(this.inner.get());
  }

  get kind() { return this.inner.kind; }
  get() { return this.inner.get(); }
  // Replaces everything; undo brings it back.
  set(text) { this.inner.set(text); }
  focus() { this.inner.focus(); }
  mark(problems) { this.inner.mark(problems); }
  goTo(line) { this.inner.goTo(line); }
}
