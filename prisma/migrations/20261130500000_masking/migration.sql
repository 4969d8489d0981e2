-- A workspace's own masking: its patterns, fields and detectors, and a weaker one that waits for a second person.
CREATE TABLE masking_setting (
  workspace_id uuid PRIMARY KEY,
  setting jsonb NOT NULL,
  -- Counts the changes: a change is made to the version that its author saw.
  version integer NOT NULL,
  set_by text NOT NULL,
  set_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  asked jsonb,
  asked_by text,
  asked_name text,
  asked_at timestamptz,
  CHECK ((asked IS NULL) = (asked_by IS NULL) AND (asked IS NULL) = (asked_at IS NULL))
);
SELECT quarterdeck_wall('masking_setting');

-- The parts that own masking took away, by hour and rule: the id of a pattern, the name of a detector, or `field`.
CREATE TABLE mask_hit_hour (
  workspace_id uuid NOT NULL,
  bucket timestamptz NOT NULL,
  rule text NOT NULL,
  hits bigint NOT NULL,
  PRIMARY KEY (workspace_id, bucket, rule)
);
SELECT quarterdeck_wall('mask_hit_hour');
