/**
 * One turn of a stream: it reads events behind its position, sends them and moves the position. A process that dies in
 * between has moved nothing, and the next one sends the same events again.
 */
import type { Pool } from "../../platform/db.ts";
import type { AddressRule } from "../../platform/outgoing/address-rule.ts";
import { comparePositions, extendDigest } from "../digest.ts";
import { lineOf, type StreamLine } from "../formats/format.ts";
import { readEvents } from "../read-record.ts";
import { createReceiver } from "../receivers/create-receiver.ts";
import type { Receiver } from "../receivers/receiver.ts";
import type { StoredStream } from "../repository.ts";
import type { Position } from "../schema.ts";
import { openSecret } from "../secret.ts";
import { originOf } from "../target-address.ts";
import { createTestLine } from "../test-line.ts";
import * as turns from "./repository.ts";
import { type Sent, sendLines } from "./send-lines.ts";

export const TURN_LIMITS = {
  /** The events of one request together. */
  requestBytesMax: 4 * 1024 * 1024,
  requestMs: 20_000,
  /** Extended during a turn: a process that dies delays its streams by this at most. */
  leaseMs: 10_000,
  turnMs: 5_000,
  /** Between the end of a turn and the next: events gather, so that gates share PostgreSQL with fewer commits. */
  restMs: 250,
  /** A file of a store gathers events for this long, unless it is full. */
  gatherMs: 30_000,
};
/** Until the same request is repeated. */
const PAUSES_MS = [1_000, 2_000, 5_000, 10_000, 30_000, 60_000];

export interface TurnWorld {
  readonly pool: Pool;
  /** Null when the secret cannot be read. The receiver stays open between turns. */
  readonly receiverOf: (stream: StoredStream) => Receiver | null;
  readonly limits: typeof TURN_LIMITS;
  readonly signal: AbortSignal;
  /** Awaited before each request. */
  readonly giveWay: () => Promise<void>;
  /** Hears of each request that failed. */
  readonly onFailure: (stream: StoredStream, attempts: number, error: string) => void;
}

export const LOST_SECRET = "The secret was stored with another encryption key. Enter it again.";

export interface ReceiverWorld {
  readonly addresses: AddressRule;
  /** The key that secrets are sealed with. */
  readonly key: Buffer;
}

/** Null when the secret cannot be read. */
export function openReceiver(
  { addresses, key }: ReceiverWorld,
  { workspaceId, id, kind, target, secret }: StoredStream,
  timeoutMs: number,
): Receiver | null {
  const owner = { workspaceId, id, origin: originOf(kind, target.address) ?? "" };
  const plain = secret === null ? null : openSecret(key, owner, secret);
  if (secret !== null && plain === null) return null;
  return createReceiver({ kind, target, secret: plain, addresses, timeoutMs });
}

/** Returns the milliseconds until the stream can be due again; null when another process has its lease. */
export async function runTurn(world: TurnWorld, claimed: turns.ClaimedStream): Promise<number | null> {
  const { stream, lease } = claimed;
  const receiver = world.receiverOf(stream);
  if (receiver === null)
    return fail(world, claimed, { status: null, error: LOST_SECRET, isUncertain: claimed.isUncertain });
  const { pool, limits } = world;
  // A failure is found by the next step, whose lease is lost then.
  const extend = () => void turns.extend(pool, stream, lease, limits.leaseMs).catch(() => undefined);
  const timer = setInterval(extend, limits.leaseMs / 3);
  try {
    return await follow(world, claimed, receiver);
  } finally {
    clearInterval(timer);
  }
}

/** Sends one request after the other until nothing is left, the turn is over or one fails. */
async function follow(world: TurnWorld, claimed: turns.ClaimedStream, receiver: Receiver): Promise<number | null> {
  const { pool, limits, signal } = world;
  const untilMs = performance.now() + limits.turnMs;
  let now = claimed;
  for (;;) {
    const step = await takeStep(world, now, receiver);
    if (step.kind === "ended") return step.dueMs;
    const restMs = Math.max(limits.restMs, step.restMs);
    const isOver = signal.aborted || step.restMs > limits.restMs || performance.now() >= untilMs;
    if (!step.isMore || isOver) {
      await turns.release(pool, claimed.stream, claimed.lease, restMs);
      // Also when nothing is left: an event that is recorded during the rest waits for its end.
      return restMs;
    }
    now = { ...now, stream: step.stream, pending: null, isUncertain: false, attempts: 0 };
  }
}

interface Taken {
  readonly kind: "taken";
  readonly stream: StoredStream;
  readonly isMore: boolean;
  readonly restMs: number;
}

/** The turn is over; `dueMs` as `runTurn` returns it. */
interface Ended {
  readonly kind: "ended";
  readonly dueMs: number | null;
}

const LEASE_LOST: Ended = { kind: "ended", dueMs: null };

async function takeStep(world: TurnWorld, now: turns.ClaimedStream, receiver: Receiver): Promise<Taken | Ended> {
  await world.giveWay();
  const { stream, lease } = now;
  const { pool, limits } = world;
  const begunMs = performance.now();
  const chunk = await readChunk(world, now);
  const { lines, upTo, removed, isMore } = chunk;
  if (lines.length === 0 && comparePositions(upTo, stream.position) === 0)
    return { kind: "taken", stream, isMore: false, restMs: limits.restMs };
  const waitMs = now.pending === null && !isMore ? gatherMs(world, stream, lines) : 0;
  if (waitMs > 0) return { kind: "taken", stream, isMore: false, restMs: waitMs };
  const sent = lines.length === 0 ? NOTHING_SENT : await send(world, now, receiver, chunk);
  if (sent.kind === "ended") return sent;
  const digest = extendDigest(stream.digest, lines);
  const restMs = Math.max(0, (lines.length * 1_000) / stream.rateMax - (performance.now() - begunMs));
  const { status, setAside } = sent;
  const step = { upTo, digest, events: lines.length, removed, hasSent: lines.length > 0, restMs, status, setAside };
  if (!(await turns.advance(pool, stream, lease, limits.leaseMs, step))) return LEASE_LOST;
  return { kind: "taken", stream: { ...stream, position: upTo, digest }, isMore, restMs };
}

const NOTHING_SENT = { kind: "sent", status: null, setAside: [] } as const;

/** Milliseconds that a file still waits for more events. */
function gatherMs({ limits }: TurnWorld, { kind, batchMax }: StoredStream, lines: readonly StreamLine[]): number {
  const [oldest] = lines;
  if (kind !== "s3" || oldest === undefined || lines.length >= batchMax) return 0;
  return Math.min(limits.gatherMs, Date.parse(oldest.recordedAt) + limits.gatherMs - Date.now());
}

interface Chunk {
  readonly lines: readonly StreamLine[];
  readonly upTo: Position;
  readonly removed: number;
  readonly isMore: boolean;
}

/** The events of the next request; those of the one that was begun last, where it was not accepted. */
async function readChunk({ pool, limits }: TurnWorld, { stream, pending }: turns.ClaimedStream): Promise<Chunk> {
  const { workspaceId, filter, position: after, masking, format, batchMax } = stream;
  const read = async (eventsMax: number): Promise<Chunk> => {
    const range = { after, upTo: pending ?? undefined, filter, eventsMax };
    const part = await readEvents(pool, workspaceId, range, masking);
    return { ...part, lines: part.events.map((event) => lineOf(format, event)) };
  };
  const chunk = await read(batchMax);
  if (pending !== null) return chunk.isMore ? chunk : { ...chunk, upTo: pending, isMore: true };
  const fitting = countFitting(chunk.lines, limits.requestBytesMax);
  return fitting === chunk.lines.length ? chunk : read(fitting);
}

/** The number of events that fit into a request, at least one. */
function countFitting(lines: readonly StreamLine[], bytesMax: number): number {
  let bytes = 0;
  const index = lines.findIndex(({ text }) => {
    bytes += Buffer.byteLength(text);
    return bytes > bytesMax;
  });
  return index === -1 ? lines.length : Math.max(1, index);
}

async function send(
  world: TurnWorld,
  now: turns.ClaimedStream,
  receiver: Receiver,
  { lines, upTo }: Chunk,
): Promise<Extract<Sent, { kind: "sent" }> | Ended> {
  const { pool, limits, signal } = world;
  const { stream, lease, pending, isUncertain } = now;
  const again = pending !== null && isUncertain ? lines.length : 0;
  if (!(await turns.begin(pool, stream, lease, limits.leaseMs, { upTo, again }))) return LEASE_LOST;
  const testLine = createTestLine(stream.workspaceId, stream.format, new Date());
  const keepOn = () => turns.extend(pool, stream, lease, limits.leaseMs);
  const sent = await sendLines({ receiver, testLine, keepOn, signal }, lines);
  if (sent.kind === "sent") return sent;
  if (signal.aborted) {
    // The process ends: the next one sends the same events again.
    await turns.release(pool, stream, lease, 0);
    return LEASE_LOST;
  }
  return { kind: "ended", dueMs: await fail(world, now, { ...sent, isUncertain: sent.isUncertain || isUncertain }) };
}

async function fail(
  { pool, onFailure }: TurnWorld,
  { stream, lease, attempts }: turns.ClaimedStream,
  failed: Omit<turns.FailedRequest, "pauseMs">,
): Promise<number> {
  const pauseMs = PAUSES_MS[Math.min(attempts, PAUSES_MS.length - 1)] ?? 0;
  await turns.fail(pool, stream, lease, { ...failed, pauseMs });
  onFailure(stream, attempts + 1, failed.error);
  return pauseMs;
}
