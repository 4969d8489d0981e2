import type { CallRow } from "./repository.ts";
import type { CallView, Pricing } from "./schema.ts";

export function callOf(row: CallRow): CallView {
  const known = (digits: string | null) => (digits === null ? null : BigInt(digits));
  const nano = known(row.cost_nano);
  const corrected = known(row.corrected);
  return {
    id: row.dispatch_id,
    occurredAt: row.occurred_at,
    agentId: row.agent_id,
    agentName: row.agent_name,
    principal:
      row.principal_id === null || row.certainty === null ? null : { id: row.principal_id, certainty: row.certainty },
    sessionId: row.session_id,
    modelId: row.model_id,
    pricing: pricingOf(corrected, row.cost_usd),
    nano,
    usd: row.cost_usd,
    corrected,
    estimated: known(row.estimated),
    isClientEstimate: row.is_client_estimate,
    hasUsage: row.has_usage,
    tokens: {
      input: known(row.input_tokens),
      cachedInput: known(row.cached_input_tokens),
      cachedWrite: known(row.cached_write_tokens),
      output: known(row.output_tokens),
      reasoning: known(row.reasoning_tokens),
    },
  };
}

/** The pricing of the correction if there is one, else of the agent's report. */
function pricingOf(corrected: bigint | null, usd: string | null): Pricing {
  if (corrected !== null) return corrected === 0n ? "free" : "priced";
  if (usd === null) return "unpriced";
  return /^[0.]*$/.test(usd) ? "free" : "priced";
}
