import type { Pack } from "../pack.ts";

export const budgetGuard: Pack = {
  id: "budget-guard",
  title: "Budget guard",
  version: 4,
  promise: "Enforces budgets that block calls, and ends runs that loop.",
  denies: "a model call over a budget that blocks calls, and the 61st model call of a run.",
  asks: "",
  changes: "the start of a run: the model reads its limit of calls.",
  passes: "everything below these limits. Each run counts from one.",
  limits:
    "Without such a budget, only calls are limited, not money. Each agent counts its own calls, and so does each sub-agent. A run that does not report the number of its call is not stopped.",
  source: `# Keeps every hard budget of the page Budgets, and ends a run after sixty calls of the model. Change the number in both places.
profile: "2026-11"
hooks:
  session_start:
    - name: the limit, said beforehand
      type: command
      timeout: 5
      command: |
        echo "This run ends after 60 model calls. Plan for it, and sum up what is left to do before you reach it."
  before_llm_call:
    - {name: hard budgets, type: builtin, command: budget_guard, on_error: block}
    - {name: sixty calls, type: builtin, command: max_iterations, args: ["60"], on_error: block}
`,
};
