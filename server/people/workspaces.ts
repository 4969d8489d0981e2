/** The workspaces of a person: list, create, and switch in a browser. */
import type { Administrator } from "../access/actor.ts";
import { role } from "../access/role-schema.ts";
import { recordAudit } from "../audit/record-audit.ts";
import { AppError } from "../errors/app-error.ts";
import type { Database } from "../platform/db.ts";
import { uuidv7 } from "../platform/ids.ts";
import { notifyAccessChange } from "./access-changes.ts";
import * as people from "./repository.ts";
import type { CreateWorkspace, WorkspaceById } from "./schema.ts";
import { sessionOf } from "./session.ts";
import { lookAtWorkspace } from "./session-repository.ts";

export async function listWorkspaces(db: Database, actor: Administrator) {
  if (actor.kind !== "person") {
    const own = await people.findWorkspaceById(db.prisma, actor.workspaceId);
    return own ? [{ id: own.id, name: own.name, role: actor.kind === "script" ? ("owner" as const) : actor.role }] : [];
  }
  const memberships = await people.listMemberships(db.prisma, actor.id);
  return memberships.map((one) => ({ id: one.workspaceId, name: one.workspace.name, role: role.parse(one.role) }));
}

export async function isWorkspace(db: Database, workspaceId: string): Promise<boolean> {
  return (await people.findWorkspaceById(db.prisma, workspaceId)) !== null;
}

/** A new, empty workspace that its maker owns; a script's belongs to the first owner of the workspace it is in. */
export async function createWorkspace(db: Database, actor: Administrator, input: CreateWorkspace) {
  const workspaceId = uuidv7();
  await db.prisma.$transaction(async (tx) => {
    await people.insertWorkspace(tx, workspaceId, input.name);
    const owner = actor.kind === "person" ? actor.id : (await people.listOwnersForUpdate(tx, actor.workspaceId))[0];
    if (owner === undefined) throw new AppError("person_not_found");
    await people.insertMembership(tx, workspaceId, owner, "owner");
    const entry = { kind: "workspace_created", version: 1, by: actor.name, name: input.name } as const;
    await recordAudit(tx, { ...actor, workspaceId }, entry);
  });
  return { workspaceId };
}

/** Switches the session's browser to another workspace. Errors: `workspace_not_found`. */
export async function switchWorkspace(db: Database, session: string | null, input: WorkspaceById): Promise<void> {
  await db.prisma.$transaction(async (tx) => {
    const found = session === null ? null : await sessionOf(tx, session);
    if (!found) throw new AppError("workspace_not_found");
    if (!(await people.findMembership(tx, input.workspaceId, found.personId)))
      throw new AppError("workspace_not_found", input.workspaceId);
    await lookAtWorkspace(tx, input.workspaceId, found.id);
    await notifyAccessChange(tx, found.workspaceId);
  });
}
