-- Backtests: a policy text compared with what is in force, over recorded calls. The scans process runs them, chunk by chunk.
CREATE TABLE backtest_run (
  workspace_id uuid NOT NULL,
  id uuid NOT NULL,
  policy_id uuid NOT NULL,
  -- The text that is tried, and its sha256 in hex digits.
  source text NOT NULL,
  sha256 text NOT NULL,
  days integer NOT NULL CHECK (days BETWEEN 1 AND 90),
  -- The newest calls that are read at most; null: all of the days.
  calls_max integer CHECK (calls_max > 0),
  state text NOT NULL CHECK (state IN ('waiting', 'running', 'finished', 'canceled', 'failed')),
  says text NOT NULL DEFAULT '' CHECK (length(says) <= 500),
  asked_by text NOT NULL,
  asked_by_id text NOT NULL,
  asked_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  -- Set when the first chunk begins. `sequence`: the workspace's counter of policy changes that the result compares with.
  started_at timestamptz,
  sequence bigint,
  -- A change of the policies in force begins the run again.
  restarts integer NOT NULL DEFAULT 0,
  -- When its last chunk ended; the run that waited longest is next. A lease names the process that works on it.
  turn_at timestamptz,
  lease uuid,
  lease_until timestamptz,
  ended_at timestamptz,
  -- The oldest call that was read. Runs read backwards in time.
  cursor_at timestamptz,
  cursor_id uuid,
  -- The calls to read, counted at the start; null where counting took too long.
  total bigint,
  looked bigint NOT NULL DEFAULT 0,
  -- The counts so far (server/backtest/tally-schema.ts).
  tally jsonb NOT NULL,
  PRIMARY KEY (workspace_id, id),
  FOREIGN KEY (workspace_id, policy_id) REFERENCES policy (workspace_id, id) ON DELETE CASCADE
);
CREATE INDEX backtest_run_of_policy ON backtest_run (workspace_id, policy_id, asked_at);
CREATE INDEX backtest_run_open ON backtest_run (turn_at) WHERE state IN ('waiting', 'running');
SELECT quarterdeck_wall('backtest_run');

-- The calls that would end otherwise, up to a limit for each run. The call's input stays in its dispatch.
CREATE TABLE backtest_flip (
  workspace_id uuid NOT NULL,
  run_id uuid NOT NULL,
  occurred_at timestamptz NOT NULL,
  dispatch_id uuid NOT NULL,
  found_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  agent_id uuid NOT NULL,
  agent_name text NOT NULL,
  session_id text NOT NULL,
  event text NOT NULL,
  tool_name text NOT NULL,
  -- The program of a shell command; empty for other calls.
  family text NOT NULL,
  -- The rule that decides it: of the text, or of what is in force where the text is looser.
  rule text NOT NULL,
  verdict_from text NOT NULL CHECK (verdict_from IN ('none', 'allow', 'ask', 'deny')),
  verdict_to text NOT NULL CHECK (verdict_to IN ('none', 'allow', 'ask', 'deny')),
  is_looser boolean NOT NULL,
  PRIMARY KEY (workspace_id, run_id, occurred_at, dispatch_id),
  FOREIGN KEY (workspace_id, run_id) REFERENCES backtest_run (workspace_id, id) ON DELETE CASCADE
);
SELECT quarterdeck_wall('backtest_flip');
