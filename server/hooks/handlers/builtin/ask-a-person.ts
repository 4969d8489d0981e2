/**
 * `ask_a_person`: the call waits for somebody who answers in the console. Its own word is no more than "ask"; whoever dispatches
 * makes a request of it (server/approvals). A text on trial asks nobody.
 */
import type { HookOutput } from "../../contract/output.ts";
import type { HookReport } from "../../engine/report.ts";
import type { Builtin } from "./kind.ts";

const NAME = "ask_a_person";
const TWO = "two people";
const WHEN_ASKED = "when asked";
const WORDS_MAX = 1_000;
const DEFAULT_REASON = "The policy wants a person to answer this call.";

export const askAPerson: Builtin = {
  name: NAME,
  failsClosed: true,
  run({ event, args }) {
    if (event !== "pre_tool_use" && event !== "tool_guard") return null;
    const [words = "", ...flags] = args;
    const unknown = flags.find((flag) => flag !== TWO && flag !== WHEN_ASKED);
    if (unknown !== undefined) throw new Error(`"${unknown}" is neither "${TWO}" nor "${WHEN_ASKED}"`);
    const people = flags.includes(TWO) ? "2" : "1";
    const reason = words.trim().slice(0, WORDS_MAX) || DEFAULT_REASON;
    return output(event, people, flags.includes(WHEN_ASKED) ? null : reason);
  },
};

function output(event: string, people: string, reason: string | null): HookOutput {
  return {
    hook_specific_output: {
      hook_event_name: event,
      metadata: { people },
      ...(reason !== null && { permission_decision: "ask", permission_decision_reason: reason }),
    },
  };
}

/** The number of people that have to agree to a call that is asked about; 0 where it is asked at the agent's own terminal. */
export function peopleAsked(hooks: readonly HookReport[]): 0 | 1 | 2 {
  const asking = hooks.filter(
    ({ type, command, outcome }) => type === "builtin" && command === NAME && outcome.kind === "completed",
  );
  if (asking.length === 0) return 0;
  return asking.some(({ output }) => output?.hook_specific_output?.metadata?.people === "2") ? 2 : 1;
}
