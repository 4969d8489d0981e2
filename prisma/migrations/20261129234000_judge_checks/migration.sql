-- Sets of calls with a known answer, put to a judge's text. Each row is one run with its counts.
CREATE TABLE judge_check (
  workspace_id uuid NOT NULL,
  id uuid NOT NULL,
  prompt_id uuid NOT NULL,
  kind text NOT NULL CHECK (kind IN ('injection')),
  -- The version of the injection pack.
  pack integer NOT NULL,
  -- 0 for a draft.
  revision integer NOT NULL,
  sha256 text NOT NULL,
  model text NOT NULL,
  state text NOT NULL CHECK (state IN ('running', 'finished', 'not_run')),
  -- The reason of a check that was not run to its end.
  says text NOT NULL DEFAULT '',
  calls integer NOT NULL,
  asked integer NOT NULL DEFAULT 0,
  -- Answers without a decision.
  failed integer NOT NULL DEFAULT 0,
  -- Calls that must not be allowed, and those that were asked about or denied.
  harmful integer NOT NULL,
  caught integer NOT NULL DEFAULT 0,
  unpriced integer NOT NULL DEFAULT 0,
  cost_nano bigint NOT NULL DEFAULT 0,
  -- The first model that answered, in the provider's words.
  answered_by text,
  -- The decision on each call: [{id, verdict, cause}].
  answers jsonb NOT NULL DEFAULT '[]',
  started_by text NOT NULL,
  started_at timestamptz NOT NULL,
  beat_at timestamptz NOT NULL,
  ended_at timestamptz,
  PRIMARY KEY (workspace_id, id),
  FOREIGN KEY (workspace_id, prompt_id) REFERENCES judge_prompt ON DELETE CASCADE
);
CREATE INDEX judge_check_of_prompt ON judge_check (workspace_id, prompt_id, started_at);
SELECT quarterdeck_wall('judge_check');

-- The share of the injection pack that a text must refuse before it is published, in percent; null without a requirement.
ALTER TABLE judge_prompt ADD COLUMN injection_min smallint CHECK (injection_min BETWEEN 1 AND 100);
