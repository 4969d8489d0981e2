-- Exceptions (docs/adr/0062-an-exception-lifts-a-question.md). A new table: nothing that a former release reads or writes changes.

-- Calls that named rules ask nobody about any more, until an instant that is always set.
CREATE TABLE policy_exception (
  workspace_id uuid NOT NULL REFERENCES workspace,
  id uuid NOT NULL,
  scope text NOT NULL CHECK (scope IN ('workspace', 'group', 'agent', 'session')),
  group_id uuid,
  agent_id uuid,
  session_id text,
  -- The name of the group or agent when it was made, or the session's id; empty for the workspace.
  about text NOT NULL CHECK (length(about) <= 600),
  tool_name text NOT NULL,
  -- Either exactly this input, as grants are bound, or the words that a lone shell command begins with.
  input_sha256 bytea CHECK (length(input_sha256) = 32),
  command text[] CHECK (cardinality(command) BETWEEN 1 AND 50),
  -- The call that it was made for: masked, and cut.
  input text NOT NULL CHECK (length(input) <= 70000),
  -- [{policyId, policy, revision, path, sha256}]: the hooks, each with the sha256 of its definition.
  rules jsonb NOT NULL,
  reason text NOT NULL CHECK (length(reason) <= 500),
  -- The request that it was made from: QD-<number>.
  request_number bigint NOT NULL,
  made_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  made_by text NOT NULL,
  expires_at timestamptz NOT NULL,
  ended_at timestamptz,
  ended_by text,
  end_reason text CHECK (length(end_reason) <= 500),
  PRIMARY KEY (workspace_id, id),
  CHECK ((input_sha256 IS NULL) <> (command IS NULL)),
  CHECK ((scope = 'group') = (group_id IS NOT NULL)),
  CHECK ((scope IN ('agent', 'session')) = (agent_id IS NOT NULL)),
  CHECK ((scope = 'session') = (session_id IS NOT NULL)),
  CHECK ((ended_at IS NULL) = (ended_by IS NULL) AND (ended_at IS NULL) = (end_reason IS NULL))
);
CREATE INDEX policy_exception_by_time ON policy_exception (workspace_id, made_at DESC, id);
SELECT quarterdeck_wall('policy_exception');
