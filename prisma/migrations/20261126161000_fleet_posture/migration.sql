-- What is known of each agent's client and of its last sign of life (docs/fleet.md). Columns that may be null: a former release goes on without them.
ALTER TABLE agent
  -- As its client or its machine says.
  ADD COLUMN client_version text CHECK (length(client_version) <= 40),
  -- The newest call for its policies, and the revision that it was given.
  ADD COLUMN polled_at timestamptz,
  ADD COLUMN polled_revision text CHECK (length(polled_revision) <= 64),
  -- The newest event that says that its client asks nobody.
  ADD COLUMN yolo_at timestamptz;
