"use client";

import {
  acceptCompletion,
  autocompletion,
  type CompletionContext,
  type CompletionResult,
  completionKeymap,
} from "@codemirror/autocomplete";
import { defaultKeymap, history, historyKeymap, indentLess, indentMore } from "@codemirror/commands";
import { type Diagnostic, linter, lintGutter, nextDiagnostic, previousDiagnostic } from "@codemirror/lint";
import { EditorState, Prec } from "@codemirror/state";
import {
  drawSelection,
  EditorView,
  highlightActiveLine,
  highlightActiveLineGutter,
  hoverTooltip,
  keymap,
  lineNumbers,
} from "@codemirror/view";
import { parseTemplate, TemplateSyntaxError } from "@quarterdeck/go-template/syntax/parse";
import type { EventName } from "@quarterdeck/hooks/contract/events";
import { useEffect, useRef } from "react";
import { listCompletionsAt, meaningOfField } from "@/components/judges/prompts/completion";
import { templateLanguage } from "@/components/judges/prompts/template-language";
import { editorLook } from "@/components/ui/code/editor-look";

export interface TemplateEditorProps {
  /** Replaces the editor's text if it differs from the text typed last. */
  text: string;
  onChange: (text: string) => void;
  /** The event whose fields are completed; `keys` are the arguments of the call shown next to the editor. */
  event: EventName;
  keys: readonly { readonly name: string; readonly type: string }[];
  /** Cmd/Ctrl-S and Cmd/Ctrl-Enter. */
  onSave: () => void;
  onPublish: () => void;
}

/** A judge's template: highlighted, completed from the event's input, marked where it does not parse. */
export default function TemplateEditor(props: TemplateEditorProps) {
  const { text } = props;
  const host = useRef<HTMLDivElement>(null);
  const view = useRef<EditorView | null>(null);
  const latest = useRef(props);
  const typed = useRef(text);
  useEffect(() => {
    latest.current = props;
  });
  useEffect(() => {
    // Synchronises with CodeMirror, which owns the element's inside.
    if (!host.current) return;
    const complete = ({ state, pos, explicit }: CompletionContext): CompletionResult | null => {
      const { event, keys } = latest.current;
      const found = listCompletionsAt(state.doc.sliceString(Math.max(0, pos - LOOKED_BACK_MAX), pos), event, keys);
      const from = found ? found.from + Math.max(0, pos - LOOKED_BACK_MAX) : pos;
      // Unasked only behind a dot or the beginning of a word.
      if (!found || (!explicit && from === pos && state.sliceDoc(pos - 1, pos) !== ".")) return null;
      return { from, options: found.offers.map((offer) => ({ ...offer })), validFor: /^\w*$/ };
    };
    const editor = new EditorView({
      parent: host.current,
      state: EditorState.create({
        doc: typed.current,
        extensions: [
          Prec.highest(
            keymap.of([
              { key: "Mod-s", run: () => did(latest.current.onSave), preventDefault: true },
              { key: "Mod-Enter", run: () => did(latest.current.onPublish), preventDefault: true },
            ]),
          ),
          autocompletion({ override: [complete], icons: false, activateOnTyping: true, interactionDelay: 0 }),
          ...basics,
          EditorView.updateListener.of((update) => {
            if (!update.docChanged) return;
            typed.current = update.state.doc.toString();
            latest.current.onChange(typed.current);
          }),
        ],
      }),
    });
    view.current = editor;
    return () => {
      view.current = null;
      editor.destroy();
    };
  }, []);
  useEffect(() => {
    const editor = view.current;
    if (!editor || typed.current === text) return;
    typed.current = text;
    editor.dispatch({ changes: { from: 0, to: editor.state.doc.length, insert: text } });
  }, [text]);
  return <div ref={host} className="h-full min-h-0 overflow-hidden" data-testid="template-editor" />;
}

/** No action is this long. */
const LOOKED_BACK_MAX = 4_096;

function did(act: () => void): true {
  act();
  return true;
}

const wrong = linter(
  ({ state }): Diagnostic[] => {
    try {
      parseTemplate(state.doc.toString());
      return [];
    } catch (error) {
      if (!(error instanceof TemplateSyntaxError)) throw error;
      const line = state.doc.line(Math.min(error.line, state.doc.lines));
      const at = Math.min(line.from + error.column - 1, line.to);
      return [
        {
          from: Math.max(line.from, at - 1),
          to: Math.max(at, Math.min(at + 1, line.to)),
          severity: "error",
          message: error.message,
        },
      ];
    }
  },
  { delay: 150 },
);

const explain = hoverTooltip((view, pos) => {
  const { from, text } = view.state.doc.lineAt(pos);
  for (const found of text.matchAll(/\.([A-Z]\w*)/g)) {
    const start = from + found.index;
    const field = pos >= start && pos <= start + found[0].length ? meaningOfField(found[1] ?? "") : null;
    if (!field) continue;
    const dom = document.createElement("div");
    dom.className = "flex flex-col gap-1 px-2.5 py-2";
    dom.append(Object.assign(document.createElement("code"), { textContent: `.${field.label} ${field.detail}` }));
    dom.append(Object.assign(document.createElement("p"), { textContent: field.info }));
    return { pos: start, end: start + found[0].length, above: false, create: () => ({ dom }) };
  }
  return null;
});

const basics = [
  lineNumbers(),
  lintGutter(),
  history(),
  drawSelection(),
  highlightActiveLine(),
  highlightActiveLineGutter(),
  EditorView.lineWrapping,
  templateLanguage,
  wrong,
  explain,
  keymap.of([
    // Tab accepts a completion or indents. After Escape, Tab moves the focus, so that the keyboard is not trapped.
    { key: "Tab", run: acceptCompletion },
    { key: "Tab", run: indentMore, shift: indentLess },
    { key: "F8", run: nextDiagnostic, shift: previousDiagnostic },
    ...defaultKeymap.filter(({ key }) => key !== "Mod-Enter"),
    ...historyKeymap,
    ...completionKeymap,
  ]),
  EditorView.contentAttributes.of({ "aria-label": "Template", tabindex: "0" }),
  ...editorLook,
];
