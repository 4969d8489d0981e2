/**
 * An evidence file: JSON lines of some dispatches, chosen by a filter, each with the stretch of the chain between its batch
 * and the next signature. First what it is, then the public keys, the texts of the policies that spoke, and the stretches;
 * each stretch is an export (export-lines.ts) that holds the chosen dispatches alone.
 */
import { z } from "zod";

const count = z.number().int().nonnegative();

export const evidenceHead = z.object({
  type: z.literal("evidence"),
  version: z.literal(1),
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

/** The text of a revision that a hook of a chosen dispatch is of. */
export const revisionLine = z.object({
  type: z.literal("revision"),
  policy: z.string(),
  revision: z.number().int().positive(),
  /** Of `source`, in hex. */
  sha256: z.string(),
  source: z.string(),
});
export type RevisionLine = z.infer<typeof revisionLine>;
