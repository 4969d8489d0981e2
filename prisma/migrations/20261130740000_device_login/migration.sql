-- The owner of an agent by `quarterdeck login`. The owner before is kept: logout, and the end of the membership, bring it back.
ALTER TABLE agent_owner DROP CONSTRAINT agent_owner_source_check;
ALTER TABLE agent_owner ADD CONSTRAINT agent_owner_source_check
  CHECK (source IN ('sign_in', 'token', 'console', 'os_user', 'login'));
ALTER TABLE agent_owner
  ADD COLUMN former_principal_id uuid,
  ADD COLUMN former_certainty text CHECK (former_certainty IN ('proven', 'stated', 'guessed')),
  ADD COLUMN former_source text CHECK (former_source IN ('sign_in', 'token', 'console', 'os_user')),
  ADD CONSTRAINT agent_owner_former FOREIGN KEY (workspace_id, former_principal_id) REFERENCES principal (workspace_id, id),
  ADD CONSTRAINT agent_owner_former_whole CHECK (num_nulls(former_principal_id, former_certainty, former_source) IN (0, 3)),
  ADD CONSTRAINT agent_owner_former_of_login CHECK (source = 'login' OR former_principal_id IS NULL);

-- The logins that machines asked for (server/device-login).
CREATE TABLE device_login (
  workspace_id uuid NOT NULL REFERENCES workspace,
  id uuid NOT NULL,
  agent_id uuid NOT NULL,
  -- The key that asked; no other key gets the result.
  key_fingerprint text NOT NULL,
  -- The sha256 of the machine's code, and the HMAC of the short code that a person enters.
  device_code bytea NOT NULL CHECK (length(device_code) = 32),
  user_code bytea NOT NULL CHECK (length(user_code) = 32),
  -- As the machine states it.
  host_name text NOT NULL CHECK (length(host_name) BETWEEN 1 AND 253),
  ip text,
  asked_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  expires_at timestamptz NOT NULL,
  -- Seconds between two questions of the machine.
  interval_s integer NOT NULL DEFAULT 5 CHECK (interval_s BETWEEN 1 AND 60),
  polled_at timestamptz,
  state text NOT NULL DEFAULT 'waiting' CHECK (state IN ('waiting', 'confirmed', 'refused')),
  -- The account that answered.
  decided_by uuid,
  decided_at timestamptz,
  -- The person whom the machine works for since, and the person or service before.
  principal_id uuid,
  replaced_id uuid,
  -- The machine has the result.
  used_at timestamptz,
  PRIMARY KEY (workspace_id, id),
  FOREIGN KEY (workspace_id, agent_id) REFERENCES agent (workspace_id, id) ON DELETE CASCADE,
  CHECK ((state = 'waiting') = (decided_at IS NULL)),
  CHECK ((state = 'confirmed') = (principal_id IS NOT NULL))
);
CREATE UNIQUE INDEX device_login_device_code ON device_login (workspace_id, device_code);
CREATE UNIQUE INDEX device_login_user_code ON device_login (workspace_id, user_code);
CREATE INDEX device_login_of_agent ON device_login (workspace_id, agent_id, asked_at);
CREATE INDEX device_login_by_time ON device_login (workspace_id, asked_at);
SELECT quarterdeck_wall('device_login');

-- The accounts that confirmed a login on an agent, also after logout: like makers of its keys, they do not answer for its calls.
CREATE TABLE agent_login (
  workspace_id uuid NOT NULL REFERENCES workspace,
  agent_id uuid NOT NULL,
  account_id uuid NOT NULL,
  -- The newest login.
  logged_in_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  PRIMARY KEY (workspace_id, agent_id, account_id),
  FOREIGN KEY (workspace_id, agent_id) REFERENCES agent (workspace_id, id) ON DELETE CASCADE
);
SELECT quarterdeck_wall('agent_login');

-- The accounts that made keys of agents, or logged in on them. Row security is the reader's.
CREATE VIEW agent_maker WITH (security_invoker = true) AS
  SELECT workspace_id, agent_id, created_by_id AS account_id, created_at AS made_at FROM agent_key WHERE created_by_id IS NOT NULL
  UNION ALL
  SELECT workspace_id, agent_id, account_id::text, logged_in_at FROM agent_login;
