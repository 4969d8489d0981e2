-- Every table leads with workspace_id, so that it can be distributed by workspace later.
-- Governed things (top half) are also Prisma models; recorded things (bottom half) are written and read with SQL alone.

CREATE TABLE workspace (
  id uuid PRIMARY KEY,
  name text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now()
);

CREATE TABLE person (
  workspace_id uuid NOT NULL REFERENCES workspace,
  id uuid NOT NULL,
  name text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (workspace_id, id)
);

CREATE TABLE sign_in_link (
  workspace_id uuid NOT NULL,
  token_sha256 bytea NOT NULL,
  person_id uuid NOT NULL,
  expires_at timestamptz NOT NULL,
  used_at timestamptz,
  PRIMARY KEY (token_sha256),
  FOREIGN KEY (workspace_id, person_id) REFERENCES person ON DELETE CASCADE
);

CREATE TABLE browser_session (
  workspace_id uuid NOT NULL,
  token_sha256 bytea NOT NULL,
  person_id uuid NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  expires_at timestamptz NOT NULL,
  PRIMARY KEY (token_sha256),
  FOREIGN KEY (workspace_id, person_id) REFERENCES person ON DELETE CASCADE
);

CREATE TABLE agent (
  workspace_id uuid NOT NULL REFERENCES workspace,
  id uuid NOT NULL,
  name text NOT NULL,
  is_demo boolean NOT NULL DEFAULT false,
  created_at timestamptz NOT NULL DEFAULT now(),
  last_seen_at timestamptz,
  last_revision text,
  PRIMARY KEY (workspace_id, id),
  UNIQUE (workspace_id, name)
);

CREATE TABLE agent_key (
  workspace_id uuid NOT NULL,
  id uuid NOT NULL,
  agent_id uuid NOT NULL,
  key_sha256 bytea NOT NULL UNIQUE,
  hint text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  expires_at timestamptz,
  revoked_at timestamptz,
  PRIMARY KEY (workspace_id, id),
  FOREIGN KEY (workspace_id, agent_id) REFERENCES agent ON DELETE CASCADE
);
CREATE INDEX agent_key_of_agent ON agent_key (workspace_id, agent_id);

CREATE TABLE policy (
  workspace_id uuid NOT NULL REFERENCES workspace,
  id uuid NOT NULL,
  name text NOT NULL,
  is_demo boolean NOT NULL DEFAULT false,
  latest_revision integer NOT NULL DEFAULT 0,
  created_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (workspace_id, id),
  UNIQUE (workspace_id, name)
);

CREATE TABLE policy_draft (
  workspace_id uuid NOT NULL,
  policy_id uuid NOT NULL,
  source text NOT NULL,
  base_revision integer NOT NULL,
  version integer NOT NULL DEFAULT 1,
  updated_at timestamptz NOT NULL DEFAULT now(),
  updated_by text NOT NULL,
  PRIMARY KEY (workspace_id, policy_id),
  FOREIGN KEY (workspace_id, policy_id) REFERENCES policy ON DELETE CASCADE
);

CREATE TABLE policy_revision (
  workspace_id uuid NOT NULL,
  policy_id uuid NOT NULL,
  number integer NOT NULL,
  profile text NOT NULL,
  source text NOT NULL,
  hooks jsonb NOT NULL,
  sha256 text NOT NULL,
  note text NOT NULL,
  author text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (workspace_id, policy_id, number),
  FOREIGN KEY (workspace_id, policy_id) REFERENCES policy ON DELETE CASCADE
);

-- Which policies bind whom: the latest revision of the policy is in force wherever the policy is assigned.
CREATE TABLE assignment (
  workspace_id uuid NOT NULL,
  id uuid NOT NULL,
  policy_id uuid NOT NULL,
  scope text NOT NULL CHECK (scope IN ('workspace', 'group', 'agent')),
  target_id uuid,
  position integer NOT NULL DEFAULT 0,
  mode text NOT NULL DEFAULT 'enforce' CHECK (mode IN ('enforce', 'observe')),
  observe_until timestamptz,
  PRIMARY KEY (workspace_id, id),
  FOREIGN KEY (workspace_id, policy_id) REFERENCES policy ON DELETE CASCADE,
  CHECK ((scope = 'workspace') = (target_id IS NULL))
);
CREATE INDEX assignment_of_policy ON assignment (workspace_id, policy_id);

-- The audit chain: entry n holds sha256(hash of n-1 || sha256 of its own body); audit_head is what the next entry locks.
CREATE TABLE audit_head (
  workspace_id uuid PRIMARY KEY REFERENCES workspace,
  seq bigint NOT NULL DEFAULT 0,
  hash bytea NOT NULL DEFAULT '\x0000000000000000000000000000000000000000000000000000000000000000'
);

CREATE TABLE audit_entry (
  workspace_id uuid NOT NULL,
  seq bigint NOT NULL,
  at timestamptz NOT NULL DEFAULT now(),
  kind text NOT NULL,
  body text NOT NULL,
  hash bytea NOT NULL,
  PRIMARY KEY (workspace_id, seq)
);

-- Recorded things ---------------------------------------------------------------------------------------------------

CREATE TABLE dispatch (
  workspace_id uuid NOT NULL,
  id uuid NOT NULL,
  occurred_at timestamptz NOT NULL,
  received_at timestamptz NOT NULL,
  agent_id uuid NOT NULL,
  agent_name text NOT NULL,
  session_id text NOT NULL,
  event text NOT NULL,
  lane text NOT NULL,
  origin text NOT NULL,
  tool_name text,
  tool_use_id text,
  tool_error boolean,
  detail text,
  verdict text NOT NULL,
  revision text NOT NULL,
  duration_us integer NOT NULL,
  input text NOT NULL,
  answer text NOT NULL,
  hooks text NOT NULL,
  PRIMARY KEY (occurred_at, id)
) PARTITION BY RANGE (occurred_at);
CREATE INDEX dispatch_of_session ON dispatch (workspace_id, session_id, occurred_at);

-- What was delivered under which idempotency key, so that a repeat finds its first answer.
CREATE TABLE delivery (
  workspace_id uuid NOT NULL,
  agent_id uuid NOT NULL,
  event_id uuid NOT NULL,
  body_sha256 bytea NOT NULL,
  occurred_at timestamptz NOT NULL,
  dispatch_id uuid NOT NULL,
  PRIMARY KEY (workspace_id, agent_id, event_id)
);

CREATE TABLE tool_decision (
  workspace_id uuid NOT NULL,
  occurred_at timestamptz NOT NULL,
  dispatch_id uuid NOT NULL,
  kind text NOT NULL,
  agent_id uuid NOT NULL,
  agent_name text NOT NULL,
  session_id text NOT NULL,
  event text NOT NULL,
  tool_name text NOT NULL,
  tool_use_id text,
  verdict text NOT NULL,
  source text NOT NULL,
  reason text NOT NULL,
  excerpt text NOT NULL,
  PRIMARY KEY (workspace_id, occurred_at, dispatch_id)
);
CREATE INDEX tool_decision_by_verdict ON tool_decision (workspace_id, verdict, occurred_at, dispatch_id);
CREATE INDEX tool_decision_of_session ON tool_decision (workspace_id, session_id, occurred_at);

CREATE TABLE llm_call (
  workspace_id uuid NOT NULL,
  occurred_at timestamptz NOT NULL,
  dispatch_id uuid NOT NULL,
  agent_id uuid NOT NULL,
  agent_name text NOT NULL,
  session_id text NOT NULL,
  model_id text NOT NULL,
  cost_nano bigint,
  cost_usd numeric,
  has_usage boolean NOT NULL,
  input_tokens bigint,
  output_tokens bigint,
  cached_input_tokens bigint,
  cached_write_tokens bigint,
  reasoning_tokens bigint,
  PRIMARY KEY (workspace_id, occurred_at, dispatch_id)
);
CREATE INDEX llm_call_of_session ON llm_call (workspace_id, session_id, occurred_at);

CREATE TABLE compaction (
  workspace_id uuid NOT NULL,
  occurred_at timestamptz NOT NULL,
  dispatch_id uuid NOT NULL,
  event text NOT NULL,
  agent_id uuid NOT NULL,
  agent_name text NOT NULL,
  session_id text NOT NULL,
  reason text NOT NULL,
  input_tokens bigint,
  output_tokens bigint,
  context_limit bigint,
  effect text NOT NULL,
  effect_text text NOT NULL,
  summary text,
  summary_bytes integer,
  PRIMARY KEY (workspace_id, occurred_at, dispatch_id)
);
CREATE INDEX compaction_of_session ON compaction (workspace_id, session_id, occurred_at);

CREATE TABLE session (
  workspace_id uuid NOT NULL,
  agent_id uuid NOT NULL,
  session_id text NOT NULL,
  agent_name text NOT NULL,
  parent_session_id text,
  first_at timestamptz NOT NULL,
  last_at timestamptz NOT NULL,
  last_end_at timestamptz,
  last_end_reason text,
  events bigint NOT NULL,
  denied bigint NOT NULL,
  compactions bigint NOT NULL,
  calls_priced bigint NOT NULL,
  calls_free bigint NOT NULL,
  calls_unpriced bigint NOT NULL,
  cost_nano bigint NOT NULL,
  tokens bigint NOT NULL,
  PRIMARY KEY (workspace_id, agent_id, session_id)
);
CREATE INDEX session_by_last ON session (workspace_id, last_at);
CREATE INDEX session_by_parent ON session (workspace_id, parent_session_id) WHERE parent_session_id IS NOT NULL;

-- Sums per minute and per hour, agent and model ('' for everything that is not a model call).
CREATE TABLE rollup_minute (
  workspace_id uuid NOT NULL,
  bucket timestamptz NOT NULL,
  agent_id uuid NOT NULL,
  agent_name text NOT NULL,
  model_id text NOT NULL,
  dispatches bigint NOT NULL DEFAULT 0,
  gates bigint NOT NULL DEFAULT 0,
  gates_without_opinion bigint NOT NULL DEFAULT 0,
  gate_denied bigint NOT NULL DEFAULT 0,
  hooks_failed bigint NOT NULL DEFAULT 0,
  allowed bigint NOT NULL DEFAULT 0,
  denied bigint NOT NULL DEFAULT 0,
  canceled bigint NOT NULL DEFAULT 0,
  prompted bigint NOT NULL DEFAULT 0,
  compactions bigint NOT NULL DEFAULT 0,
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
  PRIMARY KEY (workspace_id, bucket, agent_id, agent_name, model_id)
) WITH (fillfactor = 70);
CREATE TABLE rollup_hour (LIKE rollup_minute INCLUDING ALL) WITH (fillfactor = 70);
