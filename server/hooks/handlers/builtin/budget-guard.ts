/** `budget_guard`: reserves budget before a model call. The port keeps the budgets; the builtin keeps no state. */
import type { Asker } from "../../engine/ports.ts";
import type { Builtin } from "./kind.ts";

/** The port to the budgets. */
export interface BudgetGuard {
  /**
   * Reserves the possible cost of the call in all of its budgets, or in no budget. Returns null, or the reason for a refusal as a
   * sentence. A rejection is also a refusal.
   */
  reserve(call: GuardedCall): Promise<string | null>;
}

export interface GuardedCall extends Asker {
  readonly session: string;
  readonly model: string;
}

/** Without a guard, as in the playground, it returns null: no real call follows. */
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
