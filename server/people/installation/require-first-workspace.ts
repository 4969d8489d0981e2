import type { Administrator } from "../../access/actor.ts";
import { AppError } from "../../errors/app-error.ts";
import type { Tx } from "../../platform/db.ts";
import { findWorkspace } from "../repository.ts";

/**
 * Sign-on and mail are of the whole installation: whoever could set them in a workspace of their own could sign in as
 * anybody of another one. So they are set in the first workspace alone. Errors: `forbidden`.
 */
export async function requireFirstWorkspace(tx: Tx, actor: Administrator): Promise<void> {
  const home = await findWorkspace(tx);
  if (home?.id !== actor.workspaceId)
    throw new AppError("forbidden", undefined, {
      says: "Sign-on and mail are set for the whole installation, in its first workspace.",
    });
}
