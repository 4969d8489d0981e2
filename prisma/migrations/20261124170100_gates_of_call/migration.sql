-- The verdicts of policies over one call, beside the agent's last words over it (tool_decision_final): a list of calls pairs them.
-- A name, since behind row-level security `left()` serves no index. No gate writes to this table: only figures wait while it is built.
CREATE INDEX tool_decision_gate ON tool_decision (workspace_id, session_id, (tool_use_id::name))
  WHERE kind = 'gate' AND tool_use_id IS NOT NULL;
