/** The latest denials of one agent, for that agent. */
import type { AgentActor } from "../access/actor.ts";
import type { Database } from "../platform/db.ts";
import { indexKeyText } from "../recording/index.ts";
import { DENIAL_DAYS, type DenialsQuery, type DenialsView, type DenialView } from "./denial-schema.ts";
import { listDenialsOfAgent, listHooksOf } from "./denials-repository.ts";
import { ruleNames } from "./rule-names.ts";
import { type DecisionView, reasonParts } from "./schema.ts";
import { viewOf } from "./service.ts";

const DAY_MS = 24 * 3_600_000;
/** A clock of an agent may be ahead of ours. */
const AHEAD_MS = 5 * 60_000;
const RULE_PLACE = /" \(([^()]*) revision (\d{1,9}), ([^()]*)\)/;

/** By the agent itself, not by its name: one of the same name before it, or after it, is another. */
export async function listDenials(
  { pool }: Pick<Database, "pool">,
  { workspaceId, id }: AgentActor,
  { session_id, limit }: DenialsQuery,
  nowMs = Date.now(),
): Promise<DenialsView> {
  const rows = await listDenialsOfAgent(pool, workspaceId, {
    ...{ agentId: id, sessionId: session_id === undefined ? null : indexKeyText(session_id), limit },
    ...{ from: new Date(nowMs - DENIAL_DAYS * DAY_MS), to: new Date(nowMs + AHEAD_MS) },
  });
  const places = rows.flatMap(({ reason }) => placeIn(reason) ?? []);
  const nameOf = ruleNames(await listHooksOf(pool, workspaceId, places));
  return { denials: rows.map((row) => denialOf(viewOf(row), nameOf)) };
}

interface RulePlace {
  readonly policy: string;
  readonly revision: number;
  readonly path: string;
}

function placeIn(reason: string): RulePlace | null {
  const [, policy, revision, path] = RULE_PLACE.exec(reason) ?? [];
  if (policy === undefined || revision === undefined || path === undefined) return null;
  // No revision number is larger.
  return Number(revision) > 2_147_483_647 ? null : { policy, revision: Number(revision), path };
}

function denialOf(
  { occurredAt, id, sessionId, event, tool, excerpt, kind, reason }: DecisionView,
  nameOf: ReturnType<typeof ruleNames>,
): DenialView {
  const { hook, said } = reasonParts(reason);
  const place = hook === null ? null : placeIn(reason);
  const { rule, words } = hook === null ? { rule: null, words: said } : nameOf(place, hook, said);
  return {
    ...{ occurred_at: occurredAt.toISOString(), dispatch_id: id, session_id: sessionId, event, tool, excerpt },
    ...{ by: kind, policy: place?.policy ?? null, revision: place?.revision ?? null, rule, words },
  };
}
