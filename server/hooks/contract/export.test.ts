import fc from "fast-check";
import { expect, it } from "vitest";
import { stringify } from "yaml";
import { repetitions } from "../../../e2e/fixtures/long-run.ts";
import { nativeHooks, parseHooks } from "./config.ts";
import { contractOf, eventNames, PROFILES, type Profile } from "./events.ts";
import type { HooksConfig } from "./hook.ts";
import { readPolicyText } from "./text/policy-text.ts";

const text = fc.oneof(
  fc.string({ minLength: 1, maxLength: 20 }),
  fc.constantFrom("a: b", "- x", "yes", "0o7", "~", "#", "'", "\ttab", "a\nb", "é"),
);
const maybe = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined });
const command = (profile: Profile) =>
  fc.record({
    type: fc.constant("command"),
    command: text,
    name: maybe(text),
    args: maybe(fc.array(text, { maxLength: 3 })),
    timeout: maybe(fc.integer({ min: 1, max: 100 })),
    env: maybe(fc.dictionary(fc.stringMatching(/^[A-Z_]{1,8}$/), text, { maxKeys: 3 })),
    working_dir: maybe(text),
    on_error: maybe(fc.constantFrom("warn", "ignore")),
    ...(profile === "2026-08" && { strict_output: maybe(fc.boolean()) }),
    run_on: maybe(fc.constantFrom("server" as const, "agent" as const)),
    network: maybe(fc.boolean()),
    ungrantable: maybe(fc.boolean()),
  });

/** A valid block of a profile, absent keys left out. */
const config = (profile: Profile): fc.Arbitrary<HooksConfig> =>
  fc
    .uniqueArray(fc.constantFrom(...eventNames(profile)), { maxLength: 4 })
    .chain((events) =>
      fc.tuple(
        ...events.map((event) => {
          const hooks = fc.array(command(profile), { minLength: 1, maxLength: 3 });
          const { matchesTools, hasPreemptLane } = contractOf(event, profile);
          const entry = fc.record({
            matcher: maybe(fc.constantFrom("shell", "mcp__.*", "*", "(?i)edit|write")),
            ...(hasPreemptLane && { preempt_yolo: maybe(fc.boolean()) }),
            hooks,
          });
          const list = matchesTools ? fc.array(entry, { minLength: 1, maxLength: 3 }) : hooks;
          return list.map((value): [string, unknown] => [event, value]);
        }),
      ),
    )
    // Through JSON: an absent key is not a key whose value is undefined.
    .map((entries) => JSON.parse(JSON.stringify(Object.fromEntries(entries))));

it.each(PROFILES)("%s: what is exported reads back as the same configuration", (profile) => {
  fc.assert(
    fc.property(config(profile), (hooks) => {
      expect(parseHooks(hooks, profile)).toEqual({ ok: true, hooks });
      const native = nativeHooks(hooks);
      expect(parseHooks(native, profile)).toEqual({ ok: true, hooks: native });
      expect(JSON.stringify(native)).not.toMatch(/"(?:run_on|network|ungrantable|judge)":/);
      const yaml = stringify({ profile, hooks: native }, { lineWidth: 0, aliasDuplicateObjects: false });
      const read = readPolicyText(yaml, { builtins: [], models: false });
      expect(read.problems).toEqual([]);
      expect(read.hooks).toEqual(native);
    }),
    { numRuns: repetitions(20, 300) },
  );
});

it("a prompt's fenced value is JSON for docker-agent, which has no such function", () => {
  const hook = { type: "model", model: "p/m", prompt: "May it? {{ fenced .ToolInput }}" };
  expect(nativeHooks({ stop: [hook] }).stop).toEqual([{ ...hook, prompt: "May it? {{ toJSON .ToolInput }}" }]);
});
