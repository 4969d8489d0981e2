-- What the console knows of each local executor, to say which of them have followed a halt (docs/halts.md). A new table: a former
-- release neither reads nor writes it.
CREATE TABLE local_executor (
  workspace_id uuid NOT NULL,
  agent_id uuid NOT NULL,
  -- Of the executor's own making; empty for one that states none.
  id text NOT NULL CHECK (length(id) <= 16),
  -- Its newest call that was answered: stored once a minute, and at once for the first one after a change to halts.
  heard_at timestamptz(6) NOT NULL,
  -- The time that it goes by a policy while the console is away, as it states it; null when it states none.
  policy_age_seconds integer CHECK (policy_age_seconds >= 0),
  -- The newest gate of it that was answered with a halt, and that halt.
  halted_at timestamptz(6),
  halt_id uuid,
  PRIMARY KEY (workspace_id, agent_id, id),
  FOREIGN KEY (workspace_id, agent_id) REFERENCES agent (workspace_id, id) ON DELETE CASCADE,
  CHECK ((halted_at IS NULL) = (halt_id IS NULL))
);
SELECT quarterdeck_wall('local_executor');
