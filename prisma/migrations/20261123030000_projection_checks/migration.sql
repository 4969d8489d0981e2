-- The last comparison of a closed UTC day's figures with its log (server/projections; docs/adr/0045-figures-are-computed-anew.md).
CREATE TABLE projection_check (
  workspace_id uuid NOT NULL,
  day date NOT NULL,
  checked_at timestamptz NOT NULL,
  -- gone: the log was dropped by retention; older: its rows are from before facts.
  state text NOT NULL CHECK (state IN ('equal', 'different', 'gone', 'older')),
  dispatches bigint NOT NULL,
  rows_compared bigint NOT NULL,
  rows_differing bigint NOT NULL,
  rows_older bigint NOT NULL,
  -- The first of each table, as JSON (server/projections/schema.ts).
  differences jsonb NOT NULL,
  PRIMARY KEY (workspace_id, day)
);
SELECT quarterdeck_wall('projection_check');
