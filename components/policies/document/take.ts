/** Candidates for taking something out of a text, and for swapping two neighbours. */
import { isMap, isNode, isSeq, type YAMLMap, type YAMLSeq } from "yaml";
import type { Change } from "@/components/policies/document/change";
import { type Slot, slots, startOfPair, tokensOf } from "@/components/policies/document/geometry";
import { endOfEither, type Ways } from "@/components/policies/document/put";
import { lineEnd, lineStart, startOf } from "@/components/policies/document/yaml-tree";

type Collection = YAMLMap | YAMLSeq;

/**
 * Removes one of several items or pairs from its collection. A comment directly above a list item is removed with it.
 */
export function takeOut(text: string, collection: Collection, index: number): Ways {
  if (collection.flow) return [takeOutOfFlow(text, collection, index)];
  const places = slots(text, collection);
  const slot = places?.[index];
  if (!places || !slot) return [];
  const from = isSeq(collection) ? slot.from : lineStart(text, slot.start);
  if (isMap(collection) && index === 0 && text.slice(from, slot.start).trim() !== "")
    return [takeFirstPair(text, slot, places[1])];
  return [[lines(text, from, slot.to)]];
}

/** Whole lines, with the line end after them; at the end of the text, the one before. */
function lines(text: string, from: number, to: number): Change {
  const next = text.indexOf("\n", to);
  if (next !== -1) return { from, to: next + 1, insert: "" };
  const before = lineEnd(text, Math.max(0, lineStart(text, from) - 1));
  return { from: from === 0 ? 0 : Math.min(before, from), to, insert: "" };
}

/** Removes the pair on the line of a dash: the next one moves up to the dash, unless a comment is between them. */
function takeFirstPair(text: string, slot: Slot, next: Slot | undefined): Change[] {
  if (!next) return [];
  const between = text.slice(slot.to, next.start);
  if (between.trim() === "") return [{ from: slot.start, to: next.start, insert: "" }];
  const blanks = /[^\S\r\n]*$/.exec(text.slice(0, slot.start))?.[0].length ?? 0;
  return [{ from: slot.start - blanks, to: slot.to, insert: "" }];
}

function takeOutOfFlow(text: string, collection: Collection, index: number): Change[] {
  const start = (at: number) => startOfEither(collection.items[at]);
  const end = (at: number) => endOfEither(text, collection.items[at]);
  const isBare = (from: number, to: number) => /^\s*,?\s*$/.test(text.slice(from, to));
  if (index + 1 < collection.items.length && isBare(end(index), start(index + 1)))
    return [{ from: start(index), to: start(index + 1), insert: "" }];
  if (index > 0 && isBare(end(index - 1), start(index))) return [{ from: end(index - 1), to: end(index), insert: "" }];
  // Comments surround it: only the item and its comma are removed.
  const comma = /^\s*,/.exec(text.slice(end(index)))?.[0].length ?? 0;
  return [{ from: start(index), to: end(index) + comma, insert: "" }];
}

function startOfEither(item: unknown): number {
  if (isNode(item)) return startOf(item);
  const pair = item as YAMLMap["items"][number]; // holds: a collection's items are nodes or pairs
  return tokensOf(pair)?.start.find(({ type }) => type === "anchor" || type === "tag")?.offset ?? startOfPair(pair);
}

/** Swaps two neighbours; the text between them stays. */
export function swap(text: string, collection: Collection, index: number, other: number): Ways {
  const [upper, lower] = [Math.min(index, other), Math.max(index, other)];
  if (collection.flow) {
    const place = (at: number) => ({
      from: startOfEither(collection.items[at]),
      to: endOfEither(text, collection.items[at]),
    });
    return [exchanged(text, place(upper), place(lower))];
  }
  const places = slots(text, collection);
  const [above, below] = [places?.[upper], places?.[lower]];
  return above && below ? [exchanged(text, above, below)] : [];
}

interface Span {
  readonly from: number;
  readonly to: number;
}

function exchanged(text: string, above: Span, below: Span): Change[] {
  return [
    { from: above.from, to: above.to, insert: text.slice(below.from, below.to) },
    { from: below.from, to: below.to, insert: text.slice(above.from, above.to) },
  ];
}
