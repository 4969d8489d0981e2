/** The number of approvers that hooks request. */
import type { BuiltinName } from "../contract/builtins.ts";
import type { HookReport } from "./report.ts";

const ASKING: BuiltinName = "ask_a_person";

/** The number of people who must approve the call; 0 if the agent's own terminal asks. */
export function peopleAsked(hooks: readonly HookReport[]): 0 | 1 | 2 {
  const asking = hooks.filter(
    ({ type, command, outcome, exception }) =>
      type === "builtin" && command === ASKING && outcome.kind === "completed" && exception === undefined,
  );
  if (asking.length === 0) return 0;
  return asking.some(({ output }) => output?.hook_specific_output?.metadata?.people === "2") ? 2 : 1;
}
