import { expect, it } from "vitest";
import type { HookDefinition } from "../hook.ts";
import type { Rule } from "../rules/schema.ts";
import { diffHooksBlocks, type Meant } from "./semantic-diff.ts";

const DELETES: Rule = { deny: "Delete single files.", command: { program: "rm", flags: ["recursive"] } };
const HOSTS: Rule = { ask: "A new host.", host: { not: ["*.example.com"] } };
const MARK: Rule = { mark: "read_secret", path: { class: "credentials" } };

const guard = (rules: Rule[], over: Partial<HookDefinition> = {}): Meant => ({
  hooks: { pre_tool_use: [{ matcher: "*", hooks: [{ name: "guard", type: "rules", rules, ...over }] }] },
  profile: "2026-08",
});
/** `!` before what may loosen. */
const said = (before: Meant, after: Meant) =>
  diffHooksBlocks(before, after).map(({ sentence, mayLoosen }) => `${mayLoosen ? "! " : ""}${sentence}`);

const TABLE: readonly (readonly [change: string, before: Rule[], after: Rule[], sentences: string[]])[] = [
  ["removed", [DELETES, HOSTS], [DELETES], ["! `guard`: does not ask any more: `A new host`."]],
  ["added", [DELETES], [DELETES, HOSTS], ["`guard`: has a new rule that asks: `A new host`."]],
  [
    "an added allow",
    [DELETES],
    [DELETES, { allow: "Fine.", kind: "read" }],
    ["! `guard`: has a new rule that allows: `Fine`."],
  ],
  [
    "moved",
    [DELETES, HOSTS, MARK],
    [MARK, DELETES, HOSTS],
    ["`guard`: the rule `read_secret` is moved: it is before `Delete single files` now."],
  ],
  [
    "a weaker verdict",
    [DELETES],
    [{ ask: "Delete single files.", command: { program: "rm", flags: ["recursive"] } }],
    ["! `guard`: the rule `Delete single files` asks now; before it denied."],
  ],
  [
    "a stricter verdict",
    [HOSTS],
    [{ deny: "A new host.", host: { not: ["*.example.com"] } }],
    ["`guard`: the rule `A new host` denies now; before it asked."],
  ],
  [
    "a wider condition",
    [DELETES],
    [{ ...DELETES, command: { program: ["rm", "srm"], flags: ["recursive"] } }],
    ["`guard`: the rule `Delete single files` matches more calls now: `command` is another."],
  ],
  [
    "a narrower condition",
    [DELETES],
    [{ ...DELETES, kind: "shell" }],
    ["! `guard`: the rule `Delete single files` matches fewer calls now: `kind` is new."],
  ],
  [
    "another condition",
    [HOSTS],
    [{ ask: "A new host.", host: { not: ["*.example.org"] } }],
    ["! `guard`: the rule `A new host` matches other calls now: `host` is another."],
  ],
  [
    "another reason",
    [DELETES],
    [{ ...DELETES, deny: "One by one." }],
    ["`guard`: the rule `One by one` gave another reason before: `Delete single files`."],
  ],
  [
    "another mark",
    [MARK],
    [{ ...MARK, mark: "read_key" }],
    ["! `guard`: the rule `read_key` sets the mark `read_key` now instead of `read_secret`."],
  ],
  ["a list for one text", [MARK], [{ ...MARK, path: { class: ["credentials"] } }], []],
];

it.each(TABLE)("%s", (_change, before, after, sentences) => {
  expect(said(guard(before), guard(after))).toEqual(sentences);
});

it("hooks of other names are other hooks", () => {
  expect(said(guard([DELETES]), guard([HOSTS], { name: "hosts" }))).toEqual([
    "! `guard` is removed from pre_tool_use for every tool.",
    "`hosts` is added to pre_tool_use for every tool.",
  ]);
});

it("a condition that changed is shown as a text", () => {
  const [change] = diffHooksBlocks(guard([DELETES]), guard([{ ...DELETES, kind: "shell" }]));
  expect(change?.texts?.after).toContain('"kind": "shell"');
});
