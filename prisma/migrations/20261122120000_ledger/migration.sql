-- The ledger beside what agents reported: corrections and estimates, price lists, statements. See docs/adr/0019-the-ledger.md.

-- What became of the cost of a call after it was recorded, in steps per call and kind. An entry holds what stands from then
-- on (`nano`) and what it adds to every sum, so that sums are sums of entries.
CREATE TABLE ledger_entry (
  workspace_id uuid NOT NULL REFERENCES workspace,
  id uuid NOT NULL,
  occurred_at timestamptz NOT NULL,
  dispatch_id uuid NOT NULL,
  kind text NOT NULL CHECK (kind IN ('correction', 'repricing')),
  step integer NOT NULL CHECK (step > 0),
  -- The entry before it; null: the call as it was reported.
  corrects uuid,
  agent_id uuid NOT NULL,
  agent_name text NOT NULL,
  session_id text NOT NULL,
  model_id text NOT NULL,
  -- Null: no estimate stands any more.
  nano bigint,
  priced smallint NOT NULL DEFAULT 0,
  free smallint NOT NULL DEFAULT 0,
  unpriced smallint NOT NULL DEFAULT 0,
  corrected smallint NOT NULL DEFAULT 0,
  corrected_nano bigint NOT NULL DEFAULT 0,
  estimated smallint NOT NULL DEFAULT 0,
  estimated_nano bigint NOT NULL DEFAULT 0,
  price_version integer,
  author text NOT NULL,
  reason text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (workspace_id, occurred_at, dispatch_id, kind, step),
  UNIQUE (workspace_id, id),
  CHECK ((step = 1) = (corrects IS NULL)),
  CHECK (nano IS NOT NULL OR kind = 'repricing'),
  CHECK (kind = 'repricing' OR (estimated = 0 AND estimated_nano = 0)),
  CHECK (kind = 'correction' OR (priced = 0 AND free = 0 AND unpriced = 0 AND corrected = 0 AND corrected_nano = 0))
);
CREATE INDEX ledger_entry_of_session ON ledger_entry (workspace_id, session_id, occurred_at);

-- Entries and closed statements are added and never changed. What goes with the demo was never a record.
CREATE FUNCTION quarterdeck_append_only() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'DELETE' AND TG_TABLE_NAME = 'ledger_entry' THEN
    IF EXISTS (SELECT FROM agent WHERE workspace_id = OLD.workspace_id AND id = OLD.agent_id AND is_demo) THEN RETURN OLD; END IF;
  END IF;
  RAISE EXCEPTION '% is only ever added to', TG_TABLE_NAME USING ERRCODE = 'insufficient_privilege';
END $$;
CREATE TRIGGER ledger_entry_stands BEFORE UPDATE OR DELETE ON ledger_entry
  FOR EACH ROW EXECUTE FUNCTION quarterdeck_append_only();
CREATE TRIGGER ledger_entry_is_kept BEFORE TRUNCATE ON ledger_entry
  FOR EACH STATEMENT EXECUTE FUNCTION quarterdeck_append_only();

-- Sums of entries, beside those of calls: how much of a sum is corrections, and what is estimated beside it.
CREATE TABLE ledger_minute (
  workspace_id uuid NOT NULL,
  bucket timestamptz NOT NULL,
  agent_id uuid NOT NULL,
  agent_name text NOT NULL,
  model_id text NOT NULL,
  corrected bigint NOT NULL DEFAULT 0,
  corrected_nano bigint NOT NULL DEFAULT 0,
  estimated bigint NOT NULL DEFAULT 0,
  estimated_nano bigint NOT NULL DEFAULT 0,
  PRIMARY KEY (workspace_id, bucket, agent_id, agent_name, model_id)
);
CREATE TABLE ledger_hour (LIKE ledger_minute INCLUDING ALL);
CREATE TABLE ledger_day (LIKE ledger_minute INCLUDING ALL);

-- A price list, as it was when it was saved. Nano-dollars per million tokens.
CREATE TABLE price_version (
  workspace_id uuid NOT NULL REFERENCES workspace,
  version integer NOT NULL,
  prices jsonb NOT NULL,
  note text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  created_by text NOT NULL,
  PRIMARY KEY (workspace_id, version)
);
CREATE TRIGGER price_version_stands BEFORE UPDATE OR DELETE ON price_version
  FOR EACH ROW EXECUTE FUNCTION quarterdeck_append_only();

-- The version that calls without a cost are estimated with, and how far that has come.
CREATE TABLE price_estimation (
  workspace_id uuid PRIMARY KEY REFERENCES workspace,
  version integer NOT NULL,
  begun_at timestamptz NOT NULL,
  begun_by text NOT NULL,
  -- Calls up to this id were looked at; ids grow with time.
  reached uuid NOT NULL,
  -- When it had first looked at all there was.
  settled_at timestamptz,
  FOREIGN KEY (workspace_id, version) REFERENCES price_version
);
CREATE INDEX llm_call_unpriced ON llm_call (workspace_id, dispatch_id) WHERE cost_usd IS NULL;

-- A month that was closed, word for word: `content` is canonical JSON, `sha256` is over its bytes.
CREATE TABLE ledger_statement (
  workspace_id uuid NOT NULL REFERENCES workspace,
  month date NOT NULL CHECK (extract(day FROM month) = 1),
  content text NOT NULL,
  sha256 text NOT NULL,
  closed_at timestamptz NOT NULL,
  closed_by text NOT NULL,
  PRIMARY KEY (workspace_id, month)
);
CREATE TRIGGER ledger_statement_stands BEFORE UPDATE OR DELETE ON ledger_statement
  FOR EACH ROW EXECUTE FUNCTION quarterdeck_append_only();

ALTER TABLE agent ADD COLUMN tags text[] NOT NULL DEFAULT '{}';

SELECT quarterdeck_wall(walled::regclass) FROM unnest(ARRAY['ledger_entry', 'ledger_minute', 'ledger_hour', 'ledger_day',
  'price_version', 'price_estimation', 'ledger_statement']) AS walled;
