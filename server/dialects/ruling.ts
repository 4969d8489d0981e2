/**
 * The native output in the form that every renderer reads: each wish once, the strictest form first, with default reasons. A value
 * unknown to native hooks counts as a refusal, as it does for the agent that runs them.
 */
import { parseExactJson } from "@quarterdeck/hooks/contract/exact-json";
import type { HookOutput } from "../hooks/index.ts";
import { isRawText, rawTextOf } from "./raw-arguments.ts";

/** The default reason of a denial. Codex ignores a denial without a reason and runs the tool. */
export const DEFAULT_REASON = "Blocked by policy.";
/** The reason if a client cannot rewrite the call. */
export const CALL_UNCHANGEABLE = "Policy requires this call to be changed, and this client cannot change it here.";
/** The reason if a client cannot rewrite the result. */
export const RESULT_UNCHANGEABLE = "Policy requires this result to be changed, and this client cannot change it here.";
/** Replaces an empty result, for clients that treat an empty text as no answer. */
const REMOVED = "(output removed by policy)";

export interface Ruling {
  /** The reason of a denial, block or stop, never empty; null without a refusal. */
  readonly refusal: string | null;
  /** The reason why the whole run must end, never empty; null if the run may continue. */
  readonly stop: string | null;
  /** True if a person must be asked. Never together with a refusal. */
  readonly asks: boolean;
  /** True if the call is explicitly approved. Never together with a refusal or a question. */
  readonly allows: boolean;
  /** The reason for the question or the approval; may be empty. */
  readonly reason: string;
  /** The arguments to merge over those of the call, or the raw text that replaces its own. Never together with a refusal. */
  readonly updatedInput: Readonly<Record<string, unknown>> | string | null;
  /** The text that replaces the tool's result; may be empty. */
  readonly updatedResponse: string | null;
  /** True if other messages must go to the model. */
  readonly replacesMessages: boolean;
  /** Text for the model; empty if absent. */
  readonly context: string;
  /** Text for the user; empty if absent. */
  readonly message: string;
}

export function rulingOf(output: HookOutput): Ruling {
  const specific = output.hook_specific_output ?? {};
  const decision = specific.permission_decision ?? "";
  const denies = decision !== "" && decision !== "allow" && decision !== "ask";
  const blocks = (output.decision ?? "") !== "";
  const stops = output.continue === false;
  const stop = stops ? firstText(output.stop_reason, output.reason, specific.permission_decision_reason) : null;
  const refusal = denies
    ? firstText(specific.permission_decision_reason, output.reason, output.stop_reason)
    : blocks
      ? firstText(output.reason, output.stop_reason)
      : stop;
  return {
    refusal,
    stop,
    asks: refusal === null && decision === "ask",
    allows: refusal === null && decision === "allow",
    reason: specific.permission_decision_reason ?? "",
    updatedInput: refusal === null ? (specific.updated_input ?? null) : null,
    updatedResponse: specific.updated_tool_response ?? null,
    replacesMessages: (specific.updated_messages ?? []).length > 0,
    context: specific.additional_context ?? "",
    message: output.system_message ?? "",
  };
}

/** The ruling for a client that cannot ask: the question becomes a refusal that says so. */
export function withoutQuestion(ruling: Ruling): Ruling {
  return ruling.asks ? refused(ruling, `Approval required: ${firstText(ruling.reason)}`) : ruling;
}

/** The ruling for a client that cannot change a call: a rewrite becomes a refusal, so the original call never runs. */
export function withoutRewrite(ruling: Ruling): Ruling {
  return ruling.updatedInput ? refused(ruling, CALL_UNCHANGEABLE) : ruling;
}

/**
 * The ruling for a client whose rewrites replace all arguments: the rewrite is merged over the original arguments, or refused if
 * those are unknown.
 */
export function withCompleteRewrite(ruling: Ruling, original: unknown): Ruling {
  if (!ruling.updatedInput || typeof ruling.updatedInput === "string") return ruling;
  if (isRawText(original)) {
    const text = rawTextOf(ruling.updatedInput);
    return text === null ? withoutRewrite(ruling) : { ...ruling, updatedInput: text };
  }
  const before = typeof original === "string" ? parseJson(original) : original;
  return isObject(before) ? { ...ruling, updatedInput: { ...before, ...ruling.updatedInput } } : withoutRewrite(ruling);
}

function refused(ruling: Ruling, refusal: string): Ruling {
  return { ...ruling, refusal, asks: false, allows: false, updatedInput: null };
}

/** The replacement text for clients that treat an empty text as no answer. */
export function visibleText(text: string): string {
  return text.trim() === "" ? REMOVED : text;
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The value of a JSON text; undefined if the text is not JSON. */
export function parseJson(text: string): unknown {
  try {
    return parseExactJson(text);
  } catch {
    return undefined;
  }
}

function firstText(...texts: (string | null | undefined)[]): string {
  return texts.find((text) => text && text.trim() !== "") ?? DEFAULT_REASON;
}
