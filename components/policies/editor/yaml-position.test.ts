import { describe, expect, it } from "vitest";
import { keyPathOf, positionAt, siblingKeys } from "@/components/policies/editor/yaml-position";

/** The place of the bar in a text. */
function at(text: string) {
  const lines = text.split("\n");
  const line = lines.findIndex((each) => each.includes("¦"));
  const column = (lines[line] ?? "").indexOf("¦");
  lines[line] = (lines[line] ?? "").replace("¦", "");
  const { path, writing, key } = positionAt(lines, line, column);
  return [path.join("."), writing, key];
}

describe("the place of a cursor", () => {
  it.each([
    ["¦", ["", "key", ""]],
    ["ho¦", ["", "key", "ho"]],
    ["hooks:\n  ¦", ["hooks", "key", ""]],
    ["hooks:\n  pre_¦", ["hooks", "key", "pre_"]],
    ["hooks:\n  pre_tool_use:\n    - ¦", ["hooks.pre_tool_use.[]", "key", ""]],
    ["hooks:\n  pre_tool_use:\n  - ma¦", ["hooks.pre_tool_use.[]", "key", "ma"]],
    ["hooks:\n  pre_tool_use:\n    - matcher: shell\n      ¦", ["hooks.pre_tool_use.[]", "key", ""]],
    ["hooks:\n  pre_tool_use:\n    - matcher: sh¦", ["hooks.pre_tool_use.[]", "value", "matcher"]],
    ["hooks:\n  stop:\n    - type: ¦", ["hooks.stop.[]", "value", "type"]],
    ["hooks:\n  a:\n    - hooks:\n        - type: command\n          ¦", ["hooks.a.[].hooks.[]", "key", ""]],
    ["hooks:\n  a:\n    - hooks:\n        - type: command\n        - ¦", ["hooks.a.[].hooks.[]", "key", ""]],
    ["hooks:\n  a:\n    - hooks:\n        - type: command\n    - ¦", ["hooks.a.[]", "key", ""]],
    ["hooks:\n  a:\n    - b: 1\n  ¦", ["hooks", "key", ""]],
    ["hooks:\n  a:\n    - b: 1\n¦", ["", "key", ""]],
    ["hooks:\n  # a note: here\n  ¦", ["hooks", "key", ""]],
    ["hooks:\n  stop: # note\n    - ¦", ["hooks.stop.[]", "key", ""]],
    ["hooks:\n  stop:\n    - command: |\n        if x: then\n        ¦", ["hooks.stop.[].command", "text", ""]],
    ["hooks:\n  stop:\n    - command: >-\n        x\n      ¦", ["hooks.stop.[]", "key", ""]],
    ["hooks:\n  # ¦", ["hooks", "text", ""]],
    ['"hooks":\n  ¦', ["hooks", "key", ""]],
  ])("in %j", (text, expected) => {
    expect(at(text)).toEqual(expected);
  });

  it("of a key in the middle of its line", () => {
    const lines = ["hooks:", "  stop:", "    - type: command", "      timeout: 5"];
    expect(keyPathOf(lines, 3)).toEqual({ path: ["hooks", "stop", "[]", "timeout"], from: 6 });
    expect(keyPathOf(["  plain"], 0)).toBeNull();
  });
});

describe("the keys beside a cursor", () => {
  const lines = [
    "hooks:",
    "  stop:",
    "    - type: command",
    "      name: a",
    "    - type: model",
    "      model: m",
    "      ",
    "      prompt: p",
    "    - timeout: 5",
    "  turn_end: []",
  ];
  it("are those of the same item alone", () => {
    expect([...siblingKeys(lines, 6, 6)].sort()).toEqual(["model", "prompt", "type"]);
  });
  it("are those of the same mapping, however long its values", () => {
    expect([...siblingKeys(lines, 9, 2)]).toEqual(["stop"]);
  });
});
