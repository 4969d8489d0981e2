/**
 * The people behind an account. An account whose address is not proven is only as good as the link that made it, so it
 * counts as whoever made the link; a service account counts as everybody who made tokens of it. Two accounts are two
 * people only when nobody stands behind both.
 */
import type { Tx } from "../platform/db.ts";
import * as reviews from "./repository.ts";

const UUID = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/;

export interface Independence {
  /** When the person joined the workspace; null for whoever is no member. */
  joinedAt(id: string): Date | null;
  /** Whoever stands behind the account; null for what is in the workspace no more, of which it cannot be told. */
  behind(id: string): ReadonlySet<string> | null;
}

export async function independenceIn(tx: Tx, workspaceId: string): Promise<Independence> {
  const members = await reviews.listMembers(tx, workspaceId);
  const makers = await reviews.listTokenMakers(tx, workspaceId);
  const byId = new Map(members.map((member) => [member.personId, member]));

  function follow(id: string, seen: ReadonlySet<string>): readonly string[] {
    const member = byId.get(id);
    const isEnd = member && (member.isProven || member.invitedById === null);
    const made = member ? [member.invitedById ?? ""] : (makers.get(id) ?? []);
    if (isEnd || made.length === 0 || seen.has(id)) return [id];
    return made.flatMap((maker) => follow(maker, new Set([...seen, id])));
  }
  // People and service accounts go by a UUID; the machine itself does not, and nobody of the workspace stands behind it.
  const isKnown = (id: string) => byId.has(id) || makers.has(id) || !UUID.test(id);
  return {
    joinedAt: (id) => byId.get(id)?.joinedAt ?? null,
    behind: (id) => (isKnown(id) ? new Set(follow(id, new Set())) : null),
  };
}

/** False also when one of them is gone, so that it cannot be told. */
export function areTwoPeople({ behind }: Independence, one: string, other: string): boolean {
  const [behindOne, behindOther] = [behind(one), behind(other)];
  return behindOne !== null && behindOther !== null && ![...behindOther].some((id) => behindOne.has(id));
}
