/** Events that a receiver refused for their content: their list, and another attempt once the receiver takes them. */
import type { Administrator } from "../access/actor.ts";
import { recordAudit } from "../audit/record-audit.ts";
import { announcedTransaction } from "../events/index.ts";
import type { Database, Pool } from "../platform/db.ts";
import { comparePositions } from "./digest.ts";
import { lineOf, type StreamLine } from "./formats/format.ts";
import { readEvents } from "./read-record.ts";
import { LAST_PLACE, type StoredStream } from "./repository.ts";
import {
  EVENT_KIND_NAMES,
  type EventFilter,
  type Position,
  type ResentEvents,
  type SetAsideView,
  STREAM_LIMITS,
  type StreamById,
} from "./schema.ts";
import { findStream, type RecordStreams } from "./service.ts";
import * as repository from "./set-aside-repository.ts";
import { createTestLine } from "./test-line.ts";
import { LOST_SECRET, openReceiver } from "./turns/run-turn.ts";
import { type Sent, sendLines } from "./turns/send-lines.ts";

/** The requests of one attempt together. */
const SEND_MS = 20_000;
/** An event is listed once, whatever the filter is now. */
const EVERY_EVENT: EventFilter = { kinds: [...EVENT_KIND_NAMES], agentsMode: "all", agents: [] };

/** The newest of them. */
export const list = ({ pool }: Database, workspaceId: string, { id }: StreamById): Promise<SetAsideView[]> =>
  repository.list(pool, workspaceId, id, STREAM_LIMITS.setAsideShown);

/** Sends the newest of them once more, the oldest of these first. Accepted ones leave the list. Errors: `stream_not_found`. */
export async function sendAgain(world: RecordStreams, actor: Administrator, input: StreamById): Promise<ResentEvents> {
  const { workspaceId } = actor;
  const stream = await findStream(world.db, workspaceId, input.id);
  const listed = (await list(world.db, workspaceId, input)).toSorted(comparePositions);
  const lines = await readLines(world.db.pool, stream, listed);
  const sent = lines.length === 0 ? NOTHING_SENT : await send(world, stream, lines);
  if (sent.kind === "failed") return { accepted: 0, refused: 0, removed: 0, error: sent.error };
  const refused = new Set(sent.setAside.map(({ position }) => textOf(position)));
  const removed = listed.length - lines.length;
  const done = listed.filter((one) => !refused.has(textOf(one)));
  const accepted = done.length - removed;
  await announcedTransaction(world, workspaceId, ["streams"], async (tx) => {
    await repository.remove(tx, workspaceId, stream.id, done);
    await repository.update(tx, workspaceId, stream.id, sent.setAside);
    const counts = { accepted, refused: refused.size, removed };
    const about = { by: actor.name, stream: stream.id, name: stream.name, ...counts };
    await recordAudit(tx, actor, { kind: "stream_events_resent", version: 1, ...about });
  });
  return { accepted, refused: refused.size, removed, error: null };
}

const NOTHING_SENT: Sent = { kind: "sent", status: null, setAside: [] };
const textOf = ({ seq, place }: Position): string => `${seq}.${place}`;

/** The events as the stream sends them now; those that retention has removed are omitted. */
async function readLines(pool: Pool, stream: StoredStream, positions: readonly Position[]): Promise<StreamLine[]> {
  const { workspaceId, masking, format } = stream;
  const lines: StreamLine[] = [];
  for (const { seq, place } of positions) {
    const after = place === 0 ? { seq: seq - 1, place: LAST_PLACE } : { seq, place: place - 1 };
    const range = { after, upTo: { seq, place }, filter: EVERY_EVENT, eventsMax: 1 };
    const { events } = await readEvents(pool, workspaceId, range, masking);
    lines.push(...events.map((event) => lineOf(format, event)));
  }
  return lines;
}

async function send(world: RecordStreams, stream: StoredStream, lines: readonly StreamLine[]): Promise<Sent> {
  const receiver = openReceiver(world, stream, SEND_MS);
  if (receiver === null) return { kind: "failed", status: null, error: LOST_SECRET, isUncertain: false };
  const signal = AbortSignal.timeout(SEND_MS);
  const testLine = createTestLine(stream.workspaceId, stream.format, new Date());
  try {
    return await sendLines({ receiver, testLine, keepOn: async () => !signal.aborted, signal }, lines);
  } finally {
    receiver.close();
  }
}
