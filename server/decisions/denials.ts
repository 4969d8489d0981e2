/** The latest denials of one agent, for that agent. */
import type { AgentActor } from "../access/actor.ts";
import type { Database } from "../platform/db.ts";
import { indexKeyText } from "../recording/service.ts";
import { DENIAL_DAYS, type DenialsQuery, type DenialsView, type DenialView } from "./denial-schema.ts";
import * as decisions from "./repository.ts";
import { type DecisionView, decisionFilters, reasonParts } from "./schema.ts";
import { asStored, viewOf } from "./service.ts";

const DAY_MS = 24 * 3_600_000;
/** A clock of an agent may be ahead of ours. */
const AHEAD_MS = 5 * 60_000;
/** Rows that a look reads: those of an agent that had the name before are among them, and are not this one's. */
const READ_MAX = 200;
const RULE_PLACE = /" \(([^()]*) revision (\d{1,9}), [^()]*\)/;

/** What agents of the same name met before this one was made is not shown. */
export async function listDenials(
  { pool }: Pick<Database, "pool">,
  { workspaceId, id, name }: AgentActor,
  { session_id: session, limit }: DenialsQuery,
  nowMs = Date.now(),
): Promise<DenialsView> {
  const filters = asStored(
    decisionFilters.parse({ verdict: ["deny"], agent: [name], session: session === undefined ? [] : [indexKeyText(session)] }),
  );
  const range = { from: new Date(nowMs - DENIAL_DAYS * DAY_MS), to: new Date(nowMs + AHEAD_MS) };
  const asked = { range, filters, order: "newest", limit: READ_MAX } as const;
  const { rows } = await decisions.list(pool, workspaceId, asked, READ_MAX);
  const own = rows.filter(({ agent_id: agentId }) => agentId === id).slice(0, limit);
  return { denials: own.map((row) => denialOf(viewOf(row))) };
}

function denialOf({ occurredAt, id, sessionId, event, tool, excerpt, kind, reason }: DecisionView): DenialView {
  const { hook, said } = reasonParts(reason);
  const [, policy = null, revision] = (hook === null ? null : RULE_PLACE.exec(reason)) ?? [];
  return {
    ...{ occurred_at: occurredAt.toISOString(), dispatch_id: id, session_id: sessionId, event, tool, excerpt },
    ...{ by: kind, policy, revision: revision === undefined ? null : Number(revision), rule: hook, words: said },
  };
}
