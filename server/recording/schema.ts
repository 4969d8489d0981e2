import { z } from "zod";

/** How a dispatch reached us: decided here, or reported after it happened elsewhere. */
export const recordOrigin = z.enum(["dispatch", "report"]);
export type RecordOrigin = z.infer<typeof recordOrigin>;

/** What one configured hook did, as stored beside its dispatch and shown in a drawer. */
export const storedHook = z.object({
  policy: z.string(),
  revision: z.number(),
  path: z.string(),
  name: z.string(),
  type: z.string(),
  /** completed, refused or failed. */
  outcome: z.string(),
  said: z.string(),
  failure: z.string().optional(),
  startedMs: z.number(),
  durationMs: z.number(),
  exitCode: z.number().optional(),
  stdout: z.string(),
  stderr: z.string(),
});
export type StoredHook = z.infer<typeof storedHook>;
export const storedHooks = z.array(storedHook);
