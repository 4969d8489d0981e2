/** Shapeless outputs, matchers and inputs, as strangers may send them. Nothing throws, nothing hangs, no gate opens. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { repetitions } from "../../../e2e/fixtures/long-run.ts";
import { manualClock } from "../conformance/manual-clock.ts";
import { exited, scriptedKind } from "../conformance/scripted-kind.ts";
import { contractOf, eventNames, PROFILES } from "../contract/events.ts";
import type { HooksConfig } from "../contract/hook.ts";
import { hookInput, serializeInput } from "../contract/input.ts";
import { compileMatcher } from "../contract/matcher.ts";
import { hookOutput } from "../contract/output.ts";
import { answerOf } from "./answer.ts";
import { createExecutor } from "./executor.ts";

const RUNS = { numRuns: repetitions(250, 5_000) };
const FIELDS = [
  "continue stop_reason suppress_output system_message decision reason hook_specific_output hook_event_name",
  "permission_decision permission_decision_reason updated_input updated_tool_response updated_messages",
  "additional_context instruction_context summary metadata __proto__ constructor toString",
].flatMap((line) => line.split(" "));
const WORDS = ["block", "allow", "deny", "ask", "ALLOW", "", "false", "null"];

/** JSON that nearly is hook output: the right names with values of any kind, nested. */
const nearly = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3 },
    fc.constantFrom<unknown>(...WORDS, true, false, null, 0, -1, 1e308),
    fc.string({ unit: "binary", maxLength: 12 }),
    fc.array(tie("value"), { maxLength: 3 }),
    fc.dictionary(fc.constantFrom(...FIELDS), tie("value"), { maxKeys: 6 }),
  ),
})).value;
/** Such JSON, perhaps cut, doubled or with something in the middle. */
const damaged = fc.tuple(nearly, fc.nat(200), fc.string({ maxLength: 3 }), fc.nat(4)).map(([value, at, junk, how]) => {
  const text = JSON.stringify(value) ?? "";
  const place = text.length === 0 ? 0 : at % text.length;
  return (
    [text, text.slice(0, place), text + text, text.slice(0, place) + junk + text.slice(place), ` \n${text}\u0085`][
      how
    ] ?? text
  );
});
const stdout = fc.oneof({ weight: 4, arbitrary: damaged }, { weight: 1, arbitrary: fc.string({ unit: "binary" }) });

const place = fc
  .constantFrom(...PROFILES)
  .chain((profile) => fc.record({ profile: fc.constant(profile), event: fc.constantFrom(...eventNames(profile)) }));

describe("whatever a hook prints", () => {
  it("the dispatch ends in a Result, a failed gate is shut, and the answer is hook output", async () => {
    const more = fc.record({
      code: fc.constantFrom(0, 0, 0, 1, 2, 255, -1),
      stderr: fc.string({ unit: "binary", maxLength: 20 }),
      strict_output: fc.boolean(),
      on_error: fc.constantFrom("warn", "ignore", "block"),
    });
    await fc.assert(
      fc.asyncProperty(place, stdout, more, async ({ profile, event }, text, { code, stderr, ...hookMore }) => {
        const contract = contractOf(event, profile);
        const hook = { type: "command", command: "it", ...hookMore };
        const config: HooksConfig = { [event]: contract.matchesTools ? [{ hooks: [hook] }] : [hook] };
        const kinds = [scriptedKind({ it: exited(code, text, stderr) })];
        const executor = createExecutor({ config, profile, kinds, clock: manualClock(), workingDir: "/" });
        const input = { tool_name: "shell", tool_input: { cmd: "ls" }, messages: [], tool_response: "" };
        const { result, hooks } = await executor.dispatch({ event, input });
        const failed = hooks[0]?.outcome.kind === "failed";
        if (failed && contract.failsClosed) expect(result.allowed).toBe(false);
        if (code === 2 && contract.canBlock) expect(result.allowed).toBe(false);
        if (!result.allowed) expect(contract.canBlock).toBe(true);
        expect(hookOutput.safeParse(answerOf(result, event, "default", profile)).success).toBe(true);
        expect(Object.getPrototypeOf({})).not.toHaveProperty("decision");
      }),
      RUNS,
    );
  });
});

describe("whatever a matcher says", () => {
  const bits = fc.constantFrom(
    ..."( ) [ ] { } * + ? | ^ $ . \\ a Z 0 _ - , : P < > i \\Q \\E \\pL [[:alpha:]] (?i) {1000} (a+)+".split(" "),
  );
  const pattern = fc.oneof(
    fc.array(bits, { maxLength: 12 }).map((some) => some.join("")),
    fc.string({ unit: "binary" }),
  );

  it("it compiles or says why, decides about any name, and decides the same again", () => {
    fc.assert(
      fc.property(pattern, fc.string({ unit: "binary", maxLength: 60 }), (text, name) => {
        const matcher = compileMatcher(text);
        if (!matcher.ok) expect(matcher.message).not.toBe("");
        else expect(matcher.matches(name)).toBe(matcher.matches(name));
      }),
      RUNS,
    );
  });

  it("a plain word selects itself and nothing longer", () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[a-z_0-9]{1,20}$/), fc.stringMatching(/^[a-z_0-9]{1,5}$/), (word, more) => {
        const matcher = compileMatcher(word);
        if (!matcher.ok) throw new Error(matcher.message);
        expect([word, word + more, more + word].map((name) => matcher.matches(name))).toEqual([true, false, false]);
      }),
      RUNS,
    );
  });
});

describe("whatever an agent sends", () => {
  it("what the schema takes can be put into words, and the words are the same once read back", () => {
    const input = fc.dictionary(fc.constantFrom(...Object.keys(hookInput.shape), "unknown", "__proto__"), nearly, {
      maxKeys: 8,
    });
    fc.assert(
      fc.property(input, (value) => {
        const parsed = hookInput.safeParse(value);
        if (!parsed.success) return;
        const once = serializeInput(parsed.data);
        const again = hookInput.safeParse(JSON.parse(once));
        expect(again.success).toBe(true);
        if (again.success) expect(serializeInput(again.data)).toBe(once);
      }),
      RUNS,
    );
  });
});
