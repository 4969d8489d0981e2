-- One lease for all calls that a gateway holds in a workspace, so that thousands of them cost one row now and then. A new table, and
-- a column that may be null: `lease_until` is read as before, for calls that a gateway of the former release holds.
CREATE TABLE approval_lease (
  workspace_id uuid NOT NULL REFERENCES workspace,
  -- A gateway's process, anew whenever it let a lease end.
  holder uuid NOT NULL,
  -- Extended while calls wait; past it they are gone.
  held_until timestamptz NOT NULL,
  PRIMARY KEY (workspace_id, holder)
);
SELECT quarterdeck_wall('approval_lease');

ALTER TABLE approval_request ADD COLUMN lease_holder uuid CHECK ((lease_holder IS NULL) OR is_waiting);
