-- Erasing is asked for and carried out in steps; a month that nobody wants is dropped; what retention could not do is remembered.

-- `session_id` and `agent_name` say whose content goes; both are forgotten when the request is withdrawn. `alias` is what a name
-- becomes. `position` is how far the walk over the tables has come (server/evidence/erasure-walk.ts), null before it begins and
-- after it ended; `followed_seq` is the last entry of the chain whose dispatches were looked at since.
CREATE TABLE erasure_request (
  workspace_id uuid NOT NULL REFERENCES workspace,
  id uuid NOT NULL,
  session_id text,
  agent_name text,
  alias text NOT NULL,
  reason text NOT NULL,
  requested_by text NOT NULL,
  requested_at timestamptz NOT NULL DEFAULT now(),
  state text NOT NULL DEFAULT 'running' CHECK (state IN ('running', 'standing', 'withdrawn')),
  position jsonb,
  followed_seq bigint NOT NULL,
  erased bigint NOT NULL DEFAULT 0,
  held bigint NOT NULL DEFAULT 0,
  copies bigint NOT NULL DEFAULT 0,
  finished_at timestamptz,
  withdrawn_at timestamptz,
  withdrawn_by text,
  fault text,
  fault_at timestamptz,
  PRIMARY KEY (workspace_id, id),
  CHECK ((state = 'withdrawn') = (session_id IS NULL AND agent_name IS NULL))
);
CREATE INDEX erasure_request_newest ON erasure_request (workspace_id, requested_at DESC);

-- A rule of retention that failed and is tried again; the row goes with the next success.
CREATE TABLE retention_fault (
  workspace_id uuid NOT NULL REFERENCES workspace,
  rule text NOT NULL,
  says text NOT NULL,
  since timestamptz NOT NULL,
  failed_at timestamptz NOT NULL,
  failures integer NOT NULL DEFAULT 1,
  PRIMARY KEY (workspace_id, rule)
);
SELECT quarterdeck_wall(walled) FROM unnest(ARRAY['erasure_request', 'retention_fault']::regclass[]) AS walled;

-- The place of an agent's name in a stored one, which may be `enrolled / reported`.
CREATE FUNCTION quarterdeck_is_named(stored text, name text) RETURNS boolean LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT stored = name OR starts_with(stored, name || ' / ') OR right(stored, length(name) + 3) = ' / ' || name
$$;
CREATE FUNCTION quarterdeck_renamed(stored text, name text, alias text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT CASE WHEN stored = name THEN alias
    WHEN right(one, length(name) + 3) = ' / ' || name THEN left(one, length(one) - length(name)) || alias ELSE one END
  FROM (SELECT CASE WHEN starts_with(stored, name || ' / ') THEN alias || substr(stored, length(name) + 1) ELSE stored END) AS first (one)
$$;

-- The ledger stays as it was written; a name in it gives way to the alias of the request that erases it, and nothing else does.
CREATE OR REPLACE FUNCTION quarterdeck_append_only() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'DELETE' AND TG_TABLE_NAME = 'ledger_entry' THEN
    IF EXISTS (SELECT FROM agent WHERE workspace_id = OLD.workspace_id AND id = OLD.agent_id AND is_demo) THEN RETURN OLD; END IF;
  END IF;
  IF TG_OP = 'UPDATE' AND TG_TABLE_NAME = 'ledger_entry' THEN
    IF to_jsonb(NEW) - 'agent_name' = to_jsonb(OLD) - 'agent_name' AND EXISTS (SELECT FROM erasure_request AS request
      WHERE request.workspace_id = OLD.workspace_id AND request.agent_name IS NOT NULL AND NEW.agent_name <> OLD.agent_name
        AND NEW.agent_name = quarterdeck_renamed(OLD.agent_name, request.agent_name, request.alias)) THEN RETURN NEW; END IF;
  END IF;
  RAISE EXCEPTION '% is only ever added to', TG_TABLE_NAME USING ERRCODE = 'insufficient_privilege';
END $$;

-- Deliveries lie in the order of their time, near enough: a few pages hold those of a step.
CREATE INDEX delivery_by_time ON delivery USING brin (occurred_at) WITH (pages_per_range = 16, autosummarize = on);

-- A month of `dispatch` that is about to be dropped: the row goes when anybody writes to the month, and then it is counted anew.
CREATE TABLE closing_month (
  name text PRIMARY KEY,
  closed_at timestamptz NOT NULL DEFAULT clock_timestamp()
);
CREATE FUNCTION quarterdeck_month_written() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM closing_month WHERE name = TG_TABLE_NAME;
  RETURN NULL;
END $$;

CREATE FUNCTION quarterdeck_check_month(month regclass) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  IF current_setting('quarterdeck.workspace', true) IS DISTINCT FROM '*' THEN
    RAISE EXCEPTION 'a month belongs to every workspace' USING ERRCODE = 'insufficient_privilege';
  END IF;
  IF NOT EXISTS (SELECT FROM pg_inherits WHERE inhrelid = month AND inhparent = 'dispatch'::regclass) THEN
    RAISE EXCEPTION '% is no month of dispatch', month;
  END IF;
END $$;

-- From here on whoever adds a row to the month, or takes one away, is noticed. Readers and writers of other months go on.
CREATE FUNCTION quarterdeck_close_month(month regclass) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp SET lock_timeout = '1s' AS $$
DECLARE
  month_name text := (SELECT relname FROM pg_class WHERE oid = month);
BEGIN
  PERFORM quarterdeck_check_month(month);
  EXECUTE format('CREATE OR REPLACE TRIGGER month_written AFTER INSERT OR DELETE ON %s
    FOR EACH ROW EXECUTE FUNCTION quarterdeck_month_written()', month);
  INSERT INTO closing_month (name) VALUES (month_name) ON CONFLICT (name) DO UPDATE SET closed_at = clock_timestamp();
END $$;

-- Takes the locks that dropping needs, for a second at most; false when the month was written to since it was closed.
CREATE FUNCTION quarterdeck_lock_month(month regclass) RETURNS boolean
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp SET lock_timeout = '1s' AS $$
BEGIN
  PERFORM quarterdeck_check_month(month);
  PERFORM pg_advisory_xact_lock(7202);
  LOCK TABLE ONLY dispatch IN ACCESS EXCLUSIVE MODE;
  EXECUTE format('LOCK TABLE %s IN ACCESS EXCLUSIVE MODE', month);
  RETURN EXISTS (SELECT FROM closing_month WHERE name = (SELECT relname FROM pg_class WHERE oid = month));
END $$;

CREATE FUNCTION quarterdeck_drop_month(month regclass) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp SET lock_timeout = '1s' AS $$
DECLARE
  month_name text := (SELECT relname FROM pg_class WHERE oid = month);
BEGIN
  PERFORM quarterdeck_check_month(month);
  DELETE FROM closing_month WHERE name = month_name;
  IF NOT FOUND THEN RAISE EXCEPTION '% is not closed', month; END IF;
  EXECUTE format('DROP TABLE %s', month);
END $$;

-- Makes the month of `dispatch` that begins at `first` when it is missing: attached and not created in place, since a month that
-- was dropped may be made again by a late report, and that must not wait for whoever reads.
CREATE OR REPLACE FUNCTION quarterdeck_add_month(first date) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  month text := 'dispatch_' || to_char(first, 'YYYY_MM');
BEGIN
  IF to_regclass(month) IS NOT NULL THEN RETURN; END IF;
  PERFORM pg_advisory_xact_lock(7202);
  -- Asked of the table: to_regclass would repeat what it said before the lock was taken.
  IF EXISTS (SELECT FROM pg_class WHERE relname = month AND relnamespace = 'public'::regnamespace) THEN RETURN; END IF;
  EXECUTE format('CREATE TABLE %I (LIKE dispatch INCLUDING ALL)', month);
  PERFORM quarterdeck_wall(month::regclass);
  EXECUTE format('ALTER TABLE dispatch ATTACH PARTITION %I FOR VALUES FROM (%L) TO (%L)', month,
    to_char(first, 'YYYY-MM-01') || 'Z', to_char(first + interval '1 month', 'YYYY-MM-01') || 'Z');
END $$;

DROP FUNCTION quarterdeck_empty_month;
REVOKE EXECUTE ON FUNCTION quarterdeck_close_month, quarterdeck_lock_month, quarterdeck_drop_month FROM PUBLIC;
