-- Every key of a table that grows leads with workspace_id, and `session` and `delivery` stand in hash partitions. Large tables are
-- not rewritten here: what follows expands, server/database/key-upgrade.ts fills in steps while everybody works, and then the
-- functions below switch (docs/adr/0047-keys-lead-with-the-workspace.md). A table without rows is switched at once.
--
-- Locks taken by this migration, each for the catalogue alone and until it commits: ACCESS EXCLUSIVE on `delivery` (a column whose
-- default is not written into rows), SHARE ROW EXCLUSIVE on `session` and `delivery` (a trigger). Where a table is empty, ACCESS
-- EXCLUSIVE on it. No row is read or written but those of empty tables.

-- Whoever reads one of these tables for minutes (a backup) must not hold up gates behind this.
SET LOCAL lock_timeout = '3s';

-- A name is remembered for so long after it came; rows of before count from now on.
ALTER TABLE delivery ADD COLUMN received_at timestamptz NOT NULL DEFAULT now();

-- How far the rows of a table are copied; the row goes with the switch.
CREATE TABLE key_upgrade (
  table_name text PRIMARY KEY,
  -- The key of the last row of the last step; null before the first.
  position jsonb,
  is_copied boolean NOT NULL DEFAULT false
);

CREATE TABLE session_next (LIKE session INCLUDING ALL EXCLUDING INDEXES, PRIMARY KEY (workspace_id, agent_id, session_id))
  PARTITION BY HASH (workspace_id);
CREATE INDEX session_next_by_last ON session_next (workspace_id, last_at);
CREATE INDEX session_next_by_parent ON session_next (workspace_id, parent_session_id) WHERE parent_session_id IS NOT NULL;
-- By the name of the delivery, so that one workspace's are spread too; its key is one over all of them.
CREATE TABLE delivery_next (LIKE delivery INCLUDING ALL EXCLUDING INDEXES, PRIMARY KEY (workspace_id, agent_id, event_id))
  PARTITION BY HASH (event_id);
-- Deliveries lie in the order of their time, near enough: a few pages hold those of a step.
CREATE INDEX delivery_next_by_time ON delivery_next USING brin (occurred_at) WITH (pages_per_range = 16, autosummarize = on);
CREATE INDEX delivery_next_by_arrival ON delivery_next USING brin (received_at) WITH (pages_per_range = 16, autosummarize = on);
DO $$ BEGIN
  FOR part IN 0..15 LOOP
    EXECUTE format('CREATE TABLE %I PARTITION OF session_next FOR VALUES WITH (MODULUS 16, REMAINDER %s)', 'session_' || lpad(part::text, 2, '0'), part);
    EXECUTE format('CREATE TABLE %I PARTITION OF delivery_next FOR VALUES WITH (MODULUS 16, REMAINDER %s)', 'delivery_' || lpad(part::text, 2, '0'), part);
  END LOOP;
  PERFORM quarterdeck_wall('session_next'), quarterdeck_wall('delivery_next');
  PERFORM quarterdeck_wall(inhrelid) FROM pg_inherits WHERE inhparent IN ('session_next'::regclass, 'delivery_next'::regclass);
END $$;

-- While rows are copied, each change of one is made to its copy as well, in the transaction of the change.
CREATE FUNCTION quarterdeck_mirror_session() RETURNS trigger LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
BEGIN
  IF TG_OP <> 'INSERT' THEN
    DELETE FROM session_next WHERE workspace_id = OLD.workspace_id AND agent_id = OLD.agent_id AND session_id = OLD.session_id;
  END IF;
  IF TG_OP <> 'DELETE' THEN INSERT INTO session_next VALUES (NEW.*); END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER mirror AFTER INSERT OR UPDATE OR DELETE ON session FOR EACH ROW EXECUTE FUNCTION quarterdeck_mirror_session();

CREATE FUNCTION quarterdeck_mirror_delivery() RETURNS trigger LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
BEGIN
  IF TG_OP <> 'INSERT' THEN
    DELETE FROM delivery_next WHERE workspace_id = OLD.workspace_id AND agent_id = OLD.agent_id AND event_id = OLD.event_id;
  END IF;
  IF TG_OP <> 'DELETE' THEN INSERT INTO delivery_next VALUES (NEW.*); END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER mirror AFTER INSERT OR UPDATE OR DELETE ON delivery FOR EACH ROW EXECUTE FUNCTION quarterdeck_mirror_delivery();

INSERT INTO key_upgrade (table_name) VALUES ('session'), ('delivery');

-- Puts a table's copy in its place once all rows are in it; false when they are not, or it was done before. ACCESS EXCLUSIVE on
-- both, asked for within a second and held for the catalogue alone: the old files are removed after the commit.
CREATE FUNCTION quarterdeck_switch_table(old_name text) RETURNS boolean
LANGUAGE plpgsql SET search_path = public, pg_temp SET lock_timeout = '1s' AS $$
DECLARE
  index_name text;
BEGIN
  EXECUTE format('LOCK TABLE %I IN ACCESS EXCLUSIVE MODE', old_name);
  IF NOT EXISTS (SELECT FROM key_upgrade WHERE table_name = old_name AND is_copied) THEN RETURN false; END IF;
  EXECUTE format('LOCK TABLE %I IN ACCESS EXCLUSIVE MODE', old_name || '_next');
  EXECUTE format('DROP TABLE %I', old_name);
  EXECUTE format('DROP FUNCTION %I', 'quarterdeck_mirror_' || old_name);
  EXECUTE format('ALTER TABLE %I RENAME TO %I', old_name || '_next', old_name);
  FOR index_name IN SELECT relname FROM pg_index JOIN pg_class ON pg_class.oid = indexrelid WHERE indrelid = old_name::regclass LOOP
    EXECUTE format('ALTER INDEX %I RENAME TO %I', index_name, replace(index_name, '_next', ''));
  END LOOP;
  DELETE FROM key_upgrade WHERE table_name = old_name;
  RETURN true;
END $$;

-- Gives `dispatch` the key (workspace_id, occurred_at, id), once every month has an index for it; false when one has none, or it was
-- done before. ACCESS EXCLUSIVE on `dispatch` and its months, asked for within a second and held for the catalogue alone.
CREATE FUNCTION quarterdeck_switch_dispatch() RETURNS boolean
LANGUAGE plpgsql SET search_path = public, pg_temp SET lock_timeout = '1s' AS $$
DECLARE
  month text;
BEGIN
  -- Nobody makes or drops a month meanwhile.
  PERFORM pg_advisory_xact_lock(7202);
  -- First the parent, which nearly all go through: behind it the months are free.
  LOCK TABLE ONLY dispatch IN ACCESS EXCLUSIVE MODE;
  LOCK TABLE dispatch IN ACCESS EXCLUSIVE MODE;
  IF NOT EXISTS (SELECT FROM pg_index WHERE indrelid = 'dispatch'::regclass AND indisprimary
    AND pg_get_indexdef(indexrelid) LIKE '%(occurred_at, id)') THEN RETURN false; END IF;
  IF EXISTS (SELECT FROM quarterdeck_months_without_key()) THEN RETURN false; END IF;
  ALTER TABLE dispatch DROP CONSTRAINT dispatch_pkey;
  ALTER TABLE ONLY dispatch ADD CONSTRAINT dispatch_pkey PRIMARY KEY (workspace_id, occurred_at, id);
  FOR month IN SELECT relname FROM pg_inherits JOIN pg_class ON pg_class.oid = inhrelid
    WHERE inhparent = 'dispatch'::regclass ORDER BY relname LOOP
    EXECUTE format('ALTER TABLE %I ADD CONSTRAINT %I PRIMARY KEY USING INDEX %I', month, month || '_pkey', month || '_key');
    EXECUTE format('ALTER INDEX dispatch_pkey ATTACH PARTITION %I', month || '_pkey');
  END LOOP;
  RETURN true;
END $$;

-- The months of `dispatch` that lack a whole index for its new key.
CREATE FUNCTION quarterdeck_months_without_key() RETURNS SETOF text LANGUAGE sql STABLE SET search_path = public, pg_temp AS $$
  SELECT child.relname::text FROM pg_inherits JOIN pg_class AS child ON child.oid = inhrelid
  WHERE inhparent = 'dispatch'::regclass AND NOT EXISTS (
    SELECT FROM pg_index JOIN pg_class AS own ON own.oid = indexrelid
    WHERE indrelid = child.oid AND indisunique AND indisvalid AND own.relname = child.relname || '_key')
  ORDER BY child.relname
$$;

-- Nobody writes to them before this commits.
UPDATE key_upgrade SET is_copied = true
WHERE table_name = 'session' AND NOT EXISTS (SELECT FROM session) OR table_name = 'delivery' AND NOT EXISTS (SELECT FROM delivery);
SELECT quarterdeck_switch_table(table_name) FROM key_upgrade WHERE is_copied;
SELECT quarterdeck_switch_dispatch() WHERE NOT EXISTS (SELECT FROM quarterdeck_months_without_key());
