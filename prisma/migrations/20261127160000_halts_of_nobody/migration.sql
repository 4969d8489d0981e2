-- The removal of the demo left halts of its agents in force. A halt whose agent is gone cannot be read, and reaches every agent now.
UPDATE halt SET resumed_at = clock_timestamp(), resumed_by = 'upgrade', resume_reason = 'The halted agent was removed.'
  WHERE resumed_at IS NULL AND agent_id IS NOT NULL AND NOT EXISTS (
    SELECT FROM agent WHERE agent.workspace_id = halt.workspace_id AND agent.id = halt.agent_id);
