import { z } from "zod";

export const downtimeInput = z.strictObject({ from: z.date(), to: z.date() });
export type DowntimeInput = z.infer<typeof downtimeInput>;

/** Spans in which no process of this installation could record, the oldest first; at most `DOWNTIME_SPANS_MAX`, the newest. */
export const downtimeView = z.array(z.strictObject({ from: z.date(), to: z.date() }));
export type DowntimeView = z.infer<typeof downtimeView>;
export const DOWNTIME_SPANS_MAX = 500;
