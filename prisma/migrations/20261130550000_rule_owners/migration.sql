-- The person who answers for a rule, and the ticket that asked for it (server/rule-owners).
CREATE TABLE rule_owner (
  workspace_id uuid NOT NULL REFERENCES workspace,
  policy_id uuid NOT NULL,
  event text NOT NULL,
  hook text NOT NULL,
  person_id uuid,
  ticket text CHECK (length(ticket) <= 500),
  set_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  PRIMARY KEY (workspace_id, policy_id, event, hook),
  CHECK (person_id IS NOT NULL OR ticket IS NOT NULL)
);
SELECT quarterdeck_wall('rule_owner');
