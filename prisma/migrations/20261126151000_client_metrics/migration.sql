-- What clients count themselves, to be compared with the ledger (docs/adr/0066-telemetry-comes-in-by-the-console.md). A new table: nothing
-- that a former release reads or writes changes.

-- A series of one session on one day of the workspace: dollars or tokens, as the client's metrics say.
CREATE TABLE client_metric (
  workspace_id uuid NOT NULL REFERENCES workspace,
  agent_id uuid NOT NULL,
  session_id text NOT NULL CHECK (length(session_id) <= 400),
  -- Of the metric's name and all of its attributes.
  series uuid NOT NULL,
  day date NOT NULL,
  kind text NOT NULL CHECK (kind IN ('cost', 'tokens')),
  client text NOT NULL CHECK (length(client) <= 40),
  value numeric NOT NULL CHECK (value >= 0),
  -- Of the last point that was counted; nanoseconds since 1970.
  start_nano numeric NOT NULL,
  last_nano numeric NOT NULL,
  last_value numeric NOT NULL,
  PRIMARY KEY (workspace_id, agent_id, session_id, series, day)
);
CREATE INDEX client_metric_by_day ON client_metric (workspace_id, day);
SELECT quarterdeck_wall('client_metric');
