/** Matches the text of a command against the taxonomy. */
import { normaliseCommand } from "./normalise.ts";
import { occurs, patternOf } from "./pattern.ts";
import { byRadius, pickWorse } from "./severity.ts";
import { DESTRUCTIVE } from "./taxonomy/all.ts";
import type { DestructiveRow } from "./taxonomy/row.ts";
import type { Taxonomy } from "./taxonomy/versions.ts";

const PATTERNS = byRadius(DESTRUCTIVE).map((row) => ({ row, pattern: patternOf(row.pattern) }));

export interface TextMatch {
  /** The worst row whose pattern occurs exactly. */
  readonly exact: DestructiveRow | null;
  /** The worst row whose pattern occurs exactly or nearly. */
  readonly worst: DestructiveRow | null;
}

/** The rows of the taxonomy that occur in `command`. */
export function textMatch(command: string, { redirectsAfterBlank }: Taxonomy): TextMatch {
  const text = normaliseCommand(command);
  let near: DestructiveRow | null = null;
  for (const { row, pattern } of PATTERNS) {
    const occurrence = occurs(pattern, text, redirectsAfterBlank);
    if (occurrence === "exact") return { exact: row, worst: pickWorse(row, near) };
    if (occurrence === "near") near ??= row;
  }
  return { exact: null, worst: pickWorse(null, near) };
}
