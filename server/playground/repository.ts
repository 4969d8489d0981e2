/** Cases of policies, and the recorded dispatches that can be put in the playground. */
import type { Pool, Tx } from "../platform/db.ts";
import type { DispatchKey, ListRecorded } from "./schema.ts";

export type CaseRow = Awaited<ReturnType<typeof listCases>>[number];

export function listCases(tx: Tx, workspaceId: string, policyId: string) {
  return tx.policyCase.findMany({
    where: { workspaceId, policyId },
    orderBy: [{ createdAt: "asc" }, { id: "asc" }],
    take: 500,
  });
}

export function countCases(tx: Tx, workspaceId: string, policyId: string): Promise<number> {
  return tx.policyCase.count({ where: { workspaceId, policyId } });
}

export interface CaseFields {
  readonly name: string;
  readonly event: string;
  readonly lane: string;
  readonly input: string;
  readonly isMasked: boolean;
  readonly keepsSecrets: boolean;
  readonly runsAgentHooks: boolean;
  readonly expect: object;
  readonly judgeReplies: object;
}

/** False when the policy has a case of this name already. */
export async function insertCase(
  tx: Tx,
  workspaceId: string,
  one: CaseFields & { readonly id: string; readonly policyId: string; readonly createdBy: string },
): Promise<boolean> {
  const made = await tx.policyCase.createMany({ data: [{ workspaceId, ...one }], skipDuplicates: true });
  return made.count === 1;
}

const NEVER_RAN = { lastPassed: null, lastDiffers: [], lastRunAt: null, lastSha256: null };

/** Also clears the outcome of the case's last run. False when there is no such case. */
export async function updateCase(
  tx: Tx,
  workspaceId: string,
  policyId: string,
  id: string,
  fields: CaseFields,
): Promise<boolean> {
  const data = { ...fields, ...NEVER_RAN, updatedAt: new Date() };
  return (await tx.policyCase.updateMany({ where: { workspaceId, policyId, id }, data })).count === 1;
}

export async function deleteCase(tx: Tx, workspaceId: string, policyId: string, id: string): Promise<CaseRow | null> {
  const found = await tx.policyCase.findFirst({ where: { workspaceId, policyId, id } });
  if (found) await tx.policyCase.deleteMany({ where: { workspaceId, policyId, id } });
  return found;
}

/** Stores the outcome of each case on the text with this hash. A case that changed after `asOf` is left unchanged. */
export async function updateLastRuns(
  tx: Tx,
  workspaceId: string,
  sha256: string,
  runs: readonly { readonly id: string; readonly asOf: Date; readonly passed: boolean; readonly differs: string[] }[],
): Promise<void> {
  for (const { id, asOf, passed, differs } of runs)
    await tx.policyCase.updateMany({
      where: { workspaceId, id, updatedAt: asOf },
      data: { lastPassed: passed, lastDiffers: differs, lastRunAt: new Date(), lastSha256: sha256 },
    });
}

export interface RecordedRow {
  occurred_at: Date;
  id: string;
  agent_id: string;
  agent_name: string;
  event: string;
  lane: string;
  tool_name: string | null;
  verdict: string;
  beginning: string;
}

const RECORDED = `occurred_at, id, agent_id, agent_name, event, lane, tool_name, verdict`;
/** The maximum number of dispatches that one search reads, the newest first. */
const LOOKED_AT_MAX = 20_000;
const SEARCHED_CHARS = 2_000;

/** The newest dispatches of an event since `from`, with the beginning of their input. */
export async function listRecorded(
  pool: Pool,
  workspaceId: string,
  { event, agentId, tool, text }: ListRecorded,
  from: Date,
  limit: number,
): Promise<RecordedRow[]> {
  const found = await pool.query<RecordedRow>({
    name: "bench_recorded",
    text: `SELECT ${RECORDED}, left(input, ${SEARCHED_CHARS}) AS beginning
           FROM (SELECT ${RECORDED}, input FROM dispatch WHERE workspace_id = $1 AND occurred_at >= $2
                 ORDER BY occurred_at DESC, id DESC LIMIT ${LOOKED_AT_MAX}) AS newest
           WHERE event = $3 AND ($4::uuid IS NULL OR agent_id = $4) AND ($5 = '' OR tool_name = $5)
             AND ($6 = '' OR position(lower($6) IN lower(left(input, ${SEARCHED_CHARS}))) > 0)
           ORDER BY occurred_at DESC, id DESC LIMIT $7`,
    values: [workspaceId, from, event, agentId ?? null, tool, text, limit],
  });
  return found.rows;
}

export async function findRecorded(
  pool: Pool,
  workspaceId: string,
  key: DispatchKey,
): Promise<(RecordedRow & { input: string }) | null> {
  const found = await pool.query<RecordedRow & { input: string }>({
    name: "bench_recorded_input",
    text: `SELECT ${RECORDED}, left(input, ${SEARCHED_CHARS}) AS beginning, input FROM dispatch
           WHERE occurred_at = $2 AND id = $3 AND workspace_id = $1`,
    values: [workspaceId, key.occurredAt, key.id],
  });
  return found.rows[0] ?? null;
}
