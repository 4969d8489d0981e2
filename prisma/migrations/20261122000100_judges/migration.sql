-- Where judges' models are asked. The credential is sealed (AES-256-GCM); its key is not in the database.
CREATE TABLE model_connection (
  workspace_id uuid NOT NULL REFERENCES workspace,
  id uuid NOT NULL,
  name text NOT NULL,
  provider text NOT NULL CHECK (provider IN ('openai', 'anthropic', 'google', 'openai-compatible')),
  base_url text NOT NULL,
  credential bytea,
  credential_hint text,
  credential_set_at timestamptz,
  calls_per_day bigint,
  nano_per_day bigint,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  updated_by text NOT NULL,
  PRIMARY KEY (workspace_id, id),
  UNIQUE (workspace_id, name)
);

-- Nano-dollars per million tokens. A kind without a price of its own costs what plain input costs.
CREATE TABLE model_price (
  workspace_id uuid NOT NULL,
  connection_id uuid NOT NULL,
  model text NOT NULL,
  input bigint NOT NULL,
  output bigint NOT NULL,
  cached_input bigint,
  cache_write bigint,
  PRIMARY KEY (workspace_id, connection_id, model),
  FOREIGN KEY (workspace_id, connection_id) REFERENCES model_connection ON DELETE CASCADE
);

-- What one judge (a hook of a policy, by name) may ask in a day, beside what its connection may.
CREATE TABLE judge_cap (
  workspace_id uuid NOT NULL REFERENCES workspace,
  policy text NOT NULL,
  hook text NOT NULL,
  calls_per_day bigint,
  nano_per_day bigint,
  PRIMARY KEY (workspace_id, policy, hook)
);

-- Today's use, reserved before a call and corrected after it: what racing calls on every node count on.
-- `account` is a connection's id, or a hash of a judge's policy and hook.
CREATE TABLE judge_spend_day (
  workspace_id uuid NOT NULL,
  day date NOT NULL,
  account text NOT NULL,
  calls bigint NOT NULL,
  nano bigint NOT NULL,
  PRIMARY KEY (workspace_id, day, account)
);

-- Recorded with their dispatch. The words (prompt and reply) are in the dispatch's own row, under the same digest.
CREATE TABLE judge_call (
  workspace_id uuid NOT NULL,
  occurred_at timestamptz NOT NULL,
  dispatch_id uuid NOT NULL,
  place integer NOT NULL,
  agent_id uuid NOT NULL,
  agent_name text NOT NULL,
  session_id text NOT NULL,
  event text NOT NULL,
  tool_name text,
  policy text NOT NULL,
  revision integer NOT NULL,
  hook text NOT NULL,
  model text NOT NULL,
  provider text NOT NULL,
  verdict text NOT NULL,
  cause text NOT NULL,
  pricing text NOT NULL,
  cost_nano bigint,
  input_tokens bigint,
  output_tokens bigint,
  cached_input_tokens bigint,
  cache_write_tokens bigint,
  reasoning_tokens bigint,
  latency_ms double precision,
  PRIMARY KEY (workspace_id, occurred_at, dispatch_id, place)
);
CREATE INDEX judge_call_by_cause ON judge_call (workspace_id, cause, occurred_at) WHERE cause <> '';

CREATE TABLE judge_minute (
  workspace_id uuid NOT NULL,
  bucket timestamptz NOT NULL,
  policy text NOT NULL,
  hook text NOT NULL,
  model text NOT NULL,
  cause text NOT NULL,
  calls bigint NOT NULL,
  priced bigint NOT NULL,
  free bigint NOT NULL,
  unpriced bigint NOT NULL,
  unanswered bigint NOT NULL,
  cost_nano bigint NOT NULL,
  input_tokens bigint NOT NULL,
  output_tokens bigint NOT NULL,
  PRIMARY KEY (workspace_id, bucket, policy, hook, model, cause)
) WITH (fillfactor = 70);
CREATE TABLE judge_hour (LIKE judge_minute INCLUDING ALL) WITH (fillfactor = 70);
CREATE TABLE judge_day (LIKE judge_minute INCLUDING ALL) WITH (fillfactor = 70);
