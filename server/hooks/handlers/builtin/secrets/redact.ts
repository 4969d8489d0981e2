/** Secrets in a text, found by rule and replaced by a marker. */
import { keywordScan } from "./keyword-scan.ts";
import type { Rule, Span } from "./rule.ts";
import { RULES } from "./rules/all.ts";

/** Stands where a secret stood. No rule finds it again. */
export const REDACTED = "[REDACTED]";

/** Some 50 ms worth of expressions for one text; ordinary text needs a handful. */
const LOOKS_MAX = 5_000;

const scan = keywordScan(RULES.flatMap((rule) => rule.keywords.map((word) => ({ word, payload: rule }))));

/** `text` with every secret replaced, and nothing else changed; the same string when there is none. */
export function redacted(text: string): string {
  const spans = secretsIn(text);
  if (spans.length === 0) return text;
  let safe = "";
  let from = 0;
  for (const { start, end } of spans) {
    safe += text.slice(from, start) + REDACTED;
    from = end;
  }
  return safe + text.slice(from);
}

/** The secrets of `text` in order: rules that overlap are one, neighbours stay two. */
export function secretsIn(text: string): Span[] {
  const found: { start: number; end: number }[] = [];
  const looks = { left: LOOKS_MAX, unseenTo: 0 };
  const isMarked = text.includes(REDACTED);
  scan(text, (rule: Rule, at, length) => {
    if (at < looks.unseenTo) return;
    const span = rule.find(text, at, length, looks);
    // What holds a marker was redacted before, and would only grow.
    if (!span || (isMarked && text.slice(span.start, span.end).includes(REDACTED))) return;
    const last = found.at(-1);
    if (last && last.start <= span.start && span.start < last.end) last.end = Math.max(last.end, span.end);
    else found.push({ ...span });
  });
  return found.length < 2 ? found : merged(found);
}

/** Key words end in order; what belongs to them may begin in another. */
function merged(spans: readonly Span[]): Span[] {
  const inOrder = [...spans].sort((a, b) => a.start - b.start);
  const apart: { start: number; end: number }[] = [];
  for (const { start, end } of inOrder) {
    const last = apart.at(-1);
    if (last && start < last.end) last.end = Math.max(last.end, end);
    else apart.push({ start, end });
  }
  return apart;
}

/** `value` with the secrets in its strings replaced, however deep they lie; the same value when there is none. */
export function redactedValue(value: unknown): unknown {
  if (typeof value === "string") return redacted(value);
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) {
    const safe = value.map(redactedValue);
    return safe.every((one, index) => one === value[index]) ? value : safe;
  }
  const safe = Object.entries(value).map(([key, member]) => [key, redactedValue(member)] as const);
  return safe.every(([key, member]) => member === Reflect.get(value, key)) ? value : Object.fromEntries(safe);
}
