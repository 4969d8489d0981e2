/**
 * `ask_a_person`: the call waits for an approver in the console. The builtin itself returns only "ask"; the dispatcher turns that
 * into an approval request (server/approvals). The playground creates no request.
 */

import type { HookOutput } from "../../contract/output.ts";
import { truncateText } from "../../contract/truncate-text.ts";
import type { Builtin } from "./kind.ts";

const TWO = "two people";
const WHEN_ASKED = "when asked";
const WORDS_MAX = 1_000;
const DEFAULT_REASON = "The policy wants a person to answer this call.";

export const askAPerson: Builtin = {
  name: "ask_a_person",
  failsClosed: true,
  run({ event, args }) {
    if (event !== "pre_tool_use" && event !== "tool_guard") return null;
    const [words = "", ...flags] = args;
    const unknown = flags.find((flag) => flag !== TWO && flag !== WHEN_ASKED);
    if (unknown !== undefined) throw new Error(`"${unknown}" is neither "${TWO}" nor "${WHEN_ASKED}"`);
    const people = flags.includes(TWO) ? "2" : "1";
    const reason = truncateText(words.trim(), WORDS_MAX, "") || DEFAULT_REASON;
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
