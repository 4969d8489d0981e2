/** The effective policy in the local executor, and the facts that can be read from it without the engine. */
import { builtinFacts, type RunLocation } from "@quarterdeck/hooks/contract/builtins";
import { type EventName, isEventName, type Lane, PROFILES } from "@quarterdeck/hooks/contract/events";
import type { HookDefinition, HooksConfig, MatcherEntry } from "@quarterdeck/hooks/contract/hook";
import { WIDEST_PROFILE } from "@quarterdeck/hooks/contract/profiles";
import { readStoredHooks, UNREADABLE } from "@quarterdeck/hooks/contract/stored-hooks";
import type { ExecutorPolicyView } from "../policies/schema.ts";
import { Trouble } from "./errors.ts";

export type Policy = Omit<ExecutorPolicyView, "sources"> & {
  readonly sources: readonly (Omit<ExecutorPolicyView["sources"][number], "hooks"> & { readonly hooks: HooksConfig })[];
};

/**
 * Parses the signed policy. Its hooks may be of a newer release than this executor; an unreadable hook denies. The
 * engine compiles the matchers. Errors: a `Trouble` if the document is of another kind.
 */
export function policyOf(signed: Buffer): Policy {
  try {
    const value = JSON.parse(signed.toString("utf8")) as Policy; // looked at below
    const isKnown = (PROFILES as readonly string[]).includes(value.profile);
    const isWhole = typeof value.revision === "string" && typeof value.agent === "string";
    if (value.version === 2 && isKnown && isWhole && Array.isArray(value.sources)) return readableHooks(value);
  } catch {
    // Said below.
  }
  throw new Trouble(
    "The console's policy is of a kind this executor does not know. Download it anew from the console.",
  );
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
  for (const hook of sources.flatMap(({ hooks }) =>
    isEventName(event, profile) ? hooksOf(hooks, event, lane, tool) : [],
  )) {
    const isHere = placeOf(hook) === "agent";
    here ||= isHere;
    there ||= !isHere;
  }
  return { here, there };
}

/** True if the policy wants secrets taken out before anything leaves this machine. */
export function redactsLocally({ sources }: Policy): boolean {
  return sources.some(({ hooks }) =>
    (Object.keys(hooks) as EventName[]).some((event) =>
      [...hooksOf(hooks, event, "default"), ...hooksOf(hooks, event, "preempt_yolo")].some(
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

function hooksOf(hooks: HooksConfig, event: EventName, lane: Lane, tool?: string): Outline[] {
  // Holds: `readableHooks` checked every hook.
  const entries = (hooks[event] ?? []) as readonly (Outline | MatcherEntry)[];
  return entries.flatMap((entry): readonly Outline[] => {
    if (!isEntry(entry)) return lane === "default" ? [entry] : [];
    const { preempt_yolo, matcher = "", hooks: listed = [] } = entry;
    const isOnLane = event !== "pre_tool_use" || (preempt_yolo === true) === (lane === "preempt_yolo");
    return isOnLane && !(tool !== undefined && leavesOut(matcher, tool)) ? listed : [];
  });
}

function isEntry(entry: Outline | MatcherEntry): entry is MatcherEntry {
  return "hooks" in entry;
}

/** True if a matcher that is only names, as most are, leaves a tool out for sure. */
function leavesOut(matcher: string, tool: string): boolean {
  return /^[\w-]+(?:\|[\w-]+)*$/.test(matcher) && !matcher.split("|").includes(tool);
}
