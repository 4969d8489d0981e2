-- The secrets that were masked in a summary, by rule: [["rule", count], ...]. Null where nobody counted.
ALTER TABLE compaction ADD COLUMN secrets text;

-- A session that has compactions, and how much of it the records below have seen (docs/adr/0022-compactions-joined-anew.md).
-- The recorder raises `marks` with every compaction event; `session.events` counts the rest.
CREATE TABLE compaction_session (
  workspace_id uuid NOT NULL,
  agent_id uuid NOT NULL,
  session_id text NOT NULL,
  marks bigint NOT NULL,
  seen_marks bigint NOT NULL DEFAULT 0,
  seen_events bigint NOT NULL DEFAULT 0,
  -- Nothing more is expected: looked at rarely.
  is_settled boolean NOT NULL DEFAULT false,
  PRIMARY KEY (workspace_id, agent_id, session_id)
);
CREATE INDEX compaction_session_open ON compaction_session (workspace_id, agent_id, session_id)
  WHERE NOT is_settled OR marks <> seen_marks;

-- An attempt joined with what came before and after it. Keyed as its first event in `compaction`.
CREATE TABLE compaction_record (
  workspace_id uuid NOT NULL,
  occurred_at timestamptz NOT NULL,
  dispatch_id uuid NOT NULL,
  agent_id uuid NOT NULL,
  agent_name text NOT NULL,
  session_id text NOT NULL,
  reason text NOT NULL,
  -- applied, vetoed, open
  state text NOT NULL,
  -- Of the last call before it, else of the next; '' when there is none.
  model_id text NOT NULL,
  tokens_before bigint,
  tokens_after bigint,
  -- Why tokens_after is null; '' when it is not.
  after_missing text NOT NULL,
  context_limit bigint,
  duration_ms bigint,
  is_steered boolean NOT NULL,
  is_replaced boolean NOT NULL,
  hooks_run integer NOT NULL,
  hooks_failed integer NOT NULL,
  cost_nano bigint,
  -- told, unpriced, no_call, not_told
  cost_state text NOT NULL,
  -- How many secrets its summary held, null without a summary; and by rule as in `compaction`.
  secrets integer,
  secret_rules text NOT NULL,
  -- full, cut, ended, open, none
  next_turns text NOT NULL,
  before_turns integer NOT NULL,
  before_calls integer NOT NULL,
  before_loops integer NOT NULL,
  before_finished integer NOT NULL,
  before_failed integer NOT NULL,
  before_errors integer NOT NULL,
  before_prompts integer NOT NULL,
  before_repeats integer NOT NULL,
  before_reads integer NOT NULL,
  before_rereads integer NOT NULL,
  after_turns integer NOT NULL,
  after_calls integer NOT NULL,
  after_loops integer NOT NULL,
  after_finished integer NOT NULL,
  after_failed integer NOT NULL,
  after_errors integer NOT NULL,
  after_prompts integer NOT NULL,
  after_repeats integer NOT NULL,
  after_reads integer NOT NULL,
  after_rereads integer NOT NULL,
  -- Null: too few turns to say.
  is_troubled boolean,
  PRIMARY KEY (workspace_id, occurred_at, dispatch_id)
);
CREATE INDEX compaction_record_of_session ON compaction_record (workspace_id, session_id, occurred_at);

SELECT quarterdeck_wall('compaction_session'), quarterdeck_wall('compaction_record');

-- What was recorded before is joined by the server, a session at a time.
DO $$ BEGIN
  PERFORM set_config('quarterdeck.workspace', '*', true);
  INSERT INTO compaction_session (workspace_id, agent_id, session_id, marks)
    SELECT workspace_id, agent_id, session_id, count(*) FROM compaction GROUP BY 1, 2, 3;
END $$;
