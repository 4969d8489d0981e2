-- The last time that an agent asked about a gate without a nonce, so that no relay checks who answers (docs/fleet.md). Nullable: a former
-- release goes on as before.
ALTER TABLE agent ADD COLUMN unsigned_asked_at timestamptz;
