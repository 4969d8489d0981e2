/** The policies that apply to one agent, in order of precedence, with the reason; and the policies that do not. */

import { eventsOfLaterVersions, knownClient } from "../../dialects/index.ts";
import { isClientName } from "../../dialects/schema.ts";
import { AppError } from "../../errors/app-error.ts";
import type { Database } from "../../platform/db.ts";
import type { ApplyingView } from "../assignments/assignment-schema.ts";
import type { ResolvedAssignment } from "../assignments/resolve-assignments.ts";
import * as policies from "../repository.ts";
import { findOnClient } from "../text/read-in-worker.ts";
import * as clients from "./client-repository.ts";
import { effectiveSet, resolveAgent } from "./effective.ts";

/** Errors: `agent_not_found`. */
export async function explainAgent(db: Database, workspaceId: string, agentId: string): Promise<ApplyingView> {
  const agent = await clients.findAgentClient(db.prisma, workspaceId, agentId);
  if (!agent) throw new AppError("agent_not_found");
  const { clientVersion: version } = agent;
  const name = agent.client !== null && isClientName(agent.client) ? agent.client : null;
  const client = name && knownClient(name, version);
  const later = name && version !== null ? [...eventsOfLaterVersions(name, version)] : [];
  const [assignments, set, all, groups] = await Promise.all([
    resolveAgent(db, workspaceId, agentId),
    effectiveSet(db, workspaceId, agentId),
    policies.list(db.prisma, workspaceId),
    policies.listGroups(db.prisma, workspaceId),
  ]);
  const reached = new Set(assignments.map(({ policy }) => policy.id));
  const namesOf = (kind: policies.GroupRow["kind"], row: policies.PolicyRow) =>
    groups
      .filter((group) => group.kind === kind && row.assignments.some((one) => one.targetId === group.id))
      .map((group) => group.name);
  const members = [...set.members, ...set.observed.filter(({ rule }) => rule === null)];
  const found = client && (await findOnClient(workspaceId, { client, profile: set.profile, policies: members }));
  return {
    policies: assignments.map((one) => ({
      ...viewOf(one),
      monitored: set.observed.flatMap(({ policyId, rule }) => (policyId === one.policy.id && rule ? [rule.hook] : [])),
      onClient: [...(found?.get(one.policy.id) ?? [])],
    })),
    client: client?.title ?? null,
    clientVersion: client && version,
    laterEvents: later.map(([event, since]) => ({ event, since })),
    groups: groups
      .filter((group) => group.kind === "group" && group.agentIds.includes(agentId))
      .map(({ id, name }) => ({ id, name })),
    others: all
      .filter((row) => !reached.has(row.id))
      .map((row) => ({
        id: row.id,
        name: row.name,
        isApplied: row.assignments.length > 0,
        groups: namesOf("group", row),
        people: [...namesOf("sign_on_group", row), ...namesOf("person", row)],
        tags: row.assignments.flatMap(({ tag }) => tag ?? []).sort(),
      })),
  };
}

function viewOf({
  policy,
  through,
  revision,
  isCanary,
  observeUntil,
  cannotAllow,
}: ResolvedAssignment): Omit<ApplyingView["policies"][number], "onClient" | "monitored"> {
  const { id, name, canary, liveRevision } = policy;
  return {
    id,
    name,
    revision,
    liveRevision,
    through: through.map(({ scope, group, tag }) => ({ scope, group: group?.name ?? null, tag })),
    state: revision === 0 ? (canary ? "outside_canary" : "unpublished") : observeUntil ? "observed" : "enforced",
    observeUntil: revision === 0 ? null : observeUntil,
    cannotAllow,
    canary: canary && { revision: canary.revision, share: canary.share, isInside: isCanary },
  };
}
