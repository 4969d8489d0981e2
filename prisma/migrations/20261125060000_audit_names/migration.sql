-- Names of people stand beside the entries of the record that mention them (docs/adr/0060-names-of-people-can-be-erased.md). A new table
-- and a nullable column: no lock that anybody waits for, and nothing that the former release calls is changed.

-- One row per entry and person. The entry holds the sha256 of the salt and the RFC 8785 text of `names`; a row that is gone was erased.
-- `person` is the id of a person, or of an invitation that nobody had accepted.
CREATE TABLE audit_name (
  workspace_id uuid NOT NULL REFERENCES workspace,
  seq bigint NOT NULL,
  person text NOT NULL,
  salt bytea NOT NULL CHECK (octet_length(salt) >= 16),
  names jsonb NOT NULL,
  PRIMARY KEY (workspace_id, seq, person)
);
CREATE INDEX audit_name_of_person ON audit_name (workspace_id, person);
SELECT quarterdeck_wall('audit_name');

-- The id of the person who asked, for the entries that an erasure writes later; null where a script did, or a former release.
ALTER TABLE erasure_request ADD COLUMN requested_by_id text;
