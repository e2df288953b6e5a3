// The editor: CodeMirror 6 for batch scripts. The engine provides options and diagnostics.
import { autocompletion, completionKeymap } from "@codemirror/autocomplete";
import { defaultKeymap, history, historyKeymap, indentWithTab } from "@codemirror/commands";
import { HighlightStyle, StreamLanguage, bracketMatching, indentUnit, syntaxHighlighting } from "@codemirror/language";
import { shell } from "@codemirror/legacy-modes/mode/shell";
import { closeLintPanel, forEachDiagnostic, lintGutter, lintKeymap, setDiagnostics } from "@codemirror/lint";
import { closeSearchPanel, highlightSelectionMatches, searchKeymap } from "@codemirror/search";
import { Compartment, EditorState } from "@codemirror/state";
import {
  Decoration,
  EditorView,
  MatchDecorator,
  ViewPlugin,
  drawSelection,
  highlightActiveLine,
  highlightActiveLineGutter,
  highlightSpecialChars,
  hoverTooltip,
  keymap,
  lineNumbers,
} from "@codemirror/view";
import { tags } from "@lezer/highlight";
import { OPTIONS, PHRASES } from "./french.js";

const colours = HighlightStyle.define([
  { tag: tags.comment, color: "var(--code-comment)" },
  { tag: tags.string, color: "var(--code-string)" },
  { tag: [tags.keyword, tags.controlKeyword], color: "var(--code-keyword)" },
  { tag: [tags.variableName, tags.definition(tags.variableName), tags.special(tags.variableName)], color: "var(--code-variable)" },
  { tag: [tags.number, tags.atom], color: "var(--code-number)" },
  { tag: [tags.standard(tags.variableName), tags.attributeName], color: "var(--code-builtin)" },
]);

const directives = new MatchDecorator({
  regexp: /^#(SBATCH|SIM)\b.*/g,
  decoration: (match) => Decoration.mark({ class: match[1] === "SIM" ? "cm-sim" : "cm-sbatch" }),
});
const directivePlugin = ViewPlugin.fromClass(
  class {
    constructor(view) {
      this.marks = directives.createDeco(view);
    }
    update(update) {
      this.marks = directives.updateDeco(update, this.marks);
    }
  },
  { decorations: (plugin) => plugin.marks },
);

const theme = EditorView.theme({
  "&": { height: "100%", fontSize: "13px", color: "var(--text-strong)", backgroundColor: "var(--surface-1)" },
  ".cm-scroller": { fontFamily: "var(--mono)", lineHeight: "1.5" },
  ".cm-gutters": { backgroundColor: "var(--surface-1)", color: "var(--text-faint)", border: "none" },
  ".cm-activeLine": { backgroundColor: "var(--active-line)" },
  ".cm-activeLineGutter": { backgroundColor: "var(--active-line)", color: "var(--text-normal)" },
  "&.cm-focused": { outline: "none" },
  "&.cm-focused .cm-cursor, .cm-cursor": { borderLeftColor: "var(--accent)", borderLeftWidth: "2px" },
  "&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground": {
    background: "var(--selection)",
  },
  ".cm-tooltip": {
    background: "var(--surface-2)",
    border: "1px solid var(--line-strong)",
    borderRadius: "6px",
    color: "var(--text-strong)",
    boxShadow: "var(--float)",
  },
  ".cm-tooltip-autocomplete ul li[aria-selected]": { background: "var(--accent)", color: "var(--on-accent)" },
  ".cm-diagnostic": { padding: "4px 8px", maxWidth: "60ch" },
  ".cm-diagnosticAction": {
    font: "inherit",
    margin: "4px 0 0",
    padding: "2px 8px",
    minHeight: "24px",
    display: "block",
    color: "var(--on-accent)",
    background: "var(--accent)",
    borderRadius: "4px",
    cursor: "pointer",
  },
  ".cm-help": { padding: "6px 10px", maxWidth: "52ch", fontFamily: "var(--sans)" },
  ".cm-help p": { margin: "4px 0 0", color: "var(--text-normal)" },
  ".cm-help code": { fontFamily: "var(--mono)", fontWeight: "600" },
  ".cm-panels": { background: "var(--surface-2)", color: "var(--text-strong)" },
  ".cm-panels.cm-panels-bottom": { borderTop: "1px solid var(--line)" },
  ".cm-panel.cm-search": { padding: "6px 28px 6px 8px" },
  ".cm-panel.cm-search label": { fontSize: "inherit" },
  ".cm-textfield": {
    font: "inherit",
    minHeight: "26px",
    background: "var(--surface-1)",
    border: "1px solid var(--line-strong)",
    borderRadius: "6px",
  },
  ".cm-button": {
    font: "inherit",
    minHeight: "26px",
    color: "var(--text-strong)",
    background: "var(--surface-1)",
    border: "1px solid var(--line-strong)",
    borderRadius: "6px",
    cursor: "pointer",
    "&:active": { background: "var(--active-line)" },
  },
});

/** The description of an option in a language. */
function help(option, language) {
  // No line break before a French colon.
  return language === "fr" ? (OPTIONS[option.name] ?? option.help).replace(/ (?=[:;])/g, "\u00a0") : option.help;
}

/** Completes options and values before the cursor on a directive line. */
function complete(options, language, context) {
  const line = context.state.doc.lineAt(context.pos);
  const before = line.text.slice(0, context.pos - line.from);
  if (!/^#SBATCH\s/.test(before)) {
    const start = /^#S?B?A?T?C?H?$/.exec(before);
    return start && before.length > 0 ? { from: line.from, options: [{ label: "#SBATCH ", type: "keyword" }] } : null;
  }
  const value = /(?:^|\s)(--[\w-]+=|-\w\s*)([^\s=]*)$/.exec(before);
  if (value) {
    const name = value[1].replace(/[=\s]+$/, "");
    const option = options.find((o) => o.name === name || o.short === name);
    if (!option?.values.length) return null;
    return { from: context.pos - value[2].length, options: option.values.map((label) => ({ label, type: "constant" })) };
  }
  const word = /(?:^|\s)(-[\w-]*)$/.exec(before);
  if (!word && !(context.explicit && /\s$/.test(before))) return null;
  return {
    from: context.pos - (word?.[1].length ?? 0),
    options: options.map((o) => ({
      label: o.name,
      apply: o.argument ? `${o.name}=` : o.name,
      detail: [o.short, o.argument].filter(Boolean).join(" "),
      info: help(o, language),
      type: "property",
    })),
    validFor: /^-[\w-]*$/,
  };
}

/** Describes the option under the pointer. */
function hover(options, language, view, pos) {
  const line = view.state.doc.lineAt(pos);
  if (!/^#SBATCH\s/.test(line.text)) return null;
  for (const found of line.text.matchAll(/\s(--[\w-]+|-\w)/g)) {
    const from = line.from + found.index + 1;
    const end = from + found[1].length;
    if (pos < from || pos > end) continue;
    const option = options.find((o) => o.name === found[1] || o.short === found[1]);
    if (!option) return null;
    const create = () => {
      const dom = document.createElement("div");
      dom.className = "cm-help";
      const name = dom.appendChild(document.createElement("code"));
      name.textContent = [option.name, option.short].filter(Boolean).join(", ") + (option.argument ? ` <${option.argument}>` : "");
      dom.appendChild(document.createElement("p")).textContent = help(option, language);
      if (option.values.length) {
        const values = dom.appendChild(document.createElement("p"));
        values.textContent = option.values.slice(0, 12).join(" · ") + (option.values.length > 12 ? " …" : "");
      }
      return { dom };
    };
    return { pos: from, end, above: true, create };
  }
  return null;
}

/** Applies the fix of the diagnostic at the cursor, if it has one. */
function fixHere(view) {
  const { head } = view.state.selection.main;
  const line = view.state.doc.lineAt(head);
  let done = false;
  forEachDiagnostic(view.state, (found, from, to) => {
    if (done || !found.actions?.length || to < line.from || from > line.to) return;
    done = true;
    found.actions[0].apply(view, from, to);
  });
  return done;
}

/** Opens an editor in `host`; calls `onChange(path, text)` after each change and `onSave()` on Ctrl-S. */
export function open_editor(host, onChange, onSave) {
  let options = [];
  let path = "";
  let said = ["", "{0}", "{0}", "en"];
  const speech = new Compartment();
  const spoken = () => [
    EditorView.contentAttributes.of({ "aria-label": said[0] }),
    EditorState.phrases.of(said[3] === "fr" ? PHRASES : {}),
  ];
  const states = new Map();
  const setUp = [
    lineNumbers(),
    lintGutter(),
    highlightActiveLine(),
    highlightActiveLineGutter(),
    highlightSpecialChars(),
    history(),
    drawSelection(),
    bracketMatching(),
    highlightSelectionMatches(),
    indentUnit.of("  "),
    StreamLanguage.define(shell),
    syntaxHighlighting(colours),
    directivePlugin,
    autocompletion({ icons: false, override: [(context) => complete(options, said[3], context)] }),
    hoverTooltip((view, pos) => hover(options, said[3], view, pos)),
    keymap.of([
      { key: "Mod-s", run: () => (onSave(), true) },
      { key: "Mod-.", run: fixHere },
      ...completionKeymap,
      ...lintKeymap,
      ...searchKeymap,
      ...historyKeymap,
      indentWithTab,
      ...defaultKeymap,
    ]),
    EditorView.updateListener.of((update) => update.docChanged && path && onChange(path, update.state.doc.toString())),
    EditorView.contentAttributes.of({ spellcheck: "false", tabindex: "0", "aria-describedby": "way-out-editor" }),
    theme,
  ];
  const fresh = (text) => EditorState.create({ doc: text, extensions: [setUp, speech.of(spoken())] });
  const view = new EditorView({ parent: host, state: fresh("") });
  return {
    /** Shows a file: its stored state, or a new one with `text`. */
    show: (next, text) => {
      if (path) states.set(path, view.state);
      path = next;
      view.setState(states.get(next) ?? fresh(text));
      view.dispatch({ effects: speech.reconfigure(spoken()) });
    },
    /** Sets the editor's accessible name, the label of fixes, and the language of its own messages. */
    words: (list) => {
      said = list;
      // Open panels are still in the previous language.
      closeSearchPanel(view);
      closeLintPanel(view);
      view.dispatch({ effects: speech.reconfigure(spoken()) });
    },
    /** Replaces a file's text with the version on disk. */
    replace: (name, text) => {
      if (name !== path) return void states.delete(name);
      if (view.state.doc.toString() !== text) {
        view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: text } });
      }
    },
    forget: (name) => {
      states.delete(name);
      if (name === path) path = "";
    },
    text: () => view.state.doc.toString(),
    focus: () => view.focus(),
    set_options: (list) => (options = list),
    set_findings: (findings) => view.dispatch(setDiagnostics(view.state, findings.map((f) => diagnostic(view.state.doc, f, said)))),
  };
}

/** Converts the engine's lines and byte columns to CodeMirror positions, with a button for the fix. */
function diagnostic(doc, [number, from, to, error, message, better], said) {
  const line = doc.line(Math.min(Math.max(number, 1), doc.lines));
  const start = column(line.text, from);
  const end = Math.max(column(line.text, to), Math.min(start + 1, line.length));
  const insert = better?.split("\n").at(-1) === line.text && better !== line.text;
  const label = insert ? said[2].replace("{0}", better.split("\n")[0]) : said[1].replace("{0}", better);
  const write = (view, from, to) => {
    view.dispatch({ changes: { from, to, insert: better } });
    view.focus();
  };
  return {
    from: line.from + start,
    to: line.from + end,
    severity: error ? "error" : "warning",
    message,
    actions: better ? [{ name: label, apply: write }] : [],
  };
}

function column(text, bytes) {
  let units = 0;
  let left = bytes;
  for (const character of text) {
    left -= new TextEncoder().encode(character).length;
    if (left < 0) break;
    units += character.length;
  }
  return units;
}
