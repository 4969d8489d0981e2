/** Budgets of two people who turned out to be one: each counts both. */
import type { Tx } from "../platform/db.ts";
import type { MergedPeople } from "../principals/index.ts";
import { lockFigures } from "../projectors/index.ts";
import * as fills from "./fill-repository.ts";
import * as people from "./people-repository.ts";
import { lockBudgets } from "./repository.ts";

/** Adds the spending of the current periods, and makes the remaining principal the target. */
export async function mergeBudgets(
  tx: Tx,
  workspaceId: string,
  { from, into, ofFrom, ofInto }: MergedPeople,
): Promise<void> {
  const ofBoth = await people.listOfPeople(tx, workspaceId, [from, into]);
  if (ofBoth.length === 0) return;
  await lockBudgets(tx, workspaceId);
  await lockFigures(tx, workspaceId);
  const [moved, kept] = [
    await people.listOfPeople(tx, workspaceId, [from]),
    await people.listOfPeople(tx, workspaceId, [into]),
  ];
  const now = new Date();
  for (const id of moved) await fills.addPeople(tx, workspaceId, { id, now, people: ofInto });
  for (const id of kept) await fills.addPeople(tx, workspaceId, { id, now, people: ofFrom });
  await people.updateTarget(tx, workspaceId, moved, into);
}
