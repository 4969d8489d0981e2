/** The CSV of all calls that a filter finds. */
import { z } from "zod";
import { countDecisionsInput, decisionFilters, decisionKey } from "./schema.ts";

/** The most calls in one CSV file. */
export const EXPORT_CALLS_MAX = 100_000;

export const callsExportInput = countDecisionsInput.extend({
  /** The end of the previous part. */
  cursor: decisionKey.nullish(),
});
export type CallsExportInput = z.infer<typeof callsExportInput>;

export const callsExportPart = z.strictObject({
  text: z.string(),
  rows: z.number(),
  /** Null at the end. */
  next: decisionKey.nullable(),
});
export type CallsExportPart = z.infer<typeof callsExportPart>;

/** The input in the address of a download. */
export const callsDownload = z.strictObject({
  range: z.strictObject({ from: z.iso.datetime(), to: z.iso.datetime() }),
  filters: decisionFilters.prefault({}),
});
export type CallsDownload = z.infer<typeof callsDownload>;
