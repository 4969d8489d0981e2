-- The client of an agent: the dialect of its latest event. A column that may be null: a former release goes on without it.
ALTER TABLE agent ADD COLUMN client text CHECK (length(client) <= 40);
