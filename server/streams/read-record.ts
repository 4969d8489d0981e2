/** Reads the events of the record that pass a filter, in the order of the chain, behind a position. */
import type { Pool } from "../platform/db.ts";
import { comparePositions } from "./digest.ts";
import { readFacts } from "./dispatch-facts.ts";
import { kindOfDispatch, kindOfEntry, passes } from "./event-kinds.ts";
import { type RecordEvent, textsAt } from "./record-event.ts";
import * as record from "./record-repository.ts";
import type { EventFilter, EventKind, MaskingLevel, Position } from "./schema.ts";

/** Rows of one reading, whether they pass or not. */
const SLOTS_MAX = 1_000;
const EVERYTHING = Number.MAX_SAFE_INTEGER;

export interface ReadRange {
  readonly after: Position;
  /** The last position; absent: the chain's head. */
  readonly upTo?: Position | undefined;
  readonly filter: EventFilter;
  readonly eventsMax: number;
}

/** An event of the record by its place and hash. */
export interface EventRef {
  readonly position: Position;
  readonly kind: EventKind;
  readonly hash: string;
}

interface Slot {
  readonly position: Position;
  readonly hash: string;
  readonly recordedAt: string;
  readonly key: record.CallKey | null;
  readonly entry: record.StoredEntry | null;
}

interface Passed extends EventRef {
  readonly slot: Slot;
  readonly call: record.StoredCall | null;
}

interface Part<T> {
  readonly events: readonly T[];
  /** Every event up to it is in `events` or does not pass. */
  readonly upTo: Position;
  /** Rows that retention has removed; whether they would have passed is unknown. */
  readonly removed: number;
  /** True if the range has more after `upTo`. */
  readonly isMore: boolean;
}

/** The events with their contents at a level of masking. */
export async function readEvents(
  pool: Pool,
  workspaceId: string,
  range: ReadRange,
  masking: MaskingLevel,
): Promise<Part<RecordEvent>> {
  const part = await readPassed(pool, workspaceId, range);
  const keys = masking === "facts" ? [] : part.events.flatMap(({ slot }) => slot.key ?? []);
  const texts = await record.listTexts(pool, workspaceId, keys);
  return { ...part, events: part.events.map((one) => eventOf(workspaceId, one, texts, masking)) };
}

/** The places and hashes of the events alone. */
export async function readRefs(pool: Pool, workspaceId: string, range: ReadRange): Promise<Part<EventRef>> {
  const part = await readPassed(pool, workspaceId, range);
  return { ...part, events: part.events.map(({ position, kind, hash }) => ({ position, kind, hash })) };
}

async function readPassed(pool: Pool, workspaceId: string, range: ReadRange): Promise<Part<Passed>> {
  const { after, upTo: end, filter, eventsMax } = range;
  const chain = await record.listChain(pool, workspaceId, after.seq, end?.seq ?? EVERYTHING);
  const all = slotsOf(chain, after, end);
  const slots = all.slice(0, SLOTS_MAX);
  const calls = await record.listCalls(
    pool,
    workspaceId,
    slots.flatMap(({ key }) => key ?? []),
  );
  const events: Passed[] = [];
  let removed = 0;
  let upTo = after;
  let taken = 0;
  for (const slot of slots) {
    const found = passedOf(slot, calls, filter);
    if (found === "removed") removed += 1;
    else if (found !== null) events.push(found);
    upTo = slot.position;
    taken += 1;
    if (events.length === eventsMax) break;
  }
  const isWhole = taken === all.length;
  if (isWhole) upTo = laterOf(upTo, { seq: chain.bound, place: 0 });
  const goal = end === undefined ? chain.head : Math.min(end.seq, chain.head);
  return { events, upTo, removed, isMore: !isWhole || chain.bound < goal };
}

const laterOf = (a: Position, b: Position): Position => (comparePositions(a, b) < 0 ? b : a);

/** Entries and rows of batches after a position and up to the end, in their order. */
function slotsOf({ batches, entries, bound }: record.ChainPart, after: Position, end: Position | undefined): Slot[] {
  const ofEntries = entries.map(
    (entry): Slot => ({
      position: { seq: entry.seq, place: 0 },
      ...{ hash: entry.hash, recordedAt: entry.at, key: null, entry },
    }),
  );
  const ofBatches = batches.flatMap(({ seq, ids, instants, leaves, recordedAt }) =>
    ids.flatMap((id, place): Slot[] => {
      const [at, hash] = [instants[place], leaves[place]];
      // The lists of a batch have one length; a row without an instant cannot be found.
      return at && hash ? [{ position: { seq, place }, hash, recordedAt, key: { id, at }, entry: null }] : [];
    }),
  );
  return [...ofEntries, ...ofBatches]
    .filter(({ position }) => position.seq <= bound && comparePositions(position, after) > 0)
    .filter(({ position }) => end === undefined || comparePositions(position, end) <= 0)
    .sort((a, b) => comparePositions(a.position, b.position));
}

function passedOf(
  slot: Slot,
  calls: ReadonlyMap<string, record.StoredCall>,
  filter: EventFilter,
): Passed | "removed" | null {
  const { position, hash, entry, key } = slot;
  if (entry !== null) {
    const kind = kindOfEntry(entry.kind);
    return passes(filter, kind, null) ? { position, hash, kind, slot, call: null } : null;
  }
  const call = calls.get(key?.id ?? "");
  if (call === undefined) return "removed";
  const kind = kindOfDispatch({ facts: readFacts(call.facts), verdict: call.verdict });
  return passes(filter, kind, call.agentId) ? { position, hash, kind, slot, call } : null;
}

function eventOf(
  workspaceId: string,
  { position, hash, kind, slot, call }: Passed,
  texts: ReadonlyMap<string, Parameters<typeof textsAt>[1]>,
  masking: MaskingLevel,
): RecordEvent {
  const { entry, recordedAt } = slot;
  const common = { workspaceId, position, hash, kind, recordedAt };
  if (call === null) return { ...common, at: recordedAt, agent: null, act: entry && actOf(entry, masking) };
  const { at, facts, ...columns } = call;
  const stored = texts.get(call.id) ?? { input: null, inputLength: 0, reason: null };
  return { ...common, at, act: null, agent: { ...columns, facts: readFacts(facts), ...textsAt(masking, stored) } };
}

function actOf(entry: record.StoredEntry, masking: MaskingLevel): NonNullable<RecordEvent["act"]> {
  const { kind, target, actorKind, actorId, ip, userAgent, body } = entry;
  const actor = actorKind === null || actorId === null ? null : { kind: actorKind, id: actorId };
  return { entry: kind, target, actor, ip, userAgent, body: masking === "facts" ? null : membersOf(body) };
}

/** Null for a body that is not an object of JSON: the chain's verification names it. */
function membersOf(text: string): Readonly<Record<string, unknown>> | null {
  try {
    const value: unknown = JSON.parse(text);
    // Holds: an object of JSON has members of unknown types.
    return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : null;
  } catch {
    return null;
  }
}
