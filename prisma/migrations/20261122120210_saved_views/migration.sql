-- A list as somebody asked for it: the part of its address after the question mark, under a name. Its owner's, or everybody's.
CREATE TABLE saved_view (
  workspace_id uuid NOT NULL REFERENCES workspace,
  id uuid NOT NULL,
  page text NOT NULL,
  name text NOT NULL,
  query text NOT NULL,
  is_shared boolean NOT NULL,
  owner_id text NOT NULL,
  owner_name text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (workspace_id, id)
);
CREATE UNIQUE INDEX saved_view_shared_name ON saved_view (workspace_id, page, name) WHERE is_shared;
CREATE UNIQUE INDEX saved_view_own_name ON saved_view (workspace_id, owner_id, page, name) WHERE NOT is_shared;
SELECT quarterdeck_wall('saved_view');
