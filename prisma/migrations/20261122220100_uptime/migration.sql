-- When a process of this installation could record: one row a process, moved on while it runs. What lies between the rows is
-- time in which nobody recorded. It belongs to no workspace.
CREATE TABLE uptime (
  id uuid PRIMARY KEY,
  started_at timestamptz NOT NULL,
  last_at timestamptz NOT NULL
);
CREATE INDEX uptime_by_end ON uptime (last_at);
