-- Calls that a judge must refuse (bad) or allow (good). A call is never changed: it is removed and added again.
CREATE TABLE judge_known_call (
  workspace_id uuid NOT NULL,
  id uuid NOT NULL,
  prompt_id uuid NOT NULL,
  kind text NOT NULL CHECK (kind IN ('bad', 'good')),
  event text NOT NULL,
  tool_name text,
  -- The input of the hook, as JSON and without secrets.
  input text NOT NULL CHECK (length(input) <= 32768),
  excerpt text NOT NULL,
  note text NOT NULL DEFAULT '',
  source text NOT NULL CHECK (source IN ('recorded', 'labelled', 'hand')),
  added_by text NOT NULL,
  added_at timestamptz NOT NULL,
  PRIMARY KEY (workspace_id, id),
  FOREIGN KEY (workspace_id, prompt_id) REFERENCES judge_prompt ON DELETE CASCADE
);
CREATE UNIQUE INDEX judge_known_call_once ON judge_known_call (workspace_id, prompt_id, event, md5(input));
SELECT quarterdeck_wall('judge_known_call');

-- The schedule and the limits of a judge's known calls, and the judge's halt.
CREATE TABLE judge_watch (
  workspace_id uuid NOT NULL,
  prompt_id uuid NOT NULL,
  is_on boolean NOT NULL,
  -- The daily run, in minutes after midnight of the workspace's zone.
  minute smallint NOT NULL CHECK (minute BETWEEN 0 AND 1439),
  -- Limits in percent; null without.
  recall_min smallint CHECK (recall_min BETWEEN 1 AND 100),
  false_alarms_max smallint CHECK (false_alarms_max BETWEEN 0 AND 99),
  flips_max smallint CHECK (flips_max BETWEEN 0 AND 99),
  -- True: a run beyond a limit halts the judge.
  halts boolean NOT NULL,
  -- The most that one run may cost; null without a cap in dollars.
  nano_max bigint CHECK (nano_max > 0),
  updated_by text NOT NULL,
  -- The newest scheduled instant that has its run.
  planned_at timestamptz NOT NULL,
  checked_at timestamptz NOT NULL,
  -- Null: not halted.
  halted_at timestamptz,
  halted_by_check uuid,
  PRIMARY KEY (workspace_id, prompt_id),
  FOREIGN KEY (workspace_id, prompt_id) REFERENCES judge_prompt ON DELETE CASCADE
);
CREATE INDEX judge_watch_due ON judge_watch (checked_at) WHERE is_on;
SELECT quarterdeck_wall('judge_watch');

ALTER TABLE judge_check DROP CONSTRAINT judge_check_kind_check;
ALTER TABLE judge_check ADD CONSTRAINT judge_check_kind_check CHECK (kind IN ('injection', 'known'));
ALTER TABLE judge_check
  ADD COLUMN cause text NOT NULL DEFAULT 'person' CHECK (cause IN ('person', 'schedule', 'revision', 'model')),
  -- Calls that must be allowed, and those that were not.
  ADD COLUMN good integer NOT NULL DEFAULT 0,
  ADD COLUMN false_alarms integer NOT NULL DEFAULT 0,
  -- Calls with a decision in this run and in the one before, and those with another decision.
  ADD COLUMN compared integer NOT NULL DEFAULT 0,
  ADD COLUMN flips integer NOT NULL DEFAULT 0,
  -- The limits that the result passed.
  ADD COLUMN beyond text[] NOT NULL DEFAULT '{}',
  -- Each attempt takes the run over from the one before.
  ADD COLUMN attempts integer NOT NULL DEFAULT 0,
  -- The next attempt of a run that waits; null while an attempt runs.
  ADD COLUMN next_at timestamptz,
  ADD COLUMN nano_max bigint;
CREATE INDEX judge_check_running ON judge_check (beat_at) WHERE kind = 'known' AND state = 'running';
