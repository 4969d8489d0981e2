/** Two trials side by side, call by call. */
import { AppError } from "../errors/app-error.ts";
import type { Database } from "../platform/db.ts";
import { excerptsOf } from "./call-excerpts.ts";
import { majorityVerdict } from "./measures.ts";
import { expectations, recordedCallKey } from "./revision-figures.ts";
import type { CompareTrials } from "./schema.ts";
import { scoreOf, totalOf } from "./score.ts";
import type { ComparisonView, SideView } from "./score-schema.ts";
import type { TrialCallRow } from "./trial-rows.ts";
import { trialWithCalls } from "./trial-views.ts";

const ORDER = { changed: 1, unknown: 2, agree: 3 } as const;
const rankOf = ({ state, score }: ComparisonView["rows"][number]): number =>
  score === "newly_wrong" ? 0 : ORDER[state];

/**
 * The calls of both trials, newly wrong ones first, then changed verdicts. Errors: `trial_not_found`, `invalid_input`
 * for trials of two prompts.
 */
export async function compare(
  db: Database,
  workspaceId: string,
  { left, right }: CompareTrials,
): Promise<ComparisonView> {
  const [a, b] = await Promise.all([trialWithCalls(db, workspaceId, left), trialWithCalls(db, workspaceId, right)]);
  if (a.view.promptId !== b.view.promptId)
    throw new AppError("invalid_input", undefined, { says: "These trials belong to different prompts." });
  const [expected, excerpts] = await Promise.all([
    expectations(db, workspaceId, a.view.promptId),
    excerptsOf(db.pool, workspaceId, a.calls),
  ]);
  const [lefts, rights] = [byCall(a.calls), byCall(b.calls)];
  const rows = [...lefts].flatMap(([about, calls]): ComparisonView["rows"] => {
    const others = rights.get(about);
    const [first] = calls;
    if (!others || !first) return [];
    const [one, other] = [sideOf(calls), sideOf(others)];
    const isKnown = one.verdict !== null && other.verdict !== null;
    return [
      {
        occurredAt: first.occurred_at,
        id: first.dispatch_id,
        event: first.event,
        tool: first.tool_name,
        agentName: first.agent_name,
        excerpt: excerpts.get(about) ?? null,
        score: scoreOf(one.verdict, other.verdict, expected.get(about) ?? null),
        state: !isKnown ? "unknown" : one.verdict === other.verdict ? "agree" : "changed",
        left: one,
        right: other,
        expected: expected.get(about) ?? null,
      },
    ];
  });
  return {
    left: a.view,
    right: b.view,
    rows: rows.sort((x, y) => rankOf(x) - rankOf(y)),
    score: totalOf(
      rows.map((row) => row.score),
      expected.values(),
    ),
    apart: lefts.size + rights.size - 2 * rows.length,
  };
}

function byCall(calls: readonly TrialCallRow[]): Map<string, TrialCallRow[]> {
  const found = new Map<string, TrialCallRow[]>();
  for (const call of calls) {
    const known = found.get(recordedCallKey(call));
    if (known) known.push(call);
    else found.set(recordedCallKey(call), [call]);
  }
  return found;
}

/** The reason is taken from an answer with the most frequent verdict. */
function sideOf(calls: readonly TrialCallRow[]): SideView {
  const answers = calls.flatMap(({ verdict }) => (verdict === null ? [] : [verdict]));
  const verdict = majorityVerdict(answers);
  const speaker = calls.find((call) => call.verdict === verdict) ?? calls.find((call) => call.verdict !== null);
  const spoken = speaker?.verdict ? { place: speaker.place, repeat: speaker.repeat, verdict: speaker.verdict } : null;
  return { verdict, answers, reason: speaker?.reason ?? "", spoken };
}
