-- The person or service whose calls the alert measures; null for all.
ALTER TABLE alert_rule ADD COLUMN person_id uuid;
