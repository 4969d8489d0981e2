/** Removes the verdict of a hook that an exception for the call overrides. */
import type { EventContract } from "../contract/events.ts";
import type { HookOutput } from "../contract/output.ts";
import type { HookOutcome } from "./outcome.ts";
import type { PlannedHook } from "./plan.ts";
import type { Finished, LiftableVerdict, LiftingException } from "./report.ts";
import { decisionOf } from "./stricter.ts";

/**
 * Returns the exception that lifts the hook's verdict on this call; null if the verdict counts. `radii`: the blast radii that
 * hooks report.
 */
export type LiftVerdict = (
  hook: PlannedHook,
  verdict: LiftableVerdict,
  radii?: readonly string[],
) => Promise<LiftingException | null>;

/**
 * The outcomes without the verdicts that exceptions lift. All are looked up at the same time, after every hook has ended. A hook
 * keeps its verdict if it failed, ends the run, judged a rewritten input or is ungrantable.
 */
export async function liftVerdicts(
  finished: readonly Finished[],
  { decides, approves }: Pick<EventContract, "decides" | "approves">,
  liftVerdict: LiftVerdict | undefined,
): Promise<readonly Finished[]> {
  if (liftVerdict === undefined || !(decides || approves)) return finished;
  const radii = finished.flatMap(({ outcome }) => blastRadius(outcome) ?? []);
  return Promise.all(
    finished.map(async (one) => {
      const verdict = liftableVerdict(one.outcome);
      if (verdict === null || one.sawRewritten || isUngrantable(one.hook)) return one;
      const lifting = await liftEvery(one.hook, (hook) => liftVerdict(hook, verdict, radii));
      if (lifting === null) return one;
      const exception = { ...lifting, verdict };
      return { ...one, outcome: withoutVerdict(one.outcome), exception };
    }),
  );
}

/** An equal hook of several rules runs only once. Its verdict is lifted only if each of those rules has an exception. */
async function liftEvery(
  hook: PlannedHook,
  lift: (hook: PlannedHook) => Promise<LiftingException | null>,
): Promise<LiftingException | null> {
  const all = await Promise.all([hook, ...(hook.repeats ?? [])].map(lift));
  const [first = null] = all;
  return all.includes(null) ? null : first;
}

const blastRadius = (outcome: HookOutcome): string | null | undefined =>
  outcome.kind === "completed" ? outcome.output?.hook_specific_output?.metadata?.blast_radius : undefined;

export const isUngrantable = ({ definition, repeats = [] }: PlannedHook): boolean =>
  definition.ungrantable === true || repeats.some((one) => one.definition.ungrantable === true);

/** Null for an outcome that is not only a verdict on the call: a failure, or the end of the agent's run. */
export function liftableVerdict(outcome: HookOutcome): LiftableVerdict | null {
  if (outcome.kind === "refused") return "deny";
  if (outcome.kind !== "completed" || outcome.output === null) return null;
  const { decision, continue: goesOn, hook_specific_output: specific } = outcome.output;
  if (goesOn === false) return null;
  if (decision === "block") return "deny";
  if (decision) return null;
  const verdict = decisionOf(specific?.permission_decision);
  return verdict === "ask" || verdict === "deny" ? verdict : null;
}

/** The outcome without its verdict. The rest of the output stays. */
function withoutVerdict(outcome: HookOutcome): HookOutcome {
  if (outcome.kind !== "completed" || outcome.output === null) return { kind: "completed", output: null };
  const { decision: _blocked, reason: _because, hook_specific_output, ...rest } = outcome.output;
  const { permission_decision: _said, permission_decision_reason: _why, ...specific } = hook_specific_output ?? {};
  const output: HookOutput = { ...rest, hook_specific_output: specific };
  return { kind: "completed", output };
}
