/** The agents that a reader may not answer for: their own. */
import type { Administrator } from "../access/actor.ts";
import { holdersOf } from "../access/permissions.ts";
import type { Database } from "../platform/db.ts";
import { areTwoPeople, independenceIn } from "../reviews/service.ts";
import * as requests from "./requests-repository.ts";

/**
 * The agents whose keys the reader made, or an account that counts as the same person. Where every account that may answer counts as a
 * maker of the keys, as in a workspace without mail and sign-on, those answer that made none of the keys themselves; all of them, where
 * each made one.
 */
export async function ownAgents(
  { pool, prisma }: Pick<Database, "pool" | "prisma">,
  { workspaceId, id, kind }: Pick<Administrator, "workspaceId" | "id" | "kind">,
): Promise<ReadonlySet<string>> {
  if (kind !== "person") return new Set();
  const makers = await requests.listKeyMakers(pool, workspaceId);
  if (makers.length === 0) return new Set();
  const [holders, independence] = await Promise.all([
    requests.listHolders(pool, workspaceId, holdersOf("approval:decide")),
    independenceIn(prisma, workspaceId),
  ]);
  const same = makers.filter((maker) => maker === id || !areTwoPeople(independence, id, maker));
  const makersByAgent = await requests.listMakersOfAgents(pool, workspaceId, same);
  const own = [...makersByAgent].filter(([, made]) => {
    const isOther = (holder: string) => made.every((maker) => areTwoPeople(independence, holder, maker));
    if (holders.some(isOther)) return true;
    return made.includes(id) && holders.some((holder) => !made.includes(holder));
  });
  return new Set(own.map(([agentId]) => agentId));
}
