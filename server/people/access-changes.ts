/**
 * Ends access to an account, and notifies every process: streams and held requests check again whether they may
 * continue.
 */
import { announceWithCommit } from "../events/index.ts";
import type { Tx } from "../platform/db.ts";
import { raiseSequence } from "../policies/index.ts";
import { deleteLinks, deleteVerifications } from "./link-repository.ts";
import { listMemberships } from "./repository.ts";
import { deleteOtherSessions } from "./session-repository.ts";

/**
 * Sent with the commit of the caller's transaction, and also received by the sender. Approvals change too: an allowance
 * counts only while its person may still answer.
 */
export const notifyAccessChange = (tx: Tx, workspaceId: string): Promise<void> =>
  announceWithCommit(tx, workspaceId, ["access", "approvals"]);

/**
 * The same after the end of a membership: the person is no proven owner of agents any more, so what is in force for these
 * is compiled again. Call it after the entries of the transaction: it raises the sequence, which is locked last.
 */
export async function notifyMembershipEnd(tx: Tx, workspaceId: string): Promise<void> {
  await raiseSequence(tx, workspaceId);
  await announceWithCommit(tx, workspaceId, ["access", "approvals", "policies", "rules"]);
}

/** A change of access, in every workspace of the person. */
export async function notifyAccessChangeOf(tx: Tx, personId: string): Promise<void> {
  for (const { workspaceId } of await listMemberships(tx, personId)) await notifyAccessChange(tx, workspaceId);
}

/** Ends what else opens the person's account now: other browsers, and links of every kind. */
export async function endOtherAccess(tx: Tx, personId: string, sessionId: string): Promise<void> {
  await deleteOtherSessions(tx, personId, sessionId);
  await deleteLinks(tx, personId);
  await deleteVerifications(tx, personId);
  await notifyAccessChangeOf(tx, personId);
}
