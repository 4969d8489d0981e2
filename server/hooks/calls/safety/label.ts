/** The safety label of a call that runs commands: the strictest over all versions of the taxonomy. Pure. */
import { classifyCommand } from "./classify.ts";
import { SAFETY_LABELS, type SafetyLabel } from "./label-names.ts";
import { TAXONOMY, TAXONOMY_2026_11 } from "./taxonomy/versions.ts";

const BY_VERDICT = { read: "safe", unknown: "unknown", destructive: "destructive" } as const;

/** The most severe label of several texts of one call. Null is an unreadable text; a call without any text is unknown. */
export function labelOfTexts(texts: readonly (string | null)[]): SafetyLabel {
  if (texts.length === 0) return "unknown";
  const labels = texts.flatMap((text) =>
    text === null
      ? (["unknown"] as const)
      : [TAXONOMY, TAXONOMY_2026_11].map((one) => BY_VERDICT[classifyCommand(text, one).kind]),
  );
  return SAFETY_LABELS.findLast((label) => labels.includes(label)) ?? "unknown";
}
