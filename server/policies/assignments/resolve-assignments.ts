/** The policies that reach an agent, their order, revisions and modes: the law of everything in force. Pure. */
import { type Canary, isInCanary } from "../rollout/canary-share.ts";
import { type AssignmentScope, SCOPES } from "./assignment-schema.ts";

/** The scopes whose target is the id of something that stands for agents. */
export const AUDIENCES = ["group", "sign_on_group", "person"] as const;
const isAudience = (scope: AssignmentScope): boolean => AUDIENCES.some((one) => one === scope);
/** The scopes that an agent is in through its owner. */
const isOfOwner = (scope: AssignmentScope): boolean => scope === "person" || scope === "sign_on_group";

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
  /** The id of an agent, a group or a person, or a tag; null for the workspace. */
  readonly target: string | null;
  readonly position: number;
  /** The end of its observation; null if it is enforced. */
  readonly observeUntil: Date | null;
}

export interface Group {
  readonly id: string;
  readonly name: string;
  readonly position: number;
}

/** The properties of an agent that assignments depend on. */
export interface AssignableAgent {
  readonly id: string;
  /** Its groups, its owner, and the groups of its owner at the sign-on provider. */
  readonly groups: readonly Group[];
  readonly tags: readonly string[];
  /** The owner took the agent while signed in. */
  readonly isOwnerProven: boolean;
}

export interface Through {
  readonly scope: AssignmentScope;
  /** The group, or the person. */
  readonly group: Group | null;
  readonly tag: string | null;
}

/** The resolved assignment of one policy to one agent. */
export interface ResolvedAssignment {
  readonly policy: AssignedPolicy;
  /** Every assignment by which it reaches the agent, the widest first; the first one decides its position. */
  readonly through: readonly Through[];
  /** The revision for this agent; 0 if the policy has no live revision and this agent is not in its canary. */
  readonly revision: number;
  readonly isCanary: boolean;
  /** Set while no way that it reaches the agent enforces it: when the first of them does. */
  readonly observeUntil: Date | null;
  /**
   * Enforced only through an owner who is not proven. It denies and asks, but its approval of a call does not count: a
   * person who is only named must not open a gate.
   */
  readonly cannotAllow: boolean;
}

export interface Resolution {
  /**
   * Assignments in order of precedence. A policy that reaches the agent twice counts once, at its widest assignment.
   */
  readonly assignments: readonly ResolvedAssignment[];
  /** When the first assignment that is observed now is enforced; null when none is. */
  readonly changesAtMs: number | null;
}

/**
 * The workspace's policies, then those of the agent's tags (in alphabetical order), of its groups (in the order of
 * groups), of its owner's groups at the sign-on provider, of its owner, then its own; each by position, then by age. A policy that is enforced through one assignment is enforced:
 * observing through another does not open the gate.
 */
export function resolveAssignments(assigned: readonly Assigned[], agent: AssignableAgent, nowMs: number): Resolution {
  const groups = new Map(agent.groups.map((group) => [group.id, group]));
  const reaching = assigned.filter((one) => reaches(one, agent)).sort((a, b) => inOrder(a, b, groups));
  const assignments = new Map<string, ResolvedAssignment>();
  let changesAtMs: number | null = null;
  for (const { policy, scope, target, observeUntil } of reaching) {
    const until = isEnforcedAt({ observeUntil }, nowMs) ? null : observeUntil;
    if (until) changesAtMs = Math.min(changesAtMs ?? Number.POSITIVE_INFINITY, until.getTime());
    const through: Through = {
      scope,
      group: isAudience(scope) ? (groups.get(target ?? "") ?? null) : null,
      tag: scope === "tag" ? target : null,
    };
    const isUnproven = until !== null || (isOfOwner(scope) && !agent.isOwnerProven);
    const known = assignments.get(policy.id);
    if (known) {
      assignments.set(policy.id, {
        ...known,
        through: [...known.through, through],
        observeUntil: sooner(known.observeUntil, until),
        cannotAllow: known.cannotAllow && isUnproven,
      });
      continue;
    }
    const isCanary = policy.canary !== null && isInCanary(policy.canary, policy.id, agent.id, groups);
    const revision = isCanary ? (policy.canary?.revision ?? 0) : policy.liveRevision;
    assignments.set(policy.id, {
      ...{ policy, through: [through], revision, isCanary, observeUntil: until },
      cannotAllow: isUnproven,
    });
  }
  // A policy that is only observed has no effect: its own verdict is recorded.
  const resolved = [...assignments.values()].map((one) => (one.observeUntil ? { ...one, cannotAllow: false } : one));
  return { assignments: resolved, changesAtMs };
}

/** Also from the end of its observation on: no row changes at that instant. */
export const isEnforcedAt = ({ observeUntil }: { readonly observeUntil: Date | null }, nowMs: number): boolean =>
  observeUntil === null || observeUntil.getTime() <= nowMs;

/** The same in SQL, of a row named `assignment` at an instant that is an expression. */
export const enforcedSql = (at = "now()"): string =>
  `(assignment.mode <> 'observe' OR coalesce(assignment.observe_until <= ${at}, true))`;

function reaches({ scope, target }: Assigned, { id, groups, tags }: AssignableAgent): boolean {
  switch (scope) {
    case "workspace":
      return true;
    case "tag":
      return target !== null && tags.includes(target);
    case "group":
    case "sign_on_group":
    case "person":
      return groups.some((group) => group.id === target);
    case "agent":
      return target === id;
  }
}

function inOrder(a: Assigned, b: Assigned, groups: ReadonlyMap<string, Group>): number {
  const place = ({ scope, target }: Assigned) => (scope === "group" ? (groups.get(target ?? "")?.position ?? 0) : 0);
  return (
    SCOPES.indexOf(a.scope) - SCOPES.indexOf(b.scope) ||
    place(a) - place(b) ||
    textually(a.target ?? "", b.target ?? "") ||
    a.position - b.position ||
    textually(a.policy.id, b.policy.id)
  );
}

const textually = (a: string, b: string): number => (a === b ? 0 : a < b ? -1 : 1);

/** The earlier of two instants; null, which means enforced, is earlier than any instant. */
function sooner(a: Date | null, b: Date | null): Date | null {
  if (a === null || b === null) return null;
  return a <= b ? a : b;
}
