-- A month read hour by hour is a hundred thousand rows. Whole days are summed once, as they are recorded.
CREATE TABLE rollup_day (LIKE rollup_hour INCLUDING ALL) WITH (fillfactor = 70);

INSERT INTO rollup_day (workspace_id, bucket, agent_id, agent_name, model_id, dispatches, gates, gates_without_opinion,
  gate_denied, hooks_failed, allowed, denied, canceled, prompted, compactions, calls_priced, calls_free, calls_unpriced,
  calls_without_usage, cost_nano, input_tokens, output_tokens, cached_input_tokens, cached_write_tokens, reasoning_tokens)
SELECT workspace_id, date_trunc('day', bucket, 'UTC'), agent_id, agent_name, model_id, sum(dispatches), sum(gates),
  sum(gates_without_opinion), sum(gate_denied), sum(hooks_failed), sum(allowed), sum(denied), sum(canceled), sum(prompted),
  sum(compactions), sum(calls_priced), sum(calls_free), sum(calls_unpriced), sum(calls_without_usage), sum(cost_nano),
  sum(input_tokens), sum(output_tokens), sum(cached_input_tokens), sum(cached_write_tokens), sum(reasoning_tokens)
FROM rollup_hour GROUP BY 1, 2, 3, 4, 5;
