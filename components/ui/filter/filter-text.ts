/**
 * The text of a filter bar: `verdict:deny agent:"ci bot" rm -rf`. Typed chips and free words, one string for the URL.
 * Chips with the same key are alternatives, chips with different keys must all match; the rest is free text.
 */

export interface FilterTerm {
  readonly key: string;
  readonly value: string;
}

export interface Filter {
  readonly terms: readonly FilterTerm[];
  readonly text: string;
}

export const noFilter: Filter = { terms: [], text: "" };

const TOKEN = /([A-Za-z_][\w-]*):(?:"((?:[^"\\]|\\.)*)"|([^\s"]+))(?=\s|$)|(\S+)/g;

/** Parses a filter text. A word like `http://x` whose key is not in `keys` stays free text, as typed. */
export function parseFilter(text: string, keys: readonly string[]): Filter {
  const terms: FilterTerm[] = [];
  const words: string[] = [];
  for (const [token, key, quoted, bare] of text.matchAll(TOKEN)) {
    const value = quoted === undefined ? bare : quoted.replace(/\\(.)/g, "$1");
    if (key !== undefined && value !== undefined && value !== "" && keys.includes(key)) terms.push({ key, value });
    else words.push(token);
  }
  return { terms: distinct(terms), text: words.join(" ") };
}

/** The text that parses back to this filter. */
export function printFilter(filter: Filter): string {
  return [...filter.terms.map(printTerm), filter.text.trim()].filter(Boolean).join(" ");
}

export function printTerm({ key, value }: FilterTerm): string {
  return /^[^\s"\\]+$/.test(value) ? `${key}:${value}` : `${key}:"${value.replace(/(["\\])/g, "\\$1")}"`;
}

/** The values chosen for one key. */
export const valuesOf = (filter: Filter, key: string): string[] =>
  filter.terms.filter((term) => term.key === key).map((term) => term.value);

export const withTerm = (filter: Filter, term: FilterTerm): Filter => ({
  ...filter,
  terms: distinct([...filter.terms, term]),
});

export const withoutTerm = (filter: Filter, gone: FilterTerm): Filter => ({
  ...filter,
  terms: filter.terms.filter((term) => term.key !== gone.key || term.value !== gone.value),
});

export const isEmptyFilter = (filter: Filter): boolean => filter.terms.length === 0 && filter.text.trim() === "";

function distinct(terms: readonly FilterTerm[]): FilterTerm[] {
  const seen = new Map(terms.map((term) => [printTerm(term), term]));
  return [...seen.values()];
}
