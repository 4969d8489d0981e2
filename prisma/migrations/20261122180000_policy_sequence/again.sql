-- The former release raises no number: workspaces that it made have none, and what it put in force must be newer than what agents saw.
INSERT INTO policy_sequence (workspace_id, value)
  SELECT id, floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint FROM workspace
  ON CONFLICT (workspace_id) DO UPDATE SET value = greatest(policy_sequence.value + 1, excluded.value);
