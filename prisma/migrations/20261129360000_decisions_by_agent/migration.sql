-- The filter by an enrolled agent also finds the decisions of its inner agents, whose names differ. A uuid can use an index
-- behind row-level security. No gate writes to this table: only figures wait while the index is built.
CREATE INDEX tool_decision_of_agent ON tool_decision (workspace_id, agent_id, occurred_at, dispatch_id);
