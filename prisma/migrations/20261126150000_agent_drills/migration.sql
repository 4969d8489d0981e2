-- Drills of agents (docs/drills.md). A new table: nothing that a former release reads or writes changes.

-- A drill that an agent's machine began: its nonce, of which only the hash is stored, what arrived under it, and its results.
CREATE TABLE agent_drill (
  workspace_id uuid NOT NULL REFERENCES workspace,
  id uuid NOT NULL,
  agent_id uuid NOT NULL,
  mode text NOT NULL CHECK (mode IN ('liveness', 'outage')),
  nonce_sha256 bytea NOT NULL CHECK (length(nonce_sha256) = 32),
  -- The key that the nonce is bound to.
  key_fingerprint text NOT NULL CHECK (length(key_fingerprint) <= 64),
  begun_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  expires_at timestamptz NOT NULL,
  -- Dispatches that bore the nonce while it was valid, and the verdicts of the policies on them.
  dispatches integer NOT NULL DEFAULT 0 CHECK (dispatches BETWEEN 0 AND 60),
  answers jsonb NOT NULL DEFAULT '[]',
  client text CHECK (length(client) <= 40),
  client_version text CHECK (length(client_version) <= 40),
  results jsonb,
  reported_at timestamptz,
  PRIMARY KEY (workspace_id, id),
  UNIQUE (workspace_id, nonce_sha256),
  FOREIGN KEY (workspace_id, agent_id) REFERENCES agent (workspace_id, id) ON DELETE CASCADE,
  CHECK ((reported_at IS NULL) = (results IS NULL)),
  CHECK ((reported_at IS NULL) = (client IS NULL))
);
CREATE INDEX agent_drill_of_agent ON agent_drill (workspace_id, agent_id, begun_at DESC, id);
SELECT quarterdeck_wall('agent_drill');
