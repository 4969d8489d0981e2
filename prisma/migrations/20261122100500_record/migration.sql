-- The record that can be proven. Entries of chain version 1 keep the rule they were written under; new ones hash who, when,
-- where and what together (server/audit/chain.ts). Nothing that was written before is touched.

ALTER TABLE audit_head ADD COLUMN at timestamptz;

-- `target` is what an entry is about (`policy/<id>`), `changes` what differs before and after; both are hashed like the body.
ALTER TABLE audit_entry
  ADD COLUMN chain_version smallint NOT NULL DEFAULT 1,
  ADD COLUMN actor_kind text,
  ADD COLUMN actor_id text,
  ADD COLUMN actor_name text,
  ADD COLUMN ip text,
  ADD COLUMN user_agent text,
  ADD COLUMN target text,
  ADD COLUMN changes text;
-- The acts of people, without the many batches between them.
CREATE INDEX audit_entry_of_acts ON audit_entry (workspace_id, seq) WHERE kind <> 'dispatches_recorded';
CREATE INDEX audit_entry_of_kind ON audit_entry (workspace_id, kind, seq) WHERE kind <> 'dispatches_recorded';

-- Where a row stands in the digest of its batch. `salt` keeps an erased content from being guessed by its hash;
-- `content_sha256` and `erased_at` are set when the content is erased.
ALTER TABLE dispatch
  ADD COLUMN batch uuid,
  ADD COLUMN place integer,
  ADD COLUMN salt uuid,
  ADD COLUMN content_sha256 text,
  ADD COLUMN erased_at timestamptz;
-- Batches lie in the order of their ids, near enough: a few pages hold the rows of one.
CREATE INDEX dispatch_of_batch ON dispatch USING brin (batch) WITH (pages_per_range = 16, autosummarize = on);

-- The digests of rows that are held no more, while other rows of their batch still are. `act` names the audit entry that
-- says why, and that entry holds a digest over them.
CREATE TABLE dispatch_leaf (
  workspace_id uuid NOT NULL,
  batch uuid NOT NULL,
  place integer NOT NULL,
  sha256 text NOT NULL,
  act uuid NOT NULL,
  PRIMARY KEY (workspace_id, batch, place)
);

-- Copies of what was written outside: the file and the webhook are what counts.
CREATE TABLE audit_checkpoint (
  workspace_id uuid NOT NULL REFERENCES workspace,
  seq bigint NOT NULL,
  hash text NOT NULL,
  at text NOT NULL,
  key_id text NOT NULL,
  signature text NOT NULL,
  webhook_url text,
  webhook_attempts integer NOT NULL DEFAULT 0,
  webhook_error text,
  webhook_next_at timestamptz,
  webhook_delivered_at timestamptz,
  PRIMARY KEY (workspace_id, seq)
);

-- Every public key that ever signed a checkpoint.
CREATE TABLE audit_key (
  workspace_id uuid NOT NULL REFERENCES workspace,
  key_id text NOT NULL,
  public_key text NOT NULL,
  since timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (workspace_id, key_id)
);

CREATE TABLE record_setting (
  workspace_id uuid PRIMARY KEY REFERENCES workspace,
  checkpoint_entries integer NOT NULL DEFAULT 1000 CHECK (checkpoint_entries BETWEEN 1 AND 1000000),
  checkpoint_seconds integer NOT NULL DEFAULT 300 CHECK (checkpoint_seconds BETWEEN 1 AND 86400),
  webhook_url text,
  -- Why no checkpoint is signed any more: the chain contradicts what was written outside.
  checkpoint_fault text,
  raw_until timestamptz,
  raw_reason text
);

-- Days that a kind of data is kept; a kind without a row is kept for ever.
CREATE TABLE retention (
  workspace_id uuid NOT NULL REFERENCES workspace,
  kind text NOT NULL CHECK (kind IN ('dispatches', 'activity', 'judge_calls', 'figures')),
  days integer NOT NULL CHECK (days BETWEEN 1 AND 36500),
  PRIMARY KEY (workspace_id, kind)
);

-- What may not be dropped or erased while it stands. Null means any.
CREATE TABLE legal_hold (
  workspace_id uuid NOT NULL REFERENCES workspace,
  id uuid NOT NULL,
  reason text NOT NULL,
  agent_id uuid,
  session_id text,
  from_at timestamptz,
  to_at timestamptz,
  created_at timestamptz NOT NULL DEFAULT now(),
  created_by text NOT NULL,
  released_at timestamptz,
  released_by text,
  PRIMARY KEY (workspace_id, id)
);
CREATE INDEX judge_call_of_session ON judge_call (workspace_id, session_id, occurred_at);
