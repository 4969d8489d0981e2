-- Each person's own order of the inbox: archived notices, and snoozed ones that return.
ALTER TABLE notice
  ADD COLUMN archived_at timestamptz,
  ADD COLUMN snoozed_until timestamptz;
