import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { contractOf, eventNames, PROFILES, type Profile } from "../events.ts";
import type { HookDefinition, HooksConfig } from "../hook.ts";
import { everyHook } from "../placement.ts";
import { diffHooksBlocks, type Meant } from "./semantic-diff.ts";

const hook = (over: Partial<HookDefinition> = {}): HookDefinition => ({
  name: "no recursive delete",
  type: "command",
  command: "grep -q rm && exit 2",
  ...over,
});
const gate = (matcher: string, ...hooks: HookDefinition[]): Meant => ({
  hooks: { pre_tool_use: [{ matcher, hooks }] },
  profile: "2026-07",
});
const sentences = (before: Meant, after: Meant, tools?: string[]) =>
  diffHooksBlocks(before, after, tools).map(({ sentence }) => sentence);
const loosens = (before: Meant, after: Meant) => diffHooksBlocks(before, after).map(({ mayLoosen }) => mayLoosen);

describe("a matcher", () => {
  const said = (before: string, after: string, tools?: string[]) =>
    diffHooksBlocks(gate(before, hook()), gate(after, hook()), tools).map(({ kind, sentence }) => [kind, sentence]);
  it("that lists more tools is widened, and that is no loosening", () => {
    expect(said("shell", "shell|edit_file")).toEqual([
      ["matcher_widened", "`no recursive delete` now also reads `edit_file`."],
    ]);
    expect(loosens(gate("shell", hook()), gate("shell|edit_file", hook()))).toEqual([false]);
  });
  it("that lists fewer is narrowed, and a gate may be looser for it", () => {
    expect(said("shell|edit_file", "shell")).toEqual([
      ["matcher_narrowed", "`no recursive delete` does not read `edit_file` any more."],
    ]);
    expect(loosens(gate("shell|edit_file", hook()), gate("shell", hook()))).toEqual([true]);
  });
  it("over every tool says so", () => {
    expect(said("shell", "*")[0]).toEqual([
      "matcher_widened",
      "`no recursive delete` now reads every tool, not only `shell`.",
    ]);
    expect(said("", "shell")[0]?.[1]).toBe("`no recursive delete` now reads only `shell`, before every tool.");
  });
  it("that is a pattern is tried on the names that were seen", () => {
    expect(said("mcp__.*", "mcp__git.*", ["mcp__git_push", "mcp__mail"])[0]?.[1]).toBe(
      '`no recursive delete` now reads tools that match "mcp__git.*" instead of tools that match "mcp__.*": it does not read `mcp__mail` any more.',
    );
  });
});

describe("a hook", () => {
  const one = (over: Partial<HookDefinition>) => sentences(gate("shell", hook()), gate("shell", hook(over)));
  it("that waits otherwise", () => {
    expect(one({ timeout: 5 })).toEqual(["`no recursive delete`: waits 5 s instead of 1 min."]);
    expect(one({ timeout: 60 })[0]).toContain("as before");
  });
  it("that fails otherwise", () => {
    expect(one({ on_error: "block" })).toEqual([
      "`no recursive delete`: a failure blocks now; before it was only warned of.",
    ]);
  });
  it("that runs elsewhere, something else, with other variables", () => {
    expect(one({ run_on: "agent" })).toEqual([
      "`no recursive delete`: runs beside the agent instead of on the server.",
    ]);
    expect(one({ command: "exit 2" })).toEqual([
      "`no recursive delete`: runs `exit 2` instead of `grep -q rm && exit 2`.",
    ]);
    expect(one({ env: { A: "1" } })).toEqual(["`no recursive delete`: sets `A`."]);
  });
  it("that has another name is the same hook", () => {
    expect(one({ name: "no deletes" })).toEqual(["`no deletes`: was called `no recursive delete` before."]);
  });
  it("that is gone or new", () => {
    const other = hook({ name: "secrets", command: "redact everything there is" });
    expect(sentences(gate("shell", hook()), gate("shell", other))).toEqual([
      "`no recursive delete` is removed from pre_tool_use for `shell`.",
      "`secrets` is added to pre_tool_use for `shell`.",
    ]);
  });
  it("that stands elsewhere is moved, not removed and added", () => {
    const [a, b, c] = ["a", "b", "c"].map((name) => hook({ name, command: `echo ${name}` }));
    if (!a || !b || !c) throw new Error("three");
    expect(sentences(gate("shell", a, b, c), gate("shell", c, a, b))).toEqual([
      "`c` is moved: it stands before `a` now.",
    ]);
    const elsewhere: Meant = { hooks: { post_tool_use: [{ matcher: "shell", hooks: [a] }] }, profile: "2026-07" };
    expect(sentences(gate("shell", a), elsewhere)).toEqual([
      "`a` is moved from pre_tool_use to post_tool_use for `shell`.",
    ]);
  });
  it("without a name is known by what it runs", () => {
    const nameless = (command: string): HookDefinition => ({ type: "command", command });
    const long = "cat > /tmp/in; grep -q secret /tmp/in && exit 2";
    expect(sentences(gate("shell", nameless(long)), gate("shell", nameless(`${long}; true`)))).toHaveLength(1);
  });
  it("that a hundred others stand around is found in good time", () => {
    const many = Array.from({ length: 2_000 }, (_, at): HookDefinition => ({ type: "command", command: `echo ${at}` }));
    const other = many.with(1_000, { type: "command", command: "exit 2" });
    expect(sentences(gate("shell", ...many), gate("shell", ...other))).toHaveLength(2);
  });
});

describe("a hook of profile 2026-11", () => {
  const guard = (over: Partial<HookDefinition>): Meant => ({
    hooks: {
      skill_content_guard: [
        {
          name: "skills",
          type: "model",
          model: "acme/small",
          prompt: "Is it safe?",
          schema: "guard_decision",
          ...over,
        },
      ],
    },
    profile: "2026-11",
  });
  const one = (before: Partial<HookDefinition>, after: Partial<HookDefinition>) =>
    sentences(guard(before), guard(after));

  it("that gives the model another system message", () => {
    expect(one({}, { system_prompt: "Be strict." })).toEqual([
      "`skills`: gives the model a system message of its own.",
    ]);
    expect(one({ system_prompt: "Be strict." }, { system_prompt: "Be kind." })).toEqual([
      "`skills`: gives the model another system message.",
    ]);
    expect(one({ system_prompt: "Be strict." }, {})).toEqual([
      "`skills`: gives the model the fixed system message again.",
    ]);
  });

  it("whose reply is read as another schema, or that is removed, may loosen a content guard", () => {
    expect(one({}, { schema: "pre_tool_use_decision" })).toEqual([
      "`skills`: its reply is read as `pre_tool_use_decision` instead of `guard_decision`.",
    ]);
    expect(loosens(guard({}), { hooks: {}, profile: "2026-11" })).toEqual([true]);
  });

  const evaluated = (over: Partial<HookDefinition>): Meant => ({
    hooks: { tool_guard: [{ matcher: "shell", hooks: [{ type: "evaluator", evaluator: "risk", ...over }] }] },
    profile: "2026-11",
  });
  const policy = { decisions: { true: "deny", false: "allow" }, min_probability: 0.9, fallback: "deny" };
  const changed = (after: object) =>
    diffHooksBlocks(
      evaluated({ evaluator_policy: policy }),
      evaluated({ evaluator_policy: { ...policy, ...after } }),
    ).map(({ sentence, mayLoosen }) => [sentence, mayLoosen]);

  it("whose evaluator policy is another says each outcome, and what may loosen", () => {
    expect(changed({ decisions: { true: "ask", false: "allow" } })).toEqual([
      ["`risk`: `true` means `ask` instead of `deny`.", true],
    ]);
    expect(changed({ decisions: { true: "deny" } })).toEqual([
      ["`risk`: `false` means the fallback instead of `allow`.", false],
    ]);
    expect(changed({ fallback: "ask", min_probability: 0.5 })).toEqual([
      ["`risk`: an outcome counts from probability 0.5 instead of 0.9.", true],
      ["`risk`: without an outcome that counts it answers `ask` instead of `deny`.", true],
    ]);
    expect(changed({ decisions: { false: "allow", true: "deny" } })).toEqual([]);
  });

  it("that asks another evaluator, or routes elsewhere", () => {
    expect(sentences(evaluated({ name: "r" }), evaluated({ name: "r", evaluator: "harm" }))).toEqual([
      "`r`: asks the evaluator `harm` instead of `risk`.",
    ]);
    const routed = (routes: Record<string, string>): Meant => ({
      hooks: {
        before_agent_run: [{ type: "evaluator", evaluator: "topic", routing_policy: { routes, min_probability: 0.6 } }],
      },
      profile: "2026-11",
    });
    expect(sentences(routed({ billing: "root" }), routed({ billing: "accounts", other: "root" }))).toEqual([
      "`topic`: `billing` leads to `accounts` instead of `root`.",
      "`topic`: `other` leads to `root` instead of nothing.",
    ]);
  });
});

it("another profile is told first, and an older one may loosen", () => {
  const [change] = diffHooksBlocks({ ...gate("shell"), profile: "2026-08" }, gate("shell", hook()));
  expect(change).toMatchObject({ kind: "profile", mayLoosen: true });
});

const maybe = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined });
const word = fc.constantFrom("a", "b", "exit 2", "grep x", "first\nsecond");
const anyHook = fc
  .record({
    type: fc.constantFrom("command", "builtin", "model"),
    command: word,
    name: maybe(word),
    args: maybe(fc.array(word, { minLength: 1, maxLength: 2 })),
    prompt: maybe(word),
    model: maybe(word),
    timeout: maybe(fc.integer({ min: 1, max: 200 })),
    env: maybe(fc.dictionary(fc.constantFrom("A", "B"), word, { minKeys: 1 })),
    working_dir: maybe(word),
    on_error: maybe(fc.constantFrom("warn", "ignore", "block")),
    run_on: maybe(fc.constantFrom("server", "agent")),
    network: maybe(fc.constant(true)),
  })
  // Through JSON: an absent key is not a key whose value is undefined.
  .map((made) => JSON.parse(JSON.stringify(made)) as HookDefinition);
const config = (profile: Profile): fc.Arbitrary<HooksConfig> =>
  fc.uniqueArray(fc.constantFrom(...eventNames(profile)), { maxLength: 3 }).chain((events) =>
    fc
      .tuple(
        ...events.map((event) => {
          const hooks = fc.array(anyHook, { minLength: 1, maxLength: 3 });
          const entry = fc.record({ matcher: fc.constantFrom("", "shell", "shell|a", "mcp__.*"), hooks });
          const list: fc.Arbitrary<unknown> = contractOf(event, profile).matchesTools
            ? fc.array(entry, { minLength: 1, maxLength: 3 })
            : hooks;
          return list.map((value): [string, unknown] => [event, value]);
        }),
      )
      .map((entries) => Object.fromEntries(entries) as HooksConfig),
  );
const meant = fc
  .constantFrom(...PROFILES)
  .chain((profile) => config(profile).map((hooks): Meant => ({ hooks, profile })));
/** Text in which the order of a mapping's keys, as of an environment's variables, makes no difference. */
const canonical = (value: unknown): string =>
  JSON.stringify(value, (_, one: unknown) =>
    typeof one === "object" && one !== null && !Array.isArray(one)
      ? Object.fromEntries(Object.entries(one).sort(([a], [b]) => (a < b ? -1 : 1)))
      : one,
  );
/** Each hook with its event and matcher in order: what a block means, however it is written. */
const meaningOf = ({ hooks, profile }: Meant) =>
  canonical([
    profile,
    everyHook(hooks)
      .map(({ event, matcher, hook: one }) => [event, matcher, one])
      .sort(([a], [b]) => (String(a) < String(b) ? -1 : 1)),
  ]);

describe("over any two blocks", () => {
  it("a block is no change of itself", () => {
    fc.assert(
      fc.property(meant, (one) => {
        expect(diffHooksBlocks(one, structuredClone(one))).toEqual([]);
      }),
    );
  });
  it("whatever means something else has a sentence", () => {
    fc.assert(
      fc.property(meant, meant, (before, after) => {
        fc.pre(meaningOf(before) !== meaningOf(after));
        const changes = diffHooksBlocks(before, after);
        expect(changes.length).toBeGreaterThan(0);
        for (const { sentence } of changes) expect(sentence).not.toMatch(/undefined|null/);
      }),
    );
  });
  it("every single changed field has a sentence", () => {
    const pair = fc.tuple(anyHook, anyHook).chain(([one, other]) =>
      fc.constantFrom(...(Object.keys({ ...one, ...other }) as (keyof HookDefinition)[])).map((field) => {
        const changed = { ...one, [field]: other[field] };
        return [one, JSON.parse(JSON.stringify(changed)) as HookDefinition] as const;
      }),
    );
    fc.assert(
      fc.property(pair, ([one, changed]) => {
        fc.pre(canonical(one) !== canonical(changed));
        expect(sentences(gate("shell", one), gate("shell", changed)).length).toBeGreaterThan(0);
      }),
    );
  });
});
