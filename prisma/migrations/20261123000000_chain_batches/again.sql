-- What was copied for the former release goes: the batch itself is there.
DELETE FROM audit_entry USING chain_batch AS batch
  WHERE batch.workspace_id = audit_entry.workspace_id AND batch.seq = audit_entry.seq AND batch.hash = audit_entry.hash;
