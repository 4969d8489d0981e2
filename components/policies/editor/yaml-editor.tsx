"use client";

import {
  acceptCompletion,
  autocompletion,
  type Completion,
  type CompletionContext,
  type CompletionResult,
  closeBrackets,
  closeBracketsKeymap,
  completionKeymap,
  startCompletion,
} from "@codemirror/autocomplete";
import {
  defaultKeymap,
  history,
  historyKeymap,
  indentLess,
  indentMore,
  isolateHistory,
  redo,
  undo,
} from "@codemirror/commands";
import { bracketMatching, foldGutter, foldKeymap, indentOnInput, indentUnit } from "@codemirror/language";
import { lintGutter, nextDiagnostic, previousDiagnostic, setDiagnostics } from "@codemirror/lint";
import { EditorState, Prec } from "@codemirror/state";
import {
  drawSelection,
  EditorView,
  highlightActiveLine,
  highlightActiveLineGutter,
  hoverTooltip,
  keymap,
  lineNumbers,
  type Tooltip,
} from "@codemirror/view";
import { SOURCE_BYTES_MAX } from "@quarterdeck/hooks/contract/text/source-limit";
import type { Repair } from "@quarterdeck/hooks/contract/text/text-problems";
import { type Ref, useEffect, useImperativeHandle, useRef } from "react";
import { repaired } from "@/components/policies/check/repair";
import type { Edit } from "@/components/policies/document/change";
import { diagnosticsOf } from "@/components/policies/editor/problem-marks";
import { type Hint, hintsAt, meaningOf, profileOf } from "@/components/policies/editor/schema-hints";
import { shallowYaml } from "@/components/policies/editor/shallow-yaml";
import { keyPathOf, positionAt, siblingKeys } from "@/components/policies/editor/yaml-position";
import type { Checked } from "@/components/policies/use-check";
import { editorLook } from "@/components/ui/code/editor-look";
import { toast } from "@/components/ui/toast";

export interface EditorHandle {
  /** Puts the cursor at a place, counted from 1, and the keyboard into the editor. */
  goTo(line: number, column: number): void;
  /**
   * Changes the text as one undo step; continuous typing in one field is one step. `make` gets the text with line feeds
   * only. Null before the editor is ready.
   */
  edit(make: (text: string) => Edit, isTyping: boolean): Edit | null;
  undo(): void;
  redo(): void;
}

export interface YamlEditorProps {
  /** Replaces the editor's text if it differs from the text typed last: a merge, or a restored revision. */
  text: string;
  /** The text at which its undo begins: edits made before the editor was loaded are one step. */
  firstText: string;
  onChange: (text: string) => void;
  /** Its marks are shown once it is for the current text; until then the previous marks move with the typing. */
  checked: Checked;
  /** Cmd/Ctrl-S. */
  onSave: () => void;
  /** Cmd/Ctrl-Enter. */
  onPublish: () => void;
  ref?: Ref<EditorHandle>;
}

/** A policy's text: highlighted, completed and explained from the hooks schema, marked where it is wrong. */
export default function YamlEditor({ text, firstText, onChange, checked, onSave, onPublish, ref }: YamlEditorProps) {
  const host = useRef<HTMLDivElement>(null);
  const view = useRef<EditorView | null>(null);
  const latest = useRef({ onChange, onSave, onPublish });
  const initial = useRef(firstText);
  // CodeMirror normalises line ends: the text keeps its original ones.
  const eol = useRef(eolOf(firstText));
  // The text passed on last: when it is passed back it is the same string, so the comparison is free.
  const typed = useRef(firstText);
  // The place to go to as soon as the editor is drawn.
  const goal = useRef<Place | null>(null);
  useEffect(() => {
    latest.current = { onChange, onSave, onPublish };
  });
  useEffect(() => {
    // Synchronises with CodeMirror, which owns the element's inside.
    if (!host.current) return;
    const editor = new EditorView({
      parent: host.current,
      state: EditorState.create({
        doc: initial.current,
        extensions: [
          Prec.highest(
            keymap.of([
              { key: "Mod-s", run: () => run(latest.current.onSave), preventDefault: true },
              { key: "Mod-Enter", run: () => run(latest.current.onPublish), preventDefault: true },
            ]),
          ),
          ...basics,
          shallowYaml(initial.current),
          EditorView.updateListener.of((update) => {
            if (!update.docChanged) return;
            typed.current = update.state.doc.sliceString(0, undefined, eol.current);
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
    initial.current = text;
    typed.current = text;
    eol.current = eolOf(text);
    editor.dispatch({ changes: differenceOf(editor.state.doc.toString(), text.replaceAll("\r\n", "\n")) });
  }, [text]);
  useEffect(() => {
    const editor = view.current;
    if (!editor || !checked.view || checked.text !== typed.current) return;
    const { problems, findings } = checked.view;
    const repair = (one: Repair) => {
      const edit = applyEdit(editor, (now) => repaired(now, one), false);
      if (!edit.ok) toast.error("The draft was not changed", { description: edit.why });
    };
    editor.dispatch(setDiagnostics(editor.state, diagnosticsOf(editor.state.doc, problems, findings, repair)));
  }, [checked]);
  useEffect(() => {
    if (!view.current || !goal.current) return;
    goToPlace(view.current, goal.current);
    goal.current = null;
  }, []);
  useImperativeHandle(ref, () => ({
    goTo(line, column) {
      if (view.current) goToPlace(view.current, { line, column });
      else goal.current = { line, column };
    },
    edit(make, isTyping) {
      const editor = view.current;
      if (!editor) return null;
      return applyEdit(editor, make, isTyping);
    },
    undo: () => void (view.current && undo(view.current)),
    redo: () => void (view.current && redo(view.current)),
  }));
  return <div ref={host} className="h-full min-h-0 overflow-hidden" data-testid="yaml-editor" />;
}

interface Place {
  readonly line: number;
  readonly column: number;
}

function goToPlace(editor: EditorView, { line, column }: Place): void {
  const { from, to } = editor.state.doc.line(Math.min(Math.max(line, 1), editor.state.doc.lines));
  const anchor = Math.min(from + column - 1, to);
  editor.dispatch({ selection: { anchor }, effects: EditorView.scrollIntoView(anchor, { y: "center" }) });
  editor.focus();
}

function applyEdit(editor: EditorView, make: (text: string) => Edit, isTyping: boolean): Edit {
  const edit = make(editor.state.doc.toString());
  if (edit.ok && edit.changes.length > 0)
    editor.dispatch({
      changes: [...edit.changes],
      userEvent: isTyping ? "input.type.form" : "input.form",
      ...(isTyping ? {} : { annotations: isolateHistory.of("full") }),
    });
  return edit;
}

/** The difference as one change, so that a cursor elsewhere in the text does not move. */
function differenceOf(before: string, after: string): { from: number; to: number; insert: string } {
  const shorter = Math.min(before.length, after.length);
  let head = 0;
  while (head < shorter && before[head] === after[head]) head += 1;
  let tail = 0;
  while (tail < shorter - head && before.at(-1 - tail) === after.at(-1 - tail)) tail += 1;
  return { from: head, to: before.length - tail, insert: after.slice(head, after.length - tail) };
}

const eolOf = (text: string) => (text.includes("\r\n") ? "\r\n" : "\n");

function run(act: () => void): true {
  act();
  return true;
}

const basics = [
  lineNumbers(),
  foldGutter(),
  lintGutter(),
  history(),
  drawSelection(),
  indentOnInput(),
  indentUnit.of("  "),
  EditorState.tabSize.of(2),
  bracketMatching(),
  closeBrackets(),
  highlightActiveLine(),
  highlightActiveLineGutter(),
  // Tab accepts a completion. It is rarely pressed by accident, so there is no interaction delay.
  autocompletion({ override: [complete], icons: false, activateOnTyping: true, interactionDelay: 0 }),
  hoverTooltip(explain),
  keymap.of([
    // Tab accepts a completion or indents. After Escape, Tab moves the focus, so that the keyboard is not trapped.
    { key: "Tab", run: acceptCompletion },
    { key: "Tab", run: indentMore, shift: indentLess },
    { key: "F8", run: nextDiagnostic, shift: previousDiagnostic },
    ...closeBracketsKeymap,
    ...defaultKeymap.filter(({ key }) => key !== "Mod-Enter"),
    ...historyKeymap,
    ...foldKeymap,
    ...completionKeymap,
  ]),
  EditorView.contentAttributes.of({ "aria-label": "Policy text, YAML", tabindex: "0" }),
  ...editorLook,
];

const linesUntil = (state: EditorState): string[] => state.doc.toString().split("\n");

function complete({ state, pos, explicit }: CompletionContext): CompletionResult | null {
  if (state.doc.length > SOURCE_BYTES_MAX) return null;
  const line = state.doc.lineAt(pos);
  const lines = linesUntil(state);
  const place = positionAt(lines, line.number - 1, pos - line.from);
  // Values are offered as soon as the key is written, keys only after typing or on request.
  const isUnasked = !explicit && place.writing === "key" && place.key === "";
  if (place.writing === "text" || isUnasked) return null;
  const taken = siblingKeys(lines, line.number - 1, place.from);
  const hints = hintsAt(place, profileOf(state.doc.toString()), taken);
  if (hints.length === 0) return null;
  return { from: line.from + place.from, options: hints.map(optionOf), validFor: /^[\w"-]*$/ };
}

function optionOf(hint: Hint): Completion {
  const insert = hint.insert ?? hint.label;
  return {
    label: hint.label,
    ...(hint.detail === undefined ? {} : { detail: hint.detail }),
    ...(hint.info === undefined ? {} : { info: hint.info }),
    apply(view, _completion, from, to) {
      // Not twice, when the colon is there already.
      const hasColon = /^:/.test(view.state.sliceDoc(to, to + 1));
      const text = hasColon ? hint.label : insert;
      view.dispatch({
        changes: { from, to, insert: text },
        selection: { anchor: from + text.length },
        userEvent: "input.complete",
      });
      if (text.endsWith(": ") || text.endsWith("- ")) startCompletion(view);
    },
  };
}

function explain(view: EditorView, pos: number): Tooltip | null {
  if (view.state.doc.length > SOURCE_BYTES_MAX) return null;
  const line = view.state.doc.lineAt(pos);
  const key = keyPathOf(linesUntil(view.state), line.number - 1);
  const name = key?.path.at(-1);
  if (!key || name === undefined) return null;
  const from = line.from + key.from;
  if (pos < from || pos > from + name.length) return null;
  const lines = meaningOf(key.path, profileOf(view.state.doc.toString()));
  if (!lines) return null;
  return { pos: from, end: from + name.length, above: false, create: () => ({ dom: meaningCard(name, lines) }) };
}

function meaningCard(name: string, lines: readonly string[]): HTMLElement {
  const card = document.createElement("div");
  card.className = "flex flex-col gap-1 px-2.5 py-2";
  const title = document.createElement("code");
  title.className = "font-semibold text-code-key";
  title.textContent = name;
  card.append(title);
  for (const [at, text] of lines.entries()) {
    const line = document.createElement("p");
    if (at > 0) line.className = "text-muted";
    line.textContent = text;
    card.append(line);
  }
  return card;
}
