/** Ends what opens an account, and tells every process: streams and held requests look again whether they may go on. */
import { announceWithCommit } from "../events/index.ts";
import type { Tx } from "../platform/db.ts";
import { deleteLinks, deleteVerifications } from "./link-repository.ts";
import { listMemberships } from "./repository.ts";
import { deleteOtherSessions } from "./session-repository.ts";

/**
 * Sent with the commit of the caller's transaction; the sender hears it too. Approvals change with it: an allowance counts only while
 * its person may still answer.
 */
export const notifyAccessChange = (tx: Tx, workspaceId: string): Promise<void> =>
  announceWithCommit(tx, workspaceId, ["access", "approvals"]);

/** The same, in every workspace that a browser of the person may look at. */
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
