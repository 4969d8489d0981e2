-- Commands and judges in a backtest: on request, on a sample of the calls.
ALTER TABLE backtest_run
  -- The calls on which commands run, and on which judges are asked within a budget in nano-dollars; null: none.
  ADD COLUMN commands_max integer CHECK (commands_max BETWEEN 1 AND 2000),
  ADD COLUMN judges_max integer CHECK (judges_max BETWEEN 1 AND 2000),
  ADD COLUMN judges_nano bigint CHECK (judges_nano > 0),
  -- The calls that need such an answer, by kind: {"command": 12, "judge": 3}.
  ADD COLUMN candidates jsonb NOT NULL DEFAULT '{}',
  ADD CONSTRAINT backtest_run_judges CHECK ((judges_max IS NULL) = (judges_nano IS NULL));

-- The calls of a sample. A call is stored while the run reads, and gets its result afterwards.
CREATE TABLE backtest_sample (
  workspace_id uuid NOT NULL,
  run_id uuid NOT NULL,
  kind text NOT NULL CHECK (kind IN ('command', 'judge')),
  -- Its number among the calls of its kind, the newest first.
  position bigint NOT NULL,
  occurred_at timestamptz NOT NULL,
  dispatch_id uuid NOT NULL,
  found_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  agent_name text NOT NULL,
  session_id text NOT NULL,
  event text NOT NULL,
  tool_name text NOT NULL,
  state text NOT NULL DEFAULT 'waiting' CHECK (state IN ('waiting', 'done', 'skipped')),
  result text CHECK (result IN ('unchanged', 'looser', 'stricter', 'otherwise', 'unknown')),
  -- The reason for an unknown result.
  why text,
  verdict_from text CHECK (verdict_from IN ('none', 'allow', 'ask', 'deny')),
  verdict_to text CHECK (verdict_to IN ('none', 'allow', 'ask', 'deny')),
  commands_run integer NOT NULL DEFAULT 0,
  -- Questions to judges, and answers that were known.
  asked integer NOT NULL DEFAULT 0,
  reused integer NOT NULL DEFAULT 0,
  duration_ms double precision NOT NULL DEFAULT 0,
  PRIMARY KEY (workspace_id, run_id, kind, position),
  FOREIGN KEY (workspace_id, run_id) REFERENCES backtest_run (workspace_id, id) ON DELETE CASCADE,
  CHECK ((state = 'done') = (result IS NOT NULL))
);
SELECT quarterdeck_wall('backtest_sample');

-- The answers of judges in backtests. An answer is stored as it arrives, so that a restarted run does not ask again.
CREATE TABLE backtest_answer (
  workspace_id uuid NOT NULL,
  id uuid NOT NULL,
  run_id uuid NOT NULL,
  -- The sha256 of the question in hex digits.
  question text NOT NULL,
  asked_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  model text NOT NULL,
  -- Null where there is none that can be used again.
  reply text,
  answered_by text,
  -- Null: the answer has no known price.
  cost_nano bigint,
  -- The cause of a missing answer; else empty.
  cause text NOT NULL DEFAULT '',
  -- The call that was asked about first.
  agent_name text NOT NULL,
  session_id text NOT NULL,
  PRIMARY KEY (workspace_id, id),
  FOREIGN KEY (workspace_id, run_id) REFERENCES backtest_run (workspace_id, id) ON DELETE CASCADE
);
CREATE INDEX backtest_answer_of_run ON backtest_answer (workspace_id, run_id, question);
CREATE INDEX backtest_answer_by_time ON backtest_answer (workspace_id, asked_at);
SELECT quarterdeck_wall('backtest_answer');
