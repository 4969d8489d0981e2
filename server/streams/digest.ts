/**
 * The running hash of a stream. After each event it is sha256(hash before || text), with the text `seq.place hash`: the event's
 * place in the record, and its leaf or the hash of its entry there. The first hash before is 32 zero bytes. Pure.
 */
import { sha256 } from "../platform/secrets.ts";
import type { Position } from "./schema.ts";

export const EMPTY_DIGEST: Buffer = Buffer.alloc(32);

/** The place of an event in the record, as text: `1042.3`. */
export const eventId = ({ seq, place }: Position): string => `${seq}.${place}`;

export function extendDigest(
  before: Buffer,
  events: readonly { readonly position: Position; readonly hash: string }[],
): Buffer {
  return events.reduce(
    (digest, { position, hash }) => sha256(Buffer.concat([digest, Buffer.from(`${eventId(position)} ${hash}`)])),
    before,
  );
}

/** Negative, zero or positive: the order of two positions. */
export const comparePositions = (a: Position, b: Position): number => a.seq - b.seq || a.place - b.place;
