-- Which revision is in force, apart from which is the newest: a rollback points back, a canary has not arrived yet.
ALTER TABLE policy ADD COLUMN live_revision integer NOT NULL DEFAULT 0;
UPDATE policy SET live_revision = latest_revision;
