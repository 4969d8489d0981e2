-- The former release writes figures with the record, and never makes those of a record that has none: all must be made first.
DO $$ BEGIN
  IF EXISTS (SELECT FROM chain_batch AS batch LEFT JOIN projection_cursor AS cursor USING (workspace_id)
      WHERE batch.ids IS NOT NULL AND batch.seq > coalesce(cursor.seq, 0)) THEN
    RAISE EXCEPTION 'figures are behind the log. Start this release once more, and stop it when they have caught up';
  END IF;
END $$;
