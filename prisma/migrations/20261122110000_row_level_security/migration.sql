-- A second wall under the repositories: whatever a query says, it touches rows of the workspace that the connection was told
-- (server/platform/scope.ts), and of every workspace when it was told '*'. When it was told nothing, touching a row is an error:
-- an answer without rows could mean that nothing is forbidden.

-- Raises the wall around a table with a workspace_id. Every migration that makes one calls it; twice does no harm.
CREATE FUNCTION quarterdeck_wall(walled regclass) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  EXECUTE format('ALTER TABLE %s ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY', walled);
  EXECUTE format('DROP POLICY IF EXISTS workspace_wall ON %s', walled);
  -- Each SELECT is evaluated once a query. The first is asked with <>, which the planner takes for true of nearly every row:
  -- it goes on expecting as many as the query's own conditions promise, and so keeps to its indexes.
  EXECUTE format($policy$CREATE POLICY workspace_wall ON %s USING (
    (SELECT CASE current_setting('quarterdeck.workspace', true) WHEN '*' THEN 'all' ELSE 'one' END) <> 'one'
    OR workspace_id = (SELECT nullif(current_setting('quarterdeck.workspace'), '*')::uuid))$policy$, walled);
END $$;

DO $$ BEGIN
  PERFORM quarterdeck_wall(attrelid) FROM pg_attribute JOIN pg_class ON pg_class.oid = attrelid
    WHERE attname = 'workspace_id' AND NOT attisdropped AND relkind IN ('r', 'p')
      AND relnamespace = 'public'::regnamespace;
END $$;

-- What only the owner of the tables may do, and the application must: it runs as the owner, in these words alone.

-- Makes the month of `dispatch` that begins at `first` when it is missing. Safe when two nodes race for it.
CREATE FUNCTION quarterdeck_add_month(first date) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  month text := 'dispatch_' || to_char(first, 'YYYY_MM');
BEGIN
  PERFORM pg_advisory_xact_lock(7202);
  IF to_regclass(month) IS NOT NULL THEN RETURN; END IF;
  EXECUTE format('CREATE TABLE %I PARTITION OF dispatch FOR VALUES FROM (%L) TO (%L)', month,
    to_char(first, 'YYYY-MM-01') || 'Z', to_char(first + interval '1 month', 'YYYY-MM-01') || 'Z');
  PERFORM quarterdeck_wall(month::regclass);
END $$;

-- Empties a month of `dispatch` whole, whosever rows it holds.
CREATE FUNCTION quarterdeck_empty_month(month regclass) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  IF current_setting('quarterdeck.workspace', true) IS DISTINCT FROM '*' THEN
    RAISE EXCEPTION 'a month belongs to every workspace' USING ERRCODE = 'insufficient_privilege';
  END IF;
  IF NOT EXISTS (SELECT FROM pg_inherits WHERE inhrelid = month AND inhparent = 'dispatch'::regclass) THEN
    RAISE EXCEPTION '% is no month of dispatch', month;
  END IF;
  EXECUTE format('TRUNCATE %s', month);
END $$;
REVOKE EXECUTE ON FUNCTION quarterdeck_add_month, quarterdeck_empty_month FROM PUBLIC;

-- Behind the wall an index serves only conditions that cannot tell a row by an error, which PostgreSQL knows of the cast to
-- name (the first 63 bytes) and not of left().
DROP INDEX tool_decision_by_tool, tool_decision_by_agent, tool_decision_by_source;
CREATE INDEX tool_decision_by_tool ON tool_decision (workspace_id, (tool_name::name), occurred_at, dispatch_id);
CREATE INDEX tool_decision_by_agent ON tool_decision (workspace_id, (agent_name::name), occurred_at, dispatch_id);
CREATE INDEX tool_decision_by_source ON tool_decision (workspace_id, (source::name), occurred_at, dispatch_id);
