-- The former release writes figures with the record and reads no log for them: what no figure holds yet would stay out of all.
DO $$
DECLARE
  behind bigint;
BEGIN
  SELECT count(*) INTO behind FROM chain_batch AS batch
    LEFT JOIN projection_cursor AS known ON known.workspace_id = batch.workspace_id
    WHERE batch.ids IS NOT NULL AND batch.seq > coalesce(known.seq, 0);
  IF behind > 0 THEN
    RAISE EXCEPTION 'Figures are behind the log by % batches. Start this release with its gateways stopped, wait until quarterdeck_figures_behind_seconds is 0, and roll back then.', behind;
  END IF;
END $$;
