/** The kind of an event of the record, as filters name it. Pure. */
import { APPROVAL_ENTRIES } from "../audit/approval-entries.ts";
import { POLICY_ENTRIES } from "../audit/policy-entries.ts";
import type { DispatchFacts } from "./dispatch-facts.ts";
import type { EventFilter, EventKind } from "./schema.ts";

const SIGN_IN_ENTRIES: ReadonlySet<string> = new Set(["signed_in", "sign_in_link_created", "account_used"]);
const HALT_ENTRIES: ReadonlySet<string> = new Set(["halted", "halt_resumed"]);
const APPROVAL_KINDS = kindsOf(APPROVAL_ENTRIES);
const POLICY_KINDS = kindsOf(POLICY_ENTRIES);

interface EntrySchema {
  readonly shape?: { readonly kind: { readonly value: string } };
  readonly options?: readonly EntrySchema[];
}

/** A kind with several versions is a choice within the list. */
function kindsOf(schemas: readonly EntrySchema[]): ReadonlySet<string> {
  return new Set(schemas.flatMap(({ shape, options }) => (shape ? shape.kind.value : [...kindsOf(options ?? [])])));
}

export function kindOfEntry(kind: string): EventKind {
  if (SIGN_IN_ENTRIES.has(kind)) return "sign_in";
  if (HALT_ENTRIES.has(kind)) return "halt";
  if (APPROVAL_KINDS.has(kind)) return "approval";
  return POLICY_KINDS.has(kind) ? "policy" : "administration";
}

/** A row whose facts cannot be read counts as a decision, the kind that is filtered out least. */
export function kindOfDispatch({ facts, verdict }: { facts: DispatchFacts | null; verdict: string }): EventKind {
  if (facts === null) return "decision";
  if (facts.compaction) return "compaction";
  if (facts.call) return "cost";
  if (facts.decision?.kind === "final") return "final_decision";
  return facts.decision || facts.gate || verdict !== "none" ? "decision" : "event";
}

/** True if an event of this kind passes; `agentId` is null for administrative changes. */
export function passes({ kinds, agentsMode, agents }: EventFilter, kind: EventKind, agentId: string | null): boolean {
  if (!kinds.includes(kind)) return false;
  if (agentId === null || agentsMode === "all") return true;
  return agents.includes(agentId) === (agentsMode === "only");
}
