-- Runaway rules (docs/runaway-rules.md). New tables and functions, and a column with a constant default: no row is rewritten, and nothing
-- that a former release reads or writes changes.

-- The newest calls and outcomes of one session of an agent that a `repeat_guard` counts. Removed when it has rested for two hours.
CREATE TABLE guarded_session (
  workspace_id uuid NOT NULL REFERENCES workspace,
  agent_id uuid NOT NULL,
  -- Of the session's id: the row names nobody, and holds digests of all else.
  session_sha256 bytea NOT NULL CHECK (length(session_sha256) = 32),
  -- The oldest first: the call at its stage, the request that it came with, and when.
  calls bigint[] NOT NULL DEFAULT '{}' CHECK (cardinality(calls) <= 200),
  requests bigint[] NOT NULL DEFAULT '{}' CHECK (cardinality(requests) <= 200),
  called_at timestamptz[] NOT NULL DEFAULT '{}' CHECK (cardinality(called_at) <= 200),
  -- The outcomes of tools, in the same way.
  outcome_tools bigint[] NOT NULL DEFAULT '{}' CHECK (cardinality(outcome_tools) <= 200),
  outcome_requests bigint[] NOT NULL DEFAULT '{}' CHECK (cardinality(outcome_requests) <= 200),
  outcome_failed boolean[] NOT NULL DEFAULT '{}' CHECK (cardinality(outcome_failed) <= 200),
  outcome_at timestamptz[] NOT NULL DEFAULT '{}' CHECK (cardinality(outcome_at) <= 200),
  touched_at timestamptz NOT NULL,
  PRIMARY KEY (workspace_id, agent_id, session_sha256),
  FOREIGN KEY (workspace_id, agent_id) REFERENCES agent (workspace_id, id) ON DELETE CASCADE
);
CREATE INDEX guarded_session_by_time ON guarded_session (touched_at);
SELECT quarterdeck_wall('guarded_session');

-- The tools that guards have met, each with the instant from which it counts as known to the workspace.
CREATE TABLE workspace_tool (
  workspace_id uuid NOT NULL REFERENCES workspace,
  tool_name text NOT NULL CHECK (length(tool_name) <= 300),
  first_seen_at timestamptz NOT NULL,
  PRIMARY KEY (workspace_id, tool_name)
);
CREATE INDEX workspace_tool_by_time ON workspace_tool (workspace_id, first_seen_at);
SELECT quarterdeck_wall('workspace_tool');

-- True of a halt that a runaway rule made.
ALTER TABLE halt ADD COLUMN by_rule boolean NOT NULL DEFAULT false;

-- The seconds since each like call of the session, and since each of the tool's failures after its last success; the newest first. Rows are
-- locked in the order of their keys, so that two gateways never wait for each other.
CREATE FUNCTION quarterdeck_guard_calls(of_workspace uuid, of_agents uuid[], of_sessions bytea[], of_calls bigint[],
  of_requests bigint[], of_tools bigint[], is_counted boolean)
RETURNS TABLE (place integer, call_ages float8[], failure_ages float8[])
LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
  one record;
  kept guarded_session%ROWTYPE;
BEGIN
  FOR one IN
    SELECT item.agent, item.session, item.call, item.request, item.tool, item.place
    FROM unnest(of_agents, of_sessions, of_calls, of_requests, of_tools) WITH ORDINALITY
      AS item (agent, session, call, request, tool, place)
    ORDER BY item.agent, item.session, item.place
  LOOP
    kept := NULL;
    IF is_counted THEN
      INSERT INTO guarded_session AS known (workspace_id, agent_id, session_sha256, calls, requests, called_at, touched_at)
      VALUES (of_workspace, one.agent, one.session, ARRAY[one.call], ARRAY[one.request], ARRAY[clock_timestamp()], clock_timestamp())
      ON CONFLICT (workspace_id, agent_id, session_sha256) DO UPDATE SET
        calls = CASE WHEN one.request = ANY (known.requests) THEN known.calls
          ELSE (known.calls || one.call)[greatest(1, cardinality(known.calls) - 198):] END,
        requests = CASE WHEN one.request = ANY (known.requests) THEN known.requests
          ELSE (known.requests || one.request)[greatest(1, cardinality(known.requests) - 198):] END,
        called_at = CASE WHEN one.request = ANY (known.requests) THEN known.called_at
          ELSE (known.called_at || clock_timestamp())[greatest(1, cardinality(known.called_at) - 198):] END,
        touched_at = clock_timestamp()
      RETURNING known.* INTO kept;
    ELSE
      SELECT known.* INTO kept FROM guarded_session AS known
      WHERE known.workspace_id = of_workspace AND known.agent_id = one.agent AND known.session_sha256 = one.session;
    END IF;
    place := one.place::integer;
    call_ages := ARRAY(
      SELECT extract(epoch FROM clock_timestamp() - item.at)::float8
      FROM unnest(kept.calls, kept.called_at) AS item (call, at) WHERE item.call = one.call ORDER BY item.at DESC);
    failure_ages := ARRAY(
      SELECT extract(epoch FROM clock_timestamp() - item.at)::float8
      FROM unnest(kept.outcome_tools, kept.outcome_failed, kept.outcome_at) WITH ORDINALITY AS item (tool, failed, at, place)
      WHERE item.tool = one.tool AND item.failed AND item.place > coalesce((
        SELECT max(other.place) FROM unnest(kept.outcome_tools, kept.outcome_failed) WITH ORDINALITY AS other (tool, failed, place)
        WHERE other.tool = one.tool AND NOT other.failed), 0)
      ORDER BY item.place DESC);
    RETURN NEXT;
  END LOOP;
END $$;

-- Notes how tools ended, in sessions that are counted already; of others nothing is kept.
CREATE FUNCTION quarterdeck_guard_outcomes(of_workspace uuid, of_agents uuid[], of_sessions bytea[], of_tools bigint[],
  of_requests bigint[], of_failed boolean[])
RETURNS void
LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
  one record;
BEGIN
  FOR one IN
    SELECT item.agent, item.session, item.tool, item.request, item.failed
    FROM unnest(of_agents, of_sessions, of_tools, of_requests, of_failed) WITH ORDINALITY
      AS item (agent, session, tool, request, failed, place)
    ORDER BY item.agent, item.session, item.place
  LOOP
    UPDATE guarded_session AS known SET
      outcome_tools = (known.outcome_tools || one.tool)[greatest(1, cardinality(known.outcome_tools) - 198):],
      outcome_requests = (known.outcome_requests || one.request)[greatest(1, cardinality(known.outcome_requests) - 198):],
      outcome_failed = (known.outcome_failed || one.failed)[greatest(1, cardinality(known.outcome_failed) - 198):],
      outcome_at = (known.outcome_at || clock_timestamp())[greatest(1, cardinality(known.outcome_at) - 198):],
      touched_at = clock_timestamp()
    WHERE known.workspace_id = of_workspace AND known.agent_id = one.agent AND known.session_sha256 = one.session
      AND one.request <> ALL (known.outcome_requests);
  END LOOP;
END $$;
