/** Determines the rule that applies to the counts, and its reason. */
import { type HookInput, REPEAT_ACTIONS, type RepeatRule } from "@quarterdeck/hooks";
import { formatDollars } from "../recording/index.ts";
import type { CallCounts } from "./repository.ts";

export interface Findings extends CallCounts {
  /** The agent's spend by time window in seconds, for each rule that needs it. */
  readonly nanoBySeconds: ReadonlyMap<number, bigint>;
  readonly isNewTool: boolean;
}

/** The gravest of the rules that apply, the first of equals; null when no rule applies. */
export function gravestRule(rules: readonly RepeatRule[], findings: Findings): RepeatRule | null {
  const applying = rules.filter((rule) => applies(rule, findings));
  const gravity = ({ action }: RepeatRule) => REPEAT_ACTIONS.indexOf(action);
  return applying.toSorted((a, b) => gravity(b) - gravity(a))[0] ?? null;
}

function applies(rule: RepeatRule, { callAges, failureAges, nanoBySeconds, isNewTool }: Findings): boolean {
  switch (rule.kind) {
    case "same call":
      return countWithin(callAges, rule.seconds) >= rule.count;
    case "failures":
      return countWithin(failureAges, rule.seconds) >= rule.count;
    case "spend":
      return (nanoBySeconds.get(rule.seconds) ?? 0n) > rule.nano;
    case "new tool":
      return isNewTool;
  }
}

const countWithin = (ages: readonly number[], seconds: number): number => ages.filter((age) => age <= seconds).length;

/**
 * The reason, in one sentence. It is part of halts and answers, so it names only the tool, and only if its name is
 * plain.
 */
export function ruleSentence(
  rule: RepeatRule,
  findings: Findings,
  { tool_name }: Pick<HookInput, "tool_name">,
): string {
  const tool = toolText(tool_name);
  switch (rule.kind) {
    case "same call":
      return `Runaway rule: ${tool} was called ${countWithin(findings.callAges, rule.seconds)} times with the same input within ${timeText(rule.seconds)}.`;
    case "failures":
      return `Runaway rule: ${tool} failed ${countWithin(findings.failureAges, rule.seconds)} times in a row within ${timeText(rule.seconds)}.`;
    case "spend":
      return `Runaway rule: the agent spent ${formatDollars(findings.nanoBySeconds.get(rule.seconds) ?? 0n)} within ${timeText(rule.seconds)}, more than ${formatDollars(rule.nano)}.`;
    case "new tool":
      return `Runaway rule: ${tool} is new in this workspace.`;
  }
}

const PLAIN_NAME = /^[\w.:/-]{1,80}$/;
const toolText = (name: unknown): string =>
  typeof name === "string" && PLAIN_NAME.test(name) ? `the tool ${name}` : "a tool";

function timeText(seconds: number): string {
  if (seconds % 3_600 === 0) return `${seconds / 3_600} h`;
  return seconds % 60 === 0 ? `${seconds / 60} min` : `${seconds} s`;
}
