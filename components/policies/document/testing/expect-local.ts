/** For tests: what every edit of a form promises about the bytes it touches. */
import { history, redo, undo } from "@codemirror/commands";
import { EditorState, type StateCommand, Text } from "@codemirror/state";
import { expect } from "vitest";
import { applied, type Change, type Edit } from "@/components/policies/document/change";

/** Asserts what every edit promises: its own bytes only, a text that reads, and a way back. */
export function expectLocal(text: string, edit: Edit, own: readonly [number, number]): string {
  if (!edit.ok) throw new Error(`${edit.why}\n---\n${text}`);
  for (const { from, to } of edit.changes) {
    const where = `${JSON.stringify(edit.changes)} own ${own.join("-")}\n${text}`;
    // The comma or line end that separated it from the item before is removed too.
    if (from < own[0]) expect(text.slice(from, own[0]), where).toMatch(/^\s*,?\s*$/);
    if (to > own[1]) expect(text.slice(own[1], to), where).toMatch(/^\s*$/);
  }
  expect(applied(text, edit.changes)).toBe(edit.text);
  expect(undone(text, edit.changes)).toEqual([edit.text, text, edit.text]);
  if (text.includes("\r\n")) expect(edit.text.replaceAll("\r\n", "")).not.toMatch(/[\r\n]/);
  return edit.text;
}

/** As the editor does it: one transaction, then undo, then redo. */
function undone(text: string, changes: readonly Change[]): string[] {
  let state = EditorState.create({
    doc: Text.of(text.split("\n")),
    extensions: [history(), EditorState.lineSeparator.of("\n")],
  });
  const seen: string[] = [];
  const take = (transaction: { readonly state: EditorState }) => {
    state = transaction.state;
  };
  const run = (command: StateCommand) => command({ state, dispatch: take });
  const note = () => void seen.push(state.doc.toString());
  if (changes.length > 0) state = state.update({ changes: [...changes] }).state;
  note();
  run(undo);
  note();
  run(redo);
  note();
  return seen;
}
