/** The output protocol: parses a handler's reply to an outcome, independent of its effect on the dispatch. */
import { z } from "zod";
import type { EventContract, EventName } from "../contract/events.ts";
import { parseExactJson } from "../contract/exact-json.ts";
import { type HookOutput, hookOutput } from "../contract/output.ts";
import { instructionItem } from "../contract/output-items.ts";
import type { ProfileRules } from "../contract/profiles.ts";
import { goTrim } from "../contract/trim.ts";
import { explicitVerdict, explicitVerdictIn } from "./content-guard.ts";
import { failureText, type HookOutcome } from "./outcome.ts";
import type { HandlerReply } from "./ports.ts";
import { strictComplaint, unknownField } from "./strict.ts";
import { transitionComplaint } from "./transition.ts";

/** The rules for parsing a reply. */
export interface Reading {
  readonly event: EventName;
  readonly contract: EventContract;
  readonly rules: ProfileRules;
  /** True if the hook asked for strict output and the profile supports it. */
  readonly strict: boolean;
}

/** The outcome of a hook that replied in time. */
export function readReply(reply: HandlerReply, reading: Reading): HookOutcome {
  if (!reading.contract.guardsContent) return readOpenReply(reply, reading);
  if (reply.kind === "exited" && reply.exitCode === 0) return checked(explicitVerdictIn(reply.stdout, reading.event));
  if (reply.kind === "answered") return checked(explicitVerdict(reply.output, reading.event));
  return readOpenReply(reply, reading);
}

/** The failure that a stricter profile reports for a reply that this profile tolerates; undefined without one. */
export function toleratedFailure(reply: HandlerReply, reading: Reading): string | undefined {
  if (reading.rules.otherExitCode === "failure" || readReply(reply, reading).kind === "failed") return undefined;
  const outcome = readReply(reply, { ...reading, rules: { ...reading.rules, ...STRICT } });
  return outcome.kind === "failed" ? failureText(outcome.failure) : undefined;
}
const STRICT = { otherExitCode: "failure", malformedOutput: "failure", unknownVerdict: "failure" } as const;

function checked(verdict: HookOutput | undefined): HookOutcome {
  return verdict ? { kind: "completed", output: verdict } : badOutput("no explicit verdict", "");
}

function readOpenReply(reply: HandlerReply, reading: Reading): HookOutcome {
  switch (reply.kind) {
    case "failed":
      return { kind: "failed", failure: { code: "handler", message: reply.message }, stderr: reply.stderr ?? "" };
    case "not_started":
      return { kind: "failed", failure: { code: NOT_STARTED[reply.cause], message: reply.message }, stderr: "" };
    case "answered":
      return reply.output === null ? SAID_NOTHING : readAnswer(reply.output, reading);
    case "exited":
      return readExit(reply, reading);
  }
}

const NOT_STARTED = { busy: "waited_too_long", no_sandbox: "no_sandbox", stopping: "stopping" } as const;
const SAID_NOTHING: HookOutcome = { kind: "completed", output: null };

/** A control event also checks an answer without a process strictly. */
function readAnswer(output: HookOutput, reading: Reading): HookOutcome {
  const stranger = reading.contract.control ? unknownField(output, reading.rules) : undefined;
  return stranger === undefined ? readOutput(output, reading, "") : unknownFieldFailure(stranger, "");
}

function readExit(reply: Extract<HandlerReply, { kind: "exited" }>, reading: Reading): HookOutcome {
  if (reply.exitCode === 2) return { kind: "refused", reason: reply.stderr };
  if (reply.exitCode !== 0) {
    if (reading.rules.otherExitCode === "ignored") return { kind: "ignored", exitCode: reply.exitCode };
    return { kind: "failed", failure: { code: "exit_status", status: reply.exitCode }, stderr: reply.stderr };
  }
  return readStdout(reply.stdout, reply.stderr, reading);
}

function readStdout(stdout: string, stderr: string, reading: Reading): HookOutcome {
  if (stdout === "") return SAID_NOTHING;
  const text = goTrim(stdout);
  if (!text.startsWith("{")) {
    if (reading.rules.malformedOutput === "failure" && reading.contract.canBlock && isList(text))
      return badOutput("hook output must be a JSON object, not a list", stderr);
    if (reading.strict && text !== "") return badOutput("strict_output requires a JSON object or empty stdout", stderr);
    return { kind: "spoke", text };
  }
  const decoded = decode(text);
  if (decoded.ok) {
    const stranger = reading.strict ? unknownField(decoded.output, reading.rules) : undefined;
    if (stranger !== undefined) return unknownFieldFailure(stranger, stderr);
    return readOutput(decoded.output, reading, stderr);
  }
  if (reading.rules.malformedOutput === "plain_text") return { kind: "spoke", text };
  return badOutput(decoded.message, stderr);
}

function readOutput(output: HookOutput, reading: Reading, stderr: string): HookOutcome {
  const complaint =
    (reading.rules.unknownVerdict === "failure" ? verdictComplaint(output) : undefined) ??
    (reading.strict ? strictComplaint(output, reading.event, reading.contract) : undefined) ??
    addedComplaint(output, reading);
  return complaint === undefined ? { kind: "completed", output } : badOutput(complaint, stderr);
}

/** The reason why a field that profile 2026-11 added is invalid. */
function addedComplaint(output: HookOutput, { event, contract, rules }: Reading): string | undefined {
  if (!rules.readsInstructions) return undefined;
  const items = z.array(instructionItem.nullable()).safeParse(output.hook_specific_output?.instruction_context ?? []);
  if (!items.success) return "invalid hook output: instruction_context: wrong shape";
  return transitionComplaint(output, event, contract);
}

function unknownFieldFailure(field: string, stderr: string): HookOutcome {
  return badOutput(`invalid hook output: unknown field "${field}"`, stderr);
}

function verdictComplaint(output: HookOutput): string | undefined {
  if (output.decision && output.decision !== "block") return `invalid decision "${output.decision}": expected block`;
  const verdict = output.hook_specific_output?.permission_decision;
  if (!verdict || verdict === "allow" || verdict === "ask" || verdict === "deny") return undefined;
  return `invalid permission_decision "${verdict}": expected allow, ask, or deny`;
}

function badOutput(message: string, stderr: string): HookOutcome {
  return { kind: "failed", failure: { code: "bad_output", message }, stderr };
}

type Decoded = { readonly ok: true; readonly output: HookOutput } | { readonly ok: false; readonly message: string };

function decode(text: string): Decoded {
  let value: unknown;
  try {
    value = parseExactJson(text);
  } catch (error) {
    if (hasObjectAndMore(text)) return { ok: false, message: "hook output must contain a single JSON object" };
    return { ok: false, message: `invalid hook output: ${error instanceof Error ? error.message : String(error)}` };
  }
  const parsed = hookOutput.safeParse(value);
  if (parsed.success) return { ok: true, output: parsed.data };
  const issue = parsed.error.issues[0];
  return {
    ok: false,
    message: `invalid hook output: ${issue?.path.join(".") ?? ""}: ${issue?.message ?? "wrong shape"}`,
  };
}

/** True if the text is a JSON list, whole or broken; `[info]` before a sentence is plain text. */
function isList(text: string): boolean {
  if (!text.startsWith("[")) return false;
  try {
    return Array.isArray(JSON.parse(text));
  } catch {
    return /^\[\s*[[{]/.test(text);
  }
}

/** True if the text begins with a complete JSON object and more text follows. */
function hasObjectAndMore(text: string): boolean {
  const end = endOfObject(text);
  if (end === undefined || end === text.length) return false;
  try {
    JSON.parse(text.slice(0, end));
    return true;
  } catch {
    return false;
  }
}

/** The index after the brace that closes the first object. */
function endOfObject(text: string): number | undefined {
  let depth = 0;
  let inString = false;
  for (let at = 0; at < text.length; at++) {
    const character = text[at];
    if (inString) {
      if (character === "\\") at++;
      else if (character === '"') inString = false;
    } else if (character === '"') inString = true;
    else if (character === "{") depth++;
    else if (character === "}" && --depth === 0) return at + 1;
  }
  return undefined;
}
