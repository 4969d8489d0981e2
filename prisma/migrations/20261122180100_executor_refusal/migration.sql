-- What each machine of an agent says of the events it could not report because the console refused them.
CREATE TABLE executor_refusal (
  workspace_id uuid NOT NULL,
  agent_id uuid NOT NULL,
  -- Of the machine's own making.
  machine text NOT NULL,
  kept integer NOT NULL,
  dropped integer NOT NULL,
  last_code text NOT NULL,
  reported_at timestamptz(6) NOT NULL DEFAULT now(),
  PRIMARY KEY (workspace_id, agent_id, machine),
  FOREIGN KEY (workspace_id, agent_id) REFERENCES agent (workspace_id, id) ON DELETE CASCADE
);
SELECT quarterdeck_wall('executor_refusal');
