/**
 * `repeat_guard`: the runaway rules. It asks whoever counts calls whether this one repeats, fails or spends too much; it counts
 * nothing itself. A text on trial counts nothing and halts nobody.
 */
import { parseRepeatRules, type RepeatRule } from "../../contract/repeat-rules.ts";
import type { Asker, HandlerCall } from "../../engine/ports.ts";
import type { Builtin } from "./kind.ts";

/** The port that the builtin needs: somebody who counts calls. */
export interface RepeatGuard {
  /**
   * Counts the call, once for each request and stage, and answers the gravest rule that applies; null where none does. A halt is made
   * before it answers. A rejection is a failure of the hook, which refuses.
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

/** Without a guard, as on trial, it has nothing to say: no call is about to be made. */
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

/** A failure, and no verdict: an exception lifts what a rule says, and never that it could not be asked. */
function fail(error: unknown): never {
  const why = error instanceof Error ? error.message : String(error);
  throw new Error(`The runaway rules could not be asked, so this call is not made: ${why}`, { cause: error });
}
