-- An answer that held a secret, encrypted: what is shown is masked, what is repeated must be as it was first given.
ALTER TABLE delivery ADD COLUMN sealed_answer bytea;
