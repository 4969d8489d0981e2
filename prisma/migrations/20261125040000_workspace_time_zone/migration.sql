-- The time zone in which a workspace counts its days and months, as a history (docs/adr/0055-days-in-the-workspaces-time-zone.md).
-- A new table and new functions: no lock that anybody waits for, and nothing that the former release calls is changed.
CREATE TABLE workspace_time_zone (
  workspace_id uuid NOT NULL REFERENCES workspace,
  -- The first day that begins at midnight in the zone. Days before the first row begin at midnight UTC.
  from_day date NOT NULL,
  time_zone text NOT NULL,
  set_at timestamptz NOT NULL DEFAULT now(),
  set_by text NOT NULL,
  PRIMARY KEY (workspace_id, from_day)
);
SELECT quarterdeck_wall('workspace_time_zone');

-- The first instant of a day in a zone. PostgreSQL takes the later of two midnights where clocks go back over one, and the instant at
-- which clocks go forward where they skip it; here it is the earlier of two.
CREATE FUNCTION quarterdeck_midnight(time_zone text, day date) RETURNS timestamptz LANGUAGE sql STABLE PARALLEL SAFE AS $$
  SELECT CASE WHEN early < late AND early AT TIME ZONE time_zone = day::timestamp THEN early ELSE late END
  FROM (SELECT day::timestamp AT TIME ZONE time_zone AS late, (day::timestamp - (past AT TIME ZONE time_zone - past AT TIME ZONE 'UTC'))
      AT TIME ZONE 'UTC' AS early
    FROM (SELECT (day - 1)::timestamp AT TIME ZONE 'UTC' AS past) AS offset_before) AS midnights
$$;

-- The zone at whose midnight a day of the workspace begins.
CREATE FUNCTION quarterdeck_zone_on(workspace uuid, day date) RETURNS text LANGUAGE sql STABLE PARALLEL SAFE AS $$
  SELECT coalesce((SELECT time_zone FROM workspace_time_zone
    WHERE workspace_id = workspace AND from_day <= day ORDER BY from_day DESC LIMIT 1), 'UTC')
$$;

-- The first instant of a day of the workspace; the day before ends then, whichever zone it began in.
CREATE FUNCTION quarterdeck_day_start(workspace uuid, day date) RETURNS timestamptz LANGUAGE sql STABLE PARALLEL SAFE AS $$
  SELECT quarterdeck_midnight(quarterdeck_zone_on(workspace, day), day)
$$;

-- The day of the workspace that holds an instant. No zone is further than 14 hours from UTC, so that it is one of three.
CREATE FUNCTION quarterdeck_day_of(workspace uuid, at timestamptz) RETURNS date LANGUAGE plpgsql STABLE PARALLEL SAFE AS $$
DECLARE
  utc_day date := (at AT TIME ZONE 'UTC')::date;
BEGIN
  IF NOT EXISTS (SELECT FROM workspace_time_zone WHERE workspace_id = workspace) THEN RETURN utc_day; END IF;
  IF quarterdeck_day_start(workspace, utc_day + 1) <= at THEN RETURN utc_day + 1; END IF;
  IF quarterdeck_day_start(workspace, utc_day) <= at THEN RETURN utc_day; END IF;
  RETURN utc_day - 1;
END $$;

-- A day that has begun keeps its zone: what was counted in it would mean something else.
CREATE FUNCTION quarterdeck_begun_zone_stands() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'UPDATE' OR quarterdeck_midnight(OLD.time_zone, OLD.from_day) <= clock_timestamp() THEN
    RAISE EXCEPTION 'the zone of a day that has begun stands' USING ERRCODE = 'insufficient_privilege';
  END IF;
  RETURN OLD;
END $$;
CREATE TRIGGER begun_zone_stands BEFORE UPDATE OR DELETE ON workspace_time_zone
  FOR EACH ROW EXECUTE FUNCTION quarterdeck_begun_zone_stands();
