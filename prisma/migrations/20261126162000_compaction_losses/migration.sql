-- The facts of a session that a summary lost, counted where an attempt is joined, so that the list can show and find them. New columns
-- that a former release neither writes nor reads; attempts joined by it keep no counts.
ALTER TABLE compaction_record
  -- Prompts, files, commands and open errors known before the attempt.
  ADD COLUMN facts_known integer CHECK (facts_known >= 0),
  ADD COLUMN facts_lost integer CHECK (facts_lost BETWEEN 0 AND facts_known),
  -- Events before the attempt when they were counted: with more of them they are counted anew.
  ADD COLUMN facts_events integer CHECK (facts_events >= 0);
