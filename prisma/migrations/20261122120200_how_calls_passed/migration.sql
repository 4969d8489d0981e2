-- How calls were settled, and what each hook did, summed as they are recorded: per hour, and per whole day (UTC).

-- The agents' own last words (`on_tool_approval_decision`). `by_judge`: the hook that decided it here had asked a model.
CREATE TABLE decision_hour (
  workspace_id uuid NOT NULL,
  bucket timestamptz NOT NULL,
  agent_id uuid NOT NULL,
  agent_name text NOT NULL,
  tool_name text NOT NULL,
  source text NOT NULL,
  verdict text NOT NULL,
  by_judge boolean NOT NULL,
  count bigint NOT NULL,
  PRIMARY KEY (workspace_id, bucket, agent_id, agent_name, tool_name, source, verdict, by_judge)
) WITH (fillfactor = 70);
CREATE TABLE decision_day (LIKE decision_hour INCLUDING ALL) WITH (fillfactor = 70);

-- One row for each outcome and latency bucket, so that counts and percentiles of any stretch are plain sums. `latency` numbers
-- a bucket of server/recording/latency.ts; -1 for a hook that was not started or did not end by itself.
CREATE TABLE hook_hour (
  workspace_id uuid NOT NULL,
  bucket timestamptz NOT NULL,
  policy text NOT NULL,
  event text NOT NULL,
  hook text NOT NULL,
  outcome text NOT NULL,
  latency smallint NOT NULL,
  count bigint NOT NULL,
  PRIMARY KEY (workspace_id, bucket, policy, event, hook, outcome, latency)
) WITH (fillfactor = 70);
CREATE TABLE hook_day (LIKE hook_hour INCLUDING ALL) WITH (fillfactor = 70);

-- The outcomes somebody may ask about one by one: what a hook denied, asked and failed at, and what judges allowed.
-- The words are in the dispatch's own row.
CREATE TABLE hook_outcome (
  workspace_id uuid NOT NULL,
  occurred_at timestamptz NOT NULL,
  dispatch_id uuid NOT NULL,
  place integer NOT NULL,
  agent_id uuid NOT NULL,
  agent_name text NOT NULL,
  session_id text NOT NULL,
  event text NOT NULL,
  tool_name text,
  tool_use_id text,
  policy text NOT NULL,
  revision integer NOT NULL,
  hook text NOT NULL,
  outcome text NOT NULL,
  -- It had asked a model.
  is_judge boolean NOT NULL,
  -- The verdict is its word.
  is_deciding boolean NOT NULL,
  -- When and how a person allowed the call all the same.
  overturned_at timestamptz,
  overturned_by text,
  PRIMARY KEY (workspace_id, occurred_at, dispatch_id, place)
);
CREATE INDEX hook_outcome_of_rule ON hook_outcome (workspace_id, policy, hook, occurred_at, dispatch_id, place);
-- What a final decision looks its gates up by. The beginning of the id is enough to find by; all of it is compared.
CREATE INDEX hook_outcome_of_call ON hook_outcome (workspace_id, session_id, (tool_use_id::name))
  WHERE tool_use_id IS NOT NULL AND outcome IN ('denied', 'asked', 'allowed');
CREATE INDEX hook_outcome_overturned ON hook_outcome (workspace_id, occurred_at) WHERE overturned_at IS NOT NULL;

-- Hooks are counted from here on: what they did before is not summed.
CREATE TABLE hook_counting (began_at timestamptz NOT NULL);
INSERT INTO hook_counting VALUES (now());

SELECT quarterdeck_wall(made::regclass)
  FROM unnest(ARRAY['decision_hour', 'decision_day', 'hook_hour', 'hook_day', 'hook_outcome']) AS made;

-- A longer text as `keyText` cuts it (server/recording/storable.ts).
CREATE FUNCTION pg_temp.key_text(whole text, characters integer) RETURNS text LANGUAGE sql IMMUTABLE AS $$
  SELECT CASE WHEN length(whole) <= characters THEN whole
    ELSE left(whole, characters - 20) || '…' || left(encode(sha256(convert_to(whole, 'UTF8')), 'hex'), 16) END
$$;
-- Which of the hooks were judges was not kept beside the decisions.
INSERT INTO decision_hour
SELECT workspace_id, date_trunc('hour', occurred_at, 'UTC'), agent_id, agent_name, pg_temp.key_text(tool_name, 128),
  pg_temp.key_text(source, 64), pg_temp.key_text(verdict, 64), false, count(*)
FROM tool_decision WHERE kind = 'final' GROUP BY 1, 2, 3, 4, 5, 6, 7;
INSERT INTO decision_day
SELECT workspace_id, date_trunc('day', bucket, 'UTC'), agent_id, agent_name, tool_name, source, verdict, by_judge, sum(count)
FROM decision_hour GROUP BY 1, 2, 3, 4, 5, 6, 7, 8;
