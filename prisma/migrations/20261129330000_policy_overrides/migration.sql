-- A revision that took effect despite findings that block: by whom, the reason, and the findings at that time.
CREATE TABLE policy_override (
  workspace_id uuid NOT NULL,
  id uuid NOT NULL,
  policy_id uuid NOT NULL,
  number integer NOT NULL,
  reason text NOT NULL CHECK (length(reason) BETWEEN 1 AND 2000),
  made_by text NOT NULL,
  made_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  findings jsonb NOT NULL,
  PRIMARY KEY (workspace_id, id),
  FOREIGN KEY (workspace_id, policy_id, number) REFERENCES policy_revision ON DELETE CASCADE
);
SELECT quarterdeck_wall('policy_override');
CREATE INDEX policy_override_revision ON policy_override (workspace_id, policy_id, number, made_at DESC);
