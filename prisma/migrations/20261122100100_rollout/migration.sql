-- Groups of agents. The order of groups is the order of their policies in an agent's effective set.
CREATE TABLE agent_group (
  workspace_id uuid NOT NULL REFERENCES workspace,
  id uuid NOT NULL,
  name text NOT NULL,
  position integer NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (workspace_id, id),
  UNIQUE (workspace_id, name)
);

CREATE TABLE agent_group_member (
  workspace_id uuid NOT NULL,
  group_id uuid NOT NULL,
  agent_id uuid NOT NULL,
  PRIMARY KEY (workspace_id, group_id, agent_id),
  FOREIGN KEY (workspace_id, group_id) REFERENCES agent_group ON DELETE CASCADE,
  FOREIGN KEY (workspace_id, agent_id) REFERENCES agent ON DELETE CASCADE
);
CREATE INDEX agent_group_of_agent ON agent_group_member (workspace_id, agent_id);

-- A policy reaches the same target once. An observed assignment says until when; then it is enforced, by itself.
ALTER TABLE assignment
  ADD COLUMN observe_since timestamptz,
  ADD COLUMN observe_by text,
  ADD CONSTRAINT assignment_observed_until CHECK ((mode = 'observe') = (observe_until IS NOT NULL));
CREATE UNIQUE INDEX assignment_once ON assignment (workspace_id, policy_id, scope, target_id) NULLS NOT DISTINCT;
CREATE INDEX assignment_of_target ON assignment (workspace_id, scope, target_id);

-- A revision that some agents try before the others: those of a share by hash, and those of a group.
ALTER TABLE policy
  ADD COLUMN canary_revision integer,
  ADD COLUMN canary_share integer CHECK (canary_share BETWEEN 0 AND 100),
  ADD COLUMN canary_group_id uuid,
  ADD COLUMN canary_since timestamptz,
  ADD COLUMN canary_by text,
  ADD CONSTRAINT policy_canary_whole CHECK (
    (canary_revision IS NULL) = (canary_share IS NULL)
    AND (canary_revision IS NULL) = (canary_since IS NULL)
    AND (canary_revision IS NULL) = (canary_by IS NULL)
    AND (canary_group_id IS NULL OR canary_revision IS NOT NULL)
  );

-- While there is a row, nothing that is in force in the workspace changes.
CREATE TABLE workspace_freeze (
  workspace_id uuid PRIMARY KEY REFERENCES workspace,
  reason text NOT NULL,
  frozen_by text NOT NULL,
  frozen_at timestamptz NOT NULL DEFAULT now()
);

-- Recorded things ---------------------------------------------------------------------------------------------------

-- What a policy that is only observed would have decided, beside what was decided. `is_stricter`: it would have stopped,
-- or asked about, what went through.
CREATE TABLE observation (
  workspace_id uuid NOT NULL,
  occurred_at timestamptz NOT NULL,
  dispatch_id uuid NOT NULL,
  policy_id uuid NOT NULL,
  revision integer NOT NULL,
  agent_id uuid NOT NULL,
  agent_name text NOT NULL,
  session_id text NOT NULL,
  event text NOT NULL,
  tool_name text,
  verdict text NOT NULL,
  decided text NOT NULL,
  is_stricter boolean NOT NULL,
  reason text NOT NULL,
  hooks text NOT NULL,
  duration_us integer NOT NULL,
  PRIMARY KEY (workspace_id, policy_id, occurred_at, dispatch_id)
);
CREATE INDEX observation_stricter ON observation (workspace_id, policy_id, occurred_at, dispatch_id) WHERE is_stricter;

-- How much was looked at, per policy, revision and hour: the denominators of the above, and what was dropped.
CREATE TABLE observation_hour (
  workspace_id uuid NOT NULL,
  policy_id uuid NOT NULL,
  bucket timestamptz NOT NULL,
  revision integer NOT NULL,
  gates bigint NOT NULL DEFAULT 0,
  judged bigint NOT NULL DEFAULT 0,
  denied bigint NOT NULL DEFAULT 0,
  asked bigint NOT NULL DEFAULT 0,
  failed bigint NOT NULL DEFAULT 0,
  dropped bigint NOT NULL DEFAULT 0,
  PRIMARY KEY (workspace_id, policy_id, bucket, revision)
);
