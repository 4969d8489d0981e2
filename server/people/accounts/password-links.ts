/**
 * Links by which an admin lets a member set a new password. When a link is spent, all conditions of its creation are
 * checked again, and only then the library gets its own token.
 */

import type { Tx } from "../../platform/db.ts";
import { sha256 } from "../../platform/secrets.ts";
import { makerMay, permissionFor, storedMaker } from "../link-makers.ts";
import { findPasswordLink } from "../link-repository.ts";
import { findPersonForUpdate, listMemberships } from "../repository.ts";

/**
 * Returns the person whose password the token sets; null if the token is not from an admin's link, or is no longer
 * valid.
 */
export async function personOfPasswordLink(tx: Tx, token: string, now: Date): Promise<string | null> {
  const found = await findPasswordLink(tx, sha256(token), now);
  if (!found) return null;
  // They join no other workspace until this is done, and no second exchange spends a link of theirs.
  await findPersonForUpdate(tx, found.personId);
  // Read again under the lock: the exchange that held it before may have spent the link.
  const link = await findPasswordLink(tx, sha256(token), now);
  if (!link) return null;
  const [membership, ...others] = await listMemberships(tx, link.personId);
  if (membership?.workspaceId !== link.workspaceId || others.length > 0) return null;
  const maker = storedMaker.parse({ kind: link.makerKind, id: link.makerId });
  const { workspaceId } = link;
  const may = await makerMay(tx, workspaceId, maker, permissionFor(membership.role));
  return may ? link.personId : null;
}
