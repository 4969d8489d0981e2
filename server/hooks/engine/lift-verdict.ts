/** The verdict of a hook that does not count, because somebody made an exception for the call. */
import type { EventContract } from "../contract/events.ts";
import type { HookOutput } from "../contract/output.ts";
import type { HookOutcome } from "./outcome.ts";
import type { PlannedHook } from "./plan.ts";
import type { Finished, LiftableVerdict, LiftingException } from "./report.ts";
import { decisionOf } from "./stricter.ts";

/** The exception that lifts the hook's verdict about this call; null where the verdict stands. `radii`: how far hooks say it reaches. */
export type LiftVerdict = (
  hook: PlannedHook,
  verdict: LiftableVerdict,
  radii?: readonly string[],
) => Promise<LiftingException | null>;

/**
 * The outcomes with which verdicts are combined: without those that an exception lifts. All are asked about at one instant, when every
 * hook has ended. A hook that failed, that ends the run, that judged a rewritten input or that is ungrantable keeps its word.
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

/** An equal hook of another rule is run only once: its verdict is lifted where each of those rules is excepted. */
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

/** Null for an outcome that is no verdict on the call alone: a failure, or a word that ends the agent's run. */
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

/** The outcome without its verdict; the rest of the output stands. */
function withoutVerdict(outcome: HookOutcome): HookOutcome {
  if (outcome.kind !== "completed" || outcome.output === null) return { kind: "completed", output: null };
  const { decision: _blocked, reason: _because, hook_specific_output, ...rest } = outcome.output;
  const { permission_decision: _said, permission_decision_reason: _why, ...specific } = hook_specific_output ?? {};
  const output: HookOutput = { ...rest, hook_specific_output: specific };
  return { kind: "completed", output };
}
