import type { Tx } from "../platform/db.ts";
import type { ViewPage } from "./schema.ts";

/** The person's own views of a page and the shared ones, by name. */
export function list(tx: Tx, workspaceId: string, page: ViewPage, ownerId: string, limit: number) {
  return tx.savedView.findMany({
    where: { workspaceId, page, OR: [{ isShared: true }, { ownerId, isShared: false }] },
    orderBy: [{ isShared: "asc" }, { name: "asc" }],
    take: limit,
  });
}

export function find(tx: Tx, workspaceId: string, id: string) {
  return tx.savedView.findFirst({ where: { workspaceId, id } });
}

export interface NewView {
  readonly id: string;
  readonly page: ViewPage;
  readonly name: string;
  readonly query: string;
  readonly isShared: boolean;
  readonly ownerId: string;
  readonly ownerName: string;
}

type Whose = Pick<NewView, "page" | "isShared" | "ownerId">;
const among = (workspaceId: string, { page, isShared, ownerId }: Whose) => ({
  workspaceId,
  page,
  isShared,
  ...(isShared ? {} : { ownerId }),
});

export function count(tx: Tx, workspaceId: string, whose: Whose): Promise<number> {
  return tx.savedView.count({ where: among(workspaceId, whose) });
}

/** False when the name is taken, also by one that is being made at this very moment. */
export async function insert(tx: Tx, workspaceId: string, view: NewView): Promise<boolean> {
  return (await tx.savedView.createMany({ data: [{ workspaceId, ...view }], skipDuplicates: true })).count === 1;
}

/** Replaces the query of the view with that name. False when it does not exist. */
export async function update(
  tx: Tx,
  workspaceId: string,
  { name, query, ownerName, ...whose }: Omit<NewView, "id">,
): Promise<boolean> {
  const where = { ...among(workspaceId, whose), name };
  const change = whose.isShared ? { query, ownerId: whose.ownerId, ownerName } : { query };
  return (await tx.savedView.updateMany({ where, data: change })).count > 0;
}

export async function remove(tx: Tx, workspaceId: string, id: string): Promise<void> {
  await tx.savedView.deleteMany({ where: { workspaceId, id } });
}
