-- The facts that figures are derived from (server/recording/facts.ts), as canonical JSON text: its bytes are under the leaf, and
-- erasing a content leaves it. Null in rows from before; their leaves are made without it.
ALTER TABLE dispatch ADD COLUMN facts text;
