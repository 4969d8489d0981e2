import { z } from "zod";

/** The gateway's word on whether agents are answered, as `GET /gateway-status` gives it to anyone. */
export const gatewayStatusView = z.object({
  /** `elsewhere`: agents call another process than the one that was asked. */
  state: z.enum(["answering", "blocking", "stopping", "elsewhere"]),
  /** ISO instant of the first refusal, or of the first look that found something wrong; null unless `blocking`. */
  since: z.string().nullable(),
  /** Sentences; empty unless `blocking`. */
  reasons: z.array(z.string()),
  /** Requests of agents that were refused since then, because the gateway could not answer them. */
  refused: z.number(),
  /** "ok", or what is wrong in a sentence, by the name of what was asked. */
  checks: z.record(z.string(), z.string()),
  /** The time by which figures are behind the record, in milliseconds; null when nobody knows. */
  figuresBehindMs: z.number().nullable(),
});
export type GatewayStatusView = z.infer<typeof gatewayStatusView>;
