// Replacing all of the code, by Reset or by restoring a submission; the same button takes it back until the next edit.
export class Reset {
  constructor(button, editor, starter, say) {
    this.button = button;
    this.editor = editor;
    this.say = say;
    this.before = null;
    button.addEventListener("click", () => {
      if (this.before === null) this.replace(starter, "Starter code restored");
      else this.undo();
    });
  }

  replace(text, sentence) {
    const before = this.editor.get();
    if (before === text) {
      this.say("It is the same code already");
      return;
    }
    this.replacing = true;
    this.editor.set(text);
    this.replacing = false;
    this.before = before;
    this.button.textContent = "Undo";
    this.say(sentence);
    this.editor.focus();
  }

  undo() {
    const { before } = this;
    this.replacing = true;
    this.editor.set(before);
    this.replacing = false;
    this.forget();
    this.say("Your code is back");
    this.editor.focus();
  }

  edited() {
    if (!this.replacing) this.forget();
  }

  forget() {
    this.before = null;
    this.button.textContent = "Reset";
  }
}
