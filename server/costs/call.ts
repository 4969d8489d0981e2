import type { CallRow } from "./repository.ts";
import type { CallView } from "./schema.ts";

export function callOf(row: CallRow): CallView {
  const known = (digits: string | null) => (digits === null ? null : BigInt(digits));
  const nano = known(row.cost_nano);
  const isFree = row.cost_usd !== null && /^[0.]*$/.test(row.cost_usd);
  return {
    id: row.dispatch_id,
    occurredAt: row.occurred_at,
    agentId: row.agent_id,
    agentName: row.agent_name,
    sessionId: row.session_id,
    modelId: row.model_id,
    pricing: row.cost_usd === null ? "unpriced" : isFree ? "free" : "priced",
    nano,
    usd: row.cost_usd,
    corrected: known(row.corrected),
    estimated: known(row.estimated),
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
