import { execFileSync } from "node:child_process";
import { BUILTIN_NAMES, parseHooks, publishProblems } from "@quarterdeck/hooks/contract/config";
import { eventNames, PROFILES } from "@quarterdeck/hooks/contract/events";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { addItem } from "@/components/policies/document/edits";
import { policyForm } from "@/components/policies/document/tree";
import { GUARDS } from "@/components/policies/form/guards";
import { eventsFor, PURPOSES } from "@/components/policies/form/purpose";

const initial = (id: string) =>
  Object.fromEntries(GUARDS.find((one) => one.id === id)?.asks.map((ask) => [ask.key, ask.initial]) ?? []);

function textOf(id: string, answers: Record<string, string> = initial(id)): string {
  let text = "hooks: {}\n";
  for (const { event, item } of GUARDS.find((one) => one.id === id)?.make(answers) ?? []) {
    const edit = addItem(text, ["hooks", event], item);
    if (!edit.ok) throw new Error(edit.why);
    text = edit.text;
  }
  return text;
}

describe("a starting point", () => {
  it.each(GUARDS.map(({ id }) => id))("%s makes a policy that can be published in every profile", (id) => {
    const { hooks } = parse(textOf(id));
    for (const profile of PROFILES) {
      expect(parseHooks(hooks, profile)).toEqual({ ok: true, hooks });
      expect(publishProblems(hooks, { builtins: BUILTIN_NAMES, models: false })).toEqual([]);
    }
  });

  it("denies what matches and lets the rest pass, whatever is written into it", () => {
    const script = parse(textOf("deny-command")).hooks.pre_tool_use[0].hooks[0].command as string; // the guard's own script
    const run = (input: string) => execFileSync("/bin/sh", ["-c", script], { input, stdio: "pipe" });
    const shell = (cmd: string) => run(JSON.stringify({ tool_input: { cmd } }));
    const forced = ["git push origin main --force", "git push -f", "git push origin +main"];
    for (const cmd of forced) expect(() => shell(cmd), cmd).toThrow(/Force pushes are not allowed/);
    const harmless = ["git push origin main", "git push --follow-tags", "git push && tail -f build.log"];
    for (const cmd of harmless) expect(shell(cmd).toString(), cmd).toBe("");
    const word = fc.string({ unit: "grapheme-ascii", minLength: 1, maxLength: 12 });
    fc.assert(
      fc.property(word, (reason) => {
        const answers = { ...initial("deny-command"), pattern: "x", reason };
        const command = parse(textOf("deny-command", answers)).hooks.pre_tool_use[0].hooks[0].command as string; // the same
        const done = `exec 2>&1\n${command}`;
        expect(() => execFileSync("/bin/sh", ["-c", done], { input: "x", stdio: "pipe" })).toThrow(
          expect.objectContaining({ status: 2 }),
        );
      }),
      { numRuns: 20 },
    );
  });

  it("asks before the network in words the executor reads", () => {
    const script = parse(textOf("ask-network")).hooks.pre_tool_use[0].hooks[0].command as string; // the guard's own script
    const said = execFileSync("/bin/sh", ["-c", script], { input: '{"cmd":"curl x"}' }).toString();
    expect(JSON.parse(said)).toMatchObject({ hook_specific_output: { permission_decision: "ask" } });
    expect(execFileSync("/bin/sh", ["-c", script], { input: '{"cmd":"curling"}' }).toString()).toBe("");
  });
});

it("every event of a profile has one purpose", () => {
  for (const profile of PROFILES)
    expect(PURPOSES.flatMap(({ id }) => eventsFor(id, profile)).sort()).toEqual([...eventNames(profile)].sort());
});

describe("the form of a text", () => {
  it("names each hook as its problems do", () => {
    const form = policyForm(
      "hooks:\n  pre_tool_use:\n    - hooks: [{type: command}]\n  stop:\n    - {type: builtin}\n",
    );
    expect(form.events.map(({ entries, hooks }) => [entries[0]?.hooks[0]?.where, hooks[0]?.where])).toEqual([
      ["hooks.pre_tool_use[0].hooks[0]", undefined],
      [undefined, "hooks.stop[0]"],
    ]);
  });
  it.each([
    ["", null, 0],
    ["# nothing\n", null, 0],
    ["hooks:\n", null, 0],
    ["stop:\n  - {type: builtin}\n", null, 1],
    ["hooks: [", /not YAML/, 0],
    ["agents: {root: {}}\n", /can be imported/, 0],
    ["- a\n", /mapping/, 0],
    ["hooks: 5\n", /mapping of events/, 0],
    [`hooks:\n  stop:\n${"    - {type: builtin}\n".repeat(401)}`, /too many/, 0],
  ])("%j", (text, locked, events) => {
    const form = policyForm(text);
    if (locked === null) expect(form.locked).toBeNull();
    else expect(form.locked).toMatch(locked);
    expect(form.events.length).toBe(events);
  });
});
