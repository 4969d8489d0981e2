/** An attempt with the session around it: the facts known before, and whether the summary still holds them. */
import { AppError } from "../errors/app-error.ts";
import type { Database } from "../platform/db.ts";
import type { EventKey } from "../recording/event-key-schema.ts";
import { splitIntoAttempts, summaryOf } from "./attempts.ts";
import { joinAttempt } from "./join-attempt.ts";
import { findKnownFacts } from "./known-facts.ts";
import * as compactions from "./repository.ts";
import type { SessionContextView } from "./schema.ts";
import { findIncreasedTroubles } from "./turn-measures.ts";
import { callsOf, type ToolCall } from "./turns.ts";

const SESSION_EVENTS_MAX = 3_000;

/** Errors: `dispatch_not_found`. */
export async function getSessionContext(db: Database, workspaceId: string, key: EventKey): Promise<SessionContextView> {
  const rows = await compactions.listSessionRowsByEvent(db, workspaceId, key, SESSION_EVENTS_MAX);
  const runs = splitIntoAttempts(rows);
  const at = runs.findIndex((run) => run.some((row) => row.dispatch_id === key.id));
  const run = runs[at];
  if (!run) throw new AppError("dispatch_not_found", key.id);
  const next = runs.slice(at + 1).find((later) => later.at(-1)?.event === "after_compaction")?.[0] ?? null;
  const { view, before, isCut } = await joinAttempt(db.pool, workspaceId, run, next);
  const steps = await compactions.listAttemptSteps(
    db,
    workspaceId,
    run.map((row) => ({ occurredAt: row.occurred_at, id: row.dispatch_id })),
  );
  return {
    joined: view,
    troubles: view.isTroubled ? findIncreasedTroubles(view.before, view.after) : [],
    events: before.length,
    isCut,
    tools: toolsOf(callsOf(before)),
    ...(await findKnownFacts(db.pool, workspaceId, before, summaryOf(steps))),
  };
}

function toolsOf(calls: readonly ToolCall[]): SessionContextView["tools"] {
  const tools = new Map<string, { calls: number; failed: number }>();
  for (const { tool, isFailed } of calls) {
    const own = tools.get(tool) ?? { calls: 0, failed: 0 };
    tools.set(tool, { calls: own.calls + 1, failed: own.failed + (isFailed ? 1 : 0) });
  }
  return [...tools]
    .map(([tool, own]) => ({ tool, ...own }))
    .sort((a, b) => b.calls - a.calls || (a.tool < b.tool ? -1 : 1))
    .slice(0, 30);
}
