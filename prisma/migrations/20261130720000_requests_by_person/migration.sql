-- The principal of the call that people are asked about; null: unknown.
ALTER TABLE approval_request ADD COLUMN principal_id uuid;
ALTER TABLE approval_request ADD COLUMN certainty text;
