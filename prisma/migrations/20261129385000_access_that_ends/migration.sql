-- A membership may have an end: from then on it opens nothing, and a job removes it. An invitation says how long its
-- membership lasts, from the day it is accepted; without a number it has no end.
ALTER TABLE invitation ADD COLUMN access_days smallint CHECK (access_days BETWEEN 1 AND 365);
ALTER TABLE membership ADD COLUMN ends_at timestamptz CHECK (ends_at IS NULL OR role <> 'owner');
CREATE INDEX membership_by_end ON membership (ends_at) WHERE ends_at IS NOT NULL;
