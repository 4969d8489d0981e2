/**
 * Agents that a policy is assigned to and cannot stop: their client never raises its events, their calls skip its early check, or they
 * call their tools by names that no rule selects. Pure.
 */
import { contractOf, isEventName } from "@quarterdeck/hooks/contract/events";
import type { HooksConfig } from "@quarterdeck/hooks/contract/hook";
import { listMatchedKinds, type MatchedKind } from "@quarterdeck/hooks/contract/lint/missed-tools";
import { type Guard, listGuards } from "@quarterdeck/hooks/contract/semantic-diff/guard";
import { toolKindOf } from "@quarterdeck/hooks/contract/tool-kinds";
import { isClientName } from "../dialects/schema.ts";
import { knownClient } from "../dialects/service.ts";

export interface AssignedAgent {
  readonly id: string;
  readonly name: string;
  /** Of its latest event; null before the first. */
  readonly client: string | null;
}

/** The calls of one agent of late: the tools it named, and when it last asked each lane. */
export interface RecentCalls {
  readonly tools: readonly string[];
  readonly lastMsByLane: Readonly<Partial<Record<string, number>>>;
}

export interface EnforcedHooks {
  readonly hooks: HooksConfig;
  /** Milliseconds since 1970; calls of before were not asked by these rules. */
  readonly sinceMs: number;
}

/** Gateways learn of a publication within this time. */
const SPREAD_MS = 60_000;

/** The reason that no rule of the policy can stop the agent's calls; null where one can, and for a policy that stops nothing. */
export function findUnheldReason(
  { hooks, sinceMs }: EnforcedHooks,
  agent: Pick<AssignedAgent, "client">,
  recent: RecentCalls | undefined,
): string | null {
  const reasons = listGuards(hooks)
    .filter(isGate)
    .map((guard) => reasonOf(guard, agent, recent, sinceMs));
  return reasons.length > 0 && reasons.every((reason) => reason !== null) ? (reasons[0] ?? null) : null;
}

function isGate({ event }: Guard): boolean {
  if (!isEventName(event, "2026-08")) return false;
  const { canBlock, decides, approves } = contractOf(event, "2026-08");
  return canBlock || decides || approves;
}

function reasonOf(
  { event, matcher, preempt }: Guard,
  agent: Pick<AssignedAgent, "client">,
  recent: RecentCalls | undefined,
  sinceMs: number,
): string | null {
  const client = agent.client !== null && isClientName(agent.client) ? knownClient(agent.client) : null;
  if (client && (client.events[event] ?? []).length === 0) return `runs ${client.title}, which never sends ${event}`;
  if (preempt && skipsEarlyCheck(recent, sinceMs)) return "skips the early check of its calls";
  return missedName(listMatchedKinds(matcher ?? ""), recent?.tools ?? [], client?.tools ?? {});
}

/** It names the default lane in its questions, and no other. */
function skipsEarlyCheck(recent: RecentCalls | undefined, sinceMs: number): boolean {
  const { default: asked = 0, preempt_yolo: early = 0 } = recent?.lastMsByLane ?? {};
  return asked > sinceMs + SPREAD_MS && early < sinceMs;
}

/** The names that it was heard to use say more than those that its client is known for. */
function missedName(
  kinds: readonly MatchedKind[],
  called: readonly string[],
  known: Readonly<Record<string, readonly string[]>>,
): string | null {
  const missed = kinds.map(({ kind, matches }) => {
    const own = called.filter((name) => toolKindOf(name) === kind.kind);
    const names = own.length > 0 ? own : (known[kind.kind] ?? []);
    return names.length > 0 && !names.some(matches) ? `calls its ${kind.noun} ${names.join(" and ")}` : null;
  });
  return missed.length > 0 && missed.every((one) => one !== null) ? (missed[0] ?? null) : null;
}

export interface UnheldAgents {
  readonly agents: number;
  /** "1 of 2 bound agents cannot be stopped by it: mia laptop calls its shell Bash." */
  readonly says: string;
}

const NAMED_MAX = 3;

export function describeUnheld(
  enforced: EnforcedHooks,
  bound: readonly AssignedAgent[],
  recentById: ReadonlyMap<string, RecentCalls>,
): UnheldAgents | null {
  const unheld = bound.flatMap((agent) => {
    const reason = findUnheldReason(enforced, agent, recentById.get(agent.id));
    return reason === null ? [] : [`${agent.name} ${reason}`];
  });
  if (unheld.length === 0) return null;
  const more = unheld.length > NAMED_MAX ? `; and ${unheld.length - NAMED_MAX} more` : "";
  const noun = bound.length === 1 ? "bound agent" : "bound agents";
  const named = unheld.slice(0, NAMED_MAX).join("; ");
  return {
    agents: unheld.length,
    says: `${unheld.length} of ${bound.length} ${noun} cannot be stopped by it: ${named}${more}.`,
  };
}

/** A policy that cannot stop an agent, and why. */
export interface UnheldPolicy {
  readonly id: string;
  readonly name: string;
  /** "calls its shell Bash". */
  readonly reason: string;
}

interface EnforcedMember {
  readonly policyId: string;
  readonly name: string;
  readonly publishedAt: Date;
  readonly hooks: HooksConfig;
}

/** The policies in force for an agent that cannot stop it. */
export function listUnheldPolicies(
  members: readonly EnforcedMember[],
  agent: Pick<AssignedAgent, "client">,
  recent: RecentCalls | undefined,
): UnheldPolicy[] {
  return members.flatMap(({ policyId, name, publishedAt, hooks }) => {
    const reason = findUnheldReason({ hooks, sinceMs: publishedAt.getTime() }, agent, recent);
    return reason === null ? [] : [{ id: policyId, name, reason }];
  });
}

/** "Not held by first guard: calls its shell Bash." Null where each policy can stop the agent. */
export function describeUnheldPolicies(
  members: readonly EnforcedMember[],
  agent: Pick<AssignedAgent, "client">,
  recent: RecentCalls | undefined,
): string | null {
  const unheld = listUnheldPolicies(members, agent, recent);
  if (unheld.length === 0) return null;
  return `Not held by ${unheld.map(({ name, reason }) => `${name}: ${reason}`).join("; ")}.`;
}
