-- Conditions on a measure, looked at every minute by whichever node comes first, and how each of them stands.
CREATE TABLE alert_rule (
  workspace_id uuid NOT NULL REFERENCES workspace,
  id uuid NOT NULL,
  name text NOT NULL,
  measure text NOT NULL,
  agent_id uuid,
  group_id uuid,
  model_id text,
  window_minutes integer NOT NULL,
  comparison text NOT NULL CHECK (comparison IN ('above', 'below', 'rises_by', 'falls_by')),
  -- In the measure's unit, shares and changes in thousandths of a percent.
  threshold bigint NOT NULL,
  for_minutes integer NOT NULL,
  severity text NOT NULL CHECK (severity IN ('info', 'warning', 'critical')),
  emails text[] NOT NULL,
  is_enabled boolean NOT NULL,
  snoozed_until timestamptz,
  state text NOT NULL DEFAULT 'no_data' CHECK (state IN ('ok', 'pending', 'firing', 'no_data')),
  state_since timestamptz NOT NULL DEFAULT now(),
  -- Somebody was told that it fires, and not yet that it stopped.
  is_told boolean NOT NULL DEFAULT false,
  value bigint,
  coverage double precision,
  -- The minute it was last looked at for; what claims it.
  evaluated_at timestamptz,
  fault text,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  updated_by text NOT NULL,
  PRIMARY KEY (workspace_id, id),
  UNIQUE (workspace_id, name)
);
CREATE INDEX alert_rule_due ON alert_rule (evaluated_at NULLS FIRST) WHERE is_enabled;
SELECT quarterdeck_wall('alert_rule');

-- Every change of a rule's state. A letter that is to be sent waits here, in the transaction of the change.
CREATE TABLE alert_event (
  workspace_id uuid NOT NULL,
  rule_id uuid NOT NULL,
  at timestamptz NOT NULL,
  id uuid NOT NULL,
  state text NOT NULL,
  value bigint,
  says text NOT NULL,
  is_snoozed boolean NOT NULL,
  mail_to text[] NOT NULL,
  mail_attempts integer NOT NULL DEFAULT 0,
  mail_next_at timestamptz,
  mail_error text,
  PRIMARY KEY (workspace_id, rule_id, at, id),
  FOREIGN KEY (workspace_id, rule_id) REFERENCES alert_rule ON DELETE CASCADE
);
CREATE INDEX alert_event_newest ON alert_event (workspace_id, at DESC, id DESC);
CREATE INDEX alert_event_letters ON alert_event (mail_next_at) WHERE mail_next_at IS NOT NULL;
SELECT quarterdeck_wall('alert_event');
