-- A filter by tool, agent or source finds its rows in the order of the list. The beginning of the text is enough to
-- find by, and bounds the size of an index entry whatever an agent sends; the whole text is compared after.
CREATE INDEX tool_decision_by_tool ON tool_decision (workspace_id, (left(tool_name, 64)), occurred_at, dispatch_id);
CREATE INDEX tool_decision_by_agent ON tool_decision (workspace_id, (left(agent_name, 64)), occurred_at, dispatch_id);
CREATE INDEX tool_decision_by_source ON tool_decision (workspace_id, (left(source, 64)), occurred_at, dispatch_id);
