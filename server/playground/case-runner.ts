/** Runs cases against one text: bounded in number at once, in time each and in time all together. Knows no database. */

import { asAppError } from "../errors/app-error.ts";
import type { PermittedHooks } from "../policies/index.ts";
import { differences } from "./expectation.ts";
import { inputOf } from "./input.ts";
import { runOnce } from "./run.ts";
import type { CaseOutcome, PolicyCase } from "./schema.ts";
import type { PlaygroundWorld } from "./world.ts";

const AT_ONCE_MAX = 4;
const CASE_MS_MAX = 20_000;
const ALL_MS_MAX = 90_000;

/** The outcome of each case, in their order. Never rejects for a case: one that cannot be run has failed. */
export async function runCases(
  world: PlaygroundWorld,
  hooks: PermittedHooks,
  cases: readonly PolicyCase[],
  signal?: AbortSignal,
): Promise<CaseOutcome[]> {
  const outcomes: CaseOutcome[] = [];
  const endsMs = world.clock.now() + ALL_MS_MAX;
  let next = 0;
  const worker = async () => {
    while (next < cases.length) {
      const at = next++;
      const one = cases[at];
      if (!one) return;
      if (signal?.aborted) outcomes[at] = notRun("It was not run: the run was cancelled.");
      else if (world.clock.now() >= endsMs)
        outcomes[at] = notRun(`It was not run: all cases together may take ${ALL_MS_MAX / 1_000} seconds.`);
      else outcomes[at] = await runCase(world, hooks, one, signal);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE_MAX }, worker));
  return outcomes;
}

async function runCase(
  world: PlaygroundWorld,
  hooks: PermittedHooks,
  one: PolicyCase,
  signal: AbortSignal | undefined,
): Promise<CaseOutcome> {
  const limit = new AbortController();
  const forget = world.clock.after(CASE_MS_MAX, () => limit.abort(new Error("a case takes too long")));
  try {
    const tried = await runOnce(world, {
      hooks,
      event: one.event,
      lane: one.lane,
      input: inputOf(one.input),
      judges: { kind: "stored", replies: one.judgeReplies },
      runsAgentHooks: one.runsAgentHooks,
      signal: signal ? AbortSignal.any([signal, limit.signal]) : limit.signal,
    });
    const late = limit.signal.aborted ? [`It was ended: a case may take ${CASE_MS_MAX / 1_000} seconds.`] : [];
    const differs = [...late, ...differences(one.expect, tried)];
    const isUnasked = tried.hooks.some((hook) => hook.isUnasked);
    const verdict = isUnasked && !tried.isCertain ? "unknown" : tried.verdict;
    return { passed: differs.length === 0, differs, verdict, durationMs: tried.report.durationMs };
  } catch (error) {
    return notRun(`It could not be run: ${asAppError(error).message}`);
  } finally {
    forget();
  }
}

function notRun(why: string): CaseOutcome {
  return { passed: false, differs: [why], verdict: "unknown", durationMs: 0 };
}
