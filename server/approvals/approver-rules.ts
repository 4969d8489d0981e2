/** The rules of a workspace about who answers which calls: reading and setting them. */
import type { Administrator } from "../access/actor.ts";
import { holdersOf } from "../access/permissions.ts";
import { diffFields } from "../audit/diff-fields.ts";
import { recordAudit } from "../audit/record-audit.ts";
import { AppError } from "../errors/app-error.ts";
import { announcedTransaction, type Bus } from "../events/index.ts";
import type { Database, Pool, PoolClient } from "../platform/db.ts";
import { inWorkspace } from "../platform/scope.ts";
import { type StoredFault, storedProblem } from "../platform/stored-fault.ts";
import * as stored from "./approver-rules-repository.ts";
import {
  type ApproverRules,
  type ApproverRulesView,
  approverRules,
  approverRulesView,
  NO_APPROVER_RULES,
} from "./approver-rules-schema.ts";
import { graverRadius, needsOf } from "./risk-class.ts";

/** Thrown when the stored rules cannot be read: no person can be asked, so the call is denied with this message. */
export class UnreadableRulesError extends Error {
  override readonly name = "UnreadableRulesError";

  constructor(problem: string) {
    super(
      `The rules about who answers calls cannot be read (${problem}), so people cannot be asked. An admin can enter them again in Approvals, Who answers.`,
    );
  }
}

/** Errors: `UnreadableRulesError`. */
export async function rulesOf(client: Pool | PoolClient, workspaceId: string): Promise<ApproverRules> {
  const { rules, problem } = read(await stored.find(client, workspaceId));
  if (problem !== null) throw new UnreadableRulesError(problem);
  return rules;
}

function read(row: stored.ApproverRulesRow | null): { readonly rules: ApproverRules; readonly problem: string | null } {
  if (row === null) return { rules: NO_APPROVER_RULES, problem: null };
  const { success, data, error } = approverRules.safeParse(row.rules);
  return success ? { rules: data, problem: null } : { rules: NO_APPROVER_RULES, problem: storedProblem(error) };
}

/** The rules about who answers, where they cannot be read. */
export async function listUnreadableRules(
  { pool }: Pick<Database, "pool">,
  workspaceId: string,
): Promise<readonly StoredFault[]> {
  const { problem } = read(await stored.find(pool, workspaceId));
  if (problem === null) return [];
  return [{ thing: "the rules about who answers calls", problem, effect: "every call that needs approval is denied" }];
}

/**
 * True if the workspace's rules require people other than this person for a call with these blast radii: two people, or
 * a list.
 */
export async function needsOthers(
  pool: Pool,
  workspaceId: string,
  {
    toolName,
    radii,
    personId,
  }: { readonly toolName: string; readonly radii: readonly string[]; readonly personId: string },
): Promise<boolean> {
  const rules = await inWorkspace(workspaceId, () => rulesOf(pool, workspaceId));
  const { peopleNeeded, route } = needsOf({ toolName, risk: radii.reduce(graverRadius, ""), peopleNeeded: 1 }, rules);
  return peopleNeeded > 1 || (route !== null && !route.some(({ people }) => people.includes(personId)));
}

export async function viewRules({ pool }: Pick<Database, "pool">, workspaceId: string): Promise<ApproverRulesView> {
  const [row, people] = await Promise.all([
    stored.find(pool, workspaceId),
    stored.listApprovers(pool, workspaceId, holdersOf("approval:decide")),
  ]);
  return approverRulesView.parse({ ...read(row), setAt: row?.setAt ?? null, setBy: row?.setBy ?? null, people });
}

/**
 * Saves the rules. They apply to calls asked about after the commit. Errors: `invalid_input` if a person in them may
 * not answer.
 */
export async function setRules(
  context: { readonly db: Database; readonly bus: Bus },
  actor: Administrator,
  rules: ApproverRules,
): Promise<void> {
  const { workspaceId } = actor;
  const known = await stored.listApprovers(context.db.pool, workspaceId, holdersOf("approval:decide"));
  const ids = new Set(known.map(({ id }) => id));
  for (const [index, { name, people }] of rules.lists.entries())
    if (people.some((id) => !ids.has(id)))
      throw new AppError("invalid_input", undefined, {
        says: `A person in "${name}" may not answer requests. Choose people with the role approver or higher.`,
        pointer: `/lists/${index}/people`,
      });
  await announcedTransaction(context, workspaceId, ["approvals"], async (tx) => {
    // Unreadable stored rules must not prevent new ones.
    const before =
      approverRules.safeParse((await stored.findForUpdate(tx, workspaceId))?.rules).data ?? NO_APPROVER_RULES;
    await stored.save(tx, workspaceId, rules, actor.name);
    await recordAudit(
      tx,
      actor,
      { kind: "approver_rules_set", version: 1, by: actor.name, ...rules },
      diffFields(asTexts(before), asTexts(rules)),
    );
  });
}

const asTexts = (rules: ApproverRules): Record<string, string> =>
  Object.fromEntries(Object.entries(rules).map(([key, value]) => [key, JSON.stringify(value)]));
