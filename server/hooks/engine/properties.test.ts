import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { repetitions } from "../../../e2e/fixtures/long-run.ts";
import { manualClock } from "../conformance/manual-clock.ts";
import { exited, printed, scriptedKind } from "../conformance/scripted-kind.ts";
import {
  contractOf,
  EVENTS,
  type EventName,
  eventNames,
  type Lane,
  PROFILES,
  type Profile,
} from "../contract/events.ts";
import type { HooksConfig } from "../contract/hook.ts";
import type { HookInput } from "../contract/input.ts";
import { answerOf, verdictOf } from "./answer.ts";
import { createExecutor } from "./executor.ts";
import type { HandlerReply } from "./ports.ts";
import type { Result } from "./result.ts";

const words = fc.oneof(fc.constant(""), fc.string({ maxLength: 8 }), fc.constantFrom(" ", "\n", "a\nb", "ü…"));
const maybe = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined });
const facts = fc.dictionary(fc.constantFrom("a", "b", "shared"), words, { maxKeys: 3 });
const output = fc.record({
  continue: maybe(fc.boolean()),
  stop_reason: maybe(words),
  decision: maybe(fc.constant("block")),
  reason: maybe(words),
  system_message: maybe(words),
  hook_specific_output: maybe(
    fc.record({
      permission_decision: maybe(fc.constantFrom("allow", "ask", "deny")),
      permission_decision_reason: maybe(words),
      updated_input: maybe(facts),
      updated_tool_response: maybe(words),
      updated_messages: maybe(fc.array(fc.record({ role: fc.constant("user"), content: words }), { maxLength: 2 })),
      additional_context: maybe(words),
      summary: maybe(words),
      transition: maybe(fc.record({ action: fc.constantFrom("route", "retry"), agent: words })),
      instruction_context: maybe(fc.array(fc.record({ key: words, content: words }), { maxLength: 2 })),
      metadata: maybe(facts),
    }),
  ),
});
const reply: fc.Arbitrary<HandlerReply> = fc.oneof(
  { weight: 6, arbitrary: output.map(printed) },
  { weight: 1, arbitrary: fc.tuple(fc.constantFrom(1, 2, 3, -1), words).map(([code, text]) => exited(code, "", text)) },
  { weight: 1, arbitrary: words.map((text) => exited(0, text)) },
  { weight: 1, arbitrary: words.map((message): HandlerReply => ({ kind: "failed", message, stderr: message })) },
);
const hook = fc.record({ reply, on_error: maybe(fc.constantFrom("warn", "ignore", "block")) });
type ArbitraryHook = { reply: HandlerReply; on_error: string | undefined };

const place = fc.constantFrom(...PROFILES).chain((profile) =>
  fc.record({
    profile: fc.constant<Profile>(profile),
    event: fc.constantFrom(...eventNames(profile)),
    preempt: fc.boolean(),
  }),
);
const laneOf = ({ event, profile, preempt }: { event: EventName; profile: Profile; preempt: boolean }): Lane =>
  preempt && contractOf(event, profile).hasPreemptLane ? "preempt_yolo" : "default";

const INPUT: HookInput = {
  session_id: "s",
  tool_name: "shell",
  tool_input: { cmd: "ls", shared: "mine" },
  tool_response: "files",
  messages: [{ role: "user", content: "hello" }],
};

/** Dispatches hooks that reply as told; `settle` decides when each may. */
async function conclude(
  at: { profile: Profile; event: EventName; preempt: boolean },
  hooks: readonly ArbitraryHook[],
  settle: (index: number) => Promise<unknown> = () => Promise.resolve(),
): Promise<Result> {
  const lane = laneOf(at);
  const script = Object.fromEntries(
    hooks.map(({ reply }, index) => [
      `hook ${index}`,
      async () => {
        await settle(index);
        return reply;
      },
    ]),
  );
  const list = hooks.map(({ on_error }, index) => ({
    type: "command",
    command: `hook ${index}`,
    ...(on_error && { on_error }),
  }));
  const scoped = contractOf(at.event, at.profile).matchesTools;
  const config: HooksConfig = { [at.event]: scoped ? [{ preempt_yolo: lane === "preempt_yolo", hooks: list }] : list };
  const executor = createExecutor({
    config,
    profile: at.profile,
    kinds: [scriptedKind(script)],
    clock: manualClock(),
    workingDir: "/work",
  });
  return (await executor.dispatch({ event: at.event, lane, input: INPUT })).result;
}

const STRICTNESS = { "": 0, allow: 1, ask: 2, deny: 3 };

describe("whatever the hooks say", () => {
  it("adding a hook anywhere never loosens a decision", async () => {
    await fc.assert(
      fc.asyncProperty(place, fc.array(hook, { maxLength: 4 }), hook, fc.nat(4), async (at, hooks, added, position) => {
        const before = await conclude(at, hooks);
        const after = await conclude(at, hooks.toSpliced(position, 0, added));
        if (!before.allowed) expect(after.allowed).toBe(false);
        expect(STRICTNESS[after.decision]).toBeGreaterThanOrEqual(STRICTNESS[before.decision]);
        if (verdictOf(before, at.event) === "deny") expect(verdictOf(after, at.event)).toBe("deny");
      }),
      { numRuns: repetitions(100, 2_000) },
    );
  });

  it("the order in which they finish never matters", async () => {
    await fc.assert(
      fc.asyncProperty(
        place,
        fc.array(hook, { minLength: 2, maxLength: 4 }),
        fc.scheduler(),
        async (at, hooks, scheduler) => {
          const shuffled = conclude(at, hooks, (index) => scheduler.schedule(Promise.resolve(), `hook ${index}`));
          const result = await scheduler.waitFor(shuffled);
          expect(result).toEqual(await conclude(at, hooks));
        },
      ),
      { numRuns: repetitions(75, 1_500) },
    );
  });

  it("the answer, fed back as a single hook, means the same", async () => {
    await fc.assert(
      fc.asyncProperty(place, fc.array(hook, { maxLength: 4 }), async (at, hooks) => {
        const result = await conclude(at, hooks);
        const answer = answerOf(result, at.event, laneOf(at), at.profile);
        const again = await conclude(at, [{ reply: printed(answer), on_error: undefined }]);
        expect(read(again, at.event)).toEqual(read(result, at.event));
        expect(verdictOf(again, at.event)).toBe(verdictOf(result, at.event));
      }),
      { numRuns: repetitions(250, 5_000) },
    );
  });

  it("a block is a denial wherever something can be stopped, and nothing elsewhere", async () => {
    await fc.assert(
      fc.asyncProperty(place, fc.array(hook, { maxLength: 4 }), async (at, hooks) => {
        const result = await conclude(at, hooks);
        const { canBlock } = contractOf(at.event, at.profile);
        if (!canBlock) expect(result.allowed).toBe(true);
        expect(verdictOf(result, at.event) === "deny").toBe(!result.allowed);
      }),
      { numRuns: repetitions(75, 1_500) },
    );
  });
});

/** The fields of a Result that a runtime reads. */
function read(result: Result, event: EventName): Partial<Result> {
  const { exit_code: _code, stderr: _stderr, decision_reason: _reason, failed_hooks: _failed, ...rest } = result;
  // The answer of a content guard is its verdict alone.
  return EVENTS[event].guardsContent ? { ...rest, message: "" } : rest;
}
