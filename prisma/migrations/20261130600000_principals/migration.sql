-- The people and services that agents work for. Names and addresses are here alone: records hold the id.
CREATE TABLE principal (
  workspace_id uuid NOT NULL REFERENCES workspace,
  id uuid NOT NULL,
  kind text NOT NULL CHECK (kind IN ('person', 'service')),
  -- The account of the console that it is, for a person who has one.
  account_id uuid,
  name text CHECK (length(name) BETWEEN 1 AND 254),
  -- Lower case.
  email text CHECK (length(email) <= 254),
  -- The client's own id of the account, as its telemetry states it.
  client_account text CHECK (length(client_account) <= 200),
  -- The principal that this one turned out to be. Records keep the id that they were written with.
  merged_into uuid,
  made_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  erased_at timestamptz,
  PRIMARY KEY (workspace_id, id),
  FOREIGN KEY (workspace_id, merged_into) REFERENCES principal (workspace_id, id),
  CHECK (merged_into IS NULL OR merged_into <> id),
  CHECK (erased_at IS NULL OR num_nonnulls(account_id, name, email, client_account) = 0),
  CHECK (kind = 'person' OR num_nonnulls(account_id, email, client_account) = 0)
);
CREATE UNIQUE INDEX principal_of_account ON principal (workspace_id, account_id) WHERE account_id IS NOT NULL;
CREATE UNIQUE INDEX principal_by_email ON principal (workspace_id, email) WHERE email IS NOT NULL;
CREATE UNIQUE INDEX principal_by_client_account ON principal (workspace_id, client_account) WHERE client_account IS NOT NULL;
CREATE UNIQUE INDEX principal_service ON principal (workspace_id, name) WHERE kind = 'service';
CREATE INDEX principal_merged ON principal (workspace_id, merged_into) WHERE merged_into IS NOT NULL;
SELECT quarterdeck_wall('principal');

-- The owner of an agent: the principal that its key works for.
CREATE TABLE agent_owner (
  workspace_id uuid NOT NULL,
  agent_id uuid NOT NULL,
  principal_id uuid NOT NULL,
  certainty text NOT NULL CHECK (certainty IN ('proven', 'stated', 'guessed')),
  source text NOT NULL CHECK (source IN ('sign_in', 'token', 'console', 'os_user')),
  set_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  PRIMARY KEY (workspace_id, agent_id),
  FOREIGN KEY (workspace_id, agent_id) REFERENCES agent (workspace_id, id) ON DELETE CASCADE,
  FOREIGN KEY (workspace_id, principal_id) REFERENCES principal (workspace_id, id)
);
CREATE INDEX agent_owner_by_principal ON agent_owner (workspace_id, principal_id);
SELECT quarterdeck_wall('agent_owner');

-- The person whom telemetry named for a session.
CREATE TABLE session_principal (
  workspace_id uuid NOT NULL,
  agent_id uuid NOT NULL,
  session_id text NOT NULL,
  principal_id uuid NOT NULL,
  named_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  PRIMARY KEY (workspace_id, agent_id, session_id),
  FOREIGN KEY (workspace_id, agent_id) REFERENCES agent (workspace_id, id) ON DELETE CASCADE,
  FOREIGN KEY (workspace_id, principal_id) REFERENCES principal (workspace_id, id)
);
CREATE INDEX session_principal_newest ON session_principal (workspace_id, agent_id, named_at DESC);
CREATE INDEX session_principal_by_principal ON session_principal (workspace_id, principal_id);
SELECT quarterdeck_wall('session_principal');

-- The owner of the agents that join with a token.
ALTER TABLE enrolment_token ADD COLUMN owner_id uuid;
ALTER TABLE enrolment_token ADD COLUMN owner_certainty text CHECK (owner_certainty IN ('proven', 'stated'));
ALTER TABLE enrolment_token ADD CONSTRAINT enrolment_token_owner_whole CHECK ((owner_id IS NULL) = (owner_certainty IS NULL));

-- The principal of a recorded call, from the facts under its leaf.
ALTER TABLE tool_decision ADD COLUMN principal_id uuid;
ALTER TABLE tool_decision ADD COLUMN certainty text;
ALTER TABLE llm_call ADD COLUMN principal_id uuid;
ALTER TABLE llm_call ADD COLUMN certainty text;
-- A uuid can use an index behind row-level security. No gate writes to this table.
CREATE INDEX tool_decision_of_principal ON tool_decision (workspace_id, principal_id, occurred_at, dispatch_id)
  WHERE principal_id IS NOT NULL;
