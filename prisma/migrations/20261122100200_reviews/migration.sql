-- A second person's approval of exactly one text, and whether a policy's publication needs one.
ALTER TABLE policy
  ADD COLUMN four_eyes boolean NOT NULL DEFAULT false,
  -- Who asked to switch it off: somebody else has to agree.
  ADD COLUMN four_eyes_off_by text,
  ADD COLUMN four_eyes_off_name text,
  ADD COLUMN four_eyes_off_at timestamptz,
  ADD CONSTRAINT policy_four_eyes_off_whole CHECK (num_nulls(four_eyes_off_by, four_eyes_off_name, four_eyes_off_at) IN (0, 3));

-- Everybody whose text went into the draft, by id: none of them can be its second person.
CREATE TABLE policy_draft_editor (
  workspace_id uuid NOT NULL,
  policy_id uuid NOT NULL,
  actor_id text NOT NULL,
  name text NOT NULL,
  PRIMARY KEY (workspace_id, policy_id, actor_id),
  FOREIGN KEY (workspace_id, policy_id) REFERENCES policy_draft ON DELETE CASCADE
);

CREATE TABLE policy_review (
  workspace_id uuid NOT NULL,
  id uuid NOT NULL,
  policy_id uuid NOT NULL,
  source text NOT NULL,
  sha256 text NOT NULL,
  -- The newest revision when it was sent.
  base_revision integer NOT NULL,
  note text NOT NULL,
  author_id text NOT NULL,
  author_name text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  state text NOT NULL DEFAULT 'open'
    CHECK (state IN ('open', 'approved', 'changes_requested', 'withdrawn', 'published', 'outdated')),
  decided_by text,
  decided_name text,
  decided_at timestamptz,
  -- The revision it became.
  revision integer,
  PRIMARY KEY (workspace_id, id),
  FOREIGN KEY (workspace_id, policy_id) REFERENCES policy ON DELETE CASCADE,
  CHECK ((state = 'published') = (revision IS NOT NULL))
);
CREATE INDEX policy_review_newest ON policy_review (workspace_id, created_at DESC);
CREATE INDEX policy_review_of_policy ON policy_review (workspace_id, policy_id, created_at DESC);
-- One at a time: a text sent again takes the place of the one before.
CREATE UNIQUE INDEX policy_review_current ON policy_review (workspace_id, policy_id) WHERE state IN ('open', 'approved');

CREATE TABLE policy_review_comment (
  workspace_id uuid NOT NULL,
  id uuid NOT NULL,
  review_id uuid NOT NULL,
  author_id text NOT NULL,
  author_name text NOT NULL,
  body text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (workspace_id, id),
  FOREIGN KEY (workspace_id, review_id) REFERENCES policy_review ON DELETE CASCADE
);
CREATE INDEX policy_review_comment_of_review ON policy_review_comment (workspace_id, review_id, created_at);
