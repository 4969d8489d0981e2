-- Follow-ups of calls: keywords, an assignee and comments (server/follow-ups). Apart from the record, and removed with the call.
CREATE TABLE call_follow_up (
  workspace_id uuid NOT NULL REFERENCES workspace,
  -- Equal for all decisions over one call.
  id uuid NOT NULL,
  -- The decision under which it was opened first, and what names the call among its agent's.
  occurred_at timestamptz NOT NULL,
  dispatch_id uuid NOT NULL,
  agent_id uuid NOT NULL,
  session_id text NOT NULL,
  tool_use_id text,
  keywords text[] NOT NULL DEFAULT '{}' CHECK (cardinality(keywords) <= 20),
  assignee_id uuid,
  assignee_name text,
  PRIMARY KEY (workspace_id, id),
  CHECK ((assignee_id IS NULL) = (assignee_name IS NULL))
);
CREATE INDEX call_follow_up_of_session ON call_follow_up (workspace_id, session_id);
SELECT quarterdeck_wall('call_follow_up');

CREATE TABLE call_comment (
  workspace_id uuid NOT NULL,
  id uuid NOT NULL,
  follow_up_id uuid NOT NULL,
  -- The call's: for retention, holds and erasure.
  occurred_at timestamptz NOT NULL,
  dispatch_id uuid NOT NULL,
  agent_id uuid NOT NULL,
  session_id text NOT NULL,
  author_id text NOT NULL,
  author_name text NOT NULL,
  text text NOT NULL CHECK (length(text) <= 2500),
  written_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  PRIMARY KEY (workspace_id, id),
  FOREIGN KEY (workspace_id, follow_up_id) REFERENCES call_follow_up (workspace_id, id) ON DELETE CASCADE
);
CREATE INDEX call_comment_of_call ON call_comment (workspace_id, follow_up_id, written_at);
SELECT quarterdeck_wall('call_comment');

ALTER TABLE notice DROP CONSTRAINT notice_kind_check;
ALTER TABLE notice ADD CONSTRAINT notice_kind_check
  CHECK (kind IN ('approvals', 'reviews', 'budgets', 'alerts', 'halts', 'drills', 'exceptions', 'calls', 'test'));
