/**
 * Undoing the latest change of a policy. An undo is an ordinary change, so four eyes, roles and a freeze apply to it.
 * It is recorded with the number of the entry that it undoes, and refused once the policy has changed since.
 */
import { z } from "zod";
import type { Administrator } from "../../access/actor.ts";
import { canonicalJson } from "../../audit/chain.ts";
import { diffFields } from "../../audit/diff-fields.ts";
import { recordAudit } from "../../audit/record-audit.ts";
import { AppError } from "../../errors/app-error.ts";
import type { Tx } from "../../platform/db.ts";
import { listChangesFrom } from "./undo-repository.ts";

const change = z.strictObject({ before: z.unknown(), after: z.unknown() });
const changes = z.record(z.string(), change);

const observed = z.strictObject({ until: z.iso.datetime(), since: z.iso.datetime() }).nullable();
const endedAssignment = z.strictObject({ target: z.string(), position: z.number(), observed });
export type EndedAssignment = z.infer<typeof endedAssignment>;

/** The parts of an entry that an undo compares and restores. */
const undoableAct = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("policy_published"), revision: z.number() }),
  z.object({ kind: z.literal("policy_rolled_back"), from: z.number(), to: z.number() }),
  z.object({ kind: z.literal("policy_assigned"), ended: z.array(endedAssignment) }),
]);
type ActBody = z.infer<typeof undoableAct>;

export interface UndoneAct<Body extends ActBody = ActBody> {
  readonly seq: number;
  readonly body: Body;
  readonly changes: z.infer<typeof changes>;
}

interface UndoOf<Kind> {
  readonly policyId: string;
  readonly seq: number;
  readonly kinds: readonly Kind[];
}

/**
 * The act behind this entry, while it is the latest change of the policy. The policy's row must be locked.
 *
 * Errors: `policy_moved_on` with the reason.
 */
export async function requireUndoable<Kind extends ActBody["kind"]>(
  tx: Tx,
  workspaceId: string,
  { policyId, seq, kinds }: UndoOf<Kind>,
): Promise<UndoneAct<Extract<ActBody, { kind: Kind }>>> {
  const [act, later] = await listChangesFrom(tx, workspaceId, policyId, seq);
  if (!act || Number(act.seq) !== seq) throw refused("this change cannot be undone");
  if (later) throw refused("the policy was changed again since");
  const body = undoableAct.safeParse(JSON.parse(act.body)).data;
  if (!body || !isOf(body, kinds)) throw refused("this change cannot be undone");
  return { seq, body, changes: changes.parse(JSON.parse(act.changes ?? "{}")) };
}

const isOf = <Kind extends ActBody["kind"]>(
  body: ActBody,
  kinds: readonly Kind[],
): body is Extract<ActBody, { kind: Kind }> => kinds.some((kind) => kind === body.kind);

/** Errors: `policy_moved_on` if the value before the act is not the one that the undo restores. */
export function requireRestored(act: UndoneAct, field: string, restored: unknown): void {
  // Long values are recorded by their hash: this makes the same of the restored one.
  const wanted = diffFields(null, { [field]: restored })[field]?.after ?? null;
  const before = act.changes[field]?.before ?? null;
  if (canonicalJson(wanted) !== canonicalJson(before)) throw refused("it would not restore the state before");
}

export const refused = (reason: string): AppError =>
  new AppError("policy_moved_on", undefined, {
    says: `Nothing was undone: ${reason}. Look at the policy's revisions and assignments.`,
  });

/** Records the link from the undo to its act, in the transaction of the undo. */
export async function recordUndo(tx: Tx, actor: Administrator, policyId: string, act: UndoneAct): Promise<void> {
  await recordAudit(tx, actor, {
    kind: "policy_change_undone",
    version: 1,
    by: actor.name,
    policy: policyId,
    act: act.seq,
    change: act.body.kind,
  });
}
