/**
 * Each SQL statement of the sources is parsed by PostgreSQL against the migrated schema, and its columns are those of the row type
 * that the code names. A renamed column fails here, not in front of a person.
 */
import type { PoolClient } from "pg";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type TestDatabase, testDatabase } from "../../e2e/fixtures/database.ts";
import { compareRow, describeStatement } from "../../e2e/fixtures/sql/describe-statement.ts";
import { type Found, findSqlStatements, type Kind, type Statement } from "../../e2e/fixtures/sql/sql-statements.ts";

/** Settings of a connection, sent as one text. */
const SEVERAL = "cannot insert multiple commands into a prepared statement";
/** Of all statements; the others are put together at run time. */
const KNOWN_SHARE_MIN = 0.8;

let at: TestDatabase;
let client: PoolClient;
let arrays: ReadonlySet<number>;
let found: Found;
beforeAll(async () => {
  at = await testDatabase();
  client = await at.owner.connect();
  const { rows } = await client.query<{ oid: number }>("SELECT oid FROM pg_type WHERE typcategory = 'A'");
  arrays = new Set(rows.map(({ oid }) => oid));
  found = findSqlStatements();
}, 240_000);
afterAll(async () => {
  client?.release();
  await at?.drop();
});

async function problemsOf({ place, texts, row, driver }: Statement): Promise<string[]> {
  const problems: string[] = [];
  for (const text of texts)
    await describeStatement(client, text).then(
      (columns) => problems.push(...compareRow({ row, driver }, columns, arrays)),
      ({ message }: Error) => (message === SEVERAL ? 0 : problems.push(message)),
    );
  return [...new Set(problems)].map((problem) => `${place}: ${problem}`);
}

it("holds every statement against the schema", async () => {
  const problems: string[] = [];
  for (const statement of found.statements) problems.push(...(await problemsOf(statement)));
  expect(problems).toEqual([]);
});

it("knows the text of most statements, so that the others are few", () => {
  const { statements, unknown } = found;
  expect(statements.length / (statements.length + unknown.length), unknown.join("\n")).toBeGreaterThan(KNOWN_SHARE_MIN);
});

it("finds a column that is not there, and one of another type", async () => {
  const row = (kind: Kind): Statement["row"] => new Map([["created_at", [kind]]]);
  const asked = (text: string, kind: Kind) =>
    problemsOf({ place: "a.ts:1", texts: [text], row: row(kind), driver: "pg" });
  expect(await asked("SELECT created_at FROM agent WHERE id = $1", "Date")).toEqual([]);
  expect(await asked("SELECT created_at FROM agent WHERE id = $1", "string")).toEqual([
    "a.ts:1: created_at is Date, and the code says string",
  ]);
  expect(await asked("SELECT name FROM agent", "Date")).toEqual(["a.ts:1: no column created_at"]);
  expect(await asked("SELECT made_at FROM agent", "Date")).toEqual(['a.ts:1: column "made_at" does not exist']);
});
