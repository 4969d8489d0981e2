/**
 * The one gate at which a tool call is counted, however many gates it passed, and the part of the rules in its result.
 * Pure: it needs only a row's columns and facts.
 */
import { APPROVAL_SOURCES } from "@quarterdeck/hooks/contract/approval-sources";
import type { DispatchRecord } from "./dispatch-record.ts";
import { type DecisionRow, gateWords, type Projection } from "./projection.ts";

/**
 * `decided`: a rule denied, asked or allowed. `undecided`: rules ran without a verdict. `ungoverned`: no rule ran at
 * any gate of the call.
 */
export type RulesPart = "decided" | "undecided" | "ungoverned";

/** The parts of a `ProjectedRecord` that counts are made of. */
export interface CountedRecord {
  readonly record: DispatchRecord;
  readonly projection: Projection;
  readonly isGate: boolean;
  readonly hooks: readonly unknown[];
}

/** Null for a record that is not a call, or for a gate at which the call is not counted. */
export function gatedCallOf(entry: CountedRecord): RulesPart | null {
  if (!isCountedHere(entry)) return null;
  const { record, hooks } = entry;
  if (record.event !== FINAL && record.verdict !== "none") return "decided";
  if (record.earlierRules === "decided" || record.earlierRules === "asked") return "decided";
  return hooks.length > 0 || record.earlierRules === "ran" ? "undecided" : "ungoverned";
}

/** The sources of calls without a verdict: rules ran and gave none, or no rule ran at any gate of the call. */
const SILENT_SOURCES = { undecided: "rules_silent", ungoverned: "no_rule" } as const;

/** The row of a call without any verdict of ours, at the gate where it is counted; null for every other record. */
export function silentCallOf(entry: CountedRecord): DecisionRow | null {
  const part = gatedCallOf(entry);
  if (part === null || part === "decided" || entry.record.event === FINAL) return null;
  return { kind: "gate", verdict: "none", source: SILENT_SOURCES[part], ...gateWords(entry.record), reason: "" };
}

const FINAL = "on_tool_approval_decision";

/**
 * The default lane of pre_tool_use is asked last, so calls are counted there. A denial at an earlier gate ends the
 * call, so it is counted at that gate. docker-agent need not ask that lane when its auto-approve mode or a permission
 * rule decides: calls that it did not ask about are counted by its report.
 */
function isCountedHere({ record, projection, isGate }: CountedRecord): boolean {
  const { event, lane, origin, verdict, revision, isCountedAtGate } = record;
  // A report has a revision if hooks decided next to the agent; other reports only say what happened.
  if ((origin !== "dispatch" && revision === "") || projection.toolName === null) return false;
  if (event === "pre_tool_use" && lane === "default") return true;
  if (event === FINAL) return !isCountedAtGate && isDecidedByAgent(projection.decision?.source ?? "");
  return isGate && EARLY.has(event) && verdict === "deny";
}

/** Gates before the default lane of pre_tool_use. */
const EARLY: ReadonlySet<string> = new Set(["tool_input_transform", "tool_guard", "pre_tool_use"]);

/** True for the report of a call that its agent decided by itself, possibly without asking the last gate. */
export const isCountedByReport = (event: string, source: string | null | undefined): boolean =>
  event === FINAL && isDecidedByAgent(source ?? "");

function isDecidedByAgent(source: string): boolean {
  if (!Object.hasOwn(APPROVAL_SOURCES, source)) return false;
  // Holds: it is one of its own keys.
  const { kind } = APPROVAL_SOURCES[source as keyof typeof APPROVAL_SOURCES];
  return kind === "yolo" || kind === "rule";
}

/** The outcome of a decided call. `asked`: a rule sent it to a person, whatever the person answered. */
export function decidedOutcomeOf({
  verdict,
  isAsked,
  earlierRules,
}: Pick<DispatchRecord, "verdict" | "isAsked" | "earlierRules">): "denied" | "asked" | "allowed" {
  if (isAsked || verdict === "ask") return "asked";
  if (verdict === "deny") return "denied";
  return earlierRules === "asked" ? "asked" : "allowed";
}
