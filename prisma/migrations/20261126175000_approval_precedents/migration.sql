-- The earlier calls that a card counts, for each of up to 200 cards of a page: found by the call and by the agent with its tool, not among
-- all requests of 30 days. New indexes, of which a former release knows nothing.
CREATE INDEX approval_request_same ON approval_request (workspace_id, input_sha256, asked_at DESC);
CREATE INDEX approval_request_of_tool ON approval_request (workspace_id, agent_id, tool_name, asked_at DESC);
