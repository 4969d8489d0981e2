-- Requests with an agent's key or a service account's token that were refused, grouped by day. A group of unknown keys has no
-- subject. The number of rows is bounded by server/request-log, and retention removes them after seven days.
CREATE TABLE refused_request (
  workspace_id uuid NOT NULL REFERENCES workspace ON DELETE CASCADE,
  -- The key of an agent or the token of a service account; the zero UUID for an unknown key.
  subject_id uuid NOT NULL,
  -- The agent or the service account; null for an unknown key.
  owner_id uuid,
  day date NOT NULL,
  -- The public beginning of the key.
  hint text NOT NULL,
  status smallint NOT NULL,
  code text NOT NULL,
  method text NOT NULL,
  route text NOT NULL,
  -- The address of the client; "" when it is not known.
  client text NOT NULL,
  count bigint NOT NULL CHECK (count > 0),
  first_at timestamptz NOT NULL,
  last_at timestamptz NOT NULL,
  PRIMARY KEY (workspace_id, subject_id, day, hint, status, code, method, route, client)
);
CREATE INDEX refused_request_by_time ON refused_request (workspace_id, last_at);
SELECT quarterdeck_wall('refused_request');
