-- Batches of dispatches leave audit_entry for a table of their own, under the numbers and hashes of the same chain. Nothing that
-- was written before is touched: batches in audit_entry stay there.

-- `version` is the one in the entry's body (server/audit/entries.ts), `leaves` one leaf for every row in the order of `place`.
-- Times have the precision that is hashed: no other value passes for the same.
CREATE TABLE chain_batch (
  workspace_id uuid NOT NULL,
  seq bigint NOT NULL,
  recorded_at timestamptz NOT NULL,
  batch uuid NOT NULL,
  count integer NOT NULL,
  earliest timestamptz(3) NOT NULL,
  latest timestamptz(3) NOT NULL,
  leaves text NOT NULL,
  version smallint NOT NULL,
  hash bytea NOT NULL,
  chain_version smallint NOT NULL,
  -- The number comes before the month, so that this index alone finds entries by number and lists them in order.
  PRIMARY KEY (workspace_id, seq, recorded_at)
) PARTITION BY RANGE (recorded_at);
-- Hashes do not compress; trying costs more than the row.
ALTER TABLE chain_batch ALTER COLUMN leaves SET STORAGE EXTERNAL;
SELECT quarterdeck_wall('chain_batch');

-- Makes the month of `chain_batch` that begins at `first` when it is missing. Safe when two nodes race for it. It is attached and
-- not created in place, so that it waits for nobody who reads the chain, and recording does not wait behind it.
CREATE FUNCTION quarterdeck_add_chain_month(first date) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  month text := 'chain_batch_' || to_char(first, 'YYYY_MM');
BEGIN
  PERFORM pg_advisory_xact_lock(7202);
  IF to_regclass(month) IS NOT NULL THEN RETURN; END IF;
  EXECUTE format('CREATE TABLE %I (LIKE chain_batch INCLUDING ALL)', month);
  PERFORM quarterdeck_wall(month::regclass);
  EXECUTE format('ALTER TABLE chain_batch ATTACH PARTITION %I FOR VALUES FROM (%L) TO (%L)', month,
    to_char(first, 'YYYY-MM-01') || 'Z', to_char(first + interval '1 month', 'YYYY-MM-01') || 'Z');
END $$;
REVOKE EXECUTE ON FUNCTION quarterdeck_add_chain_month FROM PUBLIC;

-- Every entry of a chain, wherever it is stored; the body of a batch is put together as it was hashed. Whoever asks is held to
-- their own rights and workspace.
CREATE VIEW chain_entry WITH (security_invoker = true) AS
  SELECT workspace_id, seq, at, kind, body, hash, chain_version, actor_kind, actor_id, actor_name, ip, user_agent, target, changes
  FROM audit_entry
  UNION ALL
  SELECT workspace_id, seq, recorded_at, 'dispatches_recorded',
    '{"batch":"' || batch || '","count":' || count
      || ',"earliest":"' || to_char(earliest AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')
      || '","kind":"dispatches_recorded","latest":"' || to_char(latest AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')
      || '","leaves":"' || leaves || '","version":' || version || '}',
    hash, chain_version, NULL, NULL, NULL, NULL, NULL, NULL, NULL
  FROM chain_batch;
