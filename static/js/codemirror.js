// CodeMirror over the text area. Colours are CSS variables, so one theme serves light and dark.
import { completions } from "./completions.js";

const colour = (name) => `var(--${name})`;

const LOOK = {
  "&": { color: colour("text"), backgroundColor: colour("surface"), fontSize: colour("size-code") },
  "&.cm-focused": { outline: "none" },
  ".cm-scroller": { fontFamily: colour("font-code"), lineHeight: "1.6" },
  ".cm-content": { caretColor: colour("text"), padding: "12px 0" },
  ".cm-cursor": { borderLeftColor: colour("text"), borderLeftWidth: "2px" },
  ".cm-gutters": { backgroundColor: colour("surface"), color: colour("text-2"), border: "none" },
  ".cm-lineNumbers .cm-gutterElement": { padding: "0 8px 0 12px", minWidth: "36px" },
  ".cm-activeLine": { backgroundColor: "color-mix(in srgb, var(--surface-2) 60%, transparent)" },
  ".cm-activeLineGutter": { backgroundColor: "transparent", color: colour("text") },
  ".cm-selectionBackground, &.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground": {
    backgroundColor: colour("selection"),
  },
  "&.cm-focused .cm-matchingBracket": { backgroundColor: colour("match"), outline: `1px solid ${colour("line-strong")}` },
  ".cm-selectionMatch": { backgroundColor: colour("match") },
  ".cm-tooltip, .cm-panels": { backgroundColor: colour("surface"), color: colour("text"), border: `1px solid ${colour("line")}` },
  ".cm-tooltip-autocomplete ul li[aria-selected]": { backgroundColor: colour("accent-bg"), color: colour("on-accent") },
  ".cm-completionDetail": { fontStyle: "normal", opacity: ".8" },
  ".cm-panels input, .cm-panels button": { color: colour("text"), background: colour("surface-2"), border: `1px solid ${colour("line")}` },
  ".cm-diagnostic": { fontFamily: colour("font-ui"), padding: "6px 10px" },
  ".cm-foldPlaceholder": { background: colour("surface-2"), border: `1px solid ${colour("line")}`, color: colour("text-2") },
};

function highlighting(cm) {
  const t = cm.tags;
  return cm.syntaxHighlighting(cm.HighlightStyle.define([
    { tag: [t.keyword, t.operatorKeyword, t.controlKeyword, t.definitionKeyword, t.moduleKeyword, t.self, t.null, t.bool], color: colour("syntax-keyword") },
    { tag: [t.string, t.docString], color: colour("syntax-string") },
    { tag: [t.number], color: colour("syntax-number") },
    { tag: [t.comment], color: colour("syntax-comment"), fontStyle: "italic" },
    { tag: [t.function(t.definition(t.variableName)), t.function(t.variableName), t.function(t.propertyName)], color: colour("syntax-function") },
    { tag: [t.className, t.typeName], color: colour("syntax-type") },
  ]));
}

// Typing over several lines: left to Chromium it merges them with inline styles, which the page's policy refuses.
function typeOver(cm) {
  return cm.EditorView.domEventHandlers({
    beforeinput(event, view) {
      const { main } = view.state.selection;
      if (event.inputType !== "insertText" || view.composing || event.isComposing || !event.data || main.empty) return false;
      event.preventDefault();
      const plain = () => view.state.update(view.state.replaceSelection(event.data), { userEvent: "input.type", scrollIntoView: true });
      const handlers = view.state.facet(cm.EditorView.inputHandler); // brackets around a selection, and the like
      if (!handlers.some((handle) => handle(view, main.from, main.to, event.data, plain))) view.dispatch(plain());
      return true;
    },
  });
}

// Escape closes what is open and, at the same time, lets the next Tab leave the editor.
const LEAVING_MS = 60_000;

export function codeMirrorEditor(cm, area, { nonce, keys, onChange, words }) {
  const { EditorState, EditorView, keymap } = cm;
  const bindings = Object.entries(keys).map(([key, act]) => ({ key, preventDefault: true, run: () => (act(), true) }));
  const view = new EditorView({
    doc: area.value,
    parent: area.parentElement,
    extensions: [
      nonce ? EditorView.cspNonce.of(nonce) : [],
      cm.Prec.highest(keymap.of([...bindings, { key: "Escape", run: (editor) => (editor.setTabFocusMode(LEAVING_MS), false) }])),
      typeOver(cm),
      cm.lineNumbers(), cm.lintGutter(), cm.foldGutter(), cm.highlightActiveLine(), cm.highlightActiveLineGutter(), cm.highlightSpecialChars(),
      cm.history(), cm.drawSelection(), cm.dropCursor(), cm.indentUnit.of("    "), EditorState.tabSize.of(4),
      cm.indentOnInput(), cm.bracketMatching(), cm.closeBrackets(), cm.highlightSelectionMatches(),
      cm.python(), cm.pythonLanguage.data.of({ autocomplete: completions(words) }), cm.autocompletion({ icons: false }),
      highlighting(cm), EditorView.theme(LOOK),
      keymap.of([
        ...cm.closeBracketsKeymap, ...cm.defaultKeymap, ...cm.searchKeymap, ...cm.historyKeymap, ...cm.foldKeymap,
        ...cm.completionKeymap, cm.indentWithTab,
      ]),
      EditorView.contentAttributes.of({
        tabindex: "0", "aria-labelledby": "editor-label", "aria-describedby": "editor-help",
        autocapitalize: "off", autocorrect: "off", spellcheck: "false",
      }),
      EditorView.updateListener.of((update) => { if (update.docChanged) onChange(); }),
    ],
  });
  const lineAt = (number) => view.state.doc.line(Math.max(1, Math.min(number, view.state.doc.lines)));
  return {
    kind: "codemirror",
    get: () => view.state.doc.toString(),
    set(text) {
      view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: text }, userEvent: "input.replace" });
    },
    focus: () => view.focus(),
    mark(problems) {
      const diagnostics = problems.map(({ line, message }) => {
        const { from, to } = lineAt(line);
        return { from, to, severity: "error", message };
      });
      view.dispatch(cm.setDiagnostics(view.state, diagnostics));
    },
    goTo(number) {
      const line = lineAt(number);
      view.dispatch({ selection: { anchor: line.from, head: line.to }, effects: EditorView.scrollIntoView(line.from, { y: "center" }) });
      view.focus();
    },
    close() {},
  };
}
