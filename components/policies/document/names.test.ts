/** A text or a list of texts, edited by form: the fewest bytes change. */
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import type { Edit } from "@/components/policies/document/change";
import { namesIn, namesText, putKey, putNames, removeKeys } from "@/components/policies/document/names";
import { policyForm } from "@/components/policies/document/tree";

const RULE = ["hooks", "pre_tool_use", 0, "hooks", 0, "rules", 0];
const COMMAND = { path: [...RULE, "command"], order: ["program", "subcommand", "flags"] };
const TARGET = { path: [...RULE, "command", "target"], order: [], isOptional: true };
const policy = (rule: string) => `hooks:
  pre_tool_use:
    - matcher: Bash # shell
      hooks:
        - type: rules
          rules:
${rule
  .split("\n")
  .map((line) => (line === "" ? "" : `            ${line}`))
  .join("\n")}`;
const done = (edit: Edit): string => {
  if (!edit.ok) throw new Error(edit.why);
  return edit.text;
};
const ruleOf = (text: string) => parse(text).hooks.pre_tool_use[0].hooks[0].rules[0];

describe("names", () => {
  const source = policy(`# why
- deny: no # keep
  command:
    program: # the list
      - rm # one
      - unlink
`);

  it("adds, changes and removes one item of a list and leaves its neighbours' comments", () => {
    expect(done(putNames(source, COMMAND, "program", ["rm", "unlink", "shred"]))).toBe(
      source.replace("- unlink\n", "- unlink\n                  - shred\n"),
    );
    expect(done(putNames(source, COMMAND, "program", ["rm", "del"]))).toBe(source.replace("- unlink", "- del"));
    const left = ruleOf(done(putNames(source, COMMAND, "program", ["unlink"])));
    expect(left.command.program).toEqual(["unlink"]);
  });

  it("writes one name as a text, several as a list, and a list of one where the schema wants a list", () => {
    const one = policy("- deny: no\n  command: { program: rm }\n");
    expect(ruleOf(done(putNames(one, COMMAND, "program", ["rm", "del"]))).command).toEqual({ program: ["rm", "del"] });
    expect(ruleOf(done(putNames(one, COMMAND, "subcommand", ["push"]))).command.subcommand).toBe("push");
    expect(ruleOf(done(putNames(one, COMMAND, "flags", ["force"], true))).command.flags).toEqual(["force"]);
    expect(ruleOf(done(putNames(one, COMMAND, "program", []))).command).toEqual({});
  });

  it("changes nothing when the names are the same", () => {
    expect(putNames(source, COMMAND, "program", ["rm", "unlink"])).toEqual({ ok: true, changes: [], text: source });
  });

  it("makes a mapping with its first key and takes it out with its last", () => {
    const one = policy("- deny: no\n  command: { program: rm }\n");
    const set = done(putKey(one, TARGET, "outside", "project"));
    expect(ruleOf(set).command).toEqual({ program: "rm", target: { outside: "project" } });
    expect(done(putKey(set, TARGET, "outside", undefined))).toBe(one);
  });

  it("takes several keys out as one change", () => {
    const after = policy("- deny: no\n  after: seen # since\n  within: 30m\n  tool: x\n");
    const edit = removeKeys(after, RULE, ["after", "within"]);
    expect(edit.ok && edit.changes.length).toBe(1);
    expect(ruleOf(done(edit))).toEqual({ deny: "no", tool: "x" });
  });
});

describe("names on one line", () => {
  it.each([
    ["git", ["git"]],
    [" git , docker* ,", ["git", "docker*"]],
    ["**/*.{ts,tsx}, src/[a,b]/**", ["**/*.{ts,tsx}", "src/[a,b]/**"]],
    [",", []],
  ])("%j", (line, names) => expect(namesIn(line)).toEqual(names));

  it.each([
    ["git", "git"],
    [["git", "hg"], "git, hg"],
    [undefined, ""],
    [["a,b"], null],
    [[1], null],
    [{ a: 1 }, null],
  ])("of %j", (value, line) => expect(namesText(value)).toBe(line));
});

describe("rules in the form's tree", () => {
  it("have nested conditions as they are written, and stay byte for byte through an edit", () => {
    const nest = "any:\n  # either\n  - { kind: shell }\n  - not:\n      tool: 'x' # quoted\n";
    const source = policy(`- deny: no\n  ${nest.trimEnd().replaceAll("\n", "\n  ")}\n  agent: nightly\n`);
    const rules = policyForm(source).events[0]?.entries[0]?.hooks[0]?.rules;
    expect(rules?.nodes[0]?.nests).toEqual([nest.trimEnd().replace(" # quoted", "")]);
    const edited = done(putNames(source, { path: RULE, order: [] }, "agent", ["nightly", "ci"]));
    expect(edited).toBe(source.replace("agent: nightly", "agent: [nightly, ci]"));
  });

  it("that are no list, or no mapping, are named", () => {
    const odd = (rules: string) => {
      const { events } = policyForm(`hooks:\n  pre_tool_use:\n    - hooks: [{ type: rules, rules: ${rules} }]\n`);
      return events[0]?.entries[0]?.hooks[0]?.rules;
    };
    expect(odd("3")).toEqual({ nodes: [], isOdd: true });
    expect(odd("[1, { deny: x }]")).toMatchObject({ isOdd: true, nodes: [{ fields: { deny: "x" } }] });
    expect(odd("null")).toEqual({ nodes: [], isOdd: false });
  });
});
