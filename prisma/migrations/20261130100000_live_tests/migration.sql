-- Live tests: a draft compared with what is in force, over the calls that are recorded from now on (server/backtest/live-test). A live
-- test is a run in the state `following`; it reads forwards, in the order of the chain.
ALTER TABLE backtest_run DROP CONSTRAINT backtest_run_state_check;
ALTER TABLE backtest_run ADD CONSTRAINT backtest_run_state_check
  CHECK (state IN ('waiting', 'running', 'following', 'finished', 'canceled', 'failed'));
-- The percentage of one processor that it may use; null: a backtest of recorded calls.
ALTER TABLE backtest_run ADD COLUMN live_percent integer CHECK (live_percent BETWEEN 1 AND 50);
-- Null: until a person stops it.
ALTER TABLE backtest_run ADD COLUMN live_until timestamptz;
-- The number of the last batch of the chain whose calls were looked at or skipped.
ALTER TABLE backtest_run ADD COLUMN live_seq bigint;
-- Calls that were not looked at, because its processor time was used up.
ALTER TABLE backtest_run ADD COLUMN live_skipped bigint NOT NULL DEFAULT 0;
-- The processor time that it may use, in microseconds, as of an instant; below 0 after a chunk that took longer.
ALTER TABLE backtest_run ADD COLUMN live_credit_us bigint;
ALTER TABLE backtest_run ADD COLUMN live_credited_at timestamptz;
ALTER TABLE backtest_run ADD CONSTRAINT backtest_run_live_check
  CHECK (num_nulls(live_percent, live_seq, live_credit_us, live_credited_at) IN (0, 4));
CREATE UNIQUE INDEX backtest_run_following ON backtest_run (workspace_id, policy_id) WHERE state = 'following';
