-- A judge prompt as people govern it: what a judge is asked with, in immutable numbered revisions.
CREATE TABLE judge_prompt (
  workspace_id uuid NOT NULL REFERENCES workspace,
  id uuid NOT NULL,
  -- What policies' labels name it by (`name@3`), so it never changes.
  name text NOT NULL,
  latest_revision integer NOT NULL DEFAULT 0,
  created_at timestamptz NOT NULL DEFAULT now(),
  created_by text NOT NULL,
  PRIMARY KEY (workspace_id, id),
  UNIQUE (workspace_id, name)
);

CREATE TABLE judge_prompt_draft (
  workspace_id uuid NOT NULL,
  prompt_id uuid NOT NULL,
  template text NOT NULL,
  model text NOT NULL,
  schema text NOT NULL,
  base_revision integer NOT NULL,
  version integer NOT NULL,
  updated_at timestamptz NOT NULL DEFAULT now(),
  updated_by text NOT NULL,
  PRIMARY KEY (workspace_id, prompt_id),
  FOREIGN KEY (workspace_id, prompt_id) REFERENCES judge_prompt ON DELETE CASCADE
);

-- `fingerprint` is what the linter compares hooks by; `sha256` is over the same three texts.
CREATE TABLE judge_prompt_revision (
  workspace_id uuid NOT NULL,
  prompt_id uuid NOT NULL,
  number integer NOT NULL,
  template text NOT NULL,
  model text NOT NULL,
  schema text NOT NULL,
  sha256 text NOT NULL,
  fingerprint text NOT NULL,
  note text NOT NULL,
  author text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (workspace_id, prompt_id, number),
  FOREIGN KEY (workspace_id, prompt_id) REFERENCES judge_prompt ON DELETE CASCADE
);

-- A text tried on recorded calls, within a budget. The text is kept whole: a draft moves on. `revision` 0 is a draft.
CREATE TABLE judge_trial (
  workspace_id uuid NOT NULL,
  id uuid NOT NULL,
  prompt_id uuid NOT NULL,
  revision integer NOT NULL,
  template text NOT NULL,
  model text NOT NULL,
  schema text NOT NULL,
  sha256 text NOT NULL,
  repeats integer NOT NULL,
  calls_max integer NOT NULL,
  nano_max bigint,
  timeout_ms integer NOT NULL,
  state text NOT NULL CHECK (state IN ('running', 'finished', 'canceled', 'spent', 'stopped')),
  -- Why it ended before everything was asked.
  says text NOT NULL DEFAULT '',
  is_canceling boolean NOT NULL DEFAULT false,
  started_by text NOT NULL,
  started_at timestamptz NOT NULL,
  -- Renewed while it runs, so that a trial whose process is gone can be told.
  beat_at timestamptz NOT NULL,
  ended_at timestamptz,
  PRIMARY KEY (workspace_id, id),
  FOREIGN KEY (workspace_id, prompt_id) REFERENCES judge_prompt ON DELETE CASCADE
);
CREATE INDEX judge_trial_of_prompt ON judge_trial (workspace_id, prompt_id, started_at);

-- One question of a trial, planned until it was asked (`asked_at`). `place` counts the recorded calls, `repeat` the times.
CREATE TABLE judge_trial_call (
  workspace_id uuid NOT NULL,
  trial_id uuid NOT NULL,
  place integer NOT NULL,
  repeat integer NOT NULL,
  occurred_at timestamptz NOT NULL,
  dispatch_id uuid NOT NULL,
  event text NOT NULL,
  tool_name text,
  agent_name text NOT NULL,
  asked_at timestamptz,
  -- As of judge_call: allow, ask, deny, context, nothing, or failed.
  verdict text,
  cause text NOT NULL DEFAULT '',
  reason text NOT NULL DEFAULT '',
  reply text,
  latency_ms double precision,
  input_tokens bigint,
  output_tokens bigint,
  pricing text,
  cost_nano bigint,
  PRIMARY KEY (workspace_id, trial_id, place, repeat),
  FOREIGN KEY (workspace_id, trial_id) REFERENCES judge_trial ON DELETE CASCADE
);

-- What people think of a judge's answer: one label per answer and person. `subject` names the answer
-- (`call <ms>.<dispatch>.<place>` or `trial <id>.<place>.<repeat>`). A prompt's labels outlive the trial, not the prompt.
CREATE TABLE judge_label (
  workspace_id uuid NOT NULL,
  subject text NOT NULL,
  person_id text NOT NULL,
  person text NOT NULL,
  prompt_id uuid,
  occurred_at timestamptz NOT NULL,
  dispatch_id uuid NOT NULL,
  word text NOT NULL CHECK (word IN ('right', 'too_strict', 'too_loose')),
  verdict text NOT NULL,
  expected text NOT NULL CHECK (expected IN ('allow', 'ask', 'deny')),
  note text NOT NULL,
  labelled_at timestamptz NOT NULL,
  PRIMARY KEY (workspace_id, subject, person_id),
  FOREIGN KEY (workspace_id, prompt_id) REFERENCES judge_prompt ON DELETE CASCADE
);
CREATE INDEX judge_label_of_prompt ON judge_label (workspace_id, prompt_id, occurred_at, dispatch_id);

-- Which judge prompt and revision the asking hook was labelled with: `name@3`.
ALTER TABLE judge_call ADD COLUMN label text;
CREATE INDEX judge_call_by_label ON judge_call (workspace_id, label, occurred_at) WHERE label IS NOT NULL;
