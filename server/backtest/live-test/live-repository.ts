/** The statements of live tests: their start and end, the turn of each, and its progress. */
import type { Pool, Tx } from "../../platform/db.ts";
import type { ReplayRow } from "../replay-row.ts";
import { inTransaction } from "../repository.ts";
import type { Flip } from "../row-end.ts";
import { insertFlips } from "../run-repository.ts";
import { EMPTY_TALLY, type Tally } from "../tally-schema.ts";
import type { Credit } from "./credit.ts";
import { LIVE_LIMITS } from "./live-schema.ts";

export interface NewLiveTest {
  readonly id: string;
  readonly policyId: string;
  readonly source: string;
  readonly sha256: string;
  readonly percent: number;
  readonly until: Date | null;
  readonly by: string;
  readonly byId: string;
}

/** The days of a run mean nothing here; the column has a value. */
const COLUMNS = `workspace_id, id, policy_id, source, sha256, days, state, asked_by, asked_by_id, tally, live_percent, live_until, live_seq,
  live_credit_us, live_credited_at, started_at`;

/** Follows the calls that are recorded from now on. False if the policy has a live test, or the workspace has too many. */
export async function insert(tx: Tx, workspaceId: string, run: NewLiveTest): Promise<boolean> {
  const count = await tx.$executeRawUnsafe(
    `INSERT INTO backtest_run (${COLUMNS})
     SELECT $1::uuid, $2::uuid, $3::uuid, $4, $5, 1, 'following', $6, $7, $8::jsonb, $9::integer, $10::timestamptz,
       coalesce((SELECT seq FROM audit_head WHERE workspace_id = $1::uuid), 0), 0, clock_timestamp(), clock_timestamp()
     WHERE (SELECT count(*) FROM backtest_run WHERE workspace_id = $1::uuid AND state = 'following') < ${LIVE_LIMITS.openMax}
     ON CONFLICT DO NOTHING`,
    ...[workspaceId, run.id, run.policyId, run.source, run.sha256, run.by, run.byId, JSON.stringify(EMPTY_TALLY)],
    ...[run.percent, run.until],
  );
  return count === 1;
}

export interface OpenLiveTest {
  readonly id: string;
  readonly sha256: string;
  readonly looked: number;
  readonly skipped: number;
}

/** Ends the policy's live test. Null if no live test runs. */
export async function stop(tx: Tx, workspaceId: string, policyId: string, says: string): Promise<OpenLiveTest | null> {
  const [row] = await tx.$queryRaw<OpenLiveTest[]>`
    UPDATE backtest_run SET state = 'finished', says = ${says}, ended_at = clock_timestamp(), lease = NULL, lease_until = NULL
    WHERE workspace_id = ${workspaceId}::uuid AND policy_id = ${policyId}::uuid AND state = 'following'
    RETURNING id, sha256, looked::float8 AS looked, live_skipped::float8 AS skipped`;
  return row ?? null;
}

/** The id of the policy's live test that follows calls, else of the newest one of the draft's text. */
export async function findOfDraft(pool: Pool, workspaceId: string, policyId: string): Promise<string | null> {
  const { rows } = await pool.query<{ id: string }>({
    name: "live_test_of_draft",
    text: `SELECT run.id FROM backtest_run AS run
           LEFT JOIN policy_draft AS draft ON draft.workspace_id = run.workspace_id AND draft.policy_id = run.policy_id
           WHERE run.workspace_id = $1 AND run.policy_id = $2 AND run.live_percent IS NOT NULL
             AND (run.state = 'following' OR run.source = draft.source)
           ORDER BY run.state = 'following' DESC, run.asked_at DESC LIMIT 1`,
    values: [workspaceId, policyId],
  });
  return rows[0]?.id ?? null;
}

export interface ClaimedTest {
  readonly workspaceId: string;
  readonly id: string;
  readonly policyId: string;
  readonly source: string;
  readonly sha256: string;
  readonly askedAt: Date;
  readonly askedById: string;
  readonly percent: number;
  readonly until: Date | null;
  readonly seq: number;
  /** The workspace's counter of policy changes at the last chunk; null before the first. */
  readonly sequence: number | null;
  /** Changes of the policies in force since the start. */
  readonly changes: number;
  readonly creditUs: number;
  readonly creditedAt: Date;
  readonly tally: unknown;
}

/**
 * A live test whose last turn is at least `restMs` ago; leased to `lease`. The person whose tests waited longest is next, so that many
 * tests of one person do not delay the others. Null when none is due.
 */
export async function claim(pool: Pool, lease: string, leaseMs: number, restMs: number): Promise<ClaimedTest | null> {
  const { rows } = await pool.query<ClaimedTest>({
    name: "live_test_claim",
    text: `UPDATE backtest_run AS run SET lease = $1, lease_until = clock_timestamp() + $2 * interval '1 millisecond', turn_at = clock_timestamp()
           WHERE (run.workspace_id, run.id) = (
             SELECT one.workspace_id, one.id FROM backtest_run AS one
             WHERE one.state = 'following' AND (one.lease_until IS NULL OR one.lease_until < clock_timestamp())
               AND (one.turn_at IS NULL OR one.turn_at <= clock_timestamp() - $3 * interval '1 millisecond')
             ORDER BY (SELECT max(own.turn_at) FROM backtest_run AS own WHERE own.state = 'following' AND own.workspace_id = one.workspace_id
               AND own.asked_by_id = one.asked_by_id) NULLS FIRST, one.turn_at NULLS FIRST, one.id
             LIMIT 1 FOR UPDATE SKIP LOCKED)
           RETURNING workspace_id AS "workspaceId", id, policy_id AS "policyId", source, sha256, asked_at AS "askedAt",
             asked_by_id AS "askedById", live_percent AS percent, live_until AS until, live_seq::float8 AS seq,
             sequence::float8 AS sequence, restarts AS changes, live_credit_us::float8 AS "creditUs",
             live_credited_at AS "creditedAt", tally`,
    values: [lease, leaseMs, restMs],
  });
  return rows[0] ?? null;
}

type Claimed = Pick<ClaimedTest, "workspaceId" | "id">;
const HELD = "workspace_id = $1 AND id = $2 AND lease = $3 AND state = 'following'";

export interface Step {
  readonly rows: readonly ReplayRow[];
  readonly flips: readonly Flip[];
  readonly tally: Tally;
  readonly skipped: number;
  readonly fromSeq: number;
  readonly toSeq: number;
  readonly sequence: number | null;
  readonly changes: number;
  readonly credit: Credit;
  readonly leaseMs: number;
}

/** Stores the counts with the place in the chain, in one transaction. False when the test ended or its lease is lost. */
export async function saveStep(pool: Pool, { workspaceId, id }: Claimed, lease: string, step: Step): Promise<boolean> {
  return inTransaction(pool, async (client) => {
    const { rowCount } = await client.query(
      `UPDATE backtest_run SET live_seq = $4, looked = looked + $5, live_skipped = live_skipped + $6, tally = $7, sequence = $8,
         restarts = $9, live_credit_us = $10, live_credited_at = $11, lease_until = clock_timestamp() + $12 * interval '1 millisecond'
       WHERE ${HELD} AND live_seq = $13`,
      [
        ...[workspaceId, id, lease, step.toSeq, step.rows.length, step.skipped, JSON.stringify(step.tally)],
        ...[step.sequence, step.changes, Math.round(step.credit.us), new Date(step.credit.atMs), step.leaseMs],
        step.fromSeq,
      ],
    );
    if (rowCount !== 1) return false;
    await insertFlips(client, workspaceId, id, step);
    return true;
  });
}

/** Ends the turn, with the credit that is left. */
export async function rest(pool: Pool, { workspaceId, id }: Claimed, lease: string, credit: Credit): Promise<void> {
  await pool.query({
    name: "live_test_rest",
    text: `UPDATE backtest_run SET lease = NULL, lease_until = NULL, turn_at = clock_timestamp(), live_credit_us = $4, live_credited_at = $5
           WHERE ${HELD}`,
    values: [workspaceId, id, lease, Math.round(credit.us), new Date(credit.atMs)],
  });
}

const END = `UPDATE backtest_run SET state = $4, says = $5, lease = NULL, lease_until = NULL, ended_at = clock_timestamp() WHERE ${HELD}`;

export async function end(
  pool: Pool,
  { workspaceId, id }: Claimed,
  lease: string,
  { state, says }: { readonly state: "finished" | "failed"; readonly says: string },
): Promise<void> {
  await pool.query({ name: "live_test_end", text: END, values: [workspaceId, id, lease, state, says] });
}

/** Ends the test, and continues behind its last call with another text of the policy's draft. */
export async function replace(
  pool: Pool,
  { workspaceId, id }: Claimed,
  lease: string,
  next: { readonly id: string; readonly source: string; readonly sha256: string; readonly says: string },
): Promise<void> {
  await inTransaction(pool, async (client) => {
    const { rowCount } = await client.query(END, [workspaceId, id, lease, "finished", next.says]);
    if (rowCount !== 1) return;
    await client.query(
      `INSERT INTO backtest_run (${COLUMNS})
       SELECT workspace_id, $3, policy_id, $4, $5, 1, 'following', asked_by, asked_by_id, $6, live_percent, live_until, live_seq,
         live_credit_us, live_credited_at, clock_timestamp()
       FROM backtest_run WHERE workspace_id = $1 AND id = $2`,
      [workspaceId, id, next.id, next.source, next.sha256, JSON.stringify(EMPTY_TALLY)],
    );
  });
}

export interface DraftNow {
  /** Null without a draft. */
  readonly source: string | null;
  /** Milliseconds since it was saved last. */
  readonly savedMsAgo: number;
  /** True if the tested text was published since, or the draft became a revision. */
  readonly isPublished: boolean;
}

/** Null once the policy is deleted. */
export async function findDraft(
  pool: Pool,
  { workspaceId, policyId, sha256, askedAt }: Pick<ClaimedTest, "workspaceId" | "policyId" | "sha256" | "askedAt">,
): Promise<DraftNow | null> {
  const { rows } = await pool.query<DraftNow>({
    name: "live_test_draft",
    text: `SELECT draft.source, coalesce(extract(epoch FROM clock_timestamp() - draft.updated_at) * 1000, 0)::float8 AS "savedMsAgo",
             EXISTS (SELECT FROM policy_revision AS revision WHERE revision.workspace_id = $1 AND revision.policy_id = $2
               AND revision.created_at >= $4 AND (draft.source IS NULL OR revision.sha256 = $3)) AS "isPublished"
           FROM policy LEFT JOIN policy_draft AS draft ON draft.workspace_id = policy.workspace_id AND draft.policy_id = policy.id
           WHERE policy.workspace_id = $1 AND policy.id = $2`,
    values: [workspaceId, policyId, sha256, askedAt],
  });
  return rows[0] ?? null;
}
