/**
 * Every act as a sentence that begins with the actor: "ada published revision 4 of guard". A new kind of entry without
 * a sentence in this table is a compile error.
 */
import { AGENT_SENTENCES } from "@/components/audit/agent-sentences";
import { APPROVAL_SENTENCES } from "@/components/audit/approval-sentences";
import { MONEY_SENTENCES } from "@/components/audit/money-sentences";
import { PEOPLE_SENTENCES } from "@/components/audit/people-sentences";
import { POLICY_SENTENCES } from "@/components/audit/policy-sentences";
import { RECORD_SENTENCES } from "@/components/audit/record-sentences";
import { type Kind, type List, listOf, type Words } from "@/components/audit/sentence-table";
import type { AuditView } from "@/server/record/schema";

const WORDS: { readonly [K in Kind]: Words<K> } = {
  ...PEOPLE_SENTENCES,
  ...AGENT_SENTENCES,
  ...POLICY_SENTENCES,
  ...APPROVAL_SENTENCES,
  ...MONEY_SENTENCES,
  ...RECORD_SENTENCES,
};

const isKind = (kind: string): kind is Kind => Object.hasOwn(WORDS, kind);

/** The label of a kind in a chip, shown next to its code. */
export const kindLabel = (kind: string): string => (isKind(kind) ? WORDS[kind].label : kind.replaceAll("_", " "));

/** The names in an entry; empty for entries that are older than this field. */
function objectsOf({ names }: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const objects = typeof names === "object" && names !== null && "objects" in names ? names.objects : null;
  // Holds: an object has members of unknown types.
  return typeof objects === "object" && objects !== null ? (objects as Record<string, unknown>) : {};
}

/** The act without its actor. An entry of a newer server, or a tampered one, is named by its kind. */
export function sentenceOf({ kind, body, target }: Pick<AuditView, "kind" | "body" | "target">): string {
  const name = target === null ? "" : (target.name ?? `a ${target.type} that is gone`);
  if (!isKind(kind) || body === null) return kind.replaceAll("_", " ");
  // Holds: the entry was written as this kind; an altered one may lack a field, and the error is caught.
  const says = WORDS[kind].says as (entry: unknown, name: string, list: List) => string;
  try {
    return says(body, name, listOf(objectsOf(body)));
  } catch {
    return kind.replaceAll("_", " ");
  }
}
