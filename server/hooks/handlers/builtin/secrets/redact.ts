/** Finds secrets in a text by rules, and replaces them with a marker. */
import { keywordScan } from "./keyword-scan.ts";
import type { Rule, Span } from "./rule.ts";
import { SECRET_RULES } from "./rules/all.ts";

/** The marker that replaces a secret. No rule matches it. */
export const REDACTED = "[REDACTED]";

/** The limit of regular expressions for one text, about 50 ms. Ordinary text needs a few. */
const LOOKS_MAX = 5_000;

const scan = keywordScan(SECRET_RULES.flatMap((rule) => rule.keywords.map((word) => ({ word, payload: rule }))));

/** `text` with every secret replaced and nothing else changed; the same string if it has no secret. */
export function redactText(text: string): string {
  const spans = found(text);
  if (spans.length === 0) return text;
  let safe = "";
  let from = 0;
  for (const { start, end } of spans) {
    safe += text.slice(from, start) + REDACTED;
    from = end;
  }
  return safe + text.slice(from);
}

/** The secrets of `text` in order. Overlapping rules give one span; adjacent ones stay separate. */
export const listSecrets = (text: string): Span[] => found(text).map(({ start, end }) => ({ start, end }));

/** The number of secrets in `text` by the first matching rule, most frequent first. */
export function countSecretsByRule(text: string): [rule: string, count: number][] {
  const counts = new Map<string, number>();
  for (const { rule } of found(text)) counts.set(rule, (counts.get(rule) ?? 0) + 1);
  return [...counts].sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1));
}

interface Found {
  readonly rule: string;
  start: number;
  end: number;
}

function found(text: string): Found[] {
  const spans: Found[] = [];
  const looks = { left: LOOKS_MAX, unseenTo: 0 };
  const isMarked = text.includes(REDACTED);
  scan(text, (rule: Rule, at, length) => {
    if (at < looks.unseenTo) return;
    const span = rule.find(text, at, length, looks);
    // A span with a marker was redacted before and would only grow.
    if (!span || (isMarked && text.slice(span.start, span.end).includes(REDACTED))) return;
    const last = spans.at(-1);
    if (last && last.start <= span.start && span.start < last.end) last.end = Math.max(last.end, span.end);
    else spans.push({ rule: rule.name, start: span.start, end: span.end });
  });
  return spans.length < 2 ? spans : merged(spans);
}

/** Keywords are ordered by their end, but their spans may start in another order. */
function merged(spans: readonly Found[]): Found[] {
  const inOrder = [...spans].sort((a, b) => a.start - b.start);
  const apart: Found[] = [];
  for (const span of inOrder) {
    const last = apart.at(-1);
    if (last && span.start < last.end) last.end = Math.max(last.end, span.end);
    else apart.push(span);
  }
  return apart;
}

/** `value` with the secrets in its strings replaced, at any depth; the same value if it has no secret. */
export function redactValue(value: unknown): unknown {
  if (typeof value === "string") return redactText(value);
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) {
    const safe = value.map(redactValue);
    return safe.every((one, index) => one === value[index]) ? value : safe;
  }
  const safe = Object.entries(value).map(([key, member]) => [key, redactValue(member)] as const);
  return safe.every(([key, member]) => member === Reflect.get(value, key)) ? value : Object.fromEntries(safe);
}
