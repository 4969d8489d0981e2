-- An agent that leaves a halted group stays halted (docs/halts.md). A new table and a trigger on the rows of memberships, so that each
-- way out of a group is covered; a former release goes on as before, and the trigger works for it too.
CREATE TABLE halt_kept_agent (
  workspace_id uuid NOT NULL,
  halt_id uuid NOT NULL,
  agent_id uuid NOT NULL,
  PRIMARY KEY (workspace_id, halt_id, agent_id),
  FOREIGN KEY (workspace_id, halt_id) REFERENCES halt ON DELETE CASCADE
);
SELECT quarterdeck_wall('halt_kept_agent');

CREATE FUNCTION quarterdeck_keep_halted() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO halt_kept_agent (workspace_id, halt_id, agent_id)
    SELECT workspace_id, id, OLD.agent_id FROM halt
    WHERE workspace_id = OLD.workspace_id AND scope = 'group' AND group_id = OLD.group_id AND resumed_at IS NULL
    ON CONFLICT DO NOTHING;
  RETURN NULL;
END $$;
CREATE TRIGGER keep_halted AFTER DELETE ON agent_group_member FOR EACH ROW EXECUTE FUNCTION quarterdeck_keep_halted();
