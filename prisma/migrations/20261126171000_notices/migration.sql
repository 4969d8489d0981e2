-- Notices of people (docs/adr/0073-notices-are-made-from-the-record.md). New tables, and columns with defaults: a former release reads
-- and writes what it did.

-- Each person's own: kinds of notices by way, quiet hours, a webhook. Without a row, what server/notices/schema.ts says.
CREATE TABLE notice_choices (
  workspace_id uuid NOT NULL,
  person_id uuid NOT NULL,
  choices jsonb NOT NULL,
  -- The last letter: the next one waits a minute.
  mailed_at timestamptz,
  PRIMARY KEY (workspace_id, person_id),
  FOREIGN KEY (workspace_id, person_id) REFERENCES membership (workspace_id, person_id) ON DELETE CASCADE
);
SELECT quarterdeck_wall('notice_choices');

-- One thing that concerns one person.
CREATE TABLE notice (
  workspace_id uuid NOT NULL,
  person_id uuid NOT NULL,
  -- Names what happened: one person gets one notice of it.
  key text NOT NULL CHECK (length(key) <= 200),
  at timestamptz NOT NULL,
  made_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  kind text NOT NULL CHECK (kind IN ('approvals', 'reviews', 'budgets', 'alerts', 'halts', 'drills', 'exceptions', 'test')),
  title text NOT NULL CHECK (length(title) <= 200),
  -- Masked, and cut.
  says text NOT NULL CHECK (length(says) <= 700),
  path text NOT NULL CHECK (length(path) <= 200),
  -- The approval request that it is about: once that is answered, nobody is sent it any more.
  request_id uuid,
  -- Sent in quiet hours too.
  is_urgent boolean NOT NULL,
  on_page boolean NOT NULL,
  in_browser boolean NOT NULL,
  read_at timestamptz,
  mail text NOT NULL DEFAULT 'none' CHECK (mail IN ('none', 'waiting', 'sent', 'failed', 'dropped')),
  mail_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  mail_attempts smallint NOT NULL DEFAULT 0,
  mail_error text CHECK (length(mail_error) <= 500),
  PRIMARY KEY (workspace_id, person_id, key),
  FOREIGN KEY (workspace_id, person_id) REFERENCES membership (workspace_id, person_id) ON DELETE CASCADE
);
CREATE INDEX notice_newest ON notice (workspace_id, person_id, at DESC, key);
CREATE INDEX notice_unread ON notice (workspace_id, person_id) WHERE on_page AND read_at IS NULL;
CREATE INDEX notice_mail ON notice (workspace_id, person_id, mail_at) WHERE mail = 'waiting';
SELECT quarterdeck_wall('notice');

-- The number of the last entry of the chain that notices were made of. A workspace that is there already begins at its head.
CREATE TABLE notice_cursor (
  workspace_id uuid PRIMARY KEY REFERENCES workspace,
  seq bigint NOT NULL
);
SELECT set_config('quarterdeck.workspace', '*', true);
INSERT INTO notice_cursor (workspace_id, seq) SELECT workspace_id, seq FROM audit_head;
SELECT quarterdeck_wall('notice_cursor');

-- Alerts by team, as server/notices/routes-schema.ts says.
CREATE TABLE alert_routes (
  workspace_id uuid PRIMARY KEY REFERENCES workspace,
  routes jsonb NOT NULL,
  set_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  set_by text NOT NULL
);
SELECT quarterdeck_wall('alert_routes');

-- What stands in no chain waits here until notices are made of it. Rows from before wait for none.
ALTER TABLE alert_event ADD COLUMN awaits_notice boolean NOT NULL DEFAULT false;
CREATE INDEX alert_event_awaiting ON alert_event (workspace_id, at) WHERE awaits_notice;
ALTER TABLE budget_alert ADD COLUMN awaits_notice boolean NOT NULL DEFAULT false;
ALTER TABLE budget_alert ALTER COLUMN awaits_notice SET DEFAULT true;
CREATE INDEX budget_alert_awaiting ON budget_alert (workspace_id, at) WHERE awaits_notice;
