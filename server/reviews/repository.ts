import type { Prisma } from "../../prisma/generated/client.ts";
import type { Role } from "../access/role-schema.ts";
import type { Tx } from "../platform/db.ts";
import type { Select } from "../platform/select.ts";
import type { ReviewState } from "./schema.ts";

const CURRENT: ReviewState[] = ["open", "approved"];

const counted = {
  policy: { select: { name: true, draft: { select: { editors: true } } } },
  _count: { select: { comments: true } },
} as const satisfies Prisma.PolicyReviewInclude;
const query = { include: counted, omit: { source: true } } as const;

export type ReviewRow = Prisma.PolicyReviewGetPayload<typeof query>;

/** The newest first. */
export function list(
  tx: Tx,
  workspaceId: string,
  of: { policyId?: string | undefined; isCurrent?: boolean },
  take: number,
) {
  const where = {
    workspaceId,
    ...(of.policyId === undefined ? {} : { policyId: of.policyId }),
    ...(of.isCurrent ? { state: { in: CURRENT } } : {}),
  };
  return tx.policyReview.findMany({ where, ...query, orderBy: [{ createdAt: "desc" }, { id: "desc" }], take });
}

export function find(tx: Tx, workspaceId: string, id: string) {
  return tx.policyReview.findFirst({
    where: { workspaceId, id },
    include: { ...counted, comments: { orderBy: [{ createdAt: "asc" }, { id: "asc" }], take: 500 } },
  });
}

/** The policy of a review, locked: a draft saved at this moment waits. Null when there is no such review. */
export async function findForUpdate(tx: Tx, workspaceId: string, id: string) {
  const found = await tx.policyReview.findFirst({
    where: { workspaceId, id },
    select: { policyId: true },
  });
  if (!found) return null;
  await lockPolicy(tx, workspaceId, found.policyId);
  return find(tx, workspaceId, id);
}

export async function insert(
  tx: Tx,
  workspaceId: string,
  review: Omit<Prisma.PolicyReviewUncheckedCreateInput, "workspaceId">,
): Promise<void> {
  await tx.policyReview.create({ data: { workspaceId, ...review } });
}

export async function updateState(
  tx: Tx,
  workspaceId: string,
  id: string,
  next: { state: ReviewState; decidedBy?: string; decidedName?: string; decidedAt?: Date },
): Promise<void> {
  await tx.policyReview.update({ where: { workspaceId_id: { workspaceId, id } }, data: next });
}

/** Marks the policy's current reviews as outdated, to make room for a new one. */
export async function outdate(tx: Tx, workspaceId: string, policyId: string): Promise<void> {
  const where = { workspaceId, policyId, state: { in: CURRENT } };
  await tx.policyReview.updateMany({ where, data: { state: "outdated" } });
}

export async function insertComment(
  tx: Tx,
  workspaceId: string,
  comment: { id: string; reviewId: string; authorId: string; authorName: string; body: string },
): Promise<void> {
  await tx.policyReviewComment.create({ data: { workspaceId, ...comment } });
}

export function findPolicy(tx: Tx, workspaceId: string, id: string) {
  return tx.policy.findFirst({ where: { workspaceId, id }, include: { draft: true } });
}

export async function findPolicyForUpdate(tx: Tx, workspaceId: string, id: string) {
  await lockPolicy(tx, workspaceId, id);
  return findPolicy(tx, workspaceId, id);
}

async function lockPolicy(tx: Tx, workspaceId: string, id: string): Promise<void> {
  await tx.$queryRaw`SELECT id FROM policy WHERE workspace_id = ${workspaceId}::uuid AND id = ${id}::uuid FOR UPDATE`;
}

export async function updateFourEyes(
  tx: Tx,
  workspaceId: string,
  id: string,
  next: { isOn: boolean; offBy: { id: string; name: string } | null },
): Promise<void> {
  const { isOn, offBy } = next;
  const asked = { fourEyesOffBy: offBy?.id ?? null, fourEyesOffName: offBy?.name ?? null };
  const data = { fourEyes: isOn, ...asked, fourEyesOffAt: offBy ? new Date() : null };
  await tx.policy.update({ where: { workspaceId_id: { workspaceId, id } }, data });
}

export async function findRevisionText(tx: Tx, workspaceId: string, policyId: string, number: number) {
  const where = { workspaceId, policyId, number };
  return (await tx.policyRevision.findFirst({ where, select: { source: true } }))?.source ?? null;
}

export function countPeople(tx: Tx, workspaceId: string, roles: readonly Role[]): Promise<number> {
  return tx.membership.count({ where: { workspaceId, role: { in: [...roles] } } });
}

/** The people with one of the roles. */
export async function listPeople(tx: Tx, workspaceId: string, roles: readonly Role[]): Promise<readonly string[]> {
  const rows = await tx.membership.findMany({
    where: { workspaceId, role: { in: [...roles] } },
    select: { personId: true },
  });
  return rows.map(({ personId }) => personId);
}

interface MemberRow {
  readonly personId: string;
  readonly joinedAt: Date;
  readonly isProven: boolean;
}

/** Each member, with whether their address is their own for sure. */
export function listMembers(select: Select, workspaceId: string): Promise<MemberRow[]> {
  return select<MemberRow>(
    `SELECT member.person_id::text AS "personId", member.created_at AS "joinedAt", person.email_verified AS "isProven"
     FROM membership AS member JOIN person ON person.id = member.person_id WHERE member.workspace_id = $1::uuid`,
    workspaceId,
  );
}

export interface AccountMakers {
  readonly makerIds: readonly string[];
  /** The address was proven when the person left; of a member, the membership says. */
  readonly wasProven: boolean;
}

/** The makers of each account that is or was in the workspace. */
export async function listMakers(select: Select, workspaceId: string): Promise<ReadonlyMap<string, AccountMakers>> {
  const rows = await select<AccountMakers & { readonly id: string }>(
    `SELECT account_id AS id, coalesce(array_agg(maker_id) FILTER (WHERE maker_id <> ''), '{}') AS "makerIds",
       bool_or(was_proven) AS "wasProven"
     FROM account_maker WHERE workspace_id = $1::uuid GROUP BY account_id`,
    workspaceId,
  );
  return new Map(rows.map(({ id, ...made }) => [id, made]));
}

/** Ends the exceptions in force that lift a verdict of the policy. */
export function endExceptionsOf(
  tx: Tx,
  workspaceId: string,
  policyId: string,
  { by, reason }: { readonly by: string; readonly reason: string },
) {
  return tx.$queryRaw<{ id: string; number: number | null; about: string }[]>`
    UPDATE policy_exception SET ended_at = clock_timestamp(), ended_by = ${by}, end_reason = ${reason}
    WHERE workspace_id = ${workspaceId}::uuid AND ended_at IS NULL AND expires_at > clock_timestamp()
      AND rules @> jsonb_build_array(jsonb_build_object('policyId', ${policyId}::text))
    RETURNING id, request_number::float8 AS number, about`;
}
