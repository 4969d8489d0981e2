-- Counts of lost facts are kept for the very events and summary that they were counted over. A new column that a former release neither
-- writes nor reads; counts without it are made anew.
ALTER TABLE compaction_record
  -- Digest of the summary and the events before the attempt.
  ADD COLUMN facts_source text CHECK (length(facts_source) <= 64);
