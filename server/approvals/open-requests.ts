/** The people who are asked about requests that are still open. */
import type { PoolClient } from "../platform/db.ts";
import { selectBy } from "../platform/select.ts";
import { listOpen, type OpenRequestRow } from "./notices-repository.ts";
import { listOwnersOfAgents } from "./own-agents.ts";
import { reachedLists } from "./risk-class.ts";

export interface OpenRequest extends Omit<OpenRequestRow, "route" | "elapsedSeconds" | "agentId"> {
  /** The people of every list that has been asked; null: everyone who may answer. */
  readonly askedPeople: readonly string[] | null;
  /** The people of the list that was asked last. */
  readonly newestPeople: readonly string[] | null;
  /** Approvers who may not answer it: its agent is their own. */
  readonly owners: readonly string[];
}

/** Open requests by id. Requests that have been answered are omitted. */
export async function openRequests(
  client: PoolClient,
  workspaceId: string,
  ids: readonly string[],
): Promise<ReadonlyMap<string, OpenRequest>> {
  if (ids.length === 0) return new Map();
  const rows = await listOpen(client, workspaceId, ids);
  const agentIds = [...new Set(rows.map(({ agentId }) => agentId))];
  const owners = await listOwnersOfAgents(selectBy(client), workspaceId, agentIds);
  return new Map(rows.map((row) => [row.id, withPeople(row, owners.get(row.agentId) ?? [])]));
}

function withPeople(
  { route, elapsedSeconds, agentId: _keyed, ...row }: OpenRequestRow,
  owners: readonly string[],
): OpenRequest {
  if (route === null) return { ...row, owners, askedPeople: null, newestPeople: null };
  const reached = reachedLists(route, elapsedSeconds);
  const newestPeople = reached.at(-1)?.people ?? [];
  return { ...row, owners, askedPeople: reached.flatMap(({ people }) => people), newestPeople };
}
