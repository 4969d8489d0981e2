/**
 * Compares a stream with the record: between two marks, the record must give the same number of events and the same hash
 * as the stream counted when it sent them.
 */
import { AppError } from "../errors/app-error.ts";
import type { Database, Pool } from "../platform/db.ts";
import { comparePositions, eventId, extendDigest } from "./digest.ts";
import { lineOf } from "./formats/format.ts";
import { type EventRef, readEvents, readRefs } from "./read-record.ts";
import { findHead } from "./record-repository.ts";
import * as streams from "./repository.ts";
import {
  type CheckStream,
  type EventFilter,
  type ListManifest,
  type ManifestPage,
  type Position,
  STREAM_LIMITS,
  type StreamCheck,
  type TailPage,
  type TailRecord,
} from "./schema.ts";

/** The limits of one page, which is answered within a second or two. */
const PAGE = { events: 10_000, marks: 50 };
const READ_MAX = 1_000;
const BEGINNING: Position = { seq: 0, place: 0 };

/** Errors: `stream_not_found`. */
export async function check({ pool }: Database, workspaceId: string, { id, after }: CheckStream): Promise<StreamCheck> {
  const stream = await streams.find(pool, workspaceId, id);
  if (stream === null) throw new AppError("stream_not_found", id);
  const listed = await streams.listMarks(pool, workspaceId, id, after ?? BEGINNING, PAGE.marks);
  const marks = [...listed, ...presentMark(stream, listed)];
  const result = { sent: 0, recorded: 0, removed: 0, differing: [] as StreamCheck["differing"] };
  let [from] = marks;
  let compared = 0;
  for (const to of marks.slice(1)) {
    if (from === undefined || compared >= PAGE.events) break;
    const range = await rangeOf(pool, workspaceId, from.position, to.position, to.filter, from.digest);
    const sent = to.events - from.events;
    // Rows that retention has removed cannot be compared.
    const goneSince = Math.max(0, range.removed - (to.removed - from.removed));
    const isEqual = range.events === sent && range.digest.equals(to.digest);
    if (!isEqual && goneSince === 0)
      result.differing.push({ from: from.position.seq, to: to.position.seq, sent, recorded: range.events });
    result.sent += sent;
    result.recorded += range.events;
    result.removed += goneSince;
    compared += range.events + range.removed;
    from = to;
  }
  const end = from?.position ?? stream.position;
  const isDone = comparePositions(end, stream.position) >= 0;
  return { ...result, to: end.seq, next: isDone ? null : end };
}

/** The stream's present position as a mark, after the last of its marks. */
function presentMark(stream: streams.StoredStream, listed: readonly streams.Mark[]): streams.Mark[] {
  const last = listed.at(-1);
  const isPage = listed.length === PAGE.marks;
  return isPage || (last && comparePositions(last.position, stream.position) >= 0) ? [] : [stream];
}

async function rangeOf(
  pool: Pool,
  workspaceId: string,
  from: Position,
  upTo: Position,
  filter: EventFilter,
  before: Buffer,
) {
  let [after, digest, events, removed] = [from, before, 0, 0];
  for (let isMore = true; isMore; ) {
    const part = await readRefs(pool, workspaceId, { after, upTo, filter, eventsMax: READ_MAX });
    digest = extendDigest(digest, part.events);
    events += part.events.length;
    removed += part.removed;
    isMore = part.isMore && comparePositions(part.upTo, after) > 0;
    after = part.upTo;
  }
  return { digest, events, removed };
}

/** The places and hashes of the record's events, to compare with what a receiver has. */
export async function manifest(
  { pool }: Database,
  workspaceId: string,
  { after, to, ...filter }: ListManifest,
): Promise<ManifestPage> {
  const refs: EventRef[] = [];
  let [at, removed, isMore] = [after, 0, true];
  while (isMore && refs.length < STREAM_LIMITS.manifestMax) {
    const range = { after: at, upTo: { seq: to, place: streams.LAST_PLACE }, filter, eventsMax: READ_MAX };
    const part = await readRefs(pool, workspaceId, range);
    refs.push(...part.events);
    removed += part.removed;
    isMore = part.isMore && comparePositions(part.upTo, at) > 0;
    at = part.upTo;
  }
  const events = refs.map(({ position, hash }) => ({ id: eventId(position), hash }));
  return { events, removed, next: isMore ? at : null };
}

/** The next events as lines; without a position, the head of the record is where the tail begins. */
export async function tail(
  { pool }: Database,
  workspaceId: string,
  { after, format, masking, limit, ...filter }: TailRecord,
): Promise<TailPage> {
  const from = after ?? { seq: await findHead(pool, workspaceId), place: streams.LAST_PLACE };
  const part = await readEvents(pool, workspaceId, { after: from, filter, eventsMax: limit }, masking);
  return { lines: part.events.map((event) => lineOf(format, event).text), after: part.upTo, isMore: part.isMore };
}
