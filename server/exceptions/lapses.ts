/**
 * Records the lapse of each exception in the chain, once and on any node: from then on, its owner is asked to review
 * it.
 */
import { appendAudit } from "../audit/record-audit.ts";
import { INSERT_WEBHOOK_DELIVERIES_SQL, webhookDeliveryParameters } from "../audit/webhook-outbox.ts";
import type { Bus } from "../events/index.ts";
import type { Pool, PoolClient } from "../platform/db.ts";
import type { Log } from "../platform/log.ts";
import { createRepeater } from "../platform/repeater.ts";
import { inInstallation, inWorkspace } from "../platform/scope.ts";
import * as lapses from "./lapses-repository.ts";
import { inTransaction } from "./repository.ts";

const LOOK_MS = 5_000;
/** Of one transaction. */
const TOGETHER_MAX = 100;

export interface ExceptionLapsesWorld {
  readonly pool: Pool;
  readonly bus: Bus;
  readonly log: Log;
  /** Milliseconds between two looks. */
  readonly lookMs?: number;
}

export function createExceptionLapses({ pool, bus, log, lookMs = LOOK_MS }: ExceptionLapsesWorld) {
  async function lapseIn(workspaceId: string): Promise<void> {
    for (;;) {
      const count = await inTransaction(pool, (client) => lapseSome(client, workspaceId));
      if (count > 0) bus.tell(workspaceId, ["exceptions", "audit"]);
      if (count < TOGETHER_MAX) return;
    }
  }

  return createRepeater({
    async turn() {
      for (const workspaceId of await inInstallation(() => lapses.listDueWorkspaces(pool)))
        await inWorkspace(workspaceId, () => lapseIn(workspaceId));
      return lookMs;
    },
    firstMs: lookMs,
    retryMs: lookMs,
    onFailure: (error) => log.warn({ err: error }, "the lapse of exceptions could not be recorded"),
  });
}

/** The number of exceptions whose lapse was recorded. */
async function lapseSome(client: PoolClient, workspaceId: string): Promise<number> {
  const rows = await lapses.lapseDue(client, workspaceId, TOGETHER_MAX);
  if (rows.length === 0) return 0;
  const entry = {
    kind: "exceptions_lapsed" as const,
    version: 1 as const,
    exceptions: rows.map(({ id, number, ownerId }) => ({ exception: id, number, owner: ownerId ?? "" })),
  };
  await appendAudit(client, workspaceId, entry);
  const delivery = webhookDeliveryParameters(workspaceId, "exception.lapsed", entry);
  await client.query(INSERT_WEBHOOK_DELIVERIES_SQL, [...delivery]);
  return rows.length;
}
