/**
 * `repeat_guard`: the runaway rules. It asks the port whether this call repeats, fails or spends too much, and counts nothing
 * itself. The playground counts nothing and halts no agent.
 */
import { parseRepeatRules, type RepeatRule } from "../../contract/repeat-rules.ts";
import type { Asker, HandlerCall } from "../../engine/ports.ts";
import type { Builtin } from "./kind.ts";

/** The port to the call counters. */
export interface RepeatGuard {
  /**
   * Counts the call, once for each request and stage, and returns the most severe rule that applies; null if no rule does. A halt
   * is recorded before it returns. A rejection is a failure of the hook, which refuses the call.
   */
  check(call: GuardedToolCall): Promise<RepeatVerdict | null>;
}

export interface GuardedToolCall extends Asker, Pick<HandlerCall, "event" | "lane" | "input"> {
  readonly rules: readonly RepeatRule[];
}

export interface RepeatVerdict {
  readonly decision: "ask" | "deny";
  readonly reason: string;
}

/** Without a guard, as in the playground, it returns null: no real call follows. */
export function repeatGuard(guard?: RepeatGuard): Builtin {
  return {
    name: "repeat_guard",
    failsClosed: true,
    async run({ event, lane, input, args, asker }) {
      if (event !== "pre_tool_use" && event !== "tool_guard") return null;
      const rules = parseRepeatRules(args);
      if (typeof rules === "string") throw new Error(rules);
      if (!guard) return null;
      if (!asker) throw new Error("nobody is known who makes the call");
      const verdict = await guard.check({ ...asker, event, lane, input, rules }).catch(fail);
      if (verdict === null) return null;
      return {
        hook_specific_output: {
          hook_event_name: event,
          permission_decision: verdict.decision,
          permission_decision_reason: verdict.reason,
        },
      };
    },
  };
}

/** A failure instead of a verdict: an exception lifts a rule's verdict, but never a failed check. */
function fail(error: unknown): never {
  const why = error instanceof Error ? error.message : String(error);
  throw new Error(`The runaway rules could not be asked, so this call is not made: ${why}`, { cause: error });
}
