-- Sums of model calls by the principal that they were made for, as they were reported. Calls of an unknown person are in no row: they are
-- what the sums of all calls have more. Corrections are read from the ledger.
CREATE TABLE spend_minute (
  workspace_id uuid NOT NULL,
  bucket timestamptz NOT NULL,
  agent_id uuid NOT NULL,
  agent_name text NOT NULL,
  model_id text NOT NULL,
  principal_id uuid NOT NULL,
  calls_priced bigint NOT NULL DEFAULT 0,
  calls_free bigint NOT NULL DEFAULT 0,
  calls_unpriced bigint NOT NULL DEFAULT 0,
  calls_without_usage bigint NOT NULL DEFAULT 0,
  cost_nano bigint NOT NULL DEFAULT 0,
  input_tokens bigint NOT NULL DEFAULT 0,
  output_tokens bigint NOT NULL DEFAULT 0,
  cached_input_tokens bigint NOT NULL DEFAULT 0,
  cached_write_tokens bigint NOT NULL DEFAULT 0,
  reasoning_tokens bigint NOT NULL DEFAULT 0,
  PRIMARY KEY (workspace_id, bucket, agent_id, agent_name, model_id, principal_id)
);
SELECT quarterdeck_wall('spend_minute');

CREATE TABLE spend_hour (
  workspace_id uuid NOT NULL,
  bucket timestamptz NOT NULL,
  agent_id uuid NOT NULL,
  agent_name text NOT NULL,
  model_id text NOT NULL,
  principal_id uuid NOT NULL,
  calls_priced bigint NOT NULL DEFAULT 0,
  calls_free bigint NOT NULL DEFAULT 0,
  calls_unpriced bigint NOT NULL DEFAULT 0,
  calls_without_usage bigint NOT NULL DEFAULT 0,
  cost_nano bigint NOT NULL DEFAULT 0,
  input_tokens bigint NOT NULL DEFAULT 0,
  output_tokens bigint NOT NULL DEFAULT 0,
  cached_input_tokens bigint NOT NULL DEFAULT 0,
  cached_write_tokens bigint NOT NULL DEFAULT 0,
  reasoning_tokens bigint NOT NULL DEFAULT 0,
  PRIMARY KEY (workspace_id, bucket, agent_id, agent_name, model_id, principal_id)
);
SELECT quarterdeck_wall('spend_hour');

CREATE TABLE spend_day (
  workspace_id uuid NOT NULL,
  bucket timestamptz NOT NULL,
  agent_id uuid NOT NULL,
  agent_name text NOT NULL,
  model_id text NOT NULL,
  principal_id uuid NOT NULL,
  calls_priced bigint NOT NULL DEFAULT 0,
  calls_free bigint NOT NULL DEFAULT 0,
  calls_unpriced bigint NOT NULL DEFAULT 0,
  calls_without_usage bigint NOT NULL DEFAULT 0,
  cost_nano bigint NOT NULL DEFAULT 0,
  input_tokens bigint NOT NULL DEFAULT 0,
  output_tokens bigint NOT NULL DEFAULT 0,
  cached_input_tokens bigint NOT NULL DEFAULT 0,
  cached_write_tokens bigint NOT NULL DEFAULT 0,
  reasoning_tokens bigint NOT NULL DEFAULT 0,
  PRIMARY KEY (workspace_id, bucket, agent_id, agent_name, model_id, principal_id)
);
SELECT quarterdeck_wall('spend_day');

-- The principal of the call that an entry is about. Entries from before have none, like their calls.
ALTER TABLE ledger_entry ADD COLUMN principal_id uuid;
CREATE INDEX ledger_entry_of_principal ON ledger_entry (workspace_id, occurred_at) WHERE principal_id IS NOT NULL;
