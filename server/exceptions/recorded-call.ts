/** One recorded call, had an exception been in force. */
import { contractOf, type HookOutput, hookOutput, isEventName, isUngrantable, REDACTED } from "@quarterdeck/hooks";
import { sha256 } from "../platform/secrets.ts";
import { type StoredHook, storedHooks } from "../recording/schema.ts";
import type { PastCall } from "./effect-repository.ts";
import { jsonOf } from "./example-call.ts";
import {
  comparableCall,
  type ExceptionCall,
  type Lifting,
  liftsRule,
  liftsVerdict,
  type RuleVerdict,
  reachesCall,
} from "./match.ts";
import type { FindRecordedRule, RecordedRule } from "./recorded-rules.ts";

/**
 * `denied`, `asked`: the verdict that the exception would have lifted. `stopped`: another rule or a failure would still
 * have stopped the call, or people other than the exception's maker had to be asked. `unknown`: it may be covered, but
 * its input is not completely recorded.
 */
export type CallEffect = "denied" | "asked" | "stopped" | "unknown" | "none";

export interface DraftException {
  readonly exception: Lifting;
  /** True if it names exactly an input without masked parts: then it covers no input with masked parts. */
  readonly isOfPlainInput: boolean;
  readonly findRule: FindRecordedRule;
  /** True if others than its maker have to be asked about a call of these blast radii. */
  readonly needsOthers: (radii: readonly string[]) => Promise<boolean>;
}

type Verdict = RuleVerdict["verdict"];

export async function effectOn(draft: DraftException, past: PastCall): Promise<CallEffect> {
  const { exception, findRule, needsOthers } = draft;
  if (!reachesCall(exception, { ...past, toolName: exception.toolName })) return "none";
  const call = recordedInput(past);
  if (call === "inexact" || (call === "masked" && draft.isOfPlainInput)) return "none";
  const hooks = storedHooks.parse(JSON.parse(past.hooks));
  // An outcome of one is on record, so it is erased.
  if (hooks.length === 0) return "unknown";
  const lifted = new Map<StoredHook, Verdict>();
  for (const [at, hook] of hooks.entries()) {
    const verdict = liftableVerdict(hook);
    // It may have judged the arguments that the one before it gave.
    if (verdict === null || hooks.slice(0, at).some(({ said }) => said === "rewrite")) continue;
    const rule = await findRule(hook, exception.toolName, past.receivedAt);
    if (rule !== null && hasVerdicts(past.event, rule) && liftsRecorded(exception, rule, verdict, call))
      lifted.set(hook, verdict);
  }
  if (lifted.size === 0) return "none";
  if (typeof call === "string") return "unknown";
  const verdicts = [...lifted.values()];
  const radii = hooks.flatMap((hook) => outputOf(hook)?.hook_specific_output?.metadata?.blast_radius ?? []);
  if (hooks.some((hook) => !lifted.has(hook) && holdsBack(hook, past))) return "stopped";
  if (verdicts.includes("ask") && (await needsOthers(radii))) return "stopped";
  return verdicts.includes("deny") ? "denied" : "asked";
}

/**
 * True if the exception lifts the recorded rule. An equal hook that several rules share ran once, so the exception must
 * cover each of them. For a call without its input, only the rules are compared.
 */
export function liftsRecorded(
  exception: Lifting,
  { policyId, hook }: Pick<RecordedRule, "policyId" | "hook">,
  verdict: Verdict,
  call: ExceptionCall | "masked" | "missing",
): boolean {
  if (isUngrantable(hook)) return false;
  return [hook, ...(hook.repeats ?? [])].every(({ rule }) => {
    const said = { policyId, sha256: sha256(rule).toString("hex"), verdict };
    return typeof call === "string" ? liftsRule(exception, said) : liftsVerdict(exception, said, call);
  });
}

/** `inexact`: no exception can be for it. `missing`: it is erased, or too long to be read. */
function recordedInput({ agentId, input }: PastCall): ExceptionCall | "masked" | "missing" | "inexact" {
  if (input === null) return "missing";
  const value = jsonOf(input);
  if (typeof value !== "object" || value === null || Array.isArray(value)) return "missing";
  const { tool_input } = value as { readonly tool_input?: unknown }; // holds: any key of an object may be absent
  if (JSON.stringify(tool_input ?? {}).includes(REDACTED)) return "masked";
  return comparableCall(agentId, value) ?? "inexact";
}

/** Null for a hook with another answer, a hook that ends the agent's run, or a hook that ran on the agent's machine. */
function liftableVerdict(hook: StoredHook): Verdict | null {
  const { outcome, said, ranOn } = hook;
  if (ranOn === "agent" || (outcome !== "refused" && outcome !== "completed")) return null;
  if (said === "ask") return "ask";
  return (said === "deny" || said === "block") && outputOf(hook)?.continue !== false ? "deny" : null;
}

/** True if a hook stopped the call or asked about it, or may have by its failure. */
function holdsBack({ said, outcome }: StoredHook, { verdict }: PastCall): boolean {
  if (said === "deny" || said === "block" || said === "ask") return true;
  return verdict === "deny" && (outcome === "failed" || outcome === "skipped");
}

/** Verdicts of other events cannot be lifted. */
function hasVerdicts(event: string, { profile }: RecordedRule): boolean {
  if (!isEventName(event, profile)) return false;
  const { decides, approves } = contractOf(event, profile);
  return decides || approves;
}

/** The output of a command, as far as it is on record; that of a builtin is not. */
function outputOf({ stdout }: StoredHook): HookOutput | null {
  return stdout.startsWith("{") ? (hookOutput.safeParse(jsonOf(stdout)).data ?? null) : null;
}
