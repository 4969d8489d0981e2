-- Everything that the former release recorded is in the figures: it wrote them with the record.
INSERT INTO projection_cursor (workspace_id, seq) SELECT workspace_id, seq FROM audit_head
  ON CONFLICT (workspace_id) DO UPDATE SET seq = greatest(projection_cursor.seq, excluded.seq);
