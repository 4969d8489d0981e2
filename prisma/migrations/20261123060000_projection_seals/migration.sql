-- Figures are sealed before retention takes their log (server/projections; docs/adr/0051-figures-outlive-their-log-sealed.md). New
-- tables, and a check of a small one: its lock is held for an instant.

-- Names the rows of a sealed table by short digests: 16 bytes each, of the key and of the whole row, in the order of the digest that
-- the chain entry `seq` has. A help to say which row differs; the entry alone says whether one does.
CREATE TABLE projection_seal (
  workspace_id uuid NOT NULL,
  day date NOT NULL,
  table_name text NOT NULL,
  seq bigint NOT NULL,
  row_digests bytea NOT NULL,
  PRIMARY KEY (workspace_id, day, table_name)
);
ALTER TABLE projection_seal ALTER COLUMN row_digests SET STORAGE EXTERNAL;
SELECT quarterdeck_wall('projection_seal');

-- Since when a derived table's rows are made by this version of its rule; a first version has no row and is as old as the table.
CREATE TABLE projection_fold (
  table_name text NOT NULL,
  version integer NOT NULL,
  since timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (table_name, version)
);

ALTER TABLE projection_check DROP CONSTRAINT projection_check_state_check;
ALTER TABLE projection_check ADD CONSTRAINT projection_check_state_check
  CHECK (state IN ('equal', 'different', 'gone', 'older', 'sealed'));
