/** The editor in the console's own colours; both themes, because every value is a token. */
import { HighlightStyle, syntaxHighlighting } from "@codemirror/language";
import { EditorView } from "@codemirror/view";
import { tags } from "@lezer/highlight";

const look = EditorView.theme({
  "&": { height: "100%", fontSize: "12.5px", color: "var(--ink)", backgroundColor: "var(--surface)" },
  // Keyboard users need a visible focus ring: the cursor alone is easily missed.
  "&.cm-focused": { outline: "1px solid var(--accent)", outlineOffset: "-1px" },
  ".cm-scroller": { fontFamily: "var(--font-mono)", lineHeight: "20px", overflow: "auto" },
  ".cm-content": { padding: "8px 0 40px", caretColor: "var(--ink)" },
  ".cm-line": { padding: "0 12px 0 6px" },
  ".cm-cursor": { borderLeftColor: "var(--ink)", borderLeftWidth: "2px" },
  "&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground": {
    backgroundColor: "var(--accent-line)",
  },
  ".cm-activeLine": { backgroundColor: "transparent" },
  "&.cm-focused .cm-activeLine": { backgroundColor: "color-mix(in srgb, var(--hover) 70%, transparent)" },
  ".cm-gutters": { backgroundColor: "var(--surface)", color: "var(--faint)", border: "none" },
  ".cm-activeLineGutter": { backgroundColor: "transparent", color: "var(--ink)" },
  ".cm-lineNumbers .cm-gutterElement": { padding: "0 6px 0 10px", minWidth: "36px" },
  ".cm-foldGutter .cm-gutterElement": { cursor: "pointer", padding: "0 2px" },
  ".cm-matchingBracket": { backgroundColor: "var(--selected)", outline: "1px solid var(--accent-line)" },
  ".cm-lintRange-error": {
    backgroundImage: "none",
    textDecoration: "underline wavy var(--deny-solid)",
    textUnderlineOffset: "3px",
  },
  ".cm-lint-marker-error": {
    content: '""',
    width: "8px",
    height: "8px",
    margin: "6px 2px",
    borderRadius: "999px",
    backgroundColor: "var(--deny-solid)",
  },
  ".cm-lintRange-warning, .cm-lintRange-info": { backgroundImage: "none", textUnderlineOffset: "3px" },
  ".cm-lintRange-warning": { textDecoration: "underline wavy var(--ask-solid)" },
  ".cm-lintRange-info": { textDecoration: "underline dotted var(--observe-solid)" },
  // A shape each, so that the margin is read without colours: a disc, a triangle, a ring.
  ".cm-lint-marker-warning": {
    content: '""',
    width: "10px",
    height: "9px",
    margin: "5px 1px",
    backgroundColor: "var(--ask-solid)",
    clipPath: "polygon(50% 0, 100% 100%, 0 100%)",
  },
  ".cm-lint-marker-info": {
    content: '""',
    boxSizing: "border-box",
    width: "8px",
    height: "8px",
    margin: "6px 2px",
    borderRadius: "999px",
    border: "2px solid var(--observe-solid)",
  },
  ".cm-diagnostic-warning, .cm-diagnostic-info": { border: "none" },
  ".cm-diagnosticAction": {
    margin: "6px 0 0",
    padding: "3px 8px",
    border: "1px solid var(--line-strong)",
    borderRadius: "6px",
    backgroundColor: "var(--surface)",
    color: "var(--ink)",
    fontWeight: "500",
    cursor: "pointer",
  },
  ".cm-tooltip": {
    border: "none",
    borderRadius: "8px",
    backgroundColor: "var(--raised)",
    color: "var(--ink)",
    boxShadow: "var(--elevation)",
    fontFamily: "var(--font-sans)",
    fontSize: "12px",
    lineHeight: "16px",
    maxWidth: "380px",
    zIndex: "60",
  },
  ".cm-tooltip-hover": { padding: "0" },
  ".cm-diagnostic": { padding: "8px 10px", border: "none", color: "var(--ink)" },
  ".cm-diagnostic-error": { border: "none" },
  ".cm-tooltip.cm-tooltip-autocomplete > ul": { fontFamily: "var(--font-mono)", maxHeight: "240px", padding: "4px" },
  ".cm-tooltip.cm-tooltip-autocomplete > ul > li": {
    padding: "3px 8px",
    borderRadius: "4px",
    display: "flex",
    gap: "12px",
  },
  ".cm-tooltip-autocomplete ul li[aria-selected]": { backgroundColor: "var(--accent-soft)", color: "var(--ink)" },
  ".cm-completionIcon": { display: "none" },
  ".cm-completionMatchedText": { textDecoration: "none", fontWeight: "600", color: "var(--accent-text)" },
  ".cm-completionDetail": {
    marginLeft: "auto",
    fontStyle: "normal",
    color: "var(--faint)",
    fontFamily: "var(--font-sans)",
  },
  ".cm-tooltip.cm-completionInfo": { padding: "8px 10px", whiteSpace: "pre-line", width: "260px" },
  ".cm-panels": { backgroundColor: "var(--raised)", color: "var(--ink)" },
  ".cm-panels-bottom": { borderTop: "1px solid var(--line)" },
  ".cm-searchMatch": { backgroundColor: "var(--ask-soft)", outline: "1px solid var(--ask-line)" },
  ".cm-placeholder": { color: "var(--faint)" },
});

const colours = HighlightStyle.define([
  { tag: [tags.definition(tags.propertyName), tags.propertyName], color: "var(--code-key)" },
  { tag: [tags.string, tags.special(tags.string), tags.content], color: "var(--code-string)" },
  { tag: tags.number, color: "var(--code-number)" },
  { tag: [tags.bool, tags.null, tags.atom], color: "var(--code-atom)" },
  { tag: [tags.comment, tags.lineComment], color: "var(--code-comment)", fontStyle: "italic" },
  { tag: [tags.keyword, tags.typeName], color: "var(--code-keyword)" },
  { tag: [tags.punctuation, tags.separator, tags.squareBracket, tags.brace], color: "var(--code-punctuation)" },
]);

export const editorLook = [look, syntaxHighlighting(colours)];
