-- A change of what binds agents, where a policy asks for four eyes: asked for, decided by a second person, or made in an emergency.
CREATE TABLE binding_change (
  workspace_id   uuid        NOT NULL REFERENCES workspace (id),
  id             uuid        NOT NULL,
  kind           text        NOT NULL,
  -- The exact input of the change, as the server serialises it.
  input          text        NOT NULL,
  policy_ids     uuid[]      NOT NULL,
  summary        text        NOT NULL,
  note           text        NOT NULL,
  -- Of what these policies bound when it was asked for.
  base_sha256    text        NOT NULL,
  state          text        NOT NULL DEFAULT 'open'
                 CHECK (state IN ('open', 'approved', 'declined', 'withdrawn', 'applied', 'emergency')),
  requested_by   text        NOT NULL,
  requested_name text        NOT NULL,
  created_at     timestamptz NOT NULL DEFAULT now(),
  decided_by     text,
  decided_name   text,
  decided_at     timestamptz,
  PRIMARY KEY (workspace_id, id)
);
CREATE INDEX binding_change_newest ON binding_change (workspace_id, created_at DESC);
SELECT quarterdeck_wall('binding_change');

-- Who made the way in, by id: an account whose address is not proven counts as theirs when four eyes are asked.
ALTER TABLE membership ADD COLUMN invited_by_id text;
ALTER TABLE service_token ADD COLUMN created_by_id text;
