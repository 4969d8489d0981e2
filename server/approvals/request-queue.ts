/**
 * Batches the calls of one workspace that need a grant or a request: while one transaction runs, further calls collect,
 * so that a thousand of them use one connection.
 */
import { appendAudit } from "../audit/record-audit.ts";
import type { Bus } from "../events/index.ts";
import type { Pool, PoolClient } from "../platform/db.ts";
import { inWorkspace } from "../platform/scope.ts";
import { appendLapses } from "./append-lapses.ts";
import { rulesOf } from "./approver-rules.ts";
import { claimGrant } from "./claim-grant.ts";
import type { Leases } from "./leases.ts";
import { holdNotices } from "./notices-repository.ts";
import * as approvals from "./repository.ts";
import { needsOf } from "./risk-class.ts";

/** The rest of a call's turn: a grant of it, a request that is pending, or too many of them. */
export type Asked =
  | { readonly kind: "granted"; readonly settlement: approvals.Settlement }
  | { readonly kind: "pending"; readonly id: string; readonly number: number; readonly isWaiting: boolean }
  | { readonly kind: "too_many" };

interface Asking {
  readonly request: approvals.NewRequest;
  readonly gate: string;
}
interface Turn extends Asking {
  readonly resolve: (asked: Asked) => void;
  readonly reject: (error: unknown) => void;
}

/** Of one transaction. */
const TOGETHER_MAX = 50;
const WAITING_OF_SESSION_MAX = 200;
const WAITING_OF_AGENT_MAX = 1_000;
/** Includes requests without a waiting call. */
const PENDING_OF_AGENT_MAX = 2_000;

export interface RequestQueueOptions {
  readonly pool: Pool;
  readonly bus: Bus;
  readonly leases: Leases;
}

export function createRequestQueue({ pool, bus, leases }: RequestQueueOptions) {
  const queues = new Map<string, Turn[]>();

  async function drain(workspaceId: string, queue: Turn[]): Promise<void> {
    while (queue.length > 0) {
      const together = queue.splice(0, TOGETHER_MAX);
      try {
        const asked = await approvals.inTransaction(pool, (client) =>
          askInTransaction(client, leases, workspaceId, together),
        );
        if (asked.some(({ kind }) => kind === "pending")) bus.tell(workspaceId, ["approvals"]);
        for (const [index, { resolve }] of together.entries()) resolve(asked[index] ?? { kind: "too_many" });
      } catch (error) {
        for (const { reject } of together) reject(error);
      }
    }
    queues.delete(workspaceId);
  }

  return {
    /** Errors: those of the database; then no person was asked, and nothing is allowed. */
    ask(workspaceId: string, request: approvals.NewRequest, gate: string): Promise<Asked> {
      return new Promise((resolve, reject) => {
        const known = queues.get(workspaceId);
        const queue = known ?? [];
        queue.push({ request, gate, resolve, reject });
        if (known) return;
        queues.set(workspaceId, queue);
        void inWorkspace(workspaceId, () => drain(workspaceId, queue));
      });
    },
  };
}

/**
 * Calls with a grant or a pending request come first: the first new request locks the head of the chain until the
 * commit.
 */
export async function askInTransaction(
  client: PoolClient,
  leases: Leases,
  workspaceId: string,
  asking: readonly Asking[],
): Promise<Asked[]> {
  await approvals.lockRequests(client, workspaceId);
  const rules = await rulesOf(client, workspaceId);
  const turns = asking.map(
    ({ request, gate }): RatedTurn => ({ gate, request: { ...request, ...needsOf(request, rules) } }),
  );
  const found: (Asked | null)[] = [];
  const lapsed: approvals.LapsedRow[] = [];
  for (const turn of turns) {
    lapsed.push(...(await approvals.lapseLike(client, workspaceId, turn.request)));
    found.push(await findExisting(client, workspaceId, turn));
  }
  if (lapsed.length > 0) await appendLapses(client, workspaceId, lapsed);
  const asked: Asked[] = [];
  let holder: Promise<string> | undefined;
  const leaseHolder = () => {
    holder ??= leases.take(client, workspaceId);
    return holder;
  };
  for (const [index, { request }] of turns.entries())
    asked.push(found[index] ?? (await makeRequest(client, workspaceId, request, leaseHolder)));
  const made = turns.map(({ request }) => request.id).filter((id, index) => isPending(asked[index], id));
  await holdNotices(client, workspaceId, "approval.requested", made);
  return asked;
}

interface RatedTurn {
  readonly request: approvals.RatedRequest;
  readonly gate: string;
}

/** True for a request that was made now: a joined request has another id. */
const isPending = (asked: Asked | undefined, id: string) => asked?.kind === "pending" && asked.id === id;

async function findExisting(
  client: PoolClient,
  workspaceId: string,
  { request, gate }: RatedTurn,
): Promise<Asked | null> {
  const settlement = await claimGrant(client, workspaceId, { ...request, gate });
  if (settlement) return { kind: "granted", settlement };
  await approvals.raiseNeeds(client, workspaceId, request);
  const known = await approvals.findPending(client, workspaceId, request);
  return known && { kind: "pending", ...known, isWaiting: request.isWaiting };
}

async function makeRequest(
  client: PoolClient,
  workspaceId: string,
  request: approvals.RatedRequest,
  leaseHolder: () => Promise<string>,
): Promise<Asked> {
  const { ofAgent, ofSession } = await approvals.countPending(client, workspaceId, request.agentId, request.sessionId);
  if (ofAgent >= PENDING_OF_AGENT_MAX) return { kind: "too_many" };
  const isWaiting = request.isWaiting && ofAgent < WAITING_OF_AGENT_MAX && ofSession < WAITING_OF_SESSION_MAX;
  const kept = { ...request, isWaiting };
  // The same call earlier in this transaction, or a ticket when the limits turn the call into a ticket.
  const known = await approvals.findPending(client, workspaceId, kept);
  if (known) {
    await approvals.raiseNeeds(client, workspaceId, request);
    return { kind: "pending", ...known, isWaiting };
  }
  await appendAudit(client, workspaceId, {
    kind: "approval_requested",
    version: 1,
    approval: request.id,
    agent: request.agentId,
    tool: request.toolName,
    inputSha256: request.inputSha256.toString("hex"),
    isWaiting,
    peopleNeeded: request.peopleNeeded,
    riskClass: request.riskClass,
  });
  const number = await approvals.insert(client, workspaceId, kept, isWaiting ? await leaseHolder() : null);
  return { kind: "pending", id: request.id, number, isWaiting };
}
