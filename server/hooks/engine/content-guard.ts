/**
 * Content guards: a hook must give an explicit verdict on the text. Nothing else of its output leaves the executor, because a
 * checked text may carry instructions for the reader of the check.
 */
import type { EventName } from "../contract/events.ts";
import { repeatedKey } from "../contract/json-keys.ts";
import type { HookOutput } from "../contract/output.ts";
import { goTrim } from "../contract/trim.ts";
import { causeOf, type HookOutcome } from "./outcome.ts";
import type { Finished } from "./report.ts";

const TEXTS = ["stop_reason", "reason", "system_message"] as const;
const KEYS: ReadonlySet<string> = new Set([
  ...TEXTS,
  ...["continue", "decision", "suppress_output", "hook_specific_output"],
]);

type Fields = Readonly<Record<string, unknown>>;

/** The verdict in a process's output; undefined unless it is one explicit verdict. */
export function explicitVerdictIn(stdout: string, event: EventName): HookOutput | undefined {
  const text = goTrim(stdout);
  try {
    const value: unknown = JSON.parse(text);
    return repeatedKey(text) === undefined ? explicitVerdict(value, event) : undefined;
  } catch {
    return undefined;
  }
}

/** The verdict of an output, and nothing else; undefined if it has no verdict or more than a verdict. */
export function explicitVerdict(output: unknown, event: EventName): HookOutput | undefined {
  if (!isFields(output) || Object.keys(output).some((key) => !KEYS.has(key))) return undefined;
  const { continue: goesOn, decision, suppress_output, hook_specific_output } = output;
  if (TEXTS.some((key) => !isAbsent(output[key]) && typeof output[key] !== "string")) return undefined;
  if (!isAbsent(suppress_output) && suppress_output !== false) return undefined;
  if (!namesOnly(hook_specific_output, event)) return undefined;
  const saysGoOn = Object.hasOwn(output, "continue");
  const saysBlock = Object.hasOwn(output, "decision");
  if (saysGoOn && typeof goesOn !== "boolean") return undefined;
  if (saysBlock && decision !== "block") return undefined;
  if (!saysGoOn && !saysBlock) return undefined;
  return {
    ...(typeof goesOn === "boolean" && { continue: goesOn }),
    ...(saysBlock && { decision: "block" }),
  };
}

function namesOnly(specific: unknown, event: EventName): boolean {
  if (isAbsent(specific)) return true;
  if (!isFields(specific) || Object.keys(specific).some((key) => key !== "hook_event_name")) return false;
  const { hook_event_name: name } = specific;
  return isAbsent(name) || name === "" || name === event;
}

/** The outcome without the hook's text: a failure keeps its kind, a refusal has no reason. */
export function withoutWords(outcome: HookOutcome): HookOutcome {
  if (outcome.kind === "refused") return { kind: "refused", reason: "" };
  if (outcome.kind !== "failed") return outcome;
  return { kind: "failed", failure: { code: "content_check", cause: causeOf(outcome.failure) }, stderr: "" };
}

/** The run without the hook's output and the model's reply. */
export function withoutPrinted(finished: Finished): Finished {
  const { ran, judge } = finished;
  const { reply: _reply, ...asked } = judge ?? { model: "" };
  return { ...finished, ran: silentRun(ran), ...(judge && { judge: asked }) };
}

function silentRun(ran: Finished["ran"]): Finished["ran"] {
  if (ran.kind === "failed") return { ...ran, stderr: "" };
  const { reply } = ran;
  if (reply.kind === "exited") return { ...ran, reply: { ...reply, stdout: "", stderr: "" } };
  return reply.kind === "failed" ? { ...ran, reply: { kind: "failed", message: "" } } : ran;
}

const isAbsent = (value: unknown): boolean => value === undefined || value === null;

function isFields(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
