/** The rules of one hook of a stored revision. */
import { rulesIn } from "@quarterdeck/hooks/contract/text/rules-at";
import type { Database } from "../../platform/db.ts";
import { findRevision } from "../repository.ts";
import { readStoredPolicy } from "./stored-policy.ts";

export interface HookInRevision {
  readonly policyId: string;
  readonly revision: number;
  /** `hooks.pre_tool_use[0].hooks[1]` */
  readonly path: string;
}

/** Null if the revision is not stored or has no hook of type `rules` at the path. */
export async function rulesOfHook(
  { prisma }: Pick<Database, "prisma">,
  workspaceId: string,
  { policyId, revision, path }: HookInRevision,
): Promise<ReturnType<typeof rulesIn>> {
  const row = await findRevision(prisma, workspaceId, policyId, revision);
  return row && rulesIn(readStoredPolicy(row).hooks, path);
}
