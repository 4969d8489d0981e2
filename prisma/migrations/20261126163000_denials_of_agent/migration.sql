-- An agent reads its own denials, by its id: a name may have been another agent's. Behind row-level security a uuid serves an index.
-- No gate writes to this table: only figures wait while it is built.
CREATE INDEX tool_decision_denied_agent ON tool_decision (workspace_id, agent_id, occurred_at, dispatch_id) WHERE verdict = 'deny';
