// What the page uses of CodeMirror. The build hook bundles this file into static/dist/editor.js.
export { EditorState, Prec } from "@codemirror/state";
export {
  EditorView, drawSelection, dropCursor, highlightActiveLine, highlightActiveLineGutter, highlightSpecialChars,
  keymap, lineNumbers,
} from "@codemirror/view";
export { defaultKeymap, history, historyKeymap, indentWithTab, redo, undo } from "@codemirror/commands";
export {
  HighlightStyle, bracketMatching, foldGutter, foldKeymap, indentOnInput, indentUnit, syntaxHighlighting,
} from "@codemirror/language";
export { autocompletion, closeBrackets, closeBracketsKeymap, completionKeymap } from "@codemirror/autocomplete";
export { highlightSelectionMatches, searchKeymap } from "@codemirror/search";
export { lintGutter, setDiagnostics } from "@codemirror/lint";
export { python, pythonLanguage } from "@codemirror/lang-python";
export { tags } from "@lezer/highlight";
