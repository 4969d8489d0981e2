import { createExecutor, rulesKind, systemClock } from "@quarterdeck/hooks";
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

  it("denies the command in each of its forms and lets the rest pass", async () => {
    const answer = answerOf("deny-command");
    const forced = ["git push origin main --force", "git push -f", "git push origin +main", "sudo sh -c 'git push -f'"];
    for (const cmd of forced)
      expect(await answer(cmd), cmd).toEqual({ allowed: false, decision: "deny", message: REASON });
    const harmless = ["git push origin main", "git push --follow-tags", "git push && tail -f build.log", "git log -f"];
    for (const cmd of harmless) expect(await answer(cmd), cmd).toMatchObject({ allowed: true, decision: "" });
  });

  it("keeps a reason and a program as they were written", () => {
    const word = fc.string({ unit: "grapheme-ascii", minLength: 1, maxLength: 30 }).filter((one) => one.trim() !== "");
    fc.assert(
      fc.property(word, word, (reason, written) => {
        const program = written.replaceAll(",", "");
        fc.pre(program.trim().replace(/^-+/, "") !== "");
        const { hooks } = parse(textOf("deny-command", { program, reason, subcommand: "", flags: "-r, --force" }));
        const [rule] = hooks.pre_tool_use[0].hooks[0].rules;
        expect(rule).toEqual({
          deny: reason.trim(),
          command: { program: program.trim().replace(/^-+/, ""), flags: ["r", "force"] },
        });
      }),
      { numRuns: 50 },
    );
  });

  it.each([
    ["program", " , ", "Enter a program."],
    ["program", "x".repeat(201), "Use at most 200 characters for each name."],
    ["flags", Array.from({ length: 21 }, (_, at) => `f${at}`).join(), "Enter at most 20 names."],
    ["reason", " ", "Enter a value."],
    ["reason", "a\nb", "Enter the reason on one line."],
    ["reason", "x".repeat(501), "Use at most 500 characters for the reason."],
    ["reason", "Not here.", null],
    ["subcommand", "", null],
  ])("says that the %s %j is wrong: %j", (key, answer, problem) => {
    const question = GUARDS.find(({ id }) => id === "deny-command")?.asks.find((one) => one.key === key);
    expect(question?.wrong?.(answer)).toBe(problem);
  });

  it("asks before the network, and not about a word that looks like it", async () => {
    const answer = answerOf("ask-network");
    for (const cmd of ["curl x", "env A=1 ssh host.example ls", "git pull", "cat notes | nc host.example 80"])
      expect(await answer(cmd), cmd).toMatchObject({ decision: "ask" });
    for (const cmd of ["curling", "git status", "echo curl"])
      expect(await answer(cmd), cmd).toMatchObject({ allowed: true, decision: "" });
  });
});

const REASON = "Force pushes are not allowed here. Open a pull request.";

/** The answer of a guard's policy to a shell command. */
function answerOf(id: string) {
  const executor = createExecutor({
    config: parse(textOf(id)).hooks,
    profile: "2026-08",
    kinds: [rulesKind()],
    clock: systemClock,
    env: {},
    workingDir: "/",
  });
  return async (command: string) => {
    const input = { tool_name: "Bash", tool_input: { command } };
    const { allowed, decision, message } = (await executor.dispatch({ event: "pre_tool_use", input })).result;
    return { allowed, decision, message };
  };
}

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
    ["hooks: [", /not valid YAML/, 0],
    ["agents: {root: {}}\n", /import the file/, 0],
    ["- a\n", /Start the policy/, 0],
    ["hooks: 5\n", /mapping of events/, 0],
    [`hooks:\n  stop:\n${"    - {type: builtin}\n".repeat(401)}`, /too many/, 0],
  ])("%j", (text, locked, events) => {
    const form = policyForm(text);
    if (locked === null) expect(form.locked).toBeNull();
    else expect(form.locked).toMatch(locked);
    expect(form.events.length).toBe(events);
  });
});
