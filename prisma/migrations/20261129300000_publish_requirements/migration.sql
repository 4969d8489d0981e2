-- The digest of the policies in force that a backtest compared with; null while they change.
ALTER TABLE backtest_run ADD COLUMN in_force text;
-- The person who read the looser and unknown calls of a run, and accepted them.
ALTER TABLE backtest_run ADD COLUMN reviewed_at timestamptz;
ALTER TABLE backtest_run ADD COLUMN reviewed_by text;
ALTER TABLE backtest_run ADD COLUMN reviewed_by_id text;
-- True if the reviewer had not written the text.
ALTER TABLE backtest_run ADD COLUMN reviewed_by_second boolean;
CREATE INDEX backtest_run_of_text ON backtest_run (workspace_id, policy_id, sha256, asked_at);

-- The requirements that a text must meet before it takes effect. No row: none.
CREATE TABLE publish_requirement (
  workspace_id uuid PRIMARY KEY REFERENCES workspace (id),
  needs_backtest boolean NOT NULL,
  needs_review boolean NOT NULL,
  -- New denials on any day of the backtest; null: no limit.
  new_denials_max integer CHECK (new_denials_max BETWEEN 0 AND 1000000),
  needs_passing_cases boolean NOT NULL,
  set_by text NOT NULL,
  set_at timestamptz NOT NULL DEFAULT clock_timestamp()
);
SELECT quarterdeck_wall('publish_requirement');
