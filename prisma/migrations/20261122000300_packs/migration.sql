-- Which version of which pack a policy's text was last taken from, and that text's hash: an update replaces only what nobody changed.
ALTER TABLE policy
  ADD COLUMN pack_id text,
  ADD COLUMN pack_version integer,
  ADD COLUMN pack_sha256 text,
  ADD CONSTRAINT policy_pack_whole CHECK (num_nulls(pack_id, pack_version, pack_sha256) IN (0, 3));
