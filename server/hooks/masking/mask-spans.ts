/** Parts of a text that are replaced, and their replacement. */
import { REDACTED } from "../handlers/builtin/secrets/redact.ts";

/** A part from `start` (inclusive) to `end` (exclusive), found by the rule with this id. */
export interface MaskSpan {
  readonly id: string;
  readonly start: number;
  readonly end: number;
}

/** The number of replaced parts by the id of the rule that found them. */
export type MaskHits = Map<string, number>;

const MARKER = "";

/**
 * The text with every span replaced by the marker; the same string if that changes nothing. Overlapping spans give one marker. A
 * span that touches a part of an earlier marker takes all of it, so that masking twice adds nothing. `hits` counts the replaced parts.
 */
export function replaceSpans(text: string, spans: readonly MaskSpan[], hits?: MaskHits): string {
  if (spans.length === 0) return text;
  let safe = "";
  let from = 0;
  for (const { id, start, end } of merge([...spans, ...markersOf(text)])) {
    safe += text.slice(from, start) + REDACTED;
    from = end;
    if (hits && id !== MARKER) hits.set(id, (hits.get(id) ?? 0) + 1);
  }
  safe += text.slice(from);
  return safe === text ? text : safe;
}

function markersOf(text: string): MaskSpan[] {
  const found: MaskSpan[] = [];
  for (let at = text.indexOf(REDACTED); at !== -1; at = text.indexOf(REDACTED, at + REDACTED.length))
    found.push({ id: MARKER, start: at, end: at + REDACTED.length });
  return found;
}

/** In order and apart. A span inside an earlier marker stays that marker. */
function merge(spans: readonly MaskSpan[]): MaskSpan[] {
  const apart: { id: string; start: number; end: number }[] = [];
  for (const span of [...spans].sort((a, b) => a.start - b.start || b.end - a.end)) {
    const last = apart.at(-1);
    if (!last || span.start >= last.end) {
      apart.push({ ...span });
      continue;
    }
    const isInMarker = last.id === MARKER && span.end <= last.end;
    if (!isInMarker && last.id === MARKER) last.id = span.id;
    last.end = Math.max(last.end, span.end);
  }
  return apart;
}
