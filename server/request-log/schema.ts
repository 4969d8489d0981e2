import { z } from "zod";

/** Days that the log covers. */
export const REQUEST_LOG_DAYS = 7;
/** Rows of one key and day that are kept, those that were seen last. Unknown keys share one such limit. */
export const ROWS_PER_KEY_MAX = 40;
/** Rows of one workspace that are kept. */
export const ROWS_MAX = 2_000;
/** Rows of one answer. */
export const SHOWN_MAX = 100;
/** The code of a group that counts refusals for which there was no room. */
export const NOT_LOGGED = "not_logged";

export const refusedRequest = z.strictObject({
  /** The public beginning of the key. */
  hint: z.string(),
  status: z.number().int(),
  code: z.string(),
  /** The reason in words. */
  reason: z.string(),
  method: z.string(),
  route: z.string(),
  /** The client's address; null when it is not known or not shown to the reader. */
  client: z.string().nullable(),
  count: z.number().int(),
  firstAt: z.date(),
  lastAt: z.date(),
});
export type RefusedRequest = z.infer<typeof refusedRequest>;

export const requestLog = z.strictObject({
  /** The newest first. */
  rows: z.array(refusedRequest),
  /** Refusals that were counted but not logged one by one, because there were too many. */
  notLogged: z.number().int(),
});
export type RequestLogView = z.infer<typeof requestLog>;

export const requestsOf = z.strictObject({ ownerId: z.uuid() });
