-- Turns of a session, counted where its events are. Null: the session began before they were counted, and nobody knows.
ALTER TABLE session ADD COLUMN turns bigint;

-- What the events of one session imply and what of it never came (server/sessions/gaps.ts; docs/adr/0023-what-was-not-seen.md).
-- A function of the rows of `dispatch` alone: written anew whenever the session has other events than were read.
CREATE TABLE session_seen (
  workspace_id uuid NOT NULL,
  agent_id uuid NOT NULL,
  session_id text NOT NULL,
  first_at timestamptz NOT NULL,
  last_at timestamptz NOT NULL,
  -- `session.events` when the rows were read.
  events bigint NOT NULL,
  checked_at timestamptz NOT NULL,
  -- Things begun and not over, in a session that was heard a moment ago: no gaps yet.
  under_way integer NOT NULL,
  is_cut boolean NOT NULL,
  turns integer NOT NULL,
  turn_starts integer NOT NULL,
  turn_ends integer NOT NULL,
  turns_without_end integer NOT NULL,
  turns_without_start integer NOT NULL,
  calls integer NOT NULL,
  answers integer NOT NULL,
  calls_without_answer integer NOT NULL,
  tool_calls integer NOT NULL,
  tool_decisions integer NOT NULL,
  tool_results integer NOT NULL,
  tools_without_decision integer NOT NULL,
  tools_without_result integer NOT NULL,
  iterations_skipped integer NOT NULL,
  PRIMARY KEY (workspace_id, agent_id, session_id)
) WITH (fillfactor = 80);
CREATE INDEX session_seen_by_last ON session_seen (workspace_id, last_at);
SELECT quarterdeck_wall('session_seen');

-- How old reported events were when they came, per agent and hour of coming. A negative delay is a clock that runs ahead.
CREATE TABLE report_hour (
  workspace_id uuid NOT NULL,
  bucket timestamptz NOT NULL,
  agent_id uuid NOT NULL,
  reports bigint NOT NULL,
  delay_min_ms bigint NOT NULL,
  delay_max_ms bigint NOT NULL,
  delay_sum_ms bigint NOT NULL,
  PRIMARY KEY (workspace_id, bucket, agent_id)
) WITH (fillfactor = 70);
SELECT quarterdeck_wall('report_hour');
