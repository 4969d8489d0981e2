-- Windows of time in which nothing that is in force in the workspace changes: weekly, or once. Days and times are those of
-- the workspace's time zone. Days of the week are ISO numbers, 1 is Monday. `lifted_until`: the window that runs until
-- then was lifted.
CREATE TABLE freeze_window (
  workspace_id uuid NOT NULL REFERENCES workspace,
  id uuid NOT NULL,
  reason text NOT NULL,
  from_day smallint CHECK (from_day BETWEEN 1 AND 7),
  from_time time,
  to_day smallint CHECK (to_day BETWEEN 1 AND 7),
  to_time time,
  from_local timestamp,
  to_local timestamp,
  created_by text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  lifted_until timestamptz,
  PRIMARY KEY (workspace_id, id),
  CONSTRAINT freeze_window_kind CHECK (
    (num_nulls(from_day, from_time, to_day, to_time) = 0 AND num_nonnulls(from_local, to_local) = 0
      AND (from_day, from_time) <> (to_day, to_time))
    OR (num_nonnulls(from_day, from_time, to_day, to_time) = 0 AND num_nulls(from_local, to_local) = 0
      AND to_local > from_local))
);
SELECT quarterdeck_wall('freeze_window');

-- The instant of a local time. A time that a clock shows twice is the later one if `is_end`, else the earlier one. A time
-- that no clock shows is read with the offset before the change.
CREATE FUNCTION quarterdeck_local_instant(time_zone text, local timestamp, is_end boolean) RETURNS timestamptz
LANGUAGE sql STABLE PARALLEL SAFE AS $$
  SELECT coalesce(CASE WHEN is_end THEN max(at) ELSE min(at) END, local AT TIME ZONE time_zone)
  FROM (SELECT (local AT TIME ZONE time_zone) + shift * interval '30 minutes' AS at FROM generate_series(-6, 6) AS shift) AS near
  WHERE at AT TIME ZONE time_zone = local
$$;

-- The windows of a workspace that touch a range, each with its instants, also those that were lifted.
CREATE FUNCTION quarterdeck_freeze_spans(workspace uuid, range_from timestamptz, range_to timestamptz)
RETURNS TABLE (id uuid, starts_at timestamptz, ends_at timestamptz, end_day date) LANGUAGE sql STABLE AS $$
  WITH local AS (
    SELECT freeze_window.id, day + from_time AS starts,
      day + (to_day - from_day + 7) % 7 + CASE WHEN to_day = from_day AND to_time < from_time THEN 7 ELSE 0 END + to_time AS ends
    FROM freeze_window
    CROSS JOIN LATERAL generate_series(quarterdeck_day_of(workspace, range_from) - 9,
      quarterdeck_day_of(workspace, range_to) + 1, interval '1 day') AS days (at)
    CROSS JOIN LATERAL (SELECT days.at::date AS day) AS dated
    WHERE workspace_id = workspace AND from_day = extract(isodow FROM day)
    UNION ALL
    SELECT freeze_window.id, from_local, to_local FROM freeze_window WHERE workspace_id = workspace AND from_local IS NOT NULL
  ), spans AS (
    SELECT local.id, quarterdeck_local_instant(quarterdeck_zone_on(workspace, starts::date), starts, false) AS starts_at,
      quarterdeck_local_instant(quarterdeck_zone_on(workspace, ends::date), ends, true) AS ends_at, ends::date AS end_day
    FROM local
  )
  SELECT spans.id, spans.starts_at, spans.ends_at, spans.end_day FROM spans
  WHERE spans.starts_at < spans.ends_at AND spans.starts_at < range_to AND spans.ends_at > range_from
$$;
