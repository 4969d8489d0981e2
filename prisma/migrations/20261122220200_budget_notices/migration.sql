-- Thresholds that budgets crossed are sent to webhooks; those of before are old news.
ALTER TABLE budget_alert ADD COLUMN notified_at timestamptz;
UPDATE budget_alert SET notified_at = at;
CREATE INDEX budget_alert_unsent ON budget_alert (at) WHERE notified_at IS NULL;
