-- Enrolment tokens (docs/adr/0063-a-token-enrols-machines.md). New tables: nothing that a former release reads or writes changes.

-- A secret that machines exchange for an agent and a key of their own. Only its hash is stored.
CREATE TABLE enrolment_token (
  workspace_id uuid NOT NULL REFERENCES workspace,
  id uuid NOT NULL,
  name text NOT NULL CHECK (length(name) BETWEEN 1 AND 64),
  token_sha256 bytea NOT NULL UNIQUE CHECK (length(token_sha256) = 32),
  -- The first characters, enough to tell tokens apart.
  hint text NOT NULL CHECK (length(hint) <= 16),
  -- The group that its agents come into; none when null.
  group_id uuid,
  uses integer NOT NULL DEFAULT 0 CHECK (uses >= 0),
  uses_max integer NOT NULL CHECK (uses_max BETWEEN 1 AND 1000),
  made_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  made_by text NOT NULL,
  -- The person who made it, who made the keys of its agents too; null for a script or a service account.
  made_by_id text,
  expires_at timestamptz NOT NULL,
  revoked_at timestamptz,
  revoked_by text,
  PRIMARY KEY (workspace_id, id),
  CHECK (uses <= uses_max),
  CHECK ((revoked_at IS NULL) = (revoked_by IS NULL))
);
CREATE INDEX enrolment_token_by_time ON enrolment_token (workspace_id, made_at DESC, id);
SELECT quarterdeck_wall('enrolment_token');

-- The agents that a token made, those that are still there.
CREATE TABLE enrolment_token_use (
  workspace_id uuid NOT NULL REFERENCES workspace,
  token_id uuid NOT NULL,
  agent_id uuid NOT NULL,
  used_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  PRIMARY KEY (workspace_id, agent_id),
  FOREIGN KEY (workspace_id, token_id) REFERENCES enrolment_token (workspace_id, id) ON DELETE CASCADE,
  FOREIGN KEY (workspace_id, agent_id) REFERENCES agent (workspace_id, id) ON DELETE CASCADE
);
CREATE INDEX enrolment_token_use_of_token ON enrolment_token_use (workspace_id, token_id, used_at DESC);
SELECT quarterdeck_wall('enrolment_token_use');
