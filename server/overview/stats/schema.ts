import { z } from "zod";

/**
 * Counts of all stored records, for scripts to compare. Its keys are those of the wire format.
 *
 * Units: `usd` is the sum of each call's cost rounded to the nano-dollar, `exact_usd` that of the digits as sent; both
 * are plain decimals. A count of 0 has no key in the maps, and is 0 for fixed keys.
 */
const count = z.number().int().nonnegative();
const counts = z.record(z.string(), count);
const usd = z.string();

const calls = z.strictObject({ calls: count, usd });
const ledger = z.strictObject({
  calls: count,
  priced: count,
  free: count,
  unpriced: count,
  without_usage: count,
  usd,
  tokens: z.strictObject({
    input_tokens: count,
    output_tokens: count,
    cached_input_tokens: count,
    cached_write_tokens: count,
    reasoning_tokens: count,
  }),
  by_model: z.record(z.string(), calls),
  by_agent: z.record(z.string(), calls),
});
export type Ledger = z.infer<typeof ledger>;

const block = z.strictObject({
  events: counts,
  event_count: count,
  tool_calls: z.record(z.string(), counts),
  tool_call_totals: counts,
  /** By verdict, then by source. */
  decisions: z.record(z.string(), counts),
  ledger,
  compactions: z.record(z.string(), z.strictObject({ count, tokens_before: count })),
  turn_ends: counts,
  session_starts: counts,
  session_ends: counts,
  notifications: counts,
});
export type Block = z.infer<typeof block>;

const finishedCompaction = z.strictObject({
  reason: z.string(),
  input_tokens: count,
  output_tokens: count,
  tokens_before: count,
  context_limit: count,
  summary_bytes: count,
});

const session = block.extend({
  parent: z.string().nullable(),
  root: z.string(),
  /** The reason of its last end; null while it never ended. */
  ended: z.string().nullable(),
  compaction_list: z.array(finishedCompaction),
});
export type SessionStats = z.infer<typeof session>;

const exactUsd = z.record(z.string(), usd);

export const statsView = z.strictObject({
  sessions: z.strictObject({ all: count, roots: count, sub_sessions: count }),
  overall: block.extend({ sessions_by_last_end: counts }),
  /** The events with an empty session id; part of `overall`. */
  without_session: z.strictObject({ events: counts }),
  by_root_session: z.record(z.string(), z.strictObject({ sessions: count, calls: count, own_usd: usd, usd })),
  by_session: z.record(z.string(), session),
  exact_usd: z.strictObject({
    overall: usd,
    by_model: exactUsd,
    by_agent: exactUsd,
    by_session: exactUsd,
    by_root_session: exactUsd,
  }),
});
export type StatsView = z.infer<typeof statsView>;
