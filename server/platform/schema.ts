import { z } from "zod";

/** The gateway's state towards agents, as `GET /gateway-status` returns it to anyone. */
export const gatewayStatusView = z.object({
  /** `elsewhere`: agents call a different process. */
  state: z.enum(["answering", "blocking", "stopping", "elsewhere"]),
  /** ISO instant of the first refusal, or of the first look that found something wrong; null unless `blocking`. */
  since: z.string().nullable(),
  /** Sentences; empty unless `blocking`. */
  reasons: z.array(z.string()),
  /** Requests of agents that were refused since then, because the gateway could not answer them. */
  refused: z.number(),
  /** "ok", or the problem as a sentence, by the name of the check. */
  checks: z.record(z.string(), z.string()),
  /** The lag of the figures behind the record, in milliseconds; null when unknown. */
  figuresBehindMs: z.number().nullable(),
});
export type GatewayStatusView = z.infer<typeof gatewayStatusView>;
