import type { Administrator, ScriptActor } from "../access/actor.ts";
import type { Database } from "../platform/db.ts";
import { sameSecret } from "../platform/secrets.ts";
import { listPermissionsInWorkspace } from "./installation/require-first-workspace.ts";
import * as people from "./repository.ts";
import type { MeView, WhoamiView } from "./schema.ts";
import { listWorkspaces } from "./workspaces.ts";

/** The script actor, when `token` is the data directory's admin token; compared in constant time. */
export async function actorOfAdminToken(db: Database, token: string, adminToken: string): Promise<ScriptActor | null> {
  if (!sameSecret(token, adminToken)) return null;
  const workspace = await people.findWorkspace(db.prisma);
  return workspace ? { kind: "script", workspaceId: workspace.id, id: "admin-token", name: "admin token" } : null;
}

export async function whoami(db: Database, actor: Administrator): Promise<WhoamiView> {
  const [workspace, hasDemo] = await Promise.all([
    people.findWorkspaceById(db.prisma, actor.workspaceId),
    people.hasDemo(db.prisma, actor.workspaceId),
  ]);
  return { kind: actor.kind, name: actor.name, workspace: workspace?.name ?? "", hasDemo };
}

/** The caller, their permissions here, and the other workspaces that they could go to. */
export async function me(db: Database, actor: Administrator): Promise<MeView> {
  const [workspaces, person, permissions] = await Promise.all([
    listWorkspaces(db, actor),
    actor.kind === "person" ? people.findPerson(db.prisma, actor.id) : null,
    listPermissionsInWorkspace(db.prisma, actor),
  ]);
  return {
    kind: actor.kind,
    id: actor.id,
    name: actor.name,
    email: person?.email ?? null,
    role: actor.kind === "script" ? "owner" : actor.role,
    workspaceId: actor.workspaceId,
    workspaces,
    permissions,
  };
}
