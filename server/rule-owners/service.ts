/** Owners and tickets of rules; each change is an entry in the audit log. */
import type { Administrator } from "../access/actor.ts";
import { recordAudit } from "../audit/record-audit.ts";
import { AppError } from "../errors/app-error.ts";
import { announcedTransaction, type Bus } from "../events/index.ts";
import { findMember } from "../follow-ups/index.ts";
import type { Database } from "../platform/db.ts";
import * as owners from "./repository.ts";
import { OWNED_RULES_MAX, type OwnedRule, type RuleOwnerView, type SetRuleOwner } from "./schema.ts";

const NO_OWNER: RuleOwnerView = { owner: null, ticket: "" };

export const get = async ({ prisma }: Database, workspaceId: string, rule: OwnedRule): Promise<RuleOwnerView> =>
  (await owners.find(prisma, workspaceId, rule)) ?? NO_OWNER;

export interface RuleOwnerWorld {
  readonly db: Database;
  readonly bus: Bus;
}

/**
 * Does nothing when nothing changes.
 *
 * Errors: `policy_not_found`; `person_not_found` when the person may not follow calls up; `invalid_input` beyond
 * `OWNED_RULES_MAX` rules.
 */
export function set(world: RuleOwnerWorld, actor: Administrator, input: SetRuleOwner): Promise<void> {
  const { workspaceId } = actor;
  const { personId, ticket, policyId, event, hook } = input;
  return announcedTransaction(world, workspaceId, ["rules", "audit"], async (tx) => {
    if (!(await owners.hasPolicy(tx, workspaceId, policyId))) throw new AppError("policy_not_found");
    const before = (await owners.find(tx, workspaceId, input)) ?? NO_OWNER;
    if ((before.owner?.id ?? null) === personId && before.ticket === ticket) return;
    if (personId !== null && personId !== before.owner?.id) await findMember(tx, workspaceId, personId);
    if (personId === null && ticket === "") await owners.remove(tx, workspaceId, input);
    else if (!(await owners.put(tx, workspaceId, input)))
      throw new AppError("invalid_input", undefined, {
        says: `At most ${OWNED_RULES_MAX} rules have an owner or a ticket. Remove one first.`,
      });
    await recordAudit(tx, actor, {
      ...{ kind: "rule_owner_set", version: 1, by: actor.name },
      ...{ policy: policyId, event, hook, person: personId, ticket: ticket === "" ? null : ticket },
    });
  });
}
