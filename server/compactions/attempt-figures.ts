/** Figures over attempts. Medians, not means: one session of a million tokens says nothing about the others. */
import type { AttemptView, CompactionSummaryView } from "./schema.ts";

type Figures = Omit<CompactionSummaryView, "from" | "to" | "isCut">;

export function attemptFigures(attempts: readonly AttemptView[]): Figures {
  const count = (is: (attempt: AttemptView) => boolean) => attempts.filter(is).length;
  const shares = attempts.flatMap(({ tokensBefore, contextLimit }) =>
    tokensBefore === null || contextLimit === null ? [] : [Number(tokensBefore) / Number(contextLimit)],
  );
  return {
    attempts: attempts.length,
    applied: count((attempt) => attempt.outcome === "applied"),
    vetoed: count((attempt) => attempt.outcome === "vetoed"),
    running: count((attempt) => attempt.outcome === "running"),
    unfinished: count((attempt) => attempt.outcome === "unfinished"),
    steered: count((attempt) => attempt.interventions.includes("steered")),
    replaced: count((attempt) => attempt.interventions.includes("replaced")),
    reasons: reasonsOf(attempts),
    medianTokensBefore: medianOf(attempts.flatMap(({ tokensBefore }) => (tokensBefore === null ? [] : [tokensBefore]))),
    medianShareOfLimit: medianOf(shares),
    medianDurationMs: medianOf(
      attempts.flatMap(({ outcome, durationMs }) => (outcome === "applied" && durationMs !== null ? [durationMs] : [])),
    ),
    sessions: new Set(attempts.map(({ agentId, sessionId }) => `${agentId} ${sessionId}`)).size,
  };
}

function reasonsOf(attempts: readonly AttemptView[]): Figures["reasons"] {
  const reasons = new Map<string, Figures["reasons"][number]>();
  for (const { reason, outcome, tokensBefore } of attempts) {
    const sum = reasons.get(reason) ?? { reason, attempts: 0, applied: 0, tokensBefore: 0n };
    sum.attempts += 1;
    if (outcome === "applied") {
      sum.applied += 1;
      sum.tokensBefore += tokensBefore ?? 0n;
    }
    reasons.set(reason, sum);
  }
  return [...reasons.values()].sort((a, b) => b.attempts - a.attempts || (a.reason < b.reason ? -1 : 1));
}

/** The lower of the two middle values if there are two: a value that occurred. */
function medianOf<T extends number | bigint>(values: readonly T[]): T | null {
  const sorted = values.toSorted((a, b) => (a < b ? -1 : a > b ? 1 : 0));
  return sorted[Math.floor((sorted.length - 1) / 2)] ?? null;
}
