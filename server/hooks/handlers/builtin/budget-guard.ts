/** `budget_guard`: asks whoever keeps the budgets for room before a model is called. It keeps no money itself. */
import type { Asker } from "../../engine/ports.ts";
import type { Builtin } from "./kind.ts";

/** The port that the builtin needs: somebody who keeps budgets. */
export interface BudgetGuard {
  /**
   * Reserves what the call may cost, in every budget it counts in or in none: null then, else why not, in a sentence.
   * A rejection is a refusal too.
   */
  reserve(call: GuardedCall): Promise<string | null>;
}

export interface GuardedCall extends Asker {
  readonly session: string;
  readonly model: string;
}

/** Without a guard, as on trial, it has nothing to say: no call is about to be made. */
export function budgetGuard(guard?: BudgetGuard): Builtin {
  return {
    name: "budget_guard",
    failsClosed: true,
    async run({ event, input, asker }) {
      if (!guard || event !== "before_llm_call") return null;
      if (!asker) throw new Error("nobody is known who calls the model");
      const call = { ...asker, session: input.session_id ?? "", model: input.model_id ?? "" };
      const reason = await guard.reserve(call).catch((error: unknown) => {
        const why = error instanceof Error ? error.message : String(error);
        return `The budgets could not be asked, so this call is not made: ${why}`;
      });
      return reason === null ? null : { decision: "block", reason };
    },
  };
}
