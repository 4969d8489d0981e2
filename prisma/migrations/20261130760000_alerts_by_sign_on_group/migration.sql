-- The group of the sign-on provider whose members' calls the alert measures; null for all.
ALTER TABLE alert_rule ADD COLUMN sign_on_group_id uuid;

-- An alert counts the denials of people each minute. No gate writes to this table: only figures wait while the index is built.
CREATE INDEX tool_decision_denied_principal ON tool_decision (workspace_id, principal_id, occurred_at)
  WHERE verdict = 'deny' AND principal_id IS NOT NULL;
