/** The suggestions of a filter bar during typing: keys first, then the values of the key just typed. */
import { type Filter, type FilterTerm, printTerm, valuesOf } from "@/components/ui/filter/filter-text";

export interface FilterValue {
  value: string;
  /** Drawn instead of the bare value. */
  label?: string;
  count?: number;
}

export interface FilterField {
  key: string;
  /** The meaning of the key: "who asked". */
  hint?: string;
  /** Real values with their counts; absent while they load. */
  values?: readonly FilterValue[];
}

export type Suggestion =
  | { kind: "key"; key: string; hint: string }
  | { kind: "value"; term: FilterTerm; label: string; count: number | null };

const LIMIT = 12;

/** Suggestions for the word being typed, the most frequent values first, without values already chosen. */
export function suggest(typed: string, fields: readonly FilterField[], filter: Filter): Suggestion[] {
  const word = typed.trimStart();
  const [, key, rest] = /^([\w-]+):"?(.*)$/.exec(word) ?? [];
  const field = key === undefined ? undefined : fields.find((each) => each.key === key);
  if (field) return valuesLike(field, rest ?? "", filter).slice(0, LIMIT);
  const keys = fields
    .filter((each) => each.key.startsWith(word.toLowerCase()))
    .map((each): Suggestion => ({ kind: "key", key: each.key, hint: each.hint ?? "" }));
  // A bare word of two letters or more also finds values of every key.
  const values = word.length < 2 ? [] : fields.flatMap((each) => valuesLike(each, word, filter));
  return [...keys, ...values].slice(0, LIMIT);
}

function valuesLike(field: FilterField, part: string, filter: Filter): Suggestion[] {
  const chosen = valuesOf(filter, field.key);
  const wanted = part.toLowerCase();
  return (field.values ?? [])
    .filter(({ value, label }) => !chosen.includes(value) && `${value} ${label ?? ""}`.toLowerCase().includes(wanted))
    .toSorted((a, b) => (b.count ?? 0) - (a.count ?? 0))
    .map(({ value, label, count }) => ({
      kind: "value",
      term: { key: field.key, value },
      label: label ?? value,
      count: count ?? null,
    }));
}

/** Identifies a suggestion within its list. */
export const suggestionId = (suggestion: Suggestion): string =>
  suggestion.kind === "key" ? `${suggestion.key}:` : printTerm(suggestion.term);
