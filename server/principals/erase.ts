/** Erasure of people behind agents: their words go, and records keep an id that names no person any more. */
import type { Pool, PoolClient } from "../platform/db.ts";
import * as principals from "./repository.ts";

export interface ErasedPeople {
  readonly ids: readonly string[];
  /** One of them is a member, who is removed first. */
  readonly isMember: boolean;
  /** The names of policies that would no longer reach the agents of these people. */
  readonly policies: readonly string[];
}

/** The people behind agents whom an erasure concerns: by id, by account, by address, and those merged into them. */
export async function findToErase(
  pool: Pool,
  workspaceId: string,
  person: { readonly id: string | null; readonly address: string | null },
): Promise<ErasedPeople> {
  const ids = await principals.listToErase(pool, workspaceId, person);
  if (ids.length === 0) return { ids, isMember: false, policies: [] };
  return {
    ids,
    isMember: await principals.isOfMember(pool, workspaceId, ids),
    policies: await principals.listPoliciesOf(pool, workspaceId, ids),
  };
}

/** `accountId`: the account of the person, also without a principal; null if it is not known. */
export const eraseOf = (
  client: PoolClient,
  workspaceId: string,
  ids: readonly string[],
  accountId: string | null,
): Promise<void> => principals.erase(client, workspaceId, ids, accountId);
