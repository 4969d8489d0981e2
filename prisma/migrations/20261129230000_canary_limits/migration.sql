-- The limits of a canary, the last comparison, and the canary that its limits withdrew. All null without a canary with
-- limits; JSON text, read with the schemas of server/policies/canary-watch/limits-schema.ts.
ALTER TABLE policy
  ADD COLUMN canary_limits text,
  ADD COLUMN canary_checked_at timestamptz,
  ADD COLUMN canary_comparison text,
  ADD COLUMN canary_fault text,
  ADD COLUMN canary_withdrawal text;
CREATE INDEX policy_with_canary_limits ON policy (canary_checked_at) WHERE canary_limits IS NOT NULL;
