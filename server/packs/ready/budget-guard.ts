import type { Pack } from "../pack.ts";

export const budgetGuard: Pack = {
  id: "budget-guard",
  title: "Budget guard",
  version: 4,
  promise: "Hard budgets hold for these agents, and a run that goes in circles ends by itself.",
  denies: "a model call that would pass a hard budget, and the 61st call of the model in one run.",
  asks: "",
  changes: "the start of a run: the model reads how many calls it has.",
  passes: "everything up to there; a new run counts from one.",
  limits:
    "Without a hard budget that an agent is under, no money is counted: sixty calls can be cheap or dear. Agents count for themselves, and a sub-agent's calls are its own. A run that does not say which call it is, is not stopped.",
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
