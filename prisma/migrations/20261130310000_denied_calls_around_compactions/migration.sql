-- Denied tool calls before and after a compaction. Records made before are joined anew: their sessions count as changed.
ALTER TABLE compaction_record
  ADD COLUMN before_denied integer NOT NULL DEFAULT 0,
  ADD COLUMN after_denied integer NOT NULL DEFAULT 0;
UPDATE compaction_session SET seen_events = -1;
