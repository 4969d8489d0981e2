/**
 * The people behind an account. An account whose address is not proven is only as good as the links that opened it, so it counts as
 * everyone who made one; a service account counts as everyone who made tokens of it. The makers are kept when accounts are removed
 * (`account_maker`). Two accounts are two people only when no account stands behind both.
 */
import { isAccount } from "../access/actor.ts";
import type { Tx } from "../platform/db.ts";
import { type Select, selectIn } from "../platform/select.ts";
import * as reviews from "./repository.ts";

export interface Independence {
  /** When the person joined the workspace; null for whoever is no member. */
  joinedAt(id: string): Date | null;
  /** The account itself and all accounts that it counts as; null where a maker among them is not known. */
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
    // No account of the workspace stands behind the machine.
    if (!isAccount(id)) return [];
    const made = makers.get(id);
    if (made === undefined) return null;
    return (byId.get(id)?.isProven ?? made.wasProven) ? [] : made.makerIds;
  }

  function follow(id: string): ReadonlySet<string> | null {
    const found = new Set([id]);
    // What is added while it is walked is walked too.
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
