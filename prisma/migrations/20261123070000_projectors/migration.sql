-- Figures leave the transaction of the record: projectors make them of the log, behind a cursor per workspace
-- (docs/adr/0052-projectors-read-the-log.md). All of this takes its locks for an instant; no row is written anew.

-- How far the figures of a workspace are: every entry of the chain up to `seq` is in them. Its row is locked by whoever moves
-- figures, and never by who records.
CREATE TABLE projection_cursor (
  workspace_id uuid PRIMARY KEY,
  seq bigint NOT NULL DEFAULT 0,
  projected_at timestamptz NOT NULL DEFAULT now()
);
SELECT quarterdeck_wall('projection_cursor');

-- Records that figures could not take: a sum that is beyond its column, for one. They are in the log, and in no figure.
CREATE TABLE projection_failure (
  workspace_id uuid NOT NULL,
  seq bigint NOT NULL,
  dispatch_id uuid NOT NULL,
  occurred_at timestamptz NOT NULL,
  failed_at timestamptz NOT NULL DEFAULT now(),
  trouble text NOT NULL,
  PRIMARY KEY (workspace_id, seq, dispatch_id)
);
SELECT quarterdeck_wall('projection_failure');

-- The rows of a batch, in the order of `place`: found by their key, wherever their time put them. Null in batches of releases
-- that wrote the figures with the record.
ALTER TABLE chain_batch ADD COLUMN ids uuid[], ADD COLUMN instants timestamptz(3)[];

-- Everything recorded so far is in the figures.
INSERT INTO projection_cursor (workspace_id, seq) SELECT workspace_id, seq FROM audit_head;

-- Why the verdict is as it is, where somebody reads it: a word, under the leaf with the other contents and erased with them.
ALTER TABLE dispatch ADD COLUMN reason text;

-- The agents' last words over a call, for outcomes of its hooks that come after them. No gate writes to this table any more.
CREATE INDEX tool_decision_final ON tool_decision (workspace_id, session_id, (tool_use_id::name))
  WHERE kind = 'final' AND tool_use_id IS NOT NULL;

-- Calls that cost something and had reserved nothing: what a cap cannot hold back.
ALTER TABLE budget_account ADD COLUMN unreserved bigint NOT NULL DEFAULT 0, ADD COLUMN unreserved_nano bigint NOT NULL DEFAULT 0;
