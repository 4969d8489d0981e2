/**
 * An export: JSON lines that anyone with the public key can verify. It holds a header, the keys, every entry in order,
 * each followed by its checkpoint and, if requested, its dispatches, and the number of each at the end.
 */
import { z } from "zod";
import type { ChainedEntry } from "./chain.ts";
import { checkpoint } from "./checkpoint.ts";
import { contentDigest, dispatchLeafOf } from "./leaf.ts";
import { namePart } from "./person-names.ts";
import type { HeldRow } from "./verify-batches.ts";

/** Dispatches in an export of version 2 may have facts, without which their leaves cannot be made again. */
export const EXPORT_VERSION = 2;
const seq = z.number().int().positive();
const hash = z.string().regex(/^[0-9a-f]{64}$/);
const text = z.string().nullable();
/** A leaf separates its fields by a NUL: with a NUL inside a field, two rows could have the same leaf. */
const field = z.string().refine((value) => !value.includes("\0"), "holds a NUL");

export const exportHead = z.strictObject({
  type: z.literal("export"),
  version: z.literal([1, EXPORT_VERSION]),
  workspace: z.uuid(),
  name: z.string(),
  exportedAt: z.iso.datetime(),
  from: seq,
  to: z.number().int().nonnegative(),
  /** The hash before the first entry of the export. */
  previous: hash,
  dispatches: z.boolean(),
  /** True when only some dispatches of each batch are there: a stretch of an evidence file. */
  picked: z.boolean().optional(),
});
export type ExportHead = z.infer<typeof exportHead>;

export const keyLine = z.strictObject({
  type: z.literal("key"),
  id: z.string(),
  publicKey: z.string(),
  since: z.string(),
});

const entryLine = z.strictObject({
  type: z.literal("entry"),
  workspace: z.string(),
  seq,
  at: z.string(),
  chain: z.number().int(),
  actor: z.strictObject({ id: z.string(), kind: z.string(), name: z.string() }).nullable(),
  from: z.strictObject({ ip: text, userAgent: text }).nullable(),
  kind: z.string(),
  target: text,
  body: z.string(),
  changes: text,
  hash: z.string(),
  /** The names of its people that still exist. Older programs ignore them. */
  names: z.array(namePart).optional(),
}) satisfies z.ZodType<ChainedEntry>;

/** Every column of a `dispatch` row; content is null when it was erased, and then its digest is there. */
const dispatchLine = z.strictObject({
  type: z.literal("dispatch"),
  batch: field,
  place: z.number().int(),
  workspaceId: field,
  id: field,
  occurredAt: field,
  receivedAt: field,
  agentId: field,
  agentName: field,
  sessionId: field,
  event: field,
  lane: field,
  origin: field,
  toolName: field.nullable(),
  toolUseId: field.nullable(),
  toolError: z.boolean().nullable(),
  verdict: field,
  revision: field,
  durationUs: z.number(),
  content: z
    .strictObject({
      salt: field,
      input: field,
      answer: field,
      hooks: field,
      detail: field.nullable(),
      reason: field.nullable().default(null),
    })
    .nullable(),
  contentSha256: field.nullable(),
  facts: field.nullable().default(null),
});
const consistentDispatchLine = dispatchLine.refine(
  ({ content, contentSha256 }) => content === null || contentSha256 === null,
  "holds a digest beside its content",
);
export type DispatchLine = z.infer<typeof dispatchLine>;

/** A dispatch reduced to its leaf as the server computed it: enough to check the server's own database. */
const heldLine = z.strictObject({
  type: z.literal("held"),
  id: z.string(),
  batch: z.string(),
  place: z.number().int(),
  leaf: text,
  isErased: z.boolean(),
}) satisfies z.ZodType<HeldRow>;

const endLine = z.strictObject({
  type: z.literal("end"),
  entries: z.number().int(),
  seq: z.number().int(),
  hash: z.string(),
});

export const exportLine = z.discriminatedUnion("type", [
  exportHead,
  keyLine,
  entryLine,
  checkpoint.strict(),
  consistentDispatchLine,
  heldLine,
  endLine,
]);
export type ExportLine = z.infer<typeof exportLine>;

/** A dispatch of an export, with its leaf computed again. */
export function toDispatchRow(line: DispatchLine): HeldRow {
  const { id, batch, place, content, contentSha256 } = line;
  const digest = content === null ? contentSha256 : contentDigest(content);
  return { id, batch, place, leaf: digest === null ? null : dispatchLeafOf(line, digest), isErased: content === null };
}
