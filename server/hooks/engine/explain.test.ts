import { expect, it } from "vitest";
import { manualClock } from "../conformance/manual-clock.ts";
import { exited, printed, type Script, scriptedKind } from "../conformance/scripted-kind.ts";
import { answerOf, denialResult, verdictOf } from "./answer.ts";
import { compilePlan } from "./compile.ts";
import { createExecutor } from "./executor.ts";
import { explainDispatch } from "./explain.ts";
import { failureText, type HookFailure } from "./outcome.ts";
import type { HookReport } from "./report.ts";
import { NEUTRAL } from "./result.ts";

async function explained(script: Script, more: object = {}): Promise<string> {
  const kinds = [scriptedKind(script)];
  const hooks = {
    pre_tool_use: [{ hooks: Object.keys(script).map((command) => ({ type: "command", command, ...more })) }],
  };
  const { plan } = compilePlan({
    sources: [{ origin: { policy: "guardrails", revision: 7 }, hooks }],
    profile: "2026-07",
    kinds,
  });
  const executor = createExecutor({ plan, clock: manualClock(), workingDir: "/" });
  return explainDispatch(await executor.dispatch({ event: "pre_tool_use", input: {} }));
}
const verdict = (permission_decision: string, permission_decision_reason: string) =>
  printed({ hook_specific_output: { permission_decision, permission_decision_reason } });

it("names who decided, in which policy and place, and why", async () => {
  expect(await explained({ quiet: exited(0), no: verdict("deny", "rm -rf is not for agents.") })).toBe(
    'Denied by "no" (guardrails revision 7, hooks.pre_tool_use[0].hooks[1]): rm -rf is not for agents.',
  );
  expect(await explained({ sure: verdict("allow", "") })).toBe(
    'Allowed by "sure" (guardrails revision 7, hooks.pre_tool_use[0].hooks[0]).',
  );
  expect(await explained({ hm: verdict("ask", "looks risky") })).toBe(
    'A person is asked by "hm" (guardrails revision 7, hooks.pre_tool_use[0].hooks[0]): looks risky.',
  );
});

it("gives a denial the words of the hook that denied, not those of one that asked", async () => {
  const no = 'Denied by "no" (guardrails revision 7, hooks.pre_tool_use[0].hooks[';
  const hooks = { ask: verdict("ask", "A person decides."), no: exited(2, "", "Open a pull request.") };
  expect(await explained(hooks)).toBe(`${no}1]): Open a pull request.`);
  expect(await explained({ no: verdict("deny", "Never."), ask: hooks.ask, also: exited(2, "", "Nor this.") })).toBe(
    `${no}0]): Never, and by 1 more.`,
  );
  const blocks = printed({ decision: "block", reason: "Blocked here." });
  expect(await explained({ no: blocks, ask: hooks.ask })).toBe(`${no}0]): Blocked here.`);
});

it("names what failed, and how many others stand in the way", async () => {
  const down = { kind: "failed", message: "no such directory" } as const;
  expect(await explained({ down, also: exited(2, "", "no") })).toBe(
    'Denied because "down" (guardrails revision 7, hooks.pre_tool_use[0].hooks[0]) failed: no such directory, and by 1 more.',
  );
});

it("says that a hook was silent or cancelled by its name alone, without the script that it runs", () => {
  const failing = (failure: HookFailure) =>
    explainDispatch({
      result: { ...NEUTRAL, allowed: false, message: failureText(failure) },
      hooks: [
        {
          ...{ origin: { policy: "guard", revision: 7 }, path: "hooks.pre_tool_use[0].hooks[0]", name: "scan" },
          ...{ type: "command", command: "cat > /dev/null\nsleep 9", outcome: { kind: "failed", failure } },
          ...{ startedMs: 0, durationMs: 1, stdout: "", stderr: "", output: null, error: failureText(failure) },
          ...{ said: "failed", blocked: true, decided: "" },
        } as unknown as HookReport,
      ],
      durationMs: 1,
    });
  const command = "cat > /dev/null\nsleep 9";
  const scan = 'Denied because "scan" (guard revision 7, hooks.pre_tool_use[0].hooks[0])';
  expect(failing({ code: "timed_out", command, afterMs: 5_000 })).toBe(`${scan} failed: it gave no answer within 5s.`);
  expect(failing({ code: "cancelled", command })).toBe(`${scan} failed: the call was cancelled while it ran.`);
  const lastError = failureText({ code: "timed_out", command, afterMs: 5_000 });
  expect(failing({ code: "circuit_open", failures: 5, lastError, retryMs: 0 })).toBe(
    `${scan} was skipped: circuit open after 5 failures in a row, the last: no answer within 5s; tried again soon.`,
  );
});

it("says when nobody had anything to say", async () => {
  expect(await explained({})).toBe("No hook applies.");
  expect(await explained({ a: exited(0) })).toBe("The one hook that ran had nothing to say.");
  expect(await explained({ a: exited(0), b: exited(1) })).toBe("None of the 2 hooks had anything to say.");
});

it("denies for a failure of ours what can be stopped, and disturbs nothing else", () => {
  const denied = denialResult("pre_tool_use", "2026-07", "The record could not be written.");
  expect(verdictOf(denied, "pre_tool_use")).toBe("deny");
  expect(answerOf(denied, "pre_tool_use", "default", "2026-07")).toEqual({
    hook_specific_output: {
      hook_event_name: "pre_tool_use",
      permission_decision: "deny",
      permission_decision_reason: "The record could not be written.",
    },
  });
  expect(explainDispatch({ result: denied, hooks: [], durationMs: 0 })).toBe(
    "Denied: The record could not be written.",
  );
  const blocked = denialResult("user_prompt_submit", "2026-07", "No.");
  expect(answerOf(blocked, "user_prompt_submit", "default", "2026-07")).toEqual({ decision: "block", reason: "No." });
  expect(denialResult("stop", "2026-07", "No.")).toBe(NEUTRAL);
  expect(answerOf(NEUTRAL, "stop", "default", "2026-07")).toEqual({});
});
