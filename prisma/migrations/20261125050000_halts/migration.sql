-- Emergency halts (docs/adr/0056-a-halt-stands-in-the-chains-head.md). A new table, and a column with a constant default: no row is
-- rewritten, and the former release goes on appending to the chain.

-- The chain number of the last change to the workspace's halts; 0 before the first. A verdict is committed only while it stands at the
-- number that the verdict was decided under.
ALTER TABLE audit_head ADD COLUMN halt_number bigint NOT NULL DEFAULT 0;

CREATE TABLE halt (
  workspace_id uuid NOT NULL REFERENCES workspace,
  id uuid NOT NULL,
  scope text NOT NULL CHECK (scope IN ('workspace', 'group', 'agent', 'session')),
  group_id uuid,
  agent_id uuid,
  session_id text CHECK (length(session_id) BETWEEN 1 AND 512),
  -- The name of the group or the agent when it was halted; the session's id.
  about text NOT NULL CHECK (length(about) <= 600),
  -- The agent stays halted until somebody has reviewed it.
  is_quarantine boolean NOT NULL DEFAULT false CHECK (NOT is_quarantine OR scope = 'agent'),
  reason text NOT NULL CHECK (length(reason) BETWEEN 1 AND 500),
  halted_at timestamptz NOT NULL DEFAULT now(),
  halted_by text NOT NULL,
  resumed_at timestamptz,
  resumed_by text,
  resume_reason text CHECK (length(resume_reason) BETWEEN 1 AND 500),
  PRIMARY KEY (workspace_id, id),
  CHECK ((group_id IS NOT NULL) = (scope = 'group')),
  CHECK ((agent_id IS NOT NULL) = (scope IN ('agent', 'session'))),
  CHECK ((session_id IS NOT NULL) = (scope = 'session')),
  CHECK ((resumed_at IS NULL) = (resumed_by IS NULL) AND (resumed_at IS NULL) = (resume_reason IS NULL))
);
-- The same is halted once at a time; gates and pages read by it those in force.
CREATE UNIQUE INDEX halt_in_force ON halt (workspace_id, scope, coalesce(group_id, agent_id, workspace_id), coalesce(session_id, ''))
  WHERE resumed_at IS NULL;
CREATE INDEX halt_by_time ON halt (workspace_id, halted_at DESC, id);
SELECT quarterdeck_wall('halt');
