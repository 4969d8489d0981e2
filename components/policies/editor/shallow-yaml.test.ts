import { syntaxTree } from "@codemirror/language";
import { EditorState } from "@codemirror/state";
import { describe, expect, it } from "vitest";
import { levelsOf, shallowYaml } from "@/components/policies/editor/shallow-yaml";

const DEEP = `hooks: ${"[".repeat(10_000)}${"]".repeat(10_000)}`;
const stateOf = (doc: string) => EditorState.create({ doc, extensions: shallowYaml(doc) });
const replaced = (state: EditorState, insert: string) =>
  state.update({ changes: { from: 0, to: state.doc.length, insert } }).state;
const isRead = (state: EditorState) => syntaxTree(state).length > 0;

describe("a text beyond reading", () => {
  it("is plain from its first moment, whether it is opened or pasted", () => {
    expect(isRead(stateOf(DEEP))).toBe(false);
    expect(isRead(replaced(stateOf("hooks: {}\n"), DEEP))).toBe(false);
    expect(isRead(replaced(stateOf("hooks: {}\n"), `hooks: ${"- ".repeat(5_000)}x`))).toBe(true);
    expect(isRead(replaced(stateOf("hooks: {}\n"), `${"- ".repeat(5_000)}x`))).toBe(false);
  });

  it("takes every change", () => {
    const typed = stateOf(DEEP).update({ changes: { from: 0, insert: "x" } }).state;
    expect(isRead(typed)).toBe(false);
    expect(replaced(typed, "hooks: {}\n").doc.toString()).toBe("hooks: {}\n");
  });
});

it("levels are counted where they are, and never too few", () => {
  expect(levelsOf(["a: [{b: [1]}]", "c: [x]"])).toBe(3);
  expect(levelsOf(["a: ]]]]", "b: [1]"])).toBe(1);
  expect(levelsOf(["- - ? x"])).toBe(3);
});
