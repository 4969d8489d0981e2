-- Addresses that are told of what happens here. The secret signs what is sent; it is sealed, and its key is not in the database.
CREATE TABLE webhook (
  workspace_id uuid NOT NULL REFERENCES workspace,
  id uuid NOT NULL,
  url text NOT NULL,
  kinds text[] NOT NULL,
  is_enabled boolean NOT NULL,
  secret bytea NOT NULL,
  secret_set_at timestamptz NOT NULL,
  -- Signs beside the present one until then, so that a receiver can change over.
  former_secret bytea,
  former_until timestamptz,
  -- Up to which minute it was told of denied calls; null while nobody asked.
  denials_told_to timestamptz,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  updated_by text NOT NULL,
  PRIMARY KEY (workspace_id, id)
);
SELECT quarterdeck_wall('webhook');

-- Written in the transaction of what it tells of. `dead`: every attempt failed, and a person has to look.
CREATE TABLE webhook_delivery (
  workspace_id uuid NOT NULL,
  id uuid NOT NULL,
  webhook_id uuid NOT NULL,
  kind text NOT NULL,
  at timestamptz NOT NULL DEFAULT now(),
  body text NOT NULL,
  state text NOT NULL DEFAULT 'waiting' CHECK (state IN ('waiting', 'delivered', 'dead', 'discarded')),
  attempts integer NOT NULL DEFAULT 0,
  next_at timestamptz NOT NULL DEFAULT now(),
  attempted_at timestamptz,
  -- The answer's status, or why there was none; never a word of the answer itself.
  status integer,
  error text,
  PRIMARY KEY (workspace_id, id),
  FOREIGN KEY (workspace_id, webhook_id) REFERENCES webhook ON DELETE CASCADE
);
CREATE INDEX webhook_delivery_due ON webhook_delivery (workspace_id, webhook_id, next_at) WHERE state = 'waiting';
CREATE INDEX webhook_delivery_newest ON webhook_delivery (workspace_id, at DESC, id DESC);
CREATE INDEX webhook_delivery_by_state ON webhook_delivery (workspace_id, state, at DESC, id DESC);
CREATE INDEX webhook_delivery_of_webhook ON webhook_delivery (workspace_id, webhook_id, at DESC, id DESC);
SELECT quarterdeck_wall('webhook_delivery');
