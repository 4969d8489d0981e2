/** True if an exception lifts a verdict about a call. Pure. Without a certain match, the rule's verdict remains. */
import { loneCommandWords } from "@quarterdeck/hooks";
import { bindingOf, hasExactNumbers } from "../approvals/index.ts";
import { isOpenPrefix } from "./prefix-programs.ts";
import type { ExceptedRule, ExceptionLifts } from "./schema.ts";

export interface ExceptionCall {
  readonly agentId: string;
  readonly sessionId: string;
  readonly toolName: string;
  readonly inputSha256: Buffer;
  readonly input: unknown;
}

export interface CallPattern {
  readonly scope: "workspace" | "group" | "agent" | "session";
  readonly agentId: string | null;
  readonly sessionId: string | null;
  /** The members of the group, if the pattern is for a group. */
  readonly members: readonly string[];
  readonly toolName: string;
  readonly inputSha256: Buffer | null;
  readonly command: readonly string[] | null;
}

/** Calls about which named rules lose their verdict. */
export interface Lifting extends CallPattern {
  readonly lifts: ExceptionLifts;
  readonly rules: readonly Pick<ExceptedRule, "policyId" | "sha256">[];
}

/** A verdict of a rule, with the sha256 of its definition. */
export interface RuleVerdict {
  readonly policyId: string | undefined;
  readonly sha256: string;
  readonly verdict: "ask" | "deny";
}

/**
 * A call in its form for comparison with exceptions; null when its numbers are not exact, so that no exception can
 * cover it.
 */
export function comparableCall(
  agentId: string,
  input: { readonly session_id?: unknown; readonly tool_name?: unknown; readonly tool_input?: unknown },
): ExceptionCall | null {
  if (!hasExactNumbers(input.tool_input)) return null;
  return { ...bindingOf(input), agentId, input: input.tool_input };
}

/** The only comparison, for verdicts in force and for recorded ones. */
export const liftsVerdict = (exception: Lifting, said: RuleVerdict, call: ExceptionCall): boolean =>
  liftsRule(exception, said) && matchesCall(exception, call);

/** True if an exception lifts this verdict of the rule about some calls. */
export function liftsRule({ lifts, rules }: Lifting, { policyId, sha256, verdict }: RuleVerdict): boolean {
  if (verdict === "deny" && lifts !== "verdict") return false;
  return rules.some((rule) => rule.policyId === policyId && rule.sha256 === sha256);
}

export function matchesCall(pattern: CallPattern, call: ExceptionCall): boolean {
  if (!reachesCall(pattern, call)) return false;
  if (pattern.inputSha256 !== null) return pattern.inputSha256.equals(call.inputSha256);
  const words = commandWordsOf(call.input);
  const { command } = pattern;
  if (words === null || command === null || command.length === 0) return false;
  if (command.length > words.length || !command.every((word, at) => words[at] === word)) return false;
  const later = words.slice(command.length);
  // An exception of an older release may begin with any program: then it covers only that exact command.
  return later.length === 0 || (isOpenPrefix(command) && later.every((word) => !OPTION.test(word)));
}

/**
 * Later words may name other objects, but must not change the command's effect, as an option, an assignment, `+main` or
 * `:main` can.
 */
const OPTION = /^[-+:]|=/;

/** True if the exception covers the call's tool and agent, regardless of its input. */
export function reachesCall(pattern: CallPattern, call: Omit<ExceptionCall, "input" | "inputSha256">): boolean {
  return pattern.toolName !== "" && pattern.toolName === call.toolName && reaches(pattern, call);
}

function reaches(
  { scope, agentId, sessionId, members }: CallPattern,
  call: Pick<ExceptionCall, "agentId" | "sessionId">,
): boolean {
  switch (scope) {
    case "workspace":
      return true;
    case "group":
      return members.includes(call.agentId);
    case "agent":
      return agentId === call.agentId;
    case "session":
      return agentId === call.agentId && sessionId !== "" && sessionId === call.sessionId;
  }
}

const COMMAND_KEYS = ["cmd", "command"] as const;
/** Further input keys that do not change the command, only its comment and its timeout. */
const HARMLESS_KEYS: ReadonlySet<string> = new Set([...COMMAND_KEYS, "description", "timeout"]);

/**
 * The words of the only shell command in a tool's input: no list, pipe, redirection, assignment, variable, pattern or
 * substitution. Null for any other input, including one with more than the command, such as its working directory.
 */
export function commandWordsOf(input: unknown): readonly string[] | null {
  if (typeof input !== "object" || input === null || Array.isArray(input)) return null;
  const entries = Object.entries(input);
  const given = entries.filter(([key]) => key === "cmd" || key === "command");
  const [first] = given;
  if (given.length !== 1 || first === undefined || typeof first[1] !== "string") return null;
  if (!entries.every(([key]) => HARMLESS_KEYS.has(key))) return null;
  return loneCommandWords(first[1]);
}
