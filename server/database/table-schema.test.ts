/** The list of tables, compared with the migrated schema: a migration that adds a table adds its entry. */
import { describe, expect, test } from "vitest";
import { testDatabase } from "../../e2e/fixtures/database.ts";
import { connectPlainly, listTables, type Table } from "../backup/catalogue.ts";
import { DERIVED_TABLES } from "../projections/fold-versions.ts";
import { TABLES } from "./table-schema.ts";

const LIST = "server/database/table-schema.ts";

/** One sentence for each difference between the list and the tables of a database that a change was made to. */
async function differencesAfter(change: string): Promise<string[]> {
  const db = await testDatabase();
  const client = await connectPlainly(db.ownerUrl, "test");
  try {
    await client.query(change);
    const stored = await listTables(client);
    const { rows } = await client.query<{ name: string }>(
      "SELECT relname AS name FROM pg_class WHERE relrowsecurity AND relforcerowsecurity",
    );
    const gone = TABLES.filter(({ name }) => stored.every((table) => table.name !== name));
    return [
      ...stored.flatMap((table) => differenceOf(table, new Set(rows.map(({ name }) => name))) ?? []),
      ...gone.map(({ name }) => `${name} is no table: remove its entry from ${LIST}.`),
    ];
  } finally {
    await client.end();
    await db.drop();
  }
}

/** Null when the table has one entry that agrees with it. */
function differenceOf({ name, columns }: Table, walled: ReadonlySet<string>): string | null {
  const [entry, second] = TABLES.filter((table) => table.name === name);
  if (entry === undefined)
    return `${name} has no entry: add one to ${LIST} with its rules for erasure, retention and comparison, isGlobal without a workspace_id.`;
  if (second !== undefined) return `${name} has two entries in ${LIST}: remove one.`;
  const hasWorkspace = columns.includes("workspace_id");
  if (hasWorkspace && entry.isGlobal) return `${name} has a workspace_id: remove isGlobal from its entry in ${LIST}.`;
  if (!hasWorkspace && !entry.isGlobal) return `${name} has no workspace_id: add isGlobal to its entry in ${LIST}.`;
  if (hasWorkspace !== walled.has(name))
    return `${name} has the wrong row security: call quarterdeck_wall('${name}') only for a table with a workspace_id.`;
  if (entry.at !== undefined && !columns.includes(entry.at))
    return `${name} has no column ${entry.at}: correct its entry in ${LIST}.`;
  return null;
}

describe("each table of the migrated schema, all of which a backup holds", () => {
  test("has one entry, and row security exactly if it has a workspace", async () => {
    expect(await differencesAfter("SELECT")).toEqual([]);
  });

  test.each([
    ["CREATE TABLE planted (workspace_id uuid)", "planted has no entry: add one to"],
    ["ALTER TABLE uptime RENAME TO planted", "uptime is no table: remove its entry"],
    ["ALTER TABLE uptime ADD workspace_id uuid", "uptime has a workspace_id: remove isGlobal"],
    ["ALTER TABLE notice NO FORCE ROW LEVEL SECURITY", "notice has the wrong row security"],
    ["ALTER TABLE notice RENAME at TO dated_at", "notice has no column at"],
  ])("would not agree after %s", async (change, sentence) => {
    expect(await differencesAfter(change)).toContainEqual(expect.stringContaining(sentence));
  });
});

test("the derived tables are those that are compared with the log", () => {
  const derived = TABLES.filter((table) => table.derived !== undefined).map(({ name }) => name);
  expect(derived.toSorted()).toEqual(DERIVED_TABLES.toSorted());
});
