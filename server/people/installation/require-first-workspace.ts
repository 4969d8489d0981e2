import type { Administrator } from "../../access/actor.ts";
import { listPermissionGrants, type Permission } from "../../access/permissions.ts";
import { AppError } from "../../errors/app-error.ts";
import type { Tx } from "../../platform/db.ts";
import { findWorkspace } from "../repository.ts";

const ELSEWHERE = "Sign-on and mail apply to the whole installation. Set them in its first workspace.";

const OF_INSTALLATION: readonly string[] = ["installation:read", "installation:manage"] satisfies Permission[];

/**
 * Sign-on and mail settings apply to the whole installation: an owner of another workspace could use them to sign in as
 * any person. So they can be changed in the first workspace only. Errors: `forbidden`.
 */
export async function requireFirstWorkspace(tx: Tx, actor: Administrator): Promise<void> {
  const home = await findWorkspace(tx);
  if (home?.id !== actor.workspaceId) throw new AppError("forbidden", undefined, { says: ELSEWHERE });
}

/** The permissions of the caller in their workspace; those of the installation exist only in its first workspace. */
export async function listPermissionsInWorkspace(tx: Tx, actor: Administrator) {
  const home = await findWorkspace(tx);
  return listPermissionGrants(actor).map((grant) => {
    const isElsewhere = OF_INSTALLATION.includes(grant.name) && home?.id !== actor.workspaceId;
    return { ...grant, isGranted: grant.isGranted && !isElsewhere, reason: isElsewhere ? ELSEWHERE : null };
  });
}
