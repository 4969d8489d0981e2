/**
 * Agents that a policy is assigned to and cannot stop: their client never raises its events or is too old, their calls skip its lane, they
 * call their tools by names that no rule selects, or they ask nothing before a tool call. Pure.
 */
import { contractOf, isEventName, WIDEST_PROFILE } from "@quarterdeck/hooks/contract/events";
import type { HooksConfig } from "@quarterdeck/hooks/contract/hook";
import { listMatchedKinds, type MatchedKind } from "@quarterdeck/hooks/contract/lint/missed-tools";
import { type Guard, listGuards } from "@quarterdeck/hooks/contract/semantic-diff/guard";
import { toolKindOf } from "@quarterdeck/hooks/contract/tool-kinds";
import { knownClient, newerVersionNeeded } from "../../dialects/index.ts";
import { isClientName } from "../../dialects/schema.ts";
import { YOLO_WITHIN_HOURS } from "../schema.ts";

/** The signs of an agent's client. */
export interface AgentSigns {
  /** The client of its latest event; null before the first. */
  readonly client: string | null;
  readonly clientVersion: string | null;
  /** The latest event that said that no person is asked about its calls. */
  readonly yoloAt: Date | null;
  /** The latest call of its local executor for its policies; null for an agent that asks the gateway. */
  readonly polledAt: Date | null;
}

export interface AssignedAgent extends AgentSigns {
  readonly id: string;
  readonly name: string;
}

/** The recent calls of one agent: its tools, the time of its last question on each lane, and its other events. */
export interface RecentCalls {
  readonly tools: readonly string[];
  readonly lastMsByLane: Readonly<Partial<Record<string, number>>>;
  readonly heard: HeardEvents | null;
}

/** The events of one agent within the newest events that were read. Milliseconds since 1970. */
export interface HeardEvents {
  readonly firstMs: number;
  readonly lastMs: number;
  /** The latest question before a tool call; null without one. */
  readonly lastAskedMs: number | null;
  /** The latest result of a tool call; null without one. */
  readonly lastResultMs: number | null;
  /** Older events were not read: a question may be among them. */
  readonly isCut: boolean;
}

export interface EnforcedHooks {
  readonly hooks: HooksConfig;
  /** Milliseconds since 1970; calls of before were not asked by these rules. */
  readonly sinceMs: number;
}

/** Gateways learn of a publication within this time. */
const SPREAD_MS = 60_000;
const HOUR_MS = 3_600_000;

/** The reason that no rule of the policy can stop the agent's calls; null where one can, and for a policy that stops nothing. */
export function findUnheldReason(
  { hooks, sinceMs }: EnforcedHooks,
  agent: AgentSigns,
  recent: RecentCalls | undefined,
  nowMs = Date.now(),
): string | null {
  const reasons = listGuards(hooks)
    .filter(isGate)
    .map((guard) => findGapReason(guard, agent, recent, { sinceMs, nowMs }));
  return reasons.length > 0 && reasons.every((reason) => reason !== null) ? (reasons[0] ?? null) : null;
}

/** True for a rule on an event that can be stopped or decided. */
export function isGate({ event }: Guard): boolean {
  if (!isEventName(event, WIDEST_PROFILE)) return false;
  const { canBlock, decides, approves } = contractOf(event, WIDEST_PROFILE);
  return canBlock || decides || approves;
}

/** The reason that this rule can never fire for the agent; null where it can, or where that is unknown. */
export function findGapReason(
  { event, matcher, preempt }: Guard,
  agent: AgentSigns,
  recent: RecentCalls | undefined,
  { sinceMs, nowMs }: { readonly sinceMs: number; readonly nowMs: number },
): string | null {
  const name = agent.client !== null && isClientName(agent.client) ? agent.client : null;
  const client = name && knownClient(name, agent.clientVersion);
  if (client && (client.events[event] ?? []).length === 0) return `runs ${client.title}, which never sends ${event}`;
  const needed = name && agent.clientVersion !== null ? newerVersionNeeded(name, agent.clientVersion) : null;
  if (client && needed !== null)
    return `runs ${client.title} ${agent.clientVersion}, which is older than ${needed}, the first version whose hooks were checked`;
  const isYolo = (agent.yoloAt?.getTime() ?? 0) > nowMs - YOLO_WITHIN_HOURS * HOUR_MS;
  if (event === "pre_tool_use" && !preempt && name === "docker-agent" && isYolo)
    return "runs in yolo mode, which uses only the early check";
  if (hasOldPolicies(agent, recent, sinceMs)) return "has a local executor that has not fetched this revision";
  if (preempt && skipsEarlyCheck(recent, sinceMs)) return "skips the early check";
  if (event === "pre_tool_use" && asksNoGate(agent, recent?.heard ?? null, sinceMs))
    return "sends events but does not ask before tool calls";
  return missedName(listMatchedKinds(matcher ?? ""), recent?.tools ?? [], client?.tools ?? {});
}

/** Its local executor called for its policies before these rules were published and not since, and it did not ask the gateway since. */
function hasOldPolicies({ polledAt }: AgentSigns, recent: RecentCalls | undefined, sinceMs: number): boolean {
  if (polledAt === null || polledAt.getTime() >= sinceMs) return false;
  return !Object.values(recent?.lastMsByLane ?? {}).some((asked = 0) => asked >= sinceMs);
}

/**
 * True if a tool ran since these rules were published, or events arrived for an hour, without a question about a call.
 * An earlier question may belong to a long-running call.
 */
function asksNoGate({ polledAt }: AgentSigns, heard: HeardEvents | null, sinceMs: number): boolean {
  if (heard === null || polledAt !== null) return false;
  const { firstMs, lastMs, lastAskedMs, lastResultMs, isCut } = heard;
  if (lastAskedMs !== null && lastAskedMs >= sinceMs) return false;
  const resultsFromMs = Math.max(sinceMs, lastAskedMs === null ? 0 : lastAskedMs + HOUR_MS, isCut ? firstMs : 0);
  if (lastResultMs !== null && lastResultMs > resultsFromMs + SPREAD_MS) return true;
  return lastAskedMs === null && lastMs - Math.max(firstMs, sinceMs) > HOUR_MS;
}

/** It names the default lane in its questions, and no other. */
function skipsEarlyCheck(recent: RecentCalls | undefined, sinceMs: number): boolean {
  const { default: asked = 0, preempt_yolo: early = 0 } = recent?.lastMsByLane ?? {};
  return asked > sinceMs + SPREAD_MS && early < sinceMs;
}

/** The tool names in the agent's calls take precedence over the known names of its client. */
function missedName(
  kinds: readonly MatchedKind[],
  called: readonly string[],
  known: Readonly<Record<string, readonly string[]>>,
): string | null {
  const missed = kinds.map(({ kind, matches }) => {
    const own = called.filter((name) => toolKindOf(name) === kind.kind);
    const names = own.length > 0 ? own : (known[kind.kind] ?? []);
    return names.length > 0 && !names.some(matches) ? `names its ${kind.noun} tool ${names.join(" and ")}` : null;
  });
  return missed.length > 0 && missed.every((one) => one !== null) ? (missed[0] ?? null) : null;
}

export interface UnheldAgents {
  readonly agents: number;
  /** "1 of 2 bound agents cannot be stopped by it: mia laptop names its shell tool Bash." */
  readonly says: string;
}

const NAMED_MAX = 3;

/** An agent with the revision that answers it. */
export interface BoundAgent {
  readonly agent: AssignedAgent;
  readonly enforced: EnforcedHooks;
}

export function describeUnheld(
  bound: readonly BoundAgent[],
  recentById: ReadonlyMap<string, RecentCalls>,
): UnheldAgents | null {
  const unheld = bound.flatMap(({ agent, enforced }) => {
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

/** A policy that cannot stop an agent, with the reason. */
export interface UnheldPolicy {
  readonly id: string;
  readonly name: string;
  /** "names its shell tool Bash". */
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
  agent: AgentSigns,
  recent: RecentCalls | undefined,
): UnheldPolicy[] {
  return members.flatMap(({ policyId, name, publishedAt, hooks }) => {
    const reason = findUnheldReason({ hooks, sinceMs: publishedAt.getTime() }, agent, recent);
    return reason === null ? [] : [{ id: policyId, name, reason }];
  });
}

/** "Not held by first guard: names its shell tool Bash." Null where each policy can stop the agent. */
export function describeUnheldPolicies(
  members: readonly EnforcedMember[],
  agent: AgentSigns,
  recent: RecentCalls | undefined,
): string | null {
  const unheld = listUnheldPolicies(members, agent, recent);
  if (unheld.length === 0) return null;
  return `Not held by ${unheld.map(({ name, reason }) => `${name}: ${reason}`).join("; ")}.`;
}
