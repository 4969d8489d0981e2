-- The former release knows no retired agents: their keys would open again. They end.
UPDATE agent_key SET revoked_at = clock_timestamp() FROM agent
  WHERE agent.workspace_id = agent_key.workspace_id AND agent.id = agent_key.agent_id
    AND agent.retired_at IS NOT NULL AND agent_key.revoked_at IS NULL;
