/** The effective policy in the local executor, and the facts that can be read from it without the engine. */
import { builtinFacts, type RunLocation } from "@quarterdeck/hooks/contract/builtins";
import { type EventName, isEventName, type Lane, PROFILES } from "@quarterdeck/hooks/contract/events";
import type { HookDefinition, HooksConfig, MatcherEntry } from "@quarterdeck/hooks/contract/hook";
import type { MonitoredHook } from "@quarterdeck/hooks/contract/monitored-hooks";
import { pathOf } from "@quarterdeck/hooks/contract/problem";
import { WIDEST_PROFILE } from "@quarterdeck/hooks/contract/profiles";
import { readStoredHooks, UNREADABLE } from "@quarterdeck/hooks/contract/stored-hooks";
import type { ExecutorPolicyView } from "../policies/schema.ts";
import { Trouble } from "./errors.ts";

export interface PolicySource extends Omit<ExecutorPolicyView["sources"][number], "hooks"> {
  readonly hooks: HooksConfig;
}

export type Policy = Omit<ExecutorPolicyView, "sources"> & { readonly sources: readonly PolicySource[] };

/**
 * Parses the signed policy, with the hooks that are monitored at this time. Its hooks may be of a newer release than
 * this executor; an unreadable hook denies. The engine compiles the matchers. Errors: a `Trouble` if the document is of
 * another kind.
 */
export function policyOf(signed: Buffer, nowMs: number): Policy {
  try {
    const value = JSON.parse(signed.toString("utf8")) as Policy; // looked at below
    const isKnown = (PROFILES as readonly string[]).includes(value.profile);
    const isWhole = typeof value.revision === "string" && typeof value.agent === "string";
    if (value.version === 2 && isKnown && isWhole && Array.isArray(value.sources))
      return readableHooks({ ...value, sources: value.sources.map((source) => monitoredAt(source, nowMs)) });
  } catch {
    // Said below.
  }
  throw new Trouble(
    "The console's policy is of a kind this executor does not know. Download it anew from the console.",
  );
}

/** The source with the monitored hooks whose end is known and in the future. Every other hook has its effect. */
function monitoredAt(source: PolicySource, nowMs: number): PolicySource {
  const { monitored, ...rest } = source;
  const stated: readonly Partial<MonitoredHook>[] = Array.isArray(monitored) ? monitored : [];
  const active = stated.filter(
    (one): one is MonitoredHook => typeof one?.path === "string" && Date.parse(one.until ?? "") > nowMs,
  );
  return active.length === 0 ? rest : { ...rest, monitored: active };
}

/** True if the hook at this place of its source runs without effect, so that this machine does not run it. */
export function isMonitored(
  { monitored = [] }: Pick<PolicySource, "monitored">,
  place: readonly (string | number)[],
): boolean {
  return monitored.length > 0 && monitored.some(({ path }) => path === pathOf(["hooks", ...place]));
}

/** The policy with a hook of this machine that denies in the place of each part that cannot be read. */
export function readableHooks(policy: Policy, matcherComplaint?: (pattern: string) => string | null): Policy {
  const options = { profile: policy.profile, gatesOf: WIDEST_PROFILE, ...(matcherComplaint && { matcherComplaint }) };
  const read = policy.sources.map((source) => ({ source, ...readStoredHooks(source.hooks, options) }));
  const sources = read.map(({ source, hooks }) => ({ ...source, hooks }));
  // No event is unknown to the newest profile, so none passes a policy that denies at every gate.
  return { ...policy, sources, profile: read.some((one) => one.deniesEveryGate) ? WIDEST_PROFILE : policy.profile };
}

/** The sides that anything of an event may concern: this machine, and the console. */
export interface Concerns {
  readonly here: boolean;
  readonly there: boolean;
}

/** May return true too often: matchers belong to the engine, which is asked if this is true. */
export function concernsOf({ sources, profile }: Policy, event: EventName, lane: Lane, tool: string): Concerns {
  let here = false;
  let there = false;
  for (const hook of sources.flatMap((source) =>
    isEventName(event, profile) ? hooksOf(source, event, lane, tool) : [],
  )) {
    const isHere = placeOf(hook) === "agent";
    here ||= isHere;
    there ||= !isHere;
  }
  return { here, there };
}

/** True if the policy wants secrets taken out before anything leaves this machine, also by a monitored rule. */
export function redactsLocally({ sources }: Policy): boolean {
  return sources.some(({ hooks }) =>
    (Object.keys(hooks) as EventName[]).some((event) =>
      [...hooksOf({ hooks }, event, "default"), ...hooksOf({ hooks }, event, "preempt_yolo")].some(
        (hook) => hook.type === "builtin" && hook.command === "redact_secrets" && placeOf(hook) === "agent",
      ),
    ),
  );
}

/** The same result as `runsOn`, without its schemas. */
function placeOf({ type, command, run_on }: Outline): RunLocation {
  if (type === UNREADABLE) return "agent";
  const places = type === "builtin" ? builtinFacts(command)?.places : undefined;
  if (type === "command" || type === "rules") return run_on ?? "server";
  return (run_on && places?.includes(run_on) ? run_on : places?.[0]) ?? "server";
}

type Outline = Pick<HookDefinition, "type" | "command" | "run_on">;

function hooksOf(
  source: Pick<PolicySource, "hooks" | "monitored">,
  event: EventName,
  lane: Lane,
  tool?: string,
): Outline[] {
  // Holds: `readableHooks` checked every hook.
  const entries = (source.hooks[event] ?? []) as readonly (Outline | MatcherEntry)[];
  const hasEffect = (hook: Outline, place: readonly (string | number)[]) =>
    hook.type === UNREADABLE || !isMonitored(source, place);
  return entries.flatMap((entry, index): readonly Outline[] => {
    if (!isEntry(entry)) return lane === "default" && hasEffect(entry, [event, index]) ? [entry] : [];
    const { preempt_yolo, matcher = "", hooks: listed = [] } = entry;
    const isOnLane = event !== "pre_tool_use" || (preempt_yolo === true) === (lane === "preempt_yolo");
    if (!isOnLane || (tool !== undefined && leavesOut(matcher, tool))) return [];
    return listed.filter((hook, at) => hasEffect(hook, [event, index, "hooks", at]));
  });
}

function isEntry(entry: Outline | MatcherEntry): entry is MatcherEntry {
  return "hooks" in entry;
}

/** True if a matcher that is only names, as most are, leaves a tool out for sure. */
function leavesOut(matcher: string, tool: string): boolean {
  return /^[\w-]+(?:\|[\w-]+)*$/.test(matcher) && !matcher.split("|").includes(tool);
}
