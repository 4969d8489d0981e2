-- A verification of one period, which ends in a statement (server/audit/statement.ts). Both are null for the other runs.
ALTER TABLE verification_run ADD COLUMN period jsonb, ADD COLUMN statement jsonb;
