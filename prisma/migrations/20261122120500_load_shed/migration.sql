-- What was turned away because there was too much to do, by class and stretch of time; written when it is over.
CREATE TABLE load_shed (
  workspace_id uuid NOT NULL,
  id uuid NOT NULL,
  -- The machine that turned it away.
  node text NOT NULL,
  class text NOT NULL CHECK (class IN ('gate', 'dispatch', 'report', 'console')),
  from_at timestamptz NOT NULL,
  to_at timestamptz NOT NULL,
  requests bigint NOT NULL CHECK (requests > 0),
  PRIMARY KEY (workspace_id, id)
);
CREATE INDEX load_shed_by_time ON load_shed (workspace_id, to_at);
SELECT quarterdeck_wall('load_shed');
