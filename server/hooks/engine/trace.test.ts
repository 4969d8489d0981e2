import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { manualClock } from "../conformance/manual-clock.ts";
import { exited, printed, scriptedKind } from "../conformance/scripted-kind.ts";
import { contractOf, type EventName, eventNames, PROFILES, type Profile } from "../contract/events.ts";
import type { HooksConfig, MatcherEntry } from "../contract/hook.ts";
import type { HookInput } from "../contract/input.ts";
import { createExecutor } from "./executor.ts";
import type { HandlerReply } from "./ports.ts";
import { listHookChoices, listResultSteps } from "./trace.ts";

const INPUT: HookInput = { tool_name: "shell", tool_input: { cmd: "ls" }, tool_response: "files", messages: [] };

const reply: fc.Arbitrary<HandlerReply> = fc.oneof(
  fc
    .record({
      permission_decision: fc.constantFrom("allow", "ask", "deny", undefined),
      updated_input: fc.option(fc.dictionary(fc.constantFrom("a", "b"), fc.string()), { nil: undefined }),
      updated_tool_response: fc.option(fc.string(), { nil: undefined }),
      additional_context: fc.option(fc.string(), { nil: undefined }),
      metadata: fc.option(fc.dictionary(fc.constantFrom("k"), fc.string()), { nil: undefined }),
      summary: fc.option(fc.string(), { nil: undefined }),
    })
    .map((specific) => printed({ hook_specific_output: specific })),
  fc.tuple(fc.constantFrom(0, 1, 2), fc.string()).map(([code, text]) => exited(code, text, text)),
  fc.string().map((message): HandlerReply => ({ kind: "failed", message })),
);

function executorOf(replies: readonly HandlerReply[], event: EventName, profile: Profile) {
  const hooks = replies.map((_, at) => ({ type: at % 3 === 2 ? "builtin" : "command", command: `hook ${at}` }));
  const script = Object.fromEntries(replies.map((one, at) => [`hook ${at}`, one]));
  const last = scriptedKind(script, "builtin");
  const config: HooksConfig = { [event]: contractOf(event, profile).matchesTools ? [{ hooks }] : hooks };
  const kinds = [
    scriptedKind(script),
    // Some work on what the others left, and change single arguments.
    {
      ...last,
      build: (...given: Parameters<typeof last.build>) => ({ ...last.build(...given), runsLast: true as const }),
    },
  ];
  return createExecutor({ config, profile, kinds, clock: manualClock(), workingDir: "/" });
}

describe("the steps of a dispatch", () => {
  const place = fc
    .constantFrom(...PROFILES)
    .chain((profile) => fc.record({ profile: fc.constant(profile), event: fc.constantFrom(...eventNames(profile)) }));

  it("are what fewer hooks would have concluded", async () => {
    await fc.assert(
      fc.asyncProperty(place, fc.array(reply, { minLength: 1, maxLength: 5 }), async ({ profile, event }, replies) => {
        const whole = executorOf(replies, event, profile);
        const taken = listResultSteps(
          whole.plan,
          { event, input: INPUT },
          await whole.dispatch({ event, input: INPUT }),
        );
        expect(taken).toHaveLength(replies.length);
        for (const [at, step] of taken.entries()) {
          const fewer = executorOf(replies.slice(0, at + 1), event, profile);
          expect(step).toEqual((await fewer.dispatch({ event, input: INPUT })).result);
        }
      }),
      { numRuns: 300 },
    );
  });

  it("are none where nothing ran", async () => {
    const executor = executorOf([exited(0)], "stop", "2026-07");
    const report = await executor.dispatch({ event: "turn_end", input: INPUT });
    expect(listResultSteps(executor.plan, { event: "turn_end", input: INPUT }, report)).toEqual([]);
  });
});

describe("every hook of the event has a reason to run or not to", () => {
  const entry = (matcher: string, command: string, more: Partial<MatcherEntry> = {}): MatcherEntry => ({
    matcher,
    hooks: [{ type: "command", command }],
    ...more,
  });
  const config: HooksConfig = {
    pre_tool_use: [
      entry("shell", "one"),
      entry("read_file", "two"),
      entry(".*", "one"),
      entry("shell", "three", { preempt_yolo: true }),
    ],
  };
  const { plan } = createExecutor({
    config,
    profile: "2026-07",
    kinds: [scriptedKind({})],
    clock: manualClock(),
    workingDir: "/",
  });
  const reasons = (lane: "default" | "preempt_yolo") =>
    listHookChoices(plan, "pre_tool_use", lane, "shell").map(({ hook, choice }) => [hook.path, choice.kind]);

  it("in configuration order, those of the lane first", () => {
    expect(reasons("default")).toEqual([
      ["hooks.pre_tool_use[0].hooks[0]", "selected"],
      ["hooks.pre_tool_use[1].hooks[0]", "not_matched"],
      ["hooks.pre_tool_use[2].hooks[0]", "duplicate"],
      ["hooks.pre_tool_use[3].hooks[0]", "other_lane"],
    ]);
  });

  it("on each lane", () => {
    expect(reasons("preempt_yolo")[0]).toEqual(["hooks.pre_tool_use[3].hooks[0]", "selected"]);
  });
});
