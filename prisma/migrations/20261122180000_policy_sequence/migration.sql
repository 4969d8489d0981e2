-- Raised by every change of what is in force in a workspace (server/policies/sequence.ts). A signed policy carries it, so that
-- an executor which has seen a newer one refuses an older one. At least the time of the change in milliseconds, so that it
-- also rises across a restore.
CREATE TABLE policy_sequence (
  workspace_id uuid PRIMARY KEY REFERENCES workspace (id),
  value bigint NOT NULL
);
SELECT quarterdeck_wall('policy_sequence');
INSERT INTO policy_sequence (workspace_id, value)
  SELECT id, floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint FROM workspace;
