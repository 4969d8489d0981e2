import { expect, it, test } from "vitest";
import { sqlStatements } from "./sql.ts";

const verbsOf = (text: string): string[] =>
  sqlStatements(text).map(({ verb, hasWhere }) => (hasWhere ? `${verb} where` : verb));

test.each([
  ["DROP TABLE users", ["drop table"]],
  ["drop\n  table if exists users", ["drop table"]],
  ["DROP /* x */ TABLE users", ["drop table"]],
  ["DELETE\nFROM x", ["delete"]],
  ["DELETE FROM `users` u", ["delete"]],
  ["DELETE FROM ONLY users WHERE id = 1", ["delete where"]],
  ["DELETE FROM users WHERE true", ["delete"]],
  ["DELETE FROM users WHERE 1=1", ["delete"]],
  ["UPDATE users\n   SET admin = true", ["update"]],
  ["UPDATE users AS u SET a = 1 WHERE u.id = 2", ["update where"]],
  ["SELECT 1; TRUNCATE users; SELECT 2", ["truncate"]],
  ["WITH gone AS (DELETE FROM a RETURNING *) SELECT * FROM gone", ["delete"]],
  ["ALTER TABLE a DROP COLUMN b", ["alter table", "drop column"]],
  ["GRANT ALL ON a TO b", ["grant"]],
])("%j has %j", (text, verbs) => {
  expect(verbsOf(text)).toEqual(verbs);
});

it("finds nothing in strings, comments and names", () => {
  for (const text of [
    "SELECT 'drop table a'",
    "SELECT 1 -- drop table a",
    'SELECT "delete from" FROM t',
    "SELECT updated_at, delete_flag FROM dropped",
    "INSERT INTO log VALUES ('; DELETE FROM a')",
    "SELECT $$ drop table a $$",
  ])
    expect(verbsOf(text)).toEqual([]);
});
