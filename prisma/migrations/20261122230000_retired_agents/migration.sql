-- A retired agent keeps its name, its keys and its record; its keys open nothing until it is brought back.
ALTER TABLE agent ADD COLUMN retired_at timestamptz;
