-- A verification of the stored record is a run that the jobs' process works on, a range of the chain at a time.

CREATE TABLE verification_run (
  workspace_id uuid NOT NULL REFERENCES workspace,
  id uuid NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  started_by text NOT NULL,
  from_beginning boolean NOT NULL,
  state text NOT NULL DEFAULT 'waiting' CHECK (state IN ('waiting', 'running', 'done', 'failed')),
  -- The entries that it verifies; those before `from_seq` an earlier run did. Null until it is begun.
  from_seq bigint,
  to_seq bigint,
  -- The last entry of the last range that is done, and the UTC day that it is about.
  position bigint NOT NULL DEFAULT 0,
  day text,
  entries bigint NOT NULL DEFAULT 0,
  dispatches bigint NOT NULL DEFAULT 0,
  findings bigint NOT NULL DEFAULT 0,
  -- Everything that the next range needs (server/evidence/verification-step.ts); null before the first and after the last.
  progress jsonb,
  -- The result (server/audit/verify.ts), its findings bounded.
  report jsonb,
  failure text,
  -- Ranges that failed one after the other.
  failures integer NOT NULL DEFAULT 0,
  -- The process that works on it, and until when nobody else may.
  lease uuid,
  lease_until timestamptz,
  finished_at timestamptz,
  PRIMARY KEY (workspace_id, id)
);
CREATE INDEX verification_run_newest ON verification_run (workspace_id, created_at DESC);
-- One at a time in a workspace; what is to be done is found by it too.
CREATE UNIQUE INDEX verification_run_under_way ON verification_run (workspace_id) WHERE state IN ('waiting', 'running');
SELECT quarterdeck_wall('verification_run');

-- Dispatches without content that a run has seen, and no entry up to its position explains.
CREATE TABLE verification_blanked (
  workspace_id uuid NOT NULL,
  run_id uuid NOT NULL,
  dispatch_id uuid NOT NULL,
  seq bigint NOT NULL,
  PRIMARY KEY (workspace_id, run_id, dispatch_id),
  FOREIGN KEY (workspace_id, run_id) REFERENCES verification_run ON DELETE CASCADE
);
SELECT quarterdeck_wall('verification_blanked');

-- A dispatch leads to its batch: rows that no batch names are found a window of time after the other.
CREATE INDEX chain_batch_by_id ON chain_batch (workspace_id, batch);

-- The same for batches of before `chain_batch`, whose ids stand in the text of an entry. It is a hint: whoever follows it reads
-- the entry. A node of the version before may still write such entries.
CREATE TABLE audit_entry_batch (
  workspace_id uuid NOT NULL,
  batch uuid NOT NULL,
  seq bigint NOT NULL,
  PRIMARY KEY (workspace_id, batch)
);
SELECT quarterdeck_wall('audit_entry_batch');
INSERT INTO audit_entry_batch (workspace_id, batch, seq)
  SELECT workspace_id, substring(body FROM '"batch":"([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})"')::uuid, seq
  FROM audit_entry WHERE kind = 'dispatches_recorded' AND chain_version = 2
    AND body ~ '"batch":"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}"'
  ON CONFLICT DO NOTHING;

CREATE FUNCTION quarterdeck_note_batch() RETURNS trigger LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
DECLARE
  named text := substring(NEW.body FROM '"batch":"([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})"');
BEGIN
  IF named IS NOT NULL THEN
    INSERT INTO audit_entry_batch (workspace_id, batch, seq) VALUES (NEW.workspace_id, named::uuid, NEW.seq)
      ON CONFLICT DO NOTHING;
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER note_batch AFTER INSERT ON audit_entry FOR EACH ROW WHEN (NEW.kind = 'dispatches_recorded')
  EXECUTE FUNCTION quarterdeck_note_batch();
