/** Clients' own metrics of sessions beside the ledger's figures of them: only compared, and part of no sum. */
import type { Database } from "../platform/db.ts";
import { rollupRangeOf } from "../recording/index.ts";
import { listComparedSessions } from "./client-metrics-repository.ts";
import type { ClientMetricsView, CostRange } from "./schema.ts";

const LINES_MAX = 20;

export async function clientMetrics(db: Database, workspaceId: string, range: CostRange): Promise<ClientMetricsView> {
  const rows = await listComparedSessions(db.pool, workspaceId, rollupRangeOf(range), LINES_MAX);
  const known = (digits: string | null) => (digits === null ? null : BigInt(digits));
  const differing = Number(rows[0]?.differing ?? 0);
  return {
    sessions: Number(rows[0]?.total ?? 0),
    differing,
    lines: rows
      .filter(({ differs }) => differs)
      .map((row) => ({
        day: row.day,
        agentId: row.agent_id,
        sessionId: row.session_id,
        client: row.client,
        calls: Number(row.calls),
        nano: known(row.nano),
        ledgerNano: BigInt(row.ledger_nano),
        tokens: known(row.tokens),
        ledgerTokens: BigInt(row.ledger_tokens),
      })),
    isCut: differing > LINES_MAX,
  };
}
