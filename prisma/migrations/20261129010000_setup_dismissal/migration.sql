-- The people who dismissed the setup checklist of a workspace.
CREATE TABLE setup_dismissal (
  workspace_id uuid NOT NULL,
  person_id uuid NOT NULL,
  dismissed_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  PRIMARY KEY (workspace_id, person_id),
  FOREIGN KEY (workspace_id, person_id) REFERENCES membership (workspace_id, person_id) ON DELETE CASCADE
);
SELECT quarterdeck_wall('setup_dismissal');
