/** The texts people wrote: the starting policy here, and the reference documents where a checkout stands beside them. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it, test } from "vitest";
import { parse } from "yaml";
import { addItem, move, removeItem, setKey } from "@/components/policies/document/edits";
import { type HookNode, policyForm } from "@/components/policies/document/tree";
import { STARTING_SOURCE } from "@/server/policies/text/starting-policy";

const hooksOf = (text: string): HookNode[] =>
  policyForm(text).events.flatMap(({ hooks, entries }) => [...hooks, ...entries.flatMap((entry) => entry.hooks)]);

/** Each hook gets a time limit, a neighbour, and goes: every line that is not its own is still there. */
function expectEditable(text: string): void {
  for (const hook of hooksOf(text)) {
    const set = setKey(text, hook.path, "timeout", 123);
    if (!set.ok) throw new Error(`${set.why}\n${text}`);
    const [change, ...more] = set.changes;
    expect(more).toEqual([]);
    expect(change?.insert).toContain("123");
    expect(text.slice(change?.from, change?.to)).toMatch(/^(\d+)?$/);
    const added = addItem(text, hook.path.slice(0, -1), { type: "builtin", command: "add_date" });
    expect(added.ok && added.changes.every(({ from, to }) => from === to)).toBe(true);
    if (!added.ok) continue;
    const moved = move(added.text, hook.path, 1);
    expect(moved.ok && hooksOf(moved.text).length).toBe(hooksOf(text).length + 1);
    const removed = removeItem(text, hook.path);
    expect(removed.ok && hooksOf(removed.text).length).toBe(hooksOf(text).length - 1);
  }
}

it("the starting policy takes every edit", () => {
  expectEditable(STARTING_SOURCE);
  expect(hooksOf(STARTING_SOURCE).length).toBe(1);
});

const REFERENCE = join(import.meta.dirname, "../../../../shared/reference");
const reference = existsSync(REFERENCE) ? readdirSync(REFERENCE).find((name) => name.startsWith("000_")) : undefined;

test.skipIf(reference === undefined)("every documented example takes every edit (needs ../shared/reference)", () => {
  const text = readFileSync(join(REFERENCE, reference ?? ""), "utf8");
  const examples = [...text.matchAll(/^```ya?ml\n([\s\S]*?)^```/gm)].map(([, yaml = ""]) => yaml);
  const policies = examples.filter((yaml) => /^hooks:/m.test(yaml) && policyForm(yaml).locked === null);
  expect(policies.length).toBeGreaterThan(8);
  for (const policy of policies) {
    expect(hooksOf(policy).length).toBeGreaterThan(0);
    expect(parse(policy)).toBeTruthy();
    expectEditable(policy);
  }
});
