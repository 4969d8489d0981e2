import { describe, expect, it } from "vitest";
import { compileMatcher } from "./matcher.ts";
import {
  findMatcherKind,
  kindMatcher,
  listCommandTexts,
  SELECTABLE_KINDS,
  TOOL_KINDS,
  toolKindOf,
  toolNamesOf,
} from "./tool-kinds.ts";

const selects = (matcher: string, name: string) => {
  const compiled = compileMatcher(matcher);
  return compiled.ok && compiled.matches(name);
};

describe("the matcher of a kind", () => {
  it.each(SELECTABLE_KINDS)("$title selects every name of the kind, none of another, and is read back", (info) => {
    for (const kind of TOOL_KINDS)
      for (const name of toolNamesOf(kind)) expect(selects(info.matcher, name), name).toBe(kind === info.kind);
    expect(findMatcherKind(info.matcher)).toBe(info);
    expect(findMatcherKind(info.matcher.split("|").reverse().join("|"))).toBe(info);
    expect(findMatcherKind(`${info.matcher}|my_tool`)).toBeNull();
  });

  it("knows the names of MCP tools in each client's form, and no built-in tool", () => {
    for (const name of ["mcp__echo__add", "mcp_echo_add", "MCP:add", "echo/add"])
      expect(selects(kindMatcher("mcp"), name), name).toBe(true);
    expect(selects(kindMatcher("mcp"), "Bash")).toBe(false);
  });

  it("is about whole names, case included", () => {
    expect(selects(kindMatcher("shell"), "BASH")).toBe(false);
    expect(selects(kindMatcher("shell"), "Bash2")).toBe(false);
    expect(toolKindOf("BASH")).toBe("other");
  });
});

it("no name has two kinds", () => {
  const names = TOOL_KINDS.flatMap(toolNamesOf);
  expect(new Set(names).size).toBe(names.length);
});

it.each([
  [{ cmd: "ls" }, ["ls"]],
  [{ command: ["rm", "-r", "x"] }, ["rm -r x"]],
  [{ commands: ["ls", "rm x"] }, ["ls", "rm x"]],
  [{ cmd: "ls", command: "rm x" }, ["ls", "rm x"]],
  [{ path: "a", cmd: 5 }, []],
])("the commands in %j are %j", (input, texts) => expect(listCommandTexts(input)).toEqual(texts));
