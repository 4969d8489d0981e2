import { z } from "zod";

const seq = z.number().int().positive();

/** Which dispatches an export holds: none, their rows, or their leaves as the server makes them. */
export const EXPORT_DISPATCHES = ["none", "rows", "leaves"] as const;
const dispatches = z.enum(EXPORT_DISPATCHES).default("none");

export const exportStart = z.strictObject({ from: seq.optional(), to: seq.optional(), dispatches });
export type ExportStart = z.infer<typeof exportStart>;

const place = z.strictObject({
  after: z.number().int().nonnegative(),
  to: z.number().int().nonnegative(),
  /** How many entries were told before. */
  entries: z.number().int().nonnegative(),
});

export const exportPageInput = place.extend({
  dispatches,
  /** Whether the export begins with the first entry: then dispatches that no entry speaks of are told at the end. */
  isWhole: z.boolean().default(false),
});
export type ExportPageInput = z.infer<typeof exportPageInput>;

export const exportPage = z.strictObject({
  /** JSON lines. */
  text: z.string(),
  /** Null at the end. */
  next: place.nullable(),
  /** How many entries there will be; with the first page only. */
  total: z.number().nullable(),
});
export type ExportPage = z.infer<typeof exportPage>;
