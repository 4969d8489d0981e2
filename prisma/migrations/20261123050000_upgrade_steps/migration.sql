-- How far each step of an upgrade has come that is made while the server answers (server/database/backfills.ts). It belongs to no
-- workspace. A new table: no lock that anybody waits for.
CREATE TABLE upgrade_step (
  name text PRIMARY KEY,
  -- Where the next part begins, in words of the step's own; null before its first and after its last.
  position jsonb,
  started_at timestamptz NOT NULL DEFAULT now(),
  finished_at timestamptz
);
