/** Event x lane x what went wrong x `on_error` x profile, generated from the contracts table. */
import { describe, expect, it } from "vitest";
import { manualClock } from "../conformance/manual-clock.ts";
import { exited, scriptedKind } from "../conformance/scripted-kind.ts";
import { contractOf, type EventContract, eventNames, LANES, PROFILES } from "../contract/events.ts";
import type { HooksConfig } from "../contract/hook.ts";
import { createExecutor } from "./executor.ts";

const FAULTS = {
  handler: { kind: "failed", message: "it fell over", stderr: "cause\n" },
  panic: () => {
    throw new Error("it threw");
  },
  rejection: () => Promise.reject(Object.create(null)),
  garbage: () => Promise.resolve({ kind: "approved" } as never), // on purpose no reply
  exit_1: exited(1, '{"decision":"block"}', "cause\n"),
  exit_2: exited(2, "ignored", "cause\n"),
  bad_json: exited(0, "{oops"),
  bad_verdict: exited(0, '{"decision":"allow"}'),
} as const;
const NEWER_FAILS = ["handler", "panic", "rejection", "garbage", "unknown_type", "exit_1", "bad_json", "bad_verdict"];
/** The replies that count as a failure, by profile; exit 2 never is, it is a refusal. */
const FAILS = {
  "2026-07": ["handler", "panic", "rejection", "garbage", "unknown_type"],
  "2026-08": NEWER_FAILS,
  "2026-11": NEWER_FAILS,
};
const ON_ERROR = [undefined, "warn", "ignore", "block", "nonsense"];

/** A content guard keeps what a hook printed. */
const stderrOf = (fault: string, { guardsContent }: EventContract): string =>
  ["handler", "exit_1"].includes(fault) && !guardsContent ? "cause\n" : "";

const kinds = [scriptedKind(FAULTS)];

for (const profile of PROFILES) {
  describe(profile, () => {
    for (const event of eventNames(profile)) {
      for (const lane of LANES) {
        const contract = contractOf(event, profile, lane);
        if (lane === "preempt_yolo" && !contract.hasPreemptLane) continue;

        const conclude = async (fault: string, onError: string | undefined) => {
          const type = fault === "unknown_type" ? "webhook" : "command";
          const hook = { type, command: fault, name: "gate", ...(onError && { on_error: onError }) };
          const entry = { matcher: "*", preempt_yolo: lane === "preempt_yolo", hooks: [hook] };
          const config: HooksConfig = { [event]: contract.matchesTools ? [entry] : [hook] };
          const executor = createExecutor({ config, profile, kinds, clock: manualClock(), workingDir: "/" });
          const { result, hooks } = await executor.dispatch({ event, lane, input: { tool_name: "shell" } });
          return { result, report: hooks[0] };
        };

        it.each([...Object.keys(FAULTS), "unknown_type"])(
          `${event} ${lane}: a hook with %s never passes a gate`,
          async (fault) => {
            for (const onError of ON_ERROR) {
              const { result, report } = await conclude(fault, onError);
              const fails = FAILS[profile].includes(fault);
              const guards = contract.failsClosed || fault === "unknown_type" || onError === "block";
              const refuses = fails && guards && contract.canBlock;
              const blocked = refuses || (fault === "exit_2" && contract.canBlock);
              const told = `${fault} ${onError}`;

              expect(result.allowed, told).toBe(!blocked);
              expect(report?.blocked, told).toBe(blocked);
              expect(result.exit_code, told).toBe(refuses ? -1 : blocked ? 2 : 0);
              expect(result.message.includes("hook failed to execute"), told).toBe(refuses);
              expect(report?.outcome.kind === "failed", told).toBe(fails);
              expect(result.permission_allowed, told).toBe(false);
              expect(result.decision, told).toBe("");
              if (refuses) expect(result.stderr, told).toBe(stderrOf(fault, contract));

              const warned = fails && !refuses && onError !== "ignore" && profile !== "2026-07";
              const inVain = fault === "exit_2" && !contract.canBlock;
              expect(result.system_message !== "", told).toBe(warned || inVain);
            }
          },
        );
      }
    }
  });
}
