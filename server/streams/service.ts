/** Streams of a workspace: where events of its record are sent. Each change is an entry of the record. */
import type { Administrator } from "../access/actor.ts";
import { diffFields } from "../audit/diff-fields.ts";
import { recordAudit } from "../audit/record-audit.ts";
import { AppError } from "../errors/app-error.ts";
import { announcedTransaction, type Bus } from "../events/index.ts";
import type { Database } from "../platform/db.ts";
import { uuidv7 } from "../platform/ids.ts";
import type { AddressRule } from "../platform/outgoing/address-rule.ts";
import { EMPTY_DIGEST } from "./digest.ts";
import * as streams from "./repository.ts";
import {
  type RewindStream,
  type SaveStream,
  STREAM_LIMITS,
  type StreamById,
  type StreamView,
  type TestedStream,
} from "./schema.ts";
import { sealSecret } from "./secret.ts";
import { addressRefusal, originOf } from "./target-address.ts";
import { createTestLine } from "./test-line.ts";
import { LOST_SECRET, openReceiver } from "./turns/run-turn.ts";

export interface RecordStreams {
  readonly db: Database;
  readonly bus: Bus;
  readonly addresses: AddressRule;
  /** The key that secrets are sealed with. */
  readonly key: Buffer;
  /** Where this installation is reached. */
  readonly url: string;
}

const TEST_MS = 10_000;

export async function list({ pool }: Database, workspaceId: string): Promise<StreamView[]> {
  const rows = await streams.list(pool, workspaceId);
  return rows.map((row) => {
    const { target, filter, position, secret } = row;
    const { id, name, kind, format, masking, batchMax, rateMax, isEnabled } = row;
    const { head, events, setAside, resent, removed, lagMs, attempts, status, error } = row;
    const { nextAt, acceptedAt, updatedAt, updatedBy } = row;
    return {
      ...{ id, name, kind, format, masking, batchMax, rateMax, isEnabled, ...target, ...filter },
      ...{ hasSecret: secret !== null, seq: position.seq, head, events, setAside, resent, removed, lagMs },
      ...{ attempts, status, error, nextAt, acceptedAt, updatedAt, updatedBy },
    };
  });
}

/** Made or changed. Errors: `stream_not_found`; `invalid_input` at the field. */
export async function save(world: RecordStreams, actor: Administrator, input: SaveStream): Promise<StreamById> {
  const { workspaceId } = actor;
  const id = input.id ?? uuidv7();
  const refusal = addressRefusal(input.kind, input.address, { addresses: world.addresses, ownUrl: world.url });
  if (refusal !== null) throw refused(refusal, "/address");
  await announcedTransaction(world, workspaceId, ["streams"], async (tx) => {
    const { count, isTaken } = await streams.countForInsert(tx, workspaceId, input.name, id);
    if (isTaken) throw refused("Another stream has this name.", "/name");
    const before = input.id === undefined ? null : await streams.findForUpdate(tx, workspaceId, id);
    if (input.id !== undefined && before === null) throw new AppError("stream_not_found", id);
    const settings = settingsOf(input);
    const written = { ...settings, secret: secretFor(world, workspaceId, id, input, before), updatedBy: actor.name };
    if (before !== null) {
      // The range up to here was sent under the former filter.
      await streams.insertMark(tx, workspaceId, id);
      await streams.update(tx, workspaceId, id, written);
    } else {
      if (count >= STREAM_LIMITS.perWorkspace)
        throw new AppError("invalid_input", undefined, {
          says: `A workspace has at most ${STREAM_LIMITS.perWorkspace} streams.`,
        });
      const seq = input.from === "start" ? 0 : await streams.findHead(tx, workspaceId);
      await streams.insert(tx, workspaceId, id, written, { seq, place: streams.LAST_PLACE }, EMPTY_DIGEST);
    }
    await recordAudit(
      tx,
      actor,
      savedEntry(actor, id, settings, input.secret),
      diffFields(before && shownOf(before), shownOf(settings)),
    );
  });
  return { id };
}

const refused = (says: string, pointer: string) => new AppError("invalid_input", undefined, { says, pointer });

function settingsOf(input: SaveStream): streams.StreamSettings {
  const { name, kind, format, masking, batchMax, rateMax, isEnabled, kinds, agentsMode, agents } = input;
  const { address, index, bucket, region, prefix, fileType, accessKeyId, ca } = input;
  return {
    ...{ name, kind, format, masking, batchMax, rateMax, isEnabled },
    target: { address, index, bucket, region, prefix, fileType, accessKeyId, ca },
    filter: { kinds, agentsMode, agents: agentsMode === "all" ? [] : agents },
  };
}

/** The host alone of an address: the rest may be secret. */
const hostOf = (kind: SaveStream["kind"], address: string): string => originOf(kind, address) ?? "";

function savedEntry(actor: Administrator, id: string, settings: streams.StreamSettings, secret: string | null) {
  const { name, kind, target, format, masking, filter, isEnabled } = settings;
  return {
    ...({ kind: "stream_saved", version: 1 } as const),
    ...{ by: actor.name, stream: id, name, receiver: kind },
    ...{ host: hostOf(kind, target.address), format, masking, events: [...filter.kinds], isEnabled },
    secret: secret === null ? ("kept" as const) : secret === "" ? ("none" as const) : ("set" as const),
  };
}

/** The settings as changes are recorded. */
const shownOf = ({ kind, target, filter, ...rest }: streams.StreamSettings) => {
  const { name, format, masking, batchMax, rateMax, isEnabled } = rest;
  const { index, bucket, region, prefix, fileType } = target;
  return {
    ...{ name, receiver: kind, host: hostOf(kind, target.address), index, bucket, region, prefix, fileType },
    ...{ format, masking, batchMax, rateMax, isEnabled, ...filter, hasOwnCertificates: target.ca !== "" },
  };
};

/** A kept secret is not sent to another place than the one it was entered for. */
function secretFor(
  { key }: RecordStreams,
  workspaceId: string,
  id: string,
  { kind, address, secret }: SaveStream,
  before: streams.StoredStream | null,
): Buffer | null {
  const origin = originOf(kind, address) ?? "";
  if (secret !== null) return secret === "" ? null : sealSecret(key, { workspaceId, id, origin }, secret);
  if (before === null || before.secret === null) return null;
  if (before.kind !== kind || originOf(before.kind, before.target.address) !== origin)
    throw refused("The address is another one. Enter the secret again.", "/secret");
  return before.secret;
}

/** Errors: `stream_not_found`. */
export async function remove(world: RecordStreams, actor: Administrator, { id }: StreamById): Promise<void> {
  const { workspaceId } = actor;
  await announcedTransaction(world, workspaceId, ["streams"], async (tx) => {
    const stream = await streams.findForUpdate(tx, workspaceId, id);
    if (stream === null) throw new AppError("stream_not_found", id);
    const { name, kind, target } = stream;
    await streams.remove(tx, workspaceId, id);
    const about = { stream: id, name, host: hostOf(kind, target.address) };
    await recordAudit(tx, actor, { kind: "stream_removed", version: 1, by: actor.name, ...about });
  });
}

/** Continues after another entry of the record. Errors: `stream_not_found`, `invalid_input`. */
export async function rewind(world: RecordStreams, actor: Administrator, { id, seq }: RewindStream): Promise<void> {
  const { workspaceId } = actor;
  await announcedTransaction(world, workspaceId, ["streams"], async (tx) => {
    const stream = await streams.findForUpdate(tx, workspaceId, id);
    if (stream === null) throw new AppError("stream_not_found", id);
    if (seq > (await streams.findHead(tx, workspaceId))) throw refused("The record has no such entry yet.", "/seq");
    await streams.rewind(tx, workspaceId, id, seq, EMPTY_DIGEST);
    const about = { stream: id, name: stream.name, from: stream.position.seq, to: seq };
    await recordAudit(tx, actor, { kind: "stream_rewound", version: 1, by: actor.name, ...about });
  });
}

/** Sends one test event, and returns the answer. Errors: `stream_not_found`. */
export async function test(world: RecordStreams, workspaceId: string, { id }: StreamById): Promise<TestedStream> {
  const stream = await findStream(world.db, workspaceId, id);
  const receiver = openReceiver(world, stream, TEST_MS);
  if (receiver === null) return { status: null, error: LOST_SECRET };
  try {
    const outcome = await receiver.send([createTestLine(workspaceId, stream.format, new Date())]);
    if (outcome.kind === "failed") return { status: outcome.status, error: outcome.error };
    const refusal = outcome.kind === "refused" ? outcome.reason : (outcome.refused[0]?.reason ?? null);
    return { status: outcome.status, error: refusal };
  } finally {
    receiver.close();
  }
}

/** Errors: `stream_not_found`. */
export async function findStream(db: Database, workspaceId: string, id: string): Promise<streams.StoredStream> {
  const stream = await streams.find(db.pool, workspaceId, id);
  if (stream === null) throw new AppError("stream_not_found", id);
  return stream;
}
