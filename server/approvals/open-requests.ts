/** The people who are asked about requests that are still open. */
import { holdersOf } from "../access/permissions.ts";
import type { PoolClient } from "../platform/db.ts";
import { listOpen, type OpenRequestRow } from "./notices-repository.ts";
import { reachedLists } from "./risk-class.ts";

export interface OpenRequest extends Omit<OpenRequestRow, "route" | "elapsedSeconds"> {
  /** Those of every list whose turn it is; null: everybody who may answer. */
  readonly askedPeople: readonly string[] | null;
  /** Those of the list that was asked last. */
  readonly newestPeople: readonly string[] | null;
}

/** By their ids. A request that was answered meanwhile is left out. */
export async function openRequests(
  client: PoolClient,
  workspaceId: string,
  ids: readonly string[],
): Promise<ReadonlyMap<string, OpenRequest>> {
  if (ids.length === 0) return new Map();
  const rows = await listOpen(client, workspaceId, ids, holdersOf("approval:decide"));
  return new Map(rows.map((row) => [row.id, withPeople(row)]));
}

function withPeople({ route, elapsedSeconds, ...row }: OpenRequestRow): OpenRequest {
  if (route === null) return { ...row, askedPeople: null, newestPeople: null };
  const reached = reachedLists(route, elapsedSeconds);
  return { ...row, askedPeople: reached.flatMap(({ people }) => people), newestPeople: reached.at(-1)?.people ?? [] };
}
