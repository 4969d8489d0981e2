-- Outcomes of hooks by the revision of their policy, as hook_hour has them without it. A slot is the revision's number modulo 16, so a
-- cell has 16 rows at most. `revision` is the newest of its slot, `count` its runs, and `earlier` the runs of older revisions in the slot.
CREATE TABLE hook_revision_hour (
  workspace_id uuid NOT NULL,
  bucket timestamptz NOT NULL,
  policy text NOT NULL,
  event text NOT NULL,
  hook text NOT NULL,
  outcome text NOT NULL,
  latency smallint NOT NULL,
  slot smallint NOT NULL,
  revision integer NOT NULL,
  count bigint NOT NULL,
  earlier bigint NOT NULL,
  PRIMARY KEY (workspace_id, bucket, policy, event, hook, outcome, latency, slot)
) WITH (fillfactor = 70);
SELECT quarterdeck_wall('hook_revision_hour');

CREATE TABLE hook_revision_day (LIKE hook_revision_hour INCLUDING ALL) WITH (fillfactor = 70);
SELECT quarterdeck_wall('hook_revision_day');
