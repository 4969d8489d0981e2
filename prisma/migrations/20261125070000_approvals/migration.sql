-- Approval requests (docs/adr/0061-a-call-waits-outside-of-every-slot.md). New tables, and a column that may be null: nothing that a
-- former release reads or writes changes.

-- The person who made the key: they do not answer for its agent. Null for keys from before, and of scripts.
ALTER TABLE agent_key ADD COLUMN created_by_id text;

-- A call that somebody is asked about. `number` is that of its entry in the chain: QD-<number>.
CREATE TABLE approval_request (
  workspace_id uuid NOT NULL REFERENCES workspace,
  id uuid NOT NULL,
  number bigint NOT NULL,
  state text NOT NULL DEFAULT 'pending' CHECK (state IN ('pending', 'approved', 'denied', 'lapsed', 'withdrawn')),
  -- The agent holds its call open for the answer; otherwise it makes the same call again.
  is_waiting boolean NOT NULL,
  agent_id uuid NOT NULL,
  agent_name text NOT NULL,
  session_id text NOT NULL,
  tool_name text NOT NULL,
  -- The call's id as the client gave it, or the request's own.
  call_id text NOT NULL,
  -- Of the RFC 8785 text of the input as it was sent, without what is only a comment.
  input_sha256 bytea NOT NULL CHECK (length(input_sha256) = 32),
  -- For people: masked, and cut.
  input text NOT NULL CHECK (length(input) <= 70000),
  -- Nothing of it was masked or cut.
  is_whole boolean NOT NULL,
  cwd text NOT NULL DEFAULT '' CHECK (length(cwd) <= 1000),
  reason text NOT NULL CHECK (length(reason) <= 4000),
  -- [{policy, revision, path}]: the hooks that asked.
  asked_by jsonb NOT NULL,
  risk text NOT NULL DEFAULT '' CHECK (length(risk) <= 100),
  people_needed smallint NOT NULL DEFAULT 1 CHECK (people_needed IN (1, 2)),
  asked_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  -- Until then it may be answered.
  expires_at timestamptz NOT NULL,
  -- Renewed by the gateway that holds the call; past it the call is gone.
  lease_until timestamptz CHECK ((lease_until IS NULL) OR is_waiting),
  closed_at timestamptz,
  words text NOT NULL DEFAULT '' CHECK (length(words) <= 1000),
  edited_input text CHECK (length(edited_input) <= 70000),
  edited_sha256 bytea CHECK (length(edited_sha256) = 32),
  -- Until then an allowed call may be made.
  granted_until timestamptz CHECK ((granted_until IS NULL) = (state NOT IN ('approved', 'withdrawn'))),
  used_at timestamptz,
  -- The gates that the allowed call has passed: each of them once.
  used_gates text[] NOT NULL DEFAULT '{}',
  PRIMARY KEY (workspace_id, id),
  UNIQUE (workspace_id, number),
  CHECK ((closed_at IS NULL) = (state = 'pending')),
  CHECK ((edited_input IS NULL) = (edited_sha256 IS NULL))
);
-- One call makes one request, however often it comes; of a call that cannot wait, whatever its id.
CREATE UNIQUE INDEX approval_request_pending ON approval_request
  (workspace_id, agent_id, input_sha256, md5(session_id), md5(tool_name), md5(CASE WHEN is_waiting THEN call_id ELSE '' END))
  WHERE state = 'pending';
CREATE INDEX approval_request_due ON approval_request (expires_at) WHERE state = 'pending';
CREATE INDEX approval_request_granted ON approval_request (workspace_id, agent_id, granted_until) WHERE state = 'approved';
CREATE INDEX approval_request_by_time ON approval_request (workspace_id, asked_at DESC, id);
SELECT quarterdeck_wall('approval_request');

CREATE TABLE approval_answer (
  workspace_id uuid NOT NULL,
  request_id uuid NOT NULL,
  person_id text NOT NULL,
  person_name text NOT NULL,
  is_allow boolean NOT NULL,
  answered_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  PRIMARY KEY (workspace_id, request_id, person_id),
  FOREIGN KEY (workspace_id, request_id) REFERENCES approval_request ON DELETE CASCADE
);
SELECT quarterdeck_wall('approval_answer');
