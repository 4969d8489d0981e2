/** The possible targets of budgets, and their form in accounts. */
import { AppError } from "../errors/app-error.ts";
import type { Database, Tx } from "../platform/db.ts";
import { findUsablePrincipal, listPrincipals } from "../principals/index.ts";
import { indexKeyText } from "../recording/index.ts";
import * as people from "./people-repository.ts";
import * as budgets from "./repository.ts";
import type { About, Scope, TargetsView } from "./schema.ts";

/** Models and dear calls are looked for in this time. */
export const MODELS_MS = 30 * 24 * 3_600_000;
const PEOPLE_MAX = 5_000;

/** The possible targets of a budget. */
export async function targets(db: Database, workspaceId: string): Promise<TargetsView> {
  const [agents, groups, models, principals, signOnGroups] = await Promise.all([
    budgets.listUnretiredAgents(db.prisma, workspaceId),
    budgets.listGroups(db.prisma, workspaceId),
    budgets.listModels(db.pool, workspaceId, new Date(Date.now() - MODELS_MS)),
    listPrincipals(db.pool, workspaceId, PEOPLE_MAX),
    people.listSignOnGroups(db.pool, workspaceId, PEOPLE_MAX),
  ]);
  return {
    agents: agents.map(({ id, name }) => ({ id, name })),
    groups,
    people: principals
      .filter(({ isErased, mergedInto }) => !isErased && mergedInto === null)
      .map(({ id, name }) => ({ id, name })),
    signOnGroups: [...signOnGroups],
    models: [...models],
  };
}

/** The target as accounts compare it: for a model, its name as recorded. */
export function targetOf(about: About): string {
  switch (about.scope) {
    case "agent":
      return about.agentId;
    case "group":
      return about.groupId;
    case "person":
      return about.personId;
    case "sign_on_group":
      return about.signOnGroupId;
    case "model":
      return indexKeyText(about.model);
    case "workspace":
    case "session":
      return "";
  }
}

/**
 * The target as it is stored; a person who was merged is the other one. Errors: `agent_not_found`, `group_not_found`,
 * `person_not_found`.
 */
export async function requireTarget(
  tx: Tx,
  workspaceId: string,
  { scope, target }: { readonly scope: Scope; readonly target: string },
): Promise<string> {
  if (scope === "person") {
    // Locked, so that no merge makes the target stale before the budget is there.
    await people.lockPerson(tx, workspaceId, target);
    const person = await findUsablePrincipal(tx, workspaceId, target);
    if (person === null || (person.id !== target && !(await people.lockPerson(tx, workspaceId, person.id))))
      throw new AppError("person_not_found", target, { says: NO_PERSON });
    return person.id;
  }
  if (scope === "sign_on_group" && !(await people.lockSignOnGroup(tx, workspaceId, target)))
    throw new AppError("group_not_found", target, { says: NO_SIGN_ON_GROUP });
  const isNamed = scope === "agent" || scope === "group";
  if (isNamed && (await budgets.findTargetName(tx, workspaceId, scope, target)) === null)
    throw new AppError(scope === "agent" ? "agent_not_found" : "group_not_found", target);
  return target;
}

const NO_PERSON = "This person is not known here, or their name was erased. Choose another person.";
const NO_SIGN_ON_GROUP = "The sign-on provider names this group for no member any more. Choose another group.";
