-- Rules of a policy that run without effect until an instant: the other rules of the policy keep their effect. `hook` is
-- the rule's name as `hook_outcome` stores it. A rule of that name is monitored in every revision of the policy.
CREATE TABLE rule_monitor (
  workspace_id uuid NOT NULL,
  policy_id uuid NOT NULL,
  event text NOT NULL CHECK (event <> ''),
  hook text NOT NULL CHECK (hook <> ''),
  since timestamptz NOT NULL DEFAULT now(),
  until timestamptz NOT NULL,
  monitored_by text NOT NULL,
  PRIMARY KEY (workspace_id, policy_id, event, hook),
  FOREIGN KEY (workspace_id, policy_id) REFERENCES policy (workspace_id, id) ON DELETE CASCADE,
  CONSTRAINT rule_monitor_ends CHECK (until > since AND until <= since + interval '31 days')
);
SELECT quarterdeck_wall('rule_monitor');

-- The verdicts of one monitored rule have its name. The name is empty for a policy that is observed as a whole.
ALTER TABLE observation ADD COLUMN rule text NOT NULL DEFAULT '';
ALTER TABLE observation DROP CONSTRAINT observation_pkey;
ALTER TABLE observation ADD PRIMARY KEY (workspace_id, policy_id, occurred_at, dispatch_id, rule);
CREATE INDEX observation_of_dispatch ON observation (workspace_id, occurred_at, dispatch_id);

ALTER TABLE observation_hour ADD COLUMN event text NOT NULL DEFAULT '', ADD COLUMN rule text NOT NULL DEFAULT '';
ALTER TABLE observation_hour DROP CONSTRAINT observation_hour_pkey;
ALTER TABLE observation_hour ADD PRIMARY KEY (workspace_id, policy_id, bucket, revision, event, rule);
