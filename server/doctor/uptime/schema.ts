import { z } from "zod";

export const downtimeInput = z.strictObject({ from: z.date(), to: z.date() });
export type DowntimeInput = z.infer<typeof downtimeInput>;

/** Spans in which no process of this installation could record, in time order; the newest `DOWNTIME_SPANS_MAX`. */
export const downtimeView = z.array(z.strictObject({ from: z.date(), to: z.date() }));
export type DowntimeView = z.infer<typeof downtimeView>;
export const DOWNTIME_SPANS_MAX = 500;
