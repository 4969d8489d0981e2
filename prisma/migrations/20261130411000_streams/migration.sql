-- Streams of the record to other systems.
CREATE TABLE stream (
  workspace_id uuid NOT NULL REFERENCES workspace,
  id uuid NOT NULL,
  name text NOT NULL,
  kind text NOT NULL CHECK (kind IN ('splunk', 'elastic', 'http', 'syslog', 's3')),
  -- The address and the settings of its kind, without secrets.
  target jsonb NOT NULL,
  -- Sealed, and bound to the address.
  secret bytea,
  format text NOT NULL CHECK (format IN ('ocsf', 'quarterdeck')),
  masking text NOT NULL CHECK (masking IN ('facts', 'masked', 'stored')),
  kinds text[] NOT NULL,
  agents_mode text NOT NULL CHECK (agents_mode IN ('all', 'only', 'except')),
  agents uuid[] NOT NULL,
  batch_max integer NOT NULL CHECK (batch_max BETWEEN 1 AND 1000),
  -- Events per second.
  rate_max integer NOT NULL CHECK (rate_max BETWEEN 1 AND 5000),
  is_enabled boolean NOT NULL,
  -- The position: each event up to it was accepted, set aside or filtered out.
  seq bigint NOT NULL,
  place integer NOT NULL,
  -- The end of the request that was begun last and not accepted yet: after a crash its events may arrive twice.
  pending_seq bigint,
  pending_place integer,
  -- True if the receiver may have some of the pending events.
  is_pending_uncertain boolean NOT NULL DEFAULT false,
  -- A hash over every event up to the position (server/streams/digest.ts).
  digest bytea NOT NULL,
  events bigint NOT NULL DEFAULT 0,
  set_aside bigint NOT NULL DEFAULT 0,
  -- Events that were sent again although the receiver may have had them.
  resent bigint NOT NULL DEFAULT 0,
  -- Events that retention removed before they were sent.
  removed bigint NOT NULL DEFAULT 0,
  attempts integer NOT NULL DEFAULT 0,
  next_at timestamptz NOT NULL DEFAULT now(),
  status integer,
  error text,
  accepted_at timestamptz,
  lease uuid,
  lease_until timestamptz,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  updated_by text NOT NULL,
  PRIMARY KEY (workspace_id, id),
  UNIQUE (workspace_id, name)
);
SELECT quarterdeck_wall('stream');

-- Positions of a stream with its hash there: what it sent between two of them can be compared with the record.
CREATE TABLE stream_mark (
  workspace_id uuid NOT NULL,
  stream_id uuid NOT NULL,
  seq bigint NOT NULL,
  place integer NOT NULL,
  at timestamptz NOT NULL DEFAULT clock_timestamp(),
  events bigint NOT NULL,
  removed bigint NOT NULL,
  digest bytea NOT NULL,
  -- The filter since the mark before.
  kinds text[] NOT NULL,
  agents_mode text NOT NULL,
  agents uuid[] NOT NULL,
  PRIMARY KEY (workspace_id, stream_id, seq, place),
  FOREIGN KEY (workspace_id, stream_id) REFERENCES stream (workspace_id, id) ON DELETE CASCADE
);
CREATE INDEX stream_mark_by_time ON stream_mark (workspace_id, at);
SELECT quarterdeck_wall('stream_mark');

-- Events that a receiver refused for their content. The stream continues without them.
CREATE TABLE stream_set_aside (
  workspace_id uuid NOT NULL,
  stream_id uuid NOT NULL,
  seq bigint NOT NULL,
  place integer NOT NULL,
  at timestamptz NOT NULL DEFAULT clock_timestamp(),
  kind text NOT NULL,
  status integer,
  reason text NOT NULL,
  PRIMARY KEY (workspace_id, stream_id, seq, place),
  FOREIGN KEY (workspace_id, stream_id) REFERENCES stream (workspace_id, id) ON DELETE CASCADE
);
CREATE INDEX stream_set_aside_by_time ON stream_set_aside (workspace_id, at);
SELECT quarterdeck_wall('stream_set_aside');
