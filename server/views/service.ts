/** Lists under a name: the address of a page, kept for oneself or shared in the workspace. */
import type { Administrator } from "../access/actor.ts";
import { recordAudit } from "../audit/record-audit.ts";
import { AppError } from "../errors/app-error.ts";
import type { Database, Tx } from "../platform/db.ts";
import { uuidv7 } from "../platform/ids.ts";
import * as views from "./repository.ts";
import { type SavedView, type SaveView, savedView, VIEWS_MAX, type ViewPage } from "./schema.ts";

/** Everybody's and one's own. */
export async function list(db: Database, actor: Administrator, page: ViewPage): Promise<SavedView[]> {
  const rows = await views.list(db.prisma, actor.workspaceId, page, actor.id, VIEWS_MAX * 2);
  return rows.map(({ id, name, query, isShared, ownerName }) =>
    savedView.parse({ id, page, name, query, isShared, owner: ownerName }),
  );
}

/** Saves a private view; an existing one of that name is replaced. Errors: `too_many_views`. */
export function save(db: Database, actor: Administrator, input: SaveView): Promise<void> {
  return db.prisma.$transaction((tx) => put(tx, actor, input, false));
}

/** Saves a shared view. Errors: `too_many_views`. */
export function share(db: Database, actor: Administrator, input: SaveView): Promise<void> {
  return db.prisma.$transaction(async (tx) => {
    await put(tx, actor, input, true);
    const { page, name, query } = input;
    await recordAudit(tx, actor, { kind: "view_shared", version: 1, by: actor.name, page, name, query });
  });
}

async function put(tx: Tx, actor: Administrator, input: SaveView, isShared: boolean): Promise<void> {
  const { workspaceId } = actor;
  const view = { ...input, isShared, ownerId: actor.id, ownerName: actor.name };
  if (await views.update(tx, workspaceId, view)) return;
  if ((await views.count(tx, workspaceId, view)) >= VIEWS_MAX) throw new AppError("too_many_views");
  // One of the same name that came in between stands: the next save replaces it.
  await views.insert(tx, workspaceId, { ...view, id: uuidv7() });
}

/** One's own view. Errors: `view_not_found`. */
export async function remove(db: Database, actor: Administrator, id: string): Promise<void> {
  await db.prisma.$transaction(async (tx) => {
    const found = await views.find(tx, actor.workspaceId, id);
    if (!found || found.isShared || found.ownerId !== actor.id) throw new AppError("view_not_found", id);
    await views.remove(tx, actor.workspaceId, id);
  });
}

/** Removes a shared view of any person. Errors: `view_not_found`. */
export async function unshare(db: Database, actor: Administrator, id: string): Promise<void> {
  await db.prisma.$transaction(async (tx) => {
    const found = await views.find(tx, actor.workspaceId, id);
    if (!found?.isShared) throw new AppError("view_not_found", id);
    await views.remove(tx, actor.workspaceId, id);
    const { page, name } = found;
    await recordAudit(tx, actor, { kind: "view_unshared", version: 1, by: actor.name, page, name });
  });
}
