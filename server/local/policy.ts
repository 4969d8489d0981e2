/** The effective policy as the local executor has it, and what one look at it tells without the engine. */
import { type EventName, isEventName, type Lane, PROFILES, type Profile } from "../hooks/contract/events.ts";
import type { HooksConfig } from "../hooks/contract/hook.ts";
import type { ExecutorPolicyView } from "../policies/schema.ts";
import { Trouble } from "./trouble.ts";

export type Policy = Omit<ExecutorPolicyView, "sources"> & {
  readonly sources: readonly { readonly policy: string; readonly revision: number; readonly hooks: HooksConfig }[];
};

/**
 * The policy in signed bytes. Their author is the console, which checked every hook before it published it, so only the
 * outline is looked at here. Errors: a `Trouble` when they are of another kind.
 */
export function policyOf(signed: Buffer): Policy {
  try {
    const value = JSON.parse(signed.toString("utf8")) as Policy; // looked at below
    const isKnown = (PROFILES as readonly string[]).includes(value.profile);
    const isWhole = typeof value.revision === "string" && typeof value.agent === "string";
    if (value.version === 2 && isKnown && isWhole && Array.isArray(value.sources)) return value;
  } catch {
    // Said below.
  }
  throw new Trouble(
    "The console's policy is of a kind this executor does not know. Download it anew from the console.",
  );
}

/** Whether anything of an event may concern this machine, and whether anything may concern the console. */
export interface Concerns {
  readonly here: boolean;
  readonly there: boolean;
}

/** Errs on the side of yes: matchers and places are the engine's business, and it is asked when this says yes. */
export function concernsOf({ sources, profile }: Policy, event: EventName, lane: Lane, tool: string): Concerns {
  let here = false;
  let there = false;
  for (const hook of sources.flatMap(({ hooks }) =>
    isEventName(event, profile) ? hooksOf(hooks, event, lane, tool) : [],
  )) {
    const type = Reflect.get(hook, "type");
    const isOurs = type === "command" && Reflect.get(hook, "run_on") === "agent";
    const isTheirs = type === "model" || (type === "command" && !isOurs);
    here ||= !isTheirs;
    there ||= !isOurs;
  }
  return { here, there };
}

/** Whether the policy wants secrets taken out before anything leaves this machine. */
export function redactsHere({ sources }: Policy): boolean {
  return sources.some(({ hooks }) =>
    (Object.keys(hooks) as EventName[]).some((event) =>
      [...hooksOf(hooks, event, "default"), ...hooksOf(hooks, event, "preempt_yolo")].some(
        (hook) =>
          Reflect.get(hook, "type") === "builtin" &&
          Reflect.get(hook, "command") === "redact_secrets" &&
          Reflect.get(hook, "run_on") !== "server",
      ),
    ),
  );
}

function hooksOf(hooks: HooksConfig, event: EventName, lane: Lane, tool?: string): object[] {
  const entries: readonly object[] = hooks[event] ?? [];
  return entries.flatMap((entry): readonly object[] => {
    if (!("hooks" in entry)) return lane === "default" ? [entry] : [];
    const entryLane = Reflect.get(entry, "preempt_yolo") === true ? "preempt_yolo" : "default";
    const isHere = event !== "pre_tool_use" || entryLane === lane;
    const isOther = tool !== undefined && leavesOut(Reflect.get(entry, "matcher"), tool);
    return isHere && !isOther && Array.isArray(entry.hooks) ? entry.hooks : [];
  });
}

/** Whether a matcher that is only names, as most are, leaves a tool out for sure. */
function leavesOut(matcher: unknown, tool: string): boolean {
  return typeof matcher === "string" && /^[\w-]+(?:\|[\w-]+)*$/.test(matcher) && !matcher.split("|").includes(tool);
}

export type { Profile };
