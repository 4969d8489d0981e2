-- Exceptions that lift denials, and reviews of those that lapsed (docs/adr/0062-an-exception-lifts-a-question.md). Columns that are
-- nullable or have a default: the former release goes on with what it knows, and lifts questions alone.

ALTER TABLE policy_exception
  -- EX-<number>: that of its entry in the chain.
  ADD COLUMN number bigint,
  -- `question`: its rules do not ask. `verdict`: they neither ask nor deny.
  ADD COLUMN lifts text NOT NULL DEFAULT 'question' CHECK (lifts IN ('question', 'verdict')),
  -- The person who made it is asked to review it once it has lapsed.
  ADD COLUMN made_by_id text,
  -- When its lapse was written into the chain: once, by any node.
  ADD COLUMN lapsed_at timestamptz,
  ADD COLUMN reviewed_at timestamptz,
  ADD COLUMN reviewed_by text,
  ADD COLUMN review_words text CHECK (length(review_words) <= 500),
  -- One that was made from a denied call has no request.
  ALTER COLUMN request_number DROP NOT NULL,
  ADD CHECK ((reviewed_at IS NULL) = (reviewed_by IS NULL) AND (reviewed_at IS NULL) = (review_words IS NULL));
UPDATE policy_exception AS one SET number = entry.seq FROM audit_entry AS entry
  WHERE entry.workspace_id = one.workspace_id AND entry.kind = 'exception_made' AND entry.body::jsonb ->> 'exception' = one.id::text;
CREATE INDEX policy_exception_to_lapse ON policy_exception (workspace_id, expires_at) WHERE ended_at IS NULL AND lapsed_at IS NULL;
