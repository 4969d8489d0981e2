/** The effective policy of one agent now: the concatenation of the revisions in force that reach it. */
import { createHash } from "node:crypto";
import { type HooksConfig, PROFILES, type Problem, type Profile } from "@quarterdeck/hooks";
import type { Database } from "../../platform/db.ts";
import { listReaching } from "../assignments/reaching-repository.ts";
import { type Assigned, type ResolvedAssignment, resolveAssignments } from "../assignments/resolve-assignments.ts";
import { type ReadAssignment, readRollout } from "../assignments/stored-assignment.ts";
import { findSequence } from "../publishing/sequence.ts";
import * as policies from "../repository.ts";
import { readRevision, type StoredPolicy } from "../text/stored-policy.ts";

export interface EffectiveMember {
  readonly policyId: string;
  readonly name: string;
  readonly number: number;
  readonly sha256: string;
  /** The profile that its text names. The set may follow a newer one. */
  readonly textProfile: Profile;
  /** When this revision was published first. */
  readonly publishedAt: Date;
  /** With a hook that denies in the place of each part that cannot be read. */
  readonly hooks: HooksConfig;
  /** The parts of the stored hooks that cannot be read. */
  readonly problems: readonly Problem[];
}
/** An observed policy: it runs without effect on the answer, and its verdict is recorded. */
export interface ObservedMember extends EffectiveMember {
  /** The newer of its own profile and the set's, as if it were enforced. */
  readonly profile: Profile;
}
/** The policies that answer an agent. */
export interface EnforcedSet {
  /** Names this very set: 16 hex digits, "none" when nothing is assigned. */
  readonly revision: string;
  /** The newest profile any member names: the stricter reading binds all. */
  readonly profile: Profile;
  readonly members: readonly EffectiveMember[];
}
export interface EffectiveSet extends EnforcedSet {
  readonly observed: readonly ObservedMember[];
  /** The workspace's counter of changes as this set was read. */
  readonly sequence: number;
  /** When observing ends somewhere in the set, in milliseconds since 1970: from then on it is another set. */
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
  return agents.map(({ id, name, tags }) => ({
    ...{ agentId: id, agentName: name, tags },
    ...{ inForce: of(id).set, candidate: of(id, candidate).set },
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
      const { groups, tagsById, assignments } = await listReaching(tx, workspaceId, agentIds);
      const assigned = assignments.map(assignedOf);
      const wanted = new Map<string, { policyId: string; number: number }>();
      for (const { policy } of assigned)
        for (const number of [policy.liveRevision, policy.canary?.revision ?? 0])
          if (number > 0) wanted.set(`${policy.id} ${number}`, { policyId: policy.id, number });
      const found = await policies.listRevisionHooks(tx, workspaceId, [...wanted.values()]);
      const rollouts = new Map(assignments.map(({ policy }) => [policy.id, readRollout(policy).problem]));
      const revisions = new Map(found.map((row) => [`${row.policyId} ${row.number}`, row]));
      const parsed = new Map<string, Revision>();
      const revisionOf = (policyId: string, number: number): Revision => {
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
        const agent = { id, groups: own, tags: tagsById.get(id) ?? [] };
        const placed = candidate ? withCandidate(assigned, candidate) : assigned;
        if (candidate) parsed.set(`${candidate.policyId} ${CANDIDATE}`, candidateRevision(candidate));
        const { assignments, changesAtMs } = resolveAssignments(placed, agent, nowMs);
        return { assignments, set: { ...setOf(assignments, changesAtMs, revisionOf), sequence } };
      };
    },
    { isolationLevel: "RepeatableRead" },
  );
}

interface Revision extends StoredPolicy {
  readonly number: number;
  readonly sha256: string;
  readonly publishedAt: Date;
}

const candidateRevision = ({ sha256, profile, hooks }: CandidateText): Revision => ({
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

function setOf(
  assignments: readonly ResolvedAssignment[],
  changesAtMs: number | null,
  revisionOf: (policyId: string, number: number) => Revision,
): Omit<EffectiveSet, "sequence"> {
  const inForce = assignments.filter((one) => one.revision !== 0);
  const known = inForce.map(({ policy: { id, name }, revision, observeUntil }) => {
    const { number, sha256, profile, publishedAt, hooks, problems } = revisionOf(id, revision);
    const member = { policyId: id, name, number, sha256, textProfile: profile, publishedAt, hooks, problems };
    return { isObserved: observeUntil !== null, profile, member };
  });
  const enforced = known.filter((one) => !one.isObserved);
  const profile = newest(enforced.map((one) => one.profile));
  const members = enforced.map((one) => one.member);
  const observed = known
    .filter((one) => one.isObserved)
    .map((one) => ({ ...one.member, profile: newest([profile, one.profile]) }));
  return { revision: nameOf(profile, members), profile, members, observed, changesAtMs };
}

function newest(profiles: readonly Profile[]): Profile {
  const last = Math.max(0, ...profiles.map((profile) => PROFILES.indexOf(profile)));
  return PROFILES[last] ?? PROFILES[0];
}

function nameOf(profile: Profile, members: readonly EffectiveMember[]): string {
  if (members.length === 0) return "none";
  const names = members.map((member) => `${member.policyId} ${member.number} ${member.sha256}`);
  return createHash("sha256")
    .update([profile, ...names].join("\n"))
    .digest("hex")
    .slice(0, 16);
}
