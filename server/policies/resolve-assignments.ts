/** The policies that reach an agent, their order, revisions and modes: the law of everything in force. Pure. */
import { type Canary, isInCanary } from "./canary-share.ts";

export const SCOPES = ["workspace", "group", "agent"] as const;
export type AssignmentScope = (typeof SCOPES)[number];

export interface AssignedPolicy {
  readonly id: string;
  readonly name: string;
  /** 0 when nothing is live. */
  readonly liveRevision: number;
  readonly canary: Canary | null;
}

/** One policy applied to one target. */
export interface Assigned {
  readonly policy: AssignedPolicy;
  readonly scope: AssignmentScope;
  /** A group's or an agent's id; null for the workspace. */
  readonly targetId: string | null;
  readonly position: number;
  /** Until then it is only observed; null is enforced. */
  readonly observeUntil: Date | null;
}

export interface Group {
  readonly id: string;
  readonly name: string;
  readonly position: number;
}

export interface Through {
  readonly scope: AssignmentScope;
  readonly group: Group | null;
}

/** The resolved assignment of one policy to one agent. */
export interface ResolvedAssignment {
  readonly policy: AssignedPolicy;
  /** Every way it reaches the agent, widest first; its place is that of the first. */
  readonly through: readonly Through[];
  /** The revision for this agent; 0 when there is none: nothing is live, and a canary, if any, runs without it. */
  readonly revision: number;
  readonly isCanary: boolean;
  /** Set while no way that it reaches the agent enforces it: when the first of them does. */
  readonly observeUntil: Date | null;
}

export interface Resolution {
  /** In order of force. A policy that reaches the agent twice counts once, at its widest. */
  readonly assignments: readonly ResolvedAssignment[];
  /** When the first assignment that is observed now is enforced; null when none is. */
  readonly changesAtMs: number | null;
}

/**
 * The workspace's policies, then those of the agent's groups (in the order of groups), then its own; each by position, then
 * by age. Enforced one way is enforced: observing elsewhere does not open the gate.
 */
export function resolveAssignments(
  assigned: readonly Assigned[],
  ownGroups: readonly Group[],
  agentId: string,
  nowMs: number,
): Resolution {
  const groups = new Map(ownGroups.map((group) => [group.id, group]));
  const reaching = assigned.filter((one) => reaches(one, groups, agentId)).sort((a, b) => inOrder(a, b, groups));
  const assignments = new Map<string, ResolvedAssignment>();
  let changesAtMs: number | null = null;
  for (const { policy, scope, targetId, observeUntil } of reaching) {
    const until = observeUntil !== null && observeUntil.getTime() > nowMs ? observeUntil : null;
    if (until) changesAtMs = Math.min(changesAtMs ?? Number.POSITIVE_INFINITY, until.getTime());
    const through: Through = { scope, group: groups.get(targetId ?? "") ?? null };
    const known = assignments.get(policy.id);
    if (known) {
      assignments.set(policy.id, {
        ...known,
        through: [...known.through, through],
        observeUntil: sooner(known.observeUntil, until),
      });
      continue;
    }
    const isCanary = policy.canary !== null && isInCanary(policy.canary, policy.id, agentId, groups);
    const revision = isCanary ? (policy.canary?.revision ?? 0) : policy.liveRevision;
    assignments.set(policy.id, { policy, through: [through], revision, isCanary, observeUntil: until });
  }
  return { assignments: [...assignments.values()], changesAtMs };
}

function reaches({ scope, targetId }: Assigned, groups: ReadonlyMap<string, Group>, agentId: string): boolean {
  if (scope === "workspace") return true;
  return scope === "group" ? groups.has(targetId ?? "") : targetId === agentId;
}

function inOrder(a: Assigned, b: Assigned, groups: ReadonlyMap<string, Group>): number {
  const ga = groups.get(a.targetId ?? "");
  const gb = groups.get(b.targetId ?? "");
  return (
    SCOPES.indexOf(a.scope) - SCOPES.indexOf(b.scope) ||
    (ga?.position ?? 0) - (gb?.position ?? 0) ||
    textually(ga?.id ?? "", gb?.id ?? "") ||
    a.position - b.position ||
    textually(a.policy.id, b.policy.id)
  );
}

const textually = (a: string, b: string): number => (a === b ? 0 : a < b ? -1 : 1);

/** Null, which is enforced, stands against any instant. */
function sooner(a: Date | null, b: Date | null): Date | null {
  if (a === null || b === null) return null;
  return a <= b ? a : b;
}
