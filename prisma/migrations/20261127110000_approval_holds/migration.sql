-- A grant is claimed before its call is recorded, and spent in the transaction of the record (docs/adr/0082-a-grant-is-spent-with-its-record.md).
-- Columns that are null or empty for requests of a former release: its claims set `used_at` at once, which the new ones respect.
ALTER TABLE approval_request
  -- Until then only the call named by `call_id` takes the grant. Null: no claim is under way.
  ADD COLUMN held_until timestamptz,
  -- The dispatches that were recorded with this grant.
  ADD COLUMN spent_by uuid[] NOT NULL DEFAULT '{}';
