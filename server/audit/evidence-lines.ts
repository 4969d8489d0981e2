/**
 * An evidence file: JSON lines of some dispatches, chosen by a filter, each with the span of the chain between its
 * batch and the next signature. The order of the lines: the header, the public keys, the texts of the policies
 * involved, the spans, and the console's seal over all of them. Each span is an export (export-lines.ts) that holds the
 * chosen dispatches only. Spans also hold the entries that published the texts, if the file has room for them.
 *
 * Files of version 1 have no seal, so their header is not proven.
 */
import { z } from "zod";

export const EVIDENCE_VERSION = 2;
const count = z.number().int().nonnegative();

export const evidenceHead = z.strictObject({
  type: z.literal("evidence"),
  version: z.literal([1, EVIDENCE_VERSION]),
  workspace: z.uuid(),
  name: z.string(),
  madeAt: z.iso.datetime(),
  madeBy: z.string(),
  /** The range and the filter, as a person reads them. */
  asked: z.string(),
  calls: count,
  dispatches: count,
  /** Chosen dispatches that were recorded before rows could be proven one by one; they are not in the file. */
  unproven: count,
  stretches: count,
  /** The command that verifies the file. */
  verify: z.string(),
});
export type EvidenceHead = z.infer<typeof evidenceHead>;

/** The text of a revision with a hook of a chosen dispatch. */
export const revisionLine = z.strictObject({
  type: z.literal("revision"),
  policy: z.string(),
  revision: z.number().int().positive(),
  /** SHA-256 of `source`, in hex. */
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
  source: z.string(),
});
export type RevisionLine = z.infer<typeof revisionLine>;
