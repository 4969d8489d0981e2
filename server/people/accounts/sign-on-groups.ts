/** The groups of a person at the sign-on provider: read from its claim, and stored in each workspace of the person. */
import { z } from "zod";
import { announceWithCommit } from "../../events/index.ts";
import type { MaskingInForce } from "../../masking/index.ts";
import type { Tx } from "../../platform/db.ts";
import { uuidv7 } from "../../platform/ids.ts";
import { raiseSequence } from "../../policies/index.ts";
import { listMemberships } from "../repository.ts";
import * as stored from "./sign-on-groups-repository.ts";

/** More groups of one person are left out, by their names in alphabetical order. */
export const GROUPS_MAX = 200;
const NAME_MAX = 200;
/** A claim with more parts than this is not read to its end. */
const PARTS_MAX = 10_000;

const groupName = z
  .string()
  .trim()
  .min(1)
  .max(NAME_MAX)
  .regex(/^\P{Cc}*$/u);

/** The names in the claim `groups`: a list, or one name. Parts that are no names are left out. */
export function readGroups(claim: unknown): readonly string[] {
  const parts: readonly unknown[] = Array.isArray(claim) ? claim.slice(0, PARTS_MAX) : [claim];
  const names = parts.flatMap((part) => groupName.safeParse(part).data ?? []);
  return [...new Set(names)].sort().slice(0, GROUPS_MAX);
}

/**
 * Makes these the groups of the person, in each workspace that they are a member of. A name in which the workspace masks
 * something is not stored. Gates hear of a change with the commit.
 */
export async function saveSignOnGroups(
  tx: Tx,
  masking: Pick<MaskingInForce, "of">,
  personId: string,
  groups: readonly string[],
): Promise<void> {
  for (const { workspaceId } of await listMemberships(tx, personId)) {
    const { text: mask } = await masking.of(workspaceId);
    const names = groups.filter((name) => mask(name) === name);
    const isChanged = await stored.replaceGroups(tx, workspaceId, { personId, names, newId: uuidv7 });
    if (!isChanged) continue;
    await announceWithCommit(tx, workspaceId, ["budgets", "agents", "policies", "rules"]);
    await raiseSequence(tx, workspaceId);
  }
}
