/**
 * The people behind an account. Anyone who made a link to an account may control it until its address is proven, so
 * such an account counts as all of their accounts. A service account counts as everyone who made its tokens. The makers
 * are kept when accounts are removed (`account_maker`). Two accounts count as two people only if no account is behind
 * both.
 */
import { isAccount } from "../access/actor.ts";
import type { Tx } from "../platform/db.ts";
import { type Select, selectIn } from "../platform/select.ts";
import * as reviews from "./repository.ts";

export interface Independence {
  /** The time when the person joined the workspace; null for non-members. */
  joinedAt(id: string): Date | null;
  /** The account itself and all accounts that it counts as; null when a maker among them is unknown. */
  behind(id: string): ReadonlySet<string> | null;
}

export const independenceIn = (tx: Tx, workspaceId: string): Promise<Independence> =>
  independenceBy(selectIn(tx), workspaceId);

export async function independenceBy(select: Select, workspaceId: string): Promise<Independence> {
  const members = await reviews.listMembers(select, workspaceId);
  const makers = await reviews.listMakers(select, workspaceId);
  const byId = new Map(members.map((member) => [member.personId, member]));
  const known = new Map<string, ReadonlySet<string> | null>();

  /** The makers of an account; none where it is its own person, null where they are not known. */
  function makersOf(id: string): readonly string[] | null {
    // The machine's token belongs to no account of the workspace.
    if (!isAccount(id)) return [];
    const made = makers.get(id);
    if (made === undefined) return null;
    return (byId.get(id)?.isProven ?? made.wasProven) ? [] : made.makerIds;
  }

  function follow(id: string): ReadonlySet<string> | null {
    const found = new Set([id]);
    // A Set iteration also visits members added during it, so makers of makers are found.
    for (const one of found) {
      const made = makersOf(one);
      if (made === null) return null;
      for (const maker of made) found.add(maker);
    }
    return found;
  }

  return {
    joinedAt: (id) => byId.get(id)?.joinedAt ?? null,
    behind(id) {
      const before = known.get(id);
      if (before !== undefined) return before;
      const found = follow(id);
      known.set(id, found);
      return found;
    },
  };
}

/** False also when a maker of one of them is not known. */
export function areTwoPeople({ behind }: Independence, one: string, other: string): boolean {
  const [behindOne, behindOther] = [behind(one), behind(other)];
  return behindOne !== null && behindOther !== null && ![...behindOther].some((id) => behindOne.has(id));
}
