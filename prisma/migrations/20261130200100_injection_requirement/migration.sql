-- The injection score that each judge of a text needs, in percent; null: none.
ALTER TABLE publish_requirement ADD COLUMN injection_min integer CHECK (injection_min BETWEEN 1 AND 100);
