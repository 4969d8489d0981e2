/**
 * The one gate question by which a tool call counts, whatever number of gates it passed, and the part that rules had in it. Pure:
 * a row's columns and facts decide.
 */
import { APPROVAL_SOURCES } from "@quarterdeck/hooks/contract/approval-sources";
import type { DispatchRecord } from "./dispatch-record.ts";
import type { Projection } from "./projection.ts";

/**
 * `decided`: a rule denied, asked or allowed. `undecided`: rules ran and had nothing to say. `ungoverned`: no rule ran at any
 * gate of the call.
 */
export type RulesPart = "decided" | "undecided" | "ungoverned";

/** Of a `ProjectedRecord`, what counts are made of. */
export interface CountedRecord {
  readonly record: DispatchRecord;
  readonly projection: Projection;
  readonly isGate: boolean;
  readonly hooks: readonly unknown[];
}

/** Null for a record that is no call, or the call's at a gate that another question counts for. */
export function gatedCallOf(entry: CountedRecord): RulesPart | null {
  if (!isCountedHere(entry)) return null;
  const { record, hooks } = entry;
  if (record.event !== FINAL && record.verdict !== "none") return "decided";
  if (record.earlierRules === "decided") return "decided";
  return hooks.length > 0 || record.earlierRules === "ran" ? "undecided" : "ungoverned";
}

const FINAL = "on_tool_approval_decision";

/**
 * The default lane of pre_tool_use is asked last, so it counts. A denial at an earlier gate ends the call there. docker-agent does
 * not ask that lane where its auto-approve mode or a permission rule decides: these calls count by its report of that.
 */
function isCountedHere({ record: { event, lane, origin, verdict }, projection, isGate }: CountedRecord): boolean {
  if (origin !== "dispatch" || projection.toolName === null) return false;
  if (event === "pre_tool_use" && lane === "default") return true;
  if (event === FINAL) return isDecidedByAgent(projection.decision?.source ?? "");
  return isGate && EARLY.has(event) && verdict === "deny";
}

/** Gates before the default lane of pre_tool_use. */
const EARLY: ReadonlySet<string> = new Set(["tool_input_transform", "tool_guard", "pre_tool_use"]);

function isDecidedByAgent(source: string): boolean {
  if (!Object.hasOwn(APPROVAL_SOURCES, source)) return false;
  // Holds: it is one of its own keys.
  const { kind } = APPROVAL_SOURCES[source as keyof typeof APPROVAL_SOURCES];
  return kind === "yolo" || kind === "rule";
}
