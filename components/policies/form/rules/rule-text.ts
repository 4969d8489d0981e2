/** A rule in short: its verdict, its reason, and its conditions on one line. Pure. */
import { RULE_VERDICTS, type RuleVerdict } from "@quarterdeck/hooks/contract/rules/schema";
import { truncateToLine } from "@quarterdeck/hooks/contract/truncate-text";
import type { Fields } from "@/components/policies/document/intent";
import { flow, type Value } from "@/components/policies/document/write";

const SHOWN_MAX = 240;

/** Null for a rule that sets a mark only, or has no verdict yet. */
export const verdictOf = (fields: Fields): RuleVerdict | null =>
  RULE_VERDICTS.find((verdict) => fields[verdict] !== undefined) ?? null;

export function reasonOf(fields: Fields): string {
  const verdict = verdictOf(fields);
  const reason = verdict === null ? "" : fields[verdict];
  return typeof reason === "string" ? reason : "";
}

/** `command: {program: rm}, after: read`; "" for a rule without a condition. */
export function conditionsText(fields: Fields): string {
  const conditions = Object.entries(fields).filter(
    ([key]) => key !== "mark" && !RULE_VERDICTS.some((verdict) => verdict === key),
  );
  // Holds: what was read from YAML is plain values.
  const text = conditions.map(([key, value]) => `${key}: ${flow((value ?? null) as Value)}`).join(", ");
  return truncateToLine(text, SHOWN_MAX);
}
