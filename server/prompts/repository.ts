/** Judge prompts, their drafts and revisions (Prisma), and the policies that name them (SQL over their texts). */
import { randomInt } from "node:crypto";
import type { Prisma } from "../../prisma/generated/client.ts";
import type { Administrator } from "../access/actor.ts";
import type { AuditEntry } from "../audit/entries.ts";
import { appendAudit } from "../audit/record-audit.ts";
import { type Pool, type PoolClient, type Tx, transaction } from "../platform/db.ts";
import type { JudgedText } from "./schema.ts";

export { transaction };

const withState = {
  draft: true,
  revisions: { orderBy: { number: "desc" }, take: 1 },
} as const satisfies Prisma.JudgePromptInclude;
export type PromptRow = Prisma.JudgePromptGetPayload<{ include: typeof withState }>;

const PROMPTS_MAX = 500;
const REVISIONS_MAX = 200;

export function list(tx: Tx, workspaceId: string): Promise<PromptRow[]> {
  return tx.judgePrompt.findMany({
    where: { workspaceId },
    include: withState,
    orderBy: { name: "asc" },
    take: PROMPTS_MAX,
  });
}

export const count = (tx: Tx, workspaceId: string): Promise<number> => tx.judgePrompt.count({ where: { workspaceId } });

export function find(tx: Tx, workspaceId: string, id: string): Promise<PromptRow | null> {
  return tx.judgePrompt.findFirst({ where: { workspaceId, id }, include: withState });
}

export function findByName(tx: Tx, workspaceId: string, name: string) {
  return tx.judgePrompt.findFirst({ where: { workspaceId, name } });
}

/** Locks the prompt's row until the transaction ends. */
export async function findForUpdate(tx: Tx, workspaceId: string, id: string): Promise<PromptRow | null> {
  await tx.$queryRaw`SELECT id FROM judge_prompt WHERE workspace_id = ${workspaceId}::uuid AND id = ${id}::uuid FOR UPDATE`;
  return find(tx, workspaceId, id);
}

/** False when the name is taken, also by a prompt in a concurrent transaction. */
export async function insert(
  tx: Tx,
  workspaceId: string,
  prompt: { readonly id: string; readonly name: string; readonly createdBy: string },
): Promise<boolean> {
  const made = await tx.judgePrompt.createMany({ data: [{ workspaceId, ...prompt }], skipDuplicates: true });
  return made.count === 1;
}

export async function setInjectionMin(tx: Tx, workspaceId: string, id: string, min: number | null): Promise<void> {
  await tx.judgePrompt.update({ where: { workspaceId_id: { workspaceId, id } }, data: { injectionMin: min } });
}

export async function remove(tx: Tx, workspaceId: string, id: string): Promise<void> {
  await tx.judgePrompt.delete({ where: { workspaceId_id: { workspaceId, id } } });
}

const FIRST_VERSION_MAX = 1_000_000_000;

interface Draft extends JudgedText {
  readonly updatedBy: string;
}

/**
 * Inserts a draft with a random first version, so that an editor that is open on a deleted draft does not take the new
 * one for its own.
 */
export function insertDraft(tx: Tx, workspaceId: string, promptId: string, draft: Draft & { baseRevision: number }) {
  const version = randomInt(1, FIRST_VERSION_MAX);
  return tx.judgePromptDraft.create({ data: { workspaceId, promptId, version, ...draft } });
}

/** Increments the draft's version with the update; null when its version has changed. */
export async function updateDraft(tx: Tx, workspaceId: string, promptId: string, version: number, next: Draft) {
  const data = { ...next, version: version + 1, updatedAt: new Date() };
  const moved = await tx.judgePromptDraft.updateMany({ where: { workspaceId, promptId, version }, data });
  return moved.count === 1 ? data : null;
}

export async function deleteDraft(tx: Tx, workspaceId: string, promptId: string): Promise<void> {
  await tx.judgePromptDraft.deleteMany({ where: { workspaceId, promptId } });
}

export async function insertRevision(
  tx: Tx,
  workspaceId: string,
  revision: Omit<Prisma.JudgePromptRevisionUncheckedCreateInput, "workspaceId">,
): Promise<void> {
  await tx.judgePromptRevision.create({ data: { workspaceId, ...revision } });
  const where = { workspaceId_id: { workspaceId, id: revision.promptId } };
  await tx.judgePrompt.update({ where, data: { latestRevision: revision.number } });
}

/** The newest first, without their texts. */
export function listRevisions(tx: Tx, workspaceId: string, promptId: string) {
  return tx.judgePromptRevision.findMany({
    where: { workspaceId, promptId },
    omit: { template: true },
    orderBy: { number: "desc" },
    take: REVISIONS_MAX,
  });
}

export function findRevision(tx: Tx, workspaceId: string, promptId: string, number: number) {
  return tx.judgePromptRevision.findFirst({
    where: { workspaceId, promptId, number },
  });
}

/** Names with the fingerprints of their newest revisions: what policies are checked against. */
export async function listFingerprints(
  tx: Tx,
  workspaceId: string,
): Promise<{ name: string; revisions: { number: number; fingerprint: string }[] }[]> {
  return tx.judgePrompt.findMany({
    where: { workspaceId, latestRevision: { gt: 0 } },
    select: {
      name: true,
      revisions: { select: { number: true, fingerprint: true }, orderBy: { number: "desc" }, take: 50 },
    },
    orderBy: { name: "asc" },
    take: PROMPTS_MAX,
  });
}

interface MentionRow {
  readonly policy_id: string;
  readonly policy: string;
  readonly name: string;
  readonly revision: number;
}

/** Where policies' texts, in force, newest or drafted, say `name@revision` of one of `names`. */
export async function listMentions(
  tx: Pick<Pool, "query">,
  workspaceId: string,
  names: readonly string[],
): Promise<MentionRow[]> {
  if (names.length === 0) return [];
  const found = await tx.query<MentionRow>({
    name: "judge_prompt_mentions",
    text: `SELECT DISTINCT policy.id AS policy_id, policy.name AS policy, said.label[1] AS name, said.label[2]::int AS revision
           FROM policy
           CROSS JOIN LATERAL (
             SELECT source FROM policy_draft WHERE workspace_id = policy.workspace_id AND policy_id = policy.id
             UNION ALL
             SELECT source FROM policy_revision WHERE workspace_id = policy.workspace_id AND policy_id = policy.id
               AND number IN (policy.latest_revision, policy.live_revision)
           ) AS text
           CROSS JOIN LATERAL regexp_matches(text.source, 'judge["'']?\\s*:\\s*["'']?([a-z0-9][a-z0-9._-]{0,63})@([0-9]{1,7})', 'g') AS said(label)
           WHERE policy.workspace_id = $1 AND text.source LIKE '%judge%' AND said.label[1] = ANY($2::text[])
           ORDER BY 2, 3, 4 LIMIT 2000`,
    values: [workspaceId, names],
  });
  return found.rows;
}

/** Runs `work` together with its audit entry; without the entry when it changed nothing (false). */
export function audited(
  pool: Pool,
  actor: Administrator,
  entry: AuditEntry,
  work: (client: PoolClient) => Promise<boolean>,
): Promise<boolean> {
  return transaction(pool, async (client) => {
    const isDone = await work(client);
    if (isDone) await appendAudit(client, actor, entry);
    return isDone;
  });
}
