/** The texts for attempts: labels, tones and a summary sentence. */
import { formatBytes } from "@/components/ui/format/bytes";
import { formatShare, formatTokens } from "@/components/ui/format/count";
import { formatDuration } from "@/components/ui/format/duration";
import type { Tone } from "@/components/ui/tone";
import type { AttemptOutcome, AttemptView, Intervention } from "@/server/compactions/schema";

export const outcomeWords = {
  applied: { tone: "allow", label: "Applied", says: "A summary replaced the context." },
  vetoed: { tone: "deny", label: "Blocked", says: "A hook blocked the compaction. The context is unchanged." },
  running: { tone: "observe", label: "Under way", says: "The compaction started. Its end has not been reported yet." },
  unfinished: {
    tone: "unknown",
    label: "Never finished",
    says: "The compaction started, but the agent did not report its end. The agent gave up, or its last event was lost.",
  },
} as const satisfies Record<AttemptOutcome, { tone: Tone; label: string; says: string }>;

export const interventionWords = {
  steered: {
    label: "Prompt guided",
    short: "guided",
    says: "A hook added instructions to the summary prompt.",
  },
  replaced: { label: "Summary replaced", short: "replaced", says: "A hook supplied the summary. No model was called." },
  vetoed: { label: "Blocked", short: "blocked", says: "A hook blocked the compaction." },
} as const satisfies Record<Intervention, { label: string; short: string; says: string }>;

const REASONS: Readonly<Record<string, string>> = {
  threshold:
    "The context and the newest tool results together exceeded the agent's threshold (90 % of its limit by default).",
  auto: "The client compacted by itself, because its context was nearly full.",
  overflow: "The provider refused the context because it was too long.",
  manual: "A person requested the compaction.",
};

/** The meaning of a reason; unknown reasons are shown as the agent sent them. */
export const reasonSays = (reason: string): string =>
  (Object.hasOwn(REASONS, reason) ? REASONS[reason] : undefined) ??
  "The agent reported this reason, which Quarterdeck does not know.";

/** Tokens before as a share of the limit, as a number for a bar; null when either is unknown. */
export const fullness = ({
  tokensBefore,
  contextLimit,
}: Pick<AttemptView, "tokensBefore" | "contextLimit">): number | null =>
  tokensBefore === null || contextLimit === null ? null : Number(tokensBefore) / Number(contextLimit);

/** The attempt in one sentence. */
export function attemptSentence(attempt: AttemptView): string {
  const { outcome, tokensBefore, contextLimit, summaryBytes, durationMs, interventions } = attempt;
  const size =
    tokensBefore === null ? "A context of unknown size" : `A context of ${formatTokens(tokensBefore)} tokens`;
  const share = tokensBefore !== null && contextLimit !== null ? formatShare(tokensBefore, contextLimit) : null;
  const of = share === null || contextLimit === null ? "" : ` (${share} of the ${formatTokens(contextLimit)} limit)`;
  const before = `${size}${of}`;
  if (outcome === "vetoed") return `${before} was kept: a hook blocked the compaction.`;
  if (outcome === "running") return `${before} is being summarised.`;
  if (outcome === "unfinished") return `${before} was to be summarised; the result was never reported.`;
  const by = interventions.includes("replaced") ? "a hook's own summary" : "a summary";
  const bytes = summaryBytes === null ? "" : ` of ${formatBytes(summaryBytes)}`;
  const took = durationMs === null || durationMs === 0 ? "" : ` after ${formatDuration(durationMs)}`;
  return `${before} was replaced by ${by}${bytes}${took}.`;
}
