/** The agents that a person may not answer for: their own. */
import { type Administrator, isAccount } from "../access/actor.ts";
import { holdersOf } from "../access/permissions.ts";
import type { Select } from "../platform/select.ts";
import { areTwoPeople, type Independence, independenceBy } from "../reviews/index.ts";
import * as makers from "./makers-repository.ts";

/** The rule that decides which agents are a person's own, as the workspace is now. */
interface Ownership {
  readonly holders: readonly string[];
  readonly independence: Independence;
  /** True if the person may not answer for an agent whose keys these accounts made. */
  isOwn(personId: string, keyMakers: readonly string[]): boolean;
  /** These accounts, and for service accounts the people who made their tokens. */
  withTokenMakers(keyMakers: readonly string[]): ReadonlySet<string>;
}

/**
 * An agent is a person's own if they made a key of it or logged in on it, or if their account counts as the same person
 * as one that did. All of these are called its makers. If every account that may answer counts as a maker, as in a
 * workspace without mail and sign-on, accounts that made none of the keys directly may answer; if each made one, all may.
 * A person who made a token of a service account counts as the maker of the keys that this account made.
 */
async function ownershipIn(select: Select, workspaceId: string): Promise<Ownership> {
  const holders = await makers.listHolders(select, workspaceId, holdersOf("approval:decide"));
  const independence = await independenceBy(select, workspaceId);
  const tokenMakers = await makers.listTokenMakers(select, workspaceId);

  function withTokenMakers(keyMakers: readonly string[]): ReadonlySet<string> {
    const found = new Set(keyMakers);
    // A Set iteration also visits members added during it, so makers of makers are found.
    for (const one of found) for (const maker of tokenMakers.get(one) ?? []) found.add(maker);
    return found;
  }

  return {
    holders,
    independence,
    withTokenMakers,
    isOwn(personId, keyMakers) {
      const isOther = (one: string) => keyMakers.every((maker) => areTwoPeople(independence, one, maker));
      if (!isAccount(personId) || isOther(personId)) return false;
      if (holders.some(isOther)) return true;
      const direct = withTokenMakers(keyMakers);
      return direct.has(personId) && holders.some((holder) => !direct.has(holder));
    },
  };
}

type Person = Pick<Administrator, "workspaceId" | "id" | "kind">;

export async function ownAgents(select: Select, { workspaceId, id, kind }: Person): Promise<ReadonlySet<string>> {
  if (kind !== "person") return new Set();
  return (await ownAgentsOf(select, workspaceId, [id])).get(id) ?? new Set();
}

/** The own agents of each of these people. */
export async function ownAgentsOf(
  select: Select,
  workspaceId: string,
  people: readonly string[],
): Promise<ReadonlyMap<string, ReadonlySet<string>>> {
  const keyMakers = people.some(isAccount) ? await makers.listKeyMakers(select, workspaceId) : [];
  if (keyMakers.length === 0) return new Map();
  const { independence, isOwn } = await ownershipIn(select, workspaceId);
  const isSame = (maker: string) => people.some((id) => maker === id || !areTwoPeople(independence, id, maker));
  const makersByAgent = await makers.listAgentsMadeBy(select, workspaceId, keyMakers.filter(isSame));
  const ownOf = (id: string) => [...makersByAgent].filter(([, made]) => isOwn(id, made)).map(([agentId]) => agentId);
  return new Map(people.map((id) => [id, new Set(ownOf(id))]));
}

/** Those of these people who may not answer for the agent now. */
export async function listOwners(
  select: Select,
  workspaceId: string,
  agentId: string,
  people: readonly string[],
): Promise<ReadonlySet<string>> {
  const keyMakers = (await makers.listMakersOf(select, workspaceId, [agentId])).get(agentId);
  if (keyMakers === undefined) return new Set();
  const { isOwn } = await ownershipIn(select, workspaceId);
  return new Set(people.filter((id) => isOwn(id, keyMakers)));
}

export interface Allowance {
  readonly personId: string;
  readonly answeredAt: Date;
}

/**
 * The allowances that still count for a call of the agent: without those of people who may no longer answer for it, and
 * of people who have made a key of it, or logged in on it, since.
 */
export async function listLasting(
  select: Select,
  workspaceId: string,
  agentId: string,
  allowances: readonly Allowance[],
): Promise<readonly Allowance[]> {
  const keys = await makers.listNewestKeys(select, workspaceId, agentId);
  if (keys.length === 0) return allowances;
  const { isOwn, withTokenMakers } = await ownershipIn(select, workspaceId);
  const all = keys.map(({ maker }) => maker);
  return allowances.filter(({ personId, answeredAt }) => {
    const since = keys.filter(({ madeAt }) => madeAt >= answeredAt).map(({ maker }) => maker);
    return !isOwn(personId, all) && !withTokenMakers(since).has(personId);
  });
}

/** The approvers who may not answer for each of these agents; agents that all may answer for are omitted. */
export async function listOwnersOfAgents(
  select: Select,
  workspaceId: string,
  agentIds: readonly string[],
): Promise<ReadonlyMap<string, readonly string[]>> {
  const makersByAgent = await makers.listMakersOf(select, workspaceId, agentIds);
  if (makersByAgent.size === 0) return new Map();
  const { holders, isOwn } = await ownershipIn(select, workspaceId);
  return new Map([...makersByAgent].map(([agentId, made]) => [agentId, holders.filter((id) => isOwn(id, made))]));
}
