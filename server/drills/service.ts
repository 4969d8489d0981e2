/** Drills: nonces that the gateway issues, the calls that bear them, and the results that are reported with them. */
import type { AgentActor } from "../access/actor.ts";
import { recordAudit } from "../audit/record-audit.ts";
import { AppError } from "../errors/app-error.ts";
import { announcedTransaction, type Bus } from "../events/index.ts";
import type { Database, Pool } from "../platform/db.ts";
import { randomToken, uuidv7 } from "../platform/ids.ts";
import { sha256 } from "../platform/secrets.ts";
import * as drills from "./repository.ts";
import {
  DRILLS_SHOWN,
  type DrillAnswer,
  type DrillReport,
  type DrillResult,
  type DrillView,
  drillAnswers,
  drillList,
  drillResults,
  isHeld,
  NONCE_SECONDS,
  POLICY_WORDS,
  type PolicyWord,
  parseDrillSession,
  type ReportedDrill,
  type StartDrill,
  type StartedDrill,
} from "./schema.ts";

export interface DrillContext {
  readonly db: Database;
  readonly bus: Bus;
}

/** Limits of one agent for valid nonces, and for drills begun within ten minutes. */
const OPEN_MAX = 3;
const BEGUN_MAX = 12;
const AGENTS_MAX = 10_000;

/** Errors: `too_many_drills`. */
export async function start(
  { db }: Pick<DrillContext, "db">,
  actor: AgentActor,
  input: StartDrill,
): Promise<StartedDrill> {
  const { workspaceId, id: agentId } = actor;
  const id = uuidv7();
  const nonce = randomToken("");
  await db.prisma.$transaction(async (tx) => {
    const { open, lately } = await drills.countBegun(tx, workspaceId, agentId);
    if (open >= OPEN_MAX || lately >= BEGUN_MAX)
      throw new AppError("too_many_drills", agentId, { retryAfterSeconds: NONCE_SECONDS });
    await drills.prune(tx, workspaceId, agentId);
    await drills.insert(tx, workspaceId, {
      ...{ id, agentId, mode: input.mode },
      ...{ nonceSha256: sha256(nonce), keyFingerprint: actor.keyFingerprint ?? "" },
    });
    await recordAudit(tx, actor, {
      ...{ kind: "agent_drill_begun", version: 1, by: actor.name, agent: agentId, name: actor.name, drill: id },
      mode: input.mode,
    });
  });
  return { drill_id: id, nonce, seconds: NONCE_SECONDS };
}

/** A call whose nonce is valid: it is judged and recorded, and has no effect. */
export interface DrillCall {
  readonly drillId: string;
  readonly call: number;
}

/** The part of drills in a dispatch. A call without the mark costs nothing here. */
export interface DrillCalls {
  /** Null for an ordinary call: its nonce is unknown, expired, or belongs to another key. */
  find(actor: AgentActor, sessionId: unknown): Promise<DrillCall | null>;
  note(actor: AgentActor, drill: DrillCall, policy: PolicyWord): Promise<void>;
}

export function createDrillCalls(pool: Pool): DrillCalls {
  return {
    async find(actor, sessionId) {
      const marked = parseDrillSession(sessionId);
      if (marked === null) return null;
      const drillId = await drills.takeDispatch(pool, bearerOf(actor, marked.nonce));
      return drillId === null ? null : { drillId, call: marked.call };
    },
    note: ({ workspaceId }, { drillId, call }, policy) =>
      drills.addAnswer(pool, workspaceId, drillId, { call, policy }),
  };
}

function bearerOf({ workspaceId, id: agentId, keyFingerprint = "" }: AgentActor, nonce: string): drills.DrillBearer {
  return { workspaceId, agentId, keyFingerprint, nonceSha256: sha256(nonce) };
}

/**
 * Computes the results: the client reports effects, and the gate's own observations take precedence. The nonce is
 * spent. Errors: `drill_over`.
 */
export function report({ db, bus }: DrillContext, actor: AgentActor, input: DrillReport): Promise<ReportedDrill> {
  const { workspaceId } = actor;
  return announcedTransaction({ db, bus }, workspaceId, ["agents"], async (tx) => {
    const found = await drills.findToReport(tx, bearerOf(actor, input.nonce));
    if (!found) throw new AppError("drill_over");
    // Unreadable stored answers count as missing: the call was not seen.
    const answers = drillAnswers.safeParse(found.answers).data ?? [];
    const isOutage = found.mode === "outage";
    const results = input.calls.map((call) => resultOf(call, answers, isOutage));
    const clientVersion = input.client_version ?? null;
    const reported = { client: input.client, clientVersion, results: JSON.stringify(results) };
    await drills.close(tx, workspaceId, found.id, reported);
    await drills.updateClient(tx, workspaceId, actor.id, reported);
    await recordAudit(tx, actor, {
      ...{ kind: "agent_drilled", version: 1, by: actor.name, agent: actor.id, name: actor.name, drill: found.id },
      ...{ client: input.client, mode: isOutage ? "outage" : "liveness", calls: results.length },
      blocked: results.filter(({ outcome }) => outcome === "blocked").length,
    });
    return { drill_id: found.id, results };
  });
}

function resultOf(
  { call, event, effect }: DrillReport["calls"][number],
  answers: readonly DrillAnswer[],
  isOutage: boolean,
): DrillResult {
  const words = answers.filter((answer) => answer.call === call).map(({ policy }) => policy);
  const policy = POLICY_WORDS.find((word) => words.includes(word)) ?? null;
  const isSeen = policy !== null;
  const outcome =
    effect !== "blocked" ? effect : isOutage && isSeen ? "reached" : isOutage || isSeen ? "blocked" : "unanswered";
  return { call, event, outcome, policy };
}

/** The newest drills of an agent that were reported. */
export async function listOfAgent(
  { pool }: Pick<Database, "pool">,
  workspaceId: string,
  agentId: string,
): Promise<DrillView[]> {
  return drillList.parse(
    (await drills.listOfAgent(pool, workspaceId, agentId, DRILLS_SHOWN)).map((row) => ({
      ...row,
      results: readResults(row.results) ?? [],
    })),
  );
}

/** Null when the stored results cannot be read: then they prove nothing. */
const readResults = (results: unknown) => drillResults.safeParse(results).data ?? null;

function isHeldIn(stored: unknown): boolean {
  const results = readResults(stored);
  return results !== null && isHeld(results);
}

export interface NewestDrill {
  readonly reportedAt: Date;
  readonly isHeld: boolean;
}

/** By agent: the time of the last drill, and true if the newest drill of each mode was blocked completely. */
export async function newestByAgent(
  { pool }: Pick<Database, "pool">,
  workspaceId: string,
): Promise<ReadonlyMap<string, NewestDrill>> {
  const newest = new Map<string, NewestDrill>();
  for (const row of await drills.listNewest(pool, workspaceId, 2 * AGENTS_MAX)) {
    const known = newest.get(row.agentId);
    const reportedAt = known && known.reportedAt > row.reportedAt ? known.reportedAt : row.reportedAt;
    newest.set(row.agentId, { reportedAt, isHeld: (known?.isHeld ?? true) && isHeldIn(row.results) });
  }
  return newest;
}
