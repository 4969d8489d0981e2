/** Policies as the pages read them. */

import { countHooks } from "@quarterdeck/hooks/contract/count-hooks";
import { PAGE_ROWS } from "../access/role-schema.ts";
import { AppError } from "../errors/app-error.ts";
import type { Database } from "../platform/db.ts";
import type { MonitoredRuleView } from "./assignments/monitored-rule-schema.ts";
import { listLostTargets } from "./assignments/reaching-repository.ts";
import { readAssignment, readRollout } from "./assignments/stored-assignment.ts";
import { limitsOf, withdrawalOf } from "./canary-watch/watched-view.ts";
import { boundBy, type Fleet, fleetOf, isEnforcing, listAnswered, revisionsFor } from "./effective/fleet.ts";
import { listMonitoredHooks } from "./effective/member.ts";
import { describeUnheld, type UnheldAgents } from "./effective/unheld-agents.ts";
import { groupsOf, reachedBy } from "./publishing/activate-revision.ts";
import { listOverrideViews } from "./publishing/blocking-gate.ts";
import * as policies from "./repository.ts";
import { isInCanary } from "./rollout/canary-share.ts";
import {
  type CanaryView,
  type GateGaps,
  type ObservedView,
  type PageByName,
  type PolicyDetailView,
  type PolicyView,
  type RevisionDetailView,
  type RevisionView,
  UNREADABLE_SHOWN_MAX,
  type UnreadableRevisionView,
} from "./schema.ts";
import { describeDenials } from "./text/describe-denials.ts";
import { STARTING_SOURCE } from "./text/starting-policy.ts";
import { deniedGates, readRevision, readStoredPolicy } from "./text/stored-policy.ts";

/** A page of policies by name. */
export async function list(db: Database, workspaceId: string, page?: PageByName): Promise<PolicyView[]> {
  const fleet = await fleetOf(db, workspaceId);
  const asked = { after: page?.cursor ?? null, rowsMax: PAGE_ROWS };
  return (await policies.list(db.prisma, workspaceId, asked)).map((row) => viewOf(row, fleet));
}

/** The maximum number of policies that are checked for gaps. */
const GAP_POLICIES_MAX = 500;
const GAPS_NAMED_MAX = 3;

/** The agents that no enforced policy in force can stop: by policy, and those without one. Retired agents make no calls. */
export async function findGateGaps(db: Database, workspaceId: string): Promise<GateGaps> {
  const fleet = await fleetOf(db, workspaceId);
  const rows = await policies.list(db.prisma, workspaceId, { rowsMax: GAP_POLICIES_MAX });
  const unheld = rows.flatMap((row) => {
    const found = unheldOf(row, boundBy(row, fleet), fleet);
    return found ? [{ policyId: row.id, policy: row.name, says: found.says }] : [];
  });
  const governed = new Set(
    rows.flatMap((row) => {
      const reached = reachedBy(row.assignments.filter(isEnforcing), fleet.groups, fleet.agents);
      const hasRevision = revisionsFor(row, fleet.groups);
      return reached.filter((id) => hasRevision(id) !== null);
    }),
  );
  const hasCalls = ({ id, client }: policies.AgentNameRow) => client !== null || fleet.recentById.has(id);
  const free = fleet.agents.filter((agent) => agent.retiredAt === null && hasCalls(agent) && !governed.has(agent.id));
  return {
    unheld: { policies: unheld.length, shown: unheld.slice(0, GAPS_NAMED_MAX) },
    ungoverned: { agents: free.length, names: free.slice(0, GAPS_NAMED_MAX).map(({ name }) => name) },
  };
}

export async function get(db: Database, workspaceId: string, policyId: string): Promise<PolicyDetailView> {
  const row = await policies.find(db.prisma, workspaceId, policyId);
  if (!row) throw new AppError("policy_not_found");
  const { draft, live, canary, latest } = row;
  return {
    ...viewOf(row, await fleetOf(db, workspaceId)),
    source: draft?.source ?? canary?.source ?? live?.source ?? latest?.source ?? STARTING_SOURCE,
    publishedSource: live?.source ?? "",
    draftVersion: draft?.version ?? 0,
    draftUpdatedAt: draft?.updatedAt ?? null,
    draftUpdatedBy: draft?.updatedBy ?? null,
    draftBaseRevision: draft?.baseRevision ?? row.latestRevision,
    unreadable: unreadableOf(row),
    overrides: await listOverrideViews(db.prisma, workspaceId, policyId, inForceNumbers(row)),
    unreadableAssignments: await unreadableAssignmentsOf(db, workspaceId, row),
  };
}

/** A policy's name, and whether its next revision will bind every agent: the first one of an unassigned policy does. */
export async function firstReachOf(db: Database, workspaceId: string, policyId: string) {
  const row = await policies.find(db.prisma, workspaceId, policyId);
  if (!row) throw new AppError("policy_not_found");
  return { name: row.name, bindsAll: row.assignments.length === 0 && row.latestRevision === 0 };
}

const inForceNumbers = ({ liveRevision, canaryRevision }: policies.PolicyRow): number[] =>
  [liveRevision, canaryRevision ?? 0].filter((number) => number > 0);

/** The revisions in force with parts that cannot be read, or that are not stored. */
function unreadableOf(row: policies.PolicyRow): UnreadableRevisionView[] {
  const { live, canary } = row;
  const rollout = readRollout(row);
  const inForce = [
    { number: rollout.liveRevision, stored: live },
    { number: rollout.canary?.revision ?? 0, stored: canary },
  ];
  return inForce.flatMap(({ number, stored }) => {
    if (number === 0) return [];
    const read = readRevision(stored ?? undefined, number, rollout.problem);
    if (read.problems.length === 0) return [];
    const problems = read.problems.slice(0, UNREADABLE_SHOWN_MAX).map(({ path, message }) => ({ path, message }));
    return [{ revision: number, gates: deniedGates(read), problems }];
  });
}

async function unreadableAssignmentsOf(db: Database, workspaceId: string, { assignments }: policies.PolicyRow) {
  const lost = new Set(await listLostTargets(db.prisma, workspaceId));
  return assignments.flatMap((one) => readAssignment(one, lost.has(one.id)).problem ?? []);
}

/** The id of the policy with this name. Errors: `policy_not_found`. */
export async function findIdByName(db: Database, workspaceId: string, name: string): Promise<string> {
  const row = await policies.findByName(db.prisma, workspaceId, name);
  if (!row) throw new AppError("policy_not_found", name, { says: `No policy is named "${name}".` });
  return row.id;
}

/** The text in force of the policy with this name. */
export async function exportByName(db: Database, workspaceId: string, name: string): Promise<string> {
  const row = await policies.findByName(db.prisma, workspaceId, name);
  if (!row?.live) throw new AppError("policy_not_found", name, { says: `No policy named "${name}" is in force.` });
  return row.live.source;
}

/** A page of revisions, the newest first. */
export async function revisions(
  db: Database,
  workspaceId: string,
  policyId: string,
  before: number | null = null,
): Promise<RevisionView[]> {
  return (await policies.listRevisions(db.prisma, workspaceId, policyId, before)).map(revisionViewOf);
}

export async function revision(
  db: Database,
  workspaceId: string,
  policyId: string,
  number: number,
): Promise<RevisionDetailView> {
  const row = await policies.findRevision(db.prisma, workspaceId, policyId, number);
  if (!row) throw new AppError("revision_not_found");
  const overrides = await listOverrideViews(db.prisma, workspaceId, policyId, [number]);
  return { ...revisionViewOf(row), source: row.source, overrides };
}

type RevisionRow = Awaited<ReturnType<typeof policies.listRevisions>>[number];

function revisionViewOf({ number, profile, sha256, note, author, createdAt, hooks }: RevisionRow): RevisionView {
  return {
    number,
    profile,
    sha256,
    note,
    author,
    createdAt,
    hooks: countHooks(readStoredPolicy({ profile, hooks }).hooks),
  };
}

function viewOf(row: policies.PolicyRow, fleet: Fleet): PolicyView {
  const { assignments, live, latest } = row;
  const shown = live ?? latest;
  const text = shown && readStoredPolicy(shown);
  const targets = (scope: string) =>
    assignments.flatMap((one) => (one.scope === scope && one.targetId ? [one.targetId] : []));
  const groupIds = new Set(targets("group"));
  const audiences = (kind: policies.GroupRow["kind"]) => {
    const ids = new Set(targets(kind));
    return fleet.groups.filter((one) => one.kind === kind && ids.has(one.id)).map(({ id, name }) => ({ id, name }));
  };
  const bound = boundBy(row, fleet);
  return {
    id: row.id,
    name: row.name,
    isDemo: row.isDemo,
    createdAt: row.createdAt,
    latestRevision: row.latestRevision,
    liveRevision: row.liveRevision,
    publishedAt: shown?.createdAt ?? null,
    publishedBy: shown?.author ?? null,
    note: shown?.note ?? null,
    latestBy: latest?.author ?? null,
    hasDraft: row.draft !== null,
    scope: assignments.some((one) => one.scope === "workspace")
      ? "workspace"
      : assignments.length > 0
        ? "chosen"
        : "nobody",
    tags: assignments.flatMap(({ tag }) => tag ?? []).sort(),
    groups: fleet.groups.filter((group) => groupIds.has(group.id)).map(({ id, name }) => ({ id, name })),
    people: audiences("person"),
    signOnGroups: audiences("sign_on_group"),
    agents: targets("agent").map((id) => ({ id, name: fleet.names.get(id) ?? "unknown agent" })),
    bound: bound.length,
    canary: canaryOf(row, bound, fleet.groups),
    withdrawal: withdrawalOf(row),
    observed: observedOf(row, bound, fleet),
    hooks: text ? countHooks(text.hooks) : 0,
    denies: text ? describeDenials(text) : null,
    monitored: monitoredOf(row),
    unheld: unheldOf(row, bound, fleet),
  };
}

/** The unheld agents of an enforced policy. */
function unheldOf(row: policies.PolicyRow, bound: readonly string[], fleet: Fleet): UnheldAgents | null {
  return describeUnheld(listAnswered(row, bound, fleet), fleet.recentById);
}

function canaryOf(row: policies.PolicyRow, bound: readonly string[], groups: Fleet["groups"]): CanaryView | null {
  const { canaryRevision, canaryShare, canaryGroupId, canarySince, canaryBy } = row;
  if (canaryRevision === null || canarySince === null) return null;
  const share = canaryShare ?? 0;
  const group = groups.find((one) => one.id === canaryGroupId);
  const isInside = (id: string) => isInCanary({ share, groupId: canaryGroupId }, row.id, id, groupsOf(groups, id));
  return {
    revision: canaryRevision,
    share,
    group: group ? { id: group.id, name: group.name } : null,
    since: canarySince,
    by: canaryBy ?? "",
    inside: bound.filter(isInside).length,
    limits: limitsOf(row),
  };
}

/** The monitored rules of the revisions in force. */
function monitoredOf({ live, canary, monitors }: policies.PolicyRow): MonitoredRuleView[] {
  if (monitors.length === 0) return [];
  const nowMs = Date.now();
  const found = [live, canary].flatMap((revision) =>
    revision ? listMonitoredHooks(readStoredPolicy(revision).hooks, monitors, nowMs) : [],
  );
  return monitors
    .filter((one) => found.some(({ event, hook }) => event === one.event && hook === one.hook))
    .map(({ event, hook, until, since, monitoredBy: by }) => ({ event, hook, until, since, by }))
    .sort((a, b) => a.until.getTime() - b.until.getTime());
}

function observedOf(row: policies.PolicyRow, bound: readonly string[], fleet: Fleet): ObservedView | null {
  const observed = row.assignments
    .filter((one) => !isEnforcing(one))
    .toSorted((a, b) => (a.observeUntil?.getTime() ?? 0) - (b.observeUntil?.getTime() ?? 0));
  const first = observed[0];
  if (!first?.observeUntil) return null;
  const under = new Set(reachedBy(row.assignments.filter(isEnforcing), fleet.groups, fleet.agents));
  return {
    until: first.observeUntil,
    since: first.observeSince ?? first.observeUntil,
    by: first.observeBy ?? "",
    agents: bound.filter((id) => !under.has(id)).length,
  };
}
