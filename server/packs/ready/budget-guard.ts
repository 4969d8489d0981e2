import type { Pack } from "../pack.ts";

export const budgetGuard: Pack = {
  id: "budget-guard",
  title: "Budget guard",
  version: 1,
  promise: "A run that goes in circles ends by itself, and everyone knows the limit beforehand.",
  denies: "the 61st call of the model in one run.",
  asks: "",
  passes: "everything up to there; a new run counts from one.",
  limits:
    "It counts calls, not money: sixty calls can be cheap or dear. Agents count for themselves, and a sub-agent's calls are its own. A run that does not say which call it is, is not stopped.",
  source: `# Sixty calls of the model are plenty for one task. Change the number in both places.
profile: "2026-07"
hooks:
  session_start:
    - name: the limit, said beforehand
      type: command
      timeout: 5
      command: |
        echo "This run ends after 60 model calls. Plan for it, and sum up what is left to do before you reach it."
  before_llm_call:
    - {name: sixty calls, type: builtin, command: max_iterations, args: ["60"], on_error: block}
`,
};
