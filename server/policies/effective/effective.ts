/** The effective policy of one agent now: the concatenation of the revisions in force that reach it. */
import { createHash } from "node:crypto";
import type { HooksConfig, Profile } from "@quarterdeck/hooks";
import type { Database } from "../../platform/db.ts";
import { listReaching } from "../assignments/reaching-repository.ts";
import { type Assigned, type ResolvedAssignment, resolveAssignments } from "../assignments/resolve-assignments.ts";
import { type ReadAssignment, readRollout } from "../assignments/stored-assignment.ts";
import { findSequence } from "../publishing/sequence.ts";
import * as policies from "../repository.ts";
import { readRevision, readStoredPolicy } from "../text/stored-policy.ts";
import {
  type EffectiveMember,
  listMonitoredHooks,
  memberOf,
  newestProfile,
  type ObservedMember,
  observedRules,
  type RevisionInForce,
  type RuleMonitor,
} from "./member.ts";

/** The policies that answer an agent. */
export interface EnforcedSet {
  /** Names this very set: 16 hex digits, "none" when nothing is assigned. */
  readonly revision: string;
  /** The newest profile any member names: the stricter reading binds all. */
  readonly profile: Profile;
  readonly members: readonly EffectiveMember[];
}
export interface EffectiveSet extends EnforcedSet {
  /** Observed policies, then monitored rules. */
  readonly observed: readonly ObservedMember[];
  /** The workspace's counter of changes as this set was read. */
  readonly sequence: number;
  /** When monitor mode ends somewhere in the set, in milliseconds since 1970: from then on it is another set. */
  readonly changesAtMs: number | null;
}

export async function effectiveSet(
  db: Database,
  workspaceId: string,
  agentId: string,
  nowMs = Date.now(),
): Promise<EffectiveSet> {
  return (await loaded(db, workspaceId, [agentId], nowMs))(agentId).set;
}

/** The same for these agents, or for all, in one look. */
export async function effectiveSets(
  db: Database,
  workspaceId: string,
  agentIds: readonly string[] | null = null,
): Promise<(agentId: string) => EffectiveSet> {
  const of = await loaded(db, workspaceId, agentIds, Date.now());
  return (agentId) => of(agentId).set;
}

/** Every policy that reaches the agent, in order, including those without a revision for it. */
export async function resolveAgent(
  db: Database,
  workspaceId: string,
  agentId: string,
): Promise<readonly ResolvedAssignment[]> {
  return (await loaded(db, workspaceId, [agentId], Date.now()))(agentId).assignments;
}

/** A text as if it were the live revision of its policy, without a canary. */
export interface CandidateText {
  readonly policyId: string;
  readonly name: string;
  readonly sha256: string;
  readonly profile: Profile;
  readonly hooks: HooksConfig;
  /** True to bind every agent while the policy has no assignment, as its first publication would. */
  readonly bindsAll: boolean;
}

export interface ComparedSets {
  readonly agentId: string;
  readonly agentName: string;
  readonly tags: readonly string[];
  readonly inForce: EffectiveSet;
  readonly candidate: EffectiveSet;
}

/** For each agent, what is in force and what would be with the candidate; both as of one instant. */
export async function comparedSets(
  db: Database,
  workspaceId: string,
  candidate: CandidateText,
): Promise<readonly ComparedSets[]> {
  const agents = await policies.listAgentNames(db.prisma, workspaceId);
  const of = await loaded(db, workspaceId, null, Date.now());
  // Hooks and rules are compared as the database returns them: it orders the keys of an object, and their identities contain that order.
  const stored = { profile: candidate.profile, hooks: await policies.readAsStored(db.prisma, candidate.hooks) };
  const next = { ...candidate, hooks: readStoredPolicy(stored).hooks };
  return agents.map(({ id, name, tags }) => ({
    ...{ agentId: id, agentName: name, tags },
    ...{ inForce: of(id).set, candidate: of(id, next).set },
  }));
}

/** Differs from every number of a stored revision, and from 0. */
const CANDIDATE = -1;

function withCandidate(assigned: readonly Assigned[], { policyId, name, bindsAll }: CandidateText): Assigned[] {
  const policy = { id: policyId, name, liveRevision: CANDIDATE, canary: null };
  const placed = assigned.map((one) => (one.policy.id === policyId ? { ...one, policy } : one));
  const isAssigned = placed.some((one) => one.policy.id === policyId);
  if (isAssigned || !bindsAll) return placed;
  const position = Number.MAX_SAFE_INTEGER;
  return [...placed, { policy, scope: "workspace", target: null, position, observeUntil: null }];
}

/** All of it as of one instant: a publication between two queries must not make a set that never was. */
function loaded(db: Database, workspaceId: string, agentIds: readonly string[] | null, nowMs: number) {
  return db.prisma.$transaction(
    async (tx) => {
      const sequence = await findSequence(tx, workspaceId);
      const { groups, proven, tagsById, assignments } = await listReaching(tx, workspaceId, agentIds);
      const assigned = assignments.map(assignedOf);
      const wanted = new Map<string, { policyId: string; number: number }>();
      for (const { policy } of assigned)
        for (const number of [policy.liveRevision, policy.canary?.revision ?? 0])
          if (number > 0) wanted.set(`${policy.id} ${number}`, { policyId: policy.id, number });
      const found = await policies.listRevisionHooks(tx, workspaceId, [...wanted.values()]);
      const rollouts = new Map(assignments.map(({ policy }) => [policy.id, readRollout(policy).problem]));
      const revisions = new Map(found.map((row) => [`${row.policyId} ${row.number}`, row]));
      const parsed = new Map<string, RevisionInForce>();
      const monitors = new Map(assignments.map(({ policy }) => [policy.id, policy.monitors]));
      const monitorsOf = (policyId: string) => monitors.get(policyId) ?? [];
      const revisionOf = (policyId: string, number: number): RevisionInForce => {
        const key = `${policyId} ${number}`;
        const known = parsed.get(key);
        if (known) return known;
        const row = revisions.get(key);
        const { sha256 = "unreadable", createdAt: publishedAt = new Date(0) } = row ?? {};
        // An absent guard must not look like no guard.
        const revision = { number, sha256, publishedAt, ...readRevision(row, number, rollouts.get(policyId)) };
        parsed.set(key, revision);
        return revision;
      };
      return (id: string, candidate?: CandidateText) => {
        // Its set would lack the policies that reach only this agent.
        if (agentIds !== null && !agentIds.includes(id)) throw new Error(`agent ${id} was not asked for`);
        const own = groups.filter((group) => group.agentIds.includes(id));
        const agent = { id, groups: own, tags: tagsById.get(id) ?? [], isOwnerProven: proven.has(id) };
        const placed = candidate ? withCandidate(assigned, candidate) : assigned;
        if (candidate) parsed.set(`${candidate.policyId} ${CANDIDATE}`, candidateRevision(candidate));
        const { assignments, changesAtMs } = resolveAssignments(placed, agent, nowMs);
        return {
          assignments,
          set: { ...setOf({ assignments, changesAtMs, revisionOf, monitorsOf, nowMs }), sequence },
        };
      };
    },
    { isolationLevel: "RepeatableRead" },
  );
}

const candidateRevision = ({ sha256, profile, hooks }: CandidateText): RevisionInForce => ({
  ...{ number: CANDIDATE, sha256, profile, hooks },
  publishedAt: new Date(0),
  problems: [],
});

type Row = Awaited<ReturnType<typeof listReaching>>["assignments"][number];

function assignedOf({ policy, position, read }: Row): Assigned {
  const { id, name } = policy;
  const { liveRevision, canary } = readRollout(policy);
  const { scope, target, observeUntil }: ReadAssignment = read;
  return { policy: { id, name, liveRevision, canary }, scope, target, position, observeUntil };
}

interface SetParts {
  readonly assignments: readonly ResolvedAssignment[];
  readonly changesAtMs: number | null;
  readonly revisionOf: (policyId: string, number: number) => RevisionInForce;
  readonly monitorsOf: (policyId: string) => readonly RuleMonitor[];
  readonly nowMs: number;
}

function setOf({ assignments, changesAtMs, revisionOf, monitorsOf, nowMs }: SetParts): Omit<EffectiveSet, "sequence"> {
  const known = assignments.flatMap(({ policy, revision: number, observeUntil, cannotAllow }) => {
    if (number === 0) return [];
    const [isObserved, revision] = [observeUntil !== null, revisionOf(policy.id, number)];
    // Monitor mode of the whole policy covers all of its rules.
    const monitored = isObserved ? [] : listMonitoredHooks(revision.hooks, monitorsOf(policy.id), nowMs);
    const member = memberOf(policy, revision, monitored.map(toMonitoredHook));
    return [{ isObserved, monitored, member: cannotAllow ? { ...member, cannotAllow } : member }];
  });
  const enforced = known.filter((one) => !one.isObserved);
  const profile = newestProfile(enforced.map(({ member }) => member.textProfile));
  const members = enforced.map((one) => one.member);
  const wholePolicies = known
    .filter((one) => one.isObserved)
    .map(({ member }) => ({ ...member, rule: null, profile: newestProfile([profile, member.textProfile]) }));
  const rules = enforced.flatMap(({ member, monitored }) => observedRules(member, monitored, profile));
  const ends = members.flatMap(({ monitored }) => monitored.map(({ until }) => Date.parse(until)));
  return {
    ...{ revision: nameOf(profile, members), profile, members, observed: [...wholePolicies, ...rules] },
    changesAtMs: ends.length === 0 ? changesAtMs : Math.min(changesAtMs ?? Number.POSITIVE_INFINITY, ...ends),
  };
}

const toMonitoredHook = ({ path, until }: { path: string; until: string }) => ({ path, until });

function nameOf(profile: Profile, members: readonly EffectiveMember[]): string {
  if (members.length === 0) return "none";
  const names = members.map(({ policyId, number, sha256, monitored, cannotAllow }) =>
    [
      `${policyId} ${number} ${sha256}${cannotAllow ? " cannot allow" : ""}`,
      ...monitored.map(({ path, until }) => `monitored ${path} ${until}`),
    ].join(" "),
  );
  return createHash("sha256")
    .update([profile, ...names].join("\n"))
    .digest("hex")
    .slice(0, 16);
}
