-- A group may be made by a pattern of agents' names. Its members are rows as those of any group: every act that gives an agent its
-- name, or a group its pattern, writes them anew.
ALTER TABLE agent_group ADD COLUMN name_pattern text CHECK (length(name_pattern) BETWEEN 1 AND 200);
