import type { Administrator } from "../access/actor.ts";
import { AppError } from "../errors/app-error.ts";
import type { Bus } from "../events/index.ts";
import type { Database } from "../platform/db.ts";
import { create, installedPacks, takePack } from "../policies/index.ts";
import { askOnApprovals } from "./ask-people.ts";
import { categoryOf } from "./categories.ts";
import { eventsOf } from "./events.ts";
import { heldTools } from "./held-tools.ts";
import type { Pack } from "./pack.ts";
import { PACKS } from "./registry.ts";
import type { InstallPack, PackUpdateView, PackView, UpdatePack } from "./schema.ts";

/** Errors: `pack_not_found`. */
export function packOf(packId: string, packs: readonly Pack[] = PACKS): Pack {
  const pack = packs.find(({ id }) => id === packId);
  if (!pack) throw new AppError("pack_not_found", packId);
  return pack;
}

/** Every pack, with the policies of the workspace that were created from it. */
export async function list(db: Database, workspaceId: string, packs: readonly Pack[] = PACKS): Promise<PackView[]> {
  const installed = await installedPacks(db, workspaceId);
  return packs.map((pack) => ({
    ...pack,
    category: categoryOf(pack.id),
    events: eventsOf(pack),
    tools: heldTools(pack),
    installed: installed
      .filter(({ packId }) => packId === pack.id)
      .map(({ policyId, name, packVersion, latestRevision }) => ({
        policyId,
        name,
        version: packVersion,
        isBehind: packVersion < pack.version,
        isPublished: latestRevision > 0,
      })),
  }));
}

const SAME_NAMES_MAX = 20;

/**
 * A new policy whose draft is the pack's text. Nothing is in force by it. Without a name it has the pack's title, with a
 * number where that is taken. Errors: `pack_not_found`, `name_taken`.
 */
export async function install(
  db: Database,
  bus: Bus,
  actor: Administrator,
  input: InstallPack,
  packs: readonly Pack[] = PACKS,
): Promise<{ policyId: string }> {
  const pack = packOf(input.packId, packs);
  const source = input.asks === "approvals" ? askOnApprovals(pack.source) : pack.source;
  for (let count = 1; ; count++) {
    const name = input.name ?? (count === 1 ? pack.title : `${pack.title} ${count}`);
    try {
      return await create(db, bus, actor, { name, source }, false, pack);
    } catch (error) {
      const isTaken = error instanceof AppError && error.code === "name_taken";
      if (!isTaken || input.name !== undefined || count === SAME_NAMES_MAX) throw error;
    }
  }
}

/**
 * Updates a policy to its pack's current version, as a draft, unless its text was edited. Errors: `policy_not_found`.
 */
export function update(
  db: Database,
  bus: Bus,
  actor: Administrator,
  input: UpdatePack,
  packs: readonly Pack[] = PACKS,
): Promise<PackUpdateView> {
  return takePack(db, bus, actor, input.policyId, (id) => packs.find((pack) => pack.id === id));
}
