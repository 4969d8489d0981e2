-- The former release reads the chain from audit_entry alone: each batch stands there too, with the text and the hash that it has.
INSERT INTO audit_entry (workspace_id, seq, at, kind, body, hash, chain_version)
  SELECT entry.workspace_id, entry.seq, entry.at, entry.kind, entry.body, entry.hash, entry.chain_version
  FROM chain_entry AS entry JOIN chain_batch AS batch USING (workspace_id, seq)
  WHERE entry.kind = 'dispatches_recorded'
  ON CONFLICT DO NOTHING;
