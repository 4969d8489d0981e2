/**
 * Every unique and every foreign key leads with the workspace, so that a PostgreSQL that is distributed by the hash of it keeps
 * each key within one shard. The rule is read from the catalogue: it is of every table that has a workspace_id, whatever writes
 * it, and of whatever has a partition. A table that comes tomorrow is held to it.
 */
import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type TestDatabase, testDatabase } from "../../e2e/fixtures/database.ts";

/**
 * Found by a secret before anybody knows of which workspace it is, or a person's, who may be in several. None of them grows with
 * what agents do: where tables are distributed, these stay on every node.
 */
const OF_SIGN_IN = [
  "agent_key (key_sha256)",
  "browser_session (id)",
  "browser_session (token_sha256)",
  "enrolment_token (token_sha256)",
  "invitation (token_sha256)",
  "membership (person_id) REFERENCES person",
  "password_link (token_sha256)",
  "service_token (token_sha256)",
  "sign_in_link (token_sha256)",
];

let db: TestDatabase;
beforeAll(async () => {
  db = await testDatabase();
  // Months are tables too.
  for (const month of ["2026-11-01", "2026-12-01"]) {
    await db.owner.query("SELECT quarterdeck_add_month($1)", [month]);
    await db.owner.query("SELECT quarterdeck_add_chain_month($1)", [month]);
  }
});
afterAll(() => db?.drop());

const HAS_WORKSPACE = (relation: string) => `EXISTS (SELECT FROM pg_attribute WHERE attrelid = ${relation}
  AND attname = 'workspace_id' AND NOT attisdropped)`;
const COLUMNS = (relation: string, numbers: string) => `(SELECT string_agg(attname, ', ' ORDER BY place)
  FROM unnest(${numbers}) WITH ORDINALITY AS key (number, place)
  JOIN pg_attribute ON attrelid = ${relation} AND attnum = number)`;

const lines = async (sql: string): Promise<string[]> =>
  (await db.owner.query<{ line: string }>(sql)).rows.map(({ line }) => line);

const uniqueKeys = () =>
  lines(`SELECT format('%s (%s)', relname, ${COLUMNS("indrelid", "indkey::int2[]")}) AS line
    FROM pg_index JOIN pg_class ON pg_class.oid = indrelid
    WHERE relnamespace = 'public'::regnamespace AND indisunique AND (${HAS_WORKSPACE("indrelid")} OR relispartition OR relkind = 'p')`);
const foreignKeys = () =>
  lines(`SELECT format('%s (%s) REFERENCES %s', own.relname, ${COLUMNS("conrelid", "conkey")}, other.relname) AS line
    FROM pg_constraint JOIN pg_class AS own ON own.oid = conrelid JOIN pg_class AS other ON other.oid = confrelid
    WHERE own.relnamespace = 'public'::regnamespace AND contype = 'f'
      AND (${HAS_WORKSPACE("conrelid")} OR ${HAS_WORKSPACE("confrelid")} OR own.relkind = 'p')`);

const leads = (line: string) => /^\w+ \(workspace_id[,)]/.test(line);

describe("in every table with a workspace", () => {
  it("unique and foreign keys lead with it, but for those that are asked for at a sign-in", async () => {
    const found = [...(await uniqueKeys()), ...(await foreignKeys())];
    expect(found.length).toBeGreaterThan(150);
    expect(found).toContain("dispatch (workspace_id, occurred_at, id)");
    expect(found).toContain("dispatch_2026_12 (workspace_id, occurred_at, id)");
    expect(found).toContain("delivery_00 (workspace_id, agent_id, event_id)");
    expect(found.filter((line) => !leads(line)).toSorted()).toEqual(OF_SIGN_IN);
  });

  it("a foreign key refers to the same workspace's row", async () => {
    const crossing =
      await lines(`SELECT format('%s: %s', conrelid::regclass, pg_get_constraintdef(pg_constraint.oid)) AS line
      FROM pg_constraint WHERE contype = 'f' AND ${HAS_WORKSPACE("confrelid")}
        AND (SELECT attname FROM pg_attribute WHERE attrelid = confrelid AND attnum = confkey[1]) <> 'workspace_id'`);
    expect(crossing).toEqual([]);
  });

  it("one that comes tomorrow and does not is named", async () => {
    await db.owner.query(`CREATE TABLE planted (workspace_id uuid NOT NULL, id uuid, kind text, person_id uuid REFERENCES person,
      PRIMARY KEY (workspace_id, id), UNIQUE (kind, workspace_id, id)) PARTITION BY HASH (id)`);
    await db.owner.query("CREATE TABLE planted_of_plain (workspace_id uuid, id uuid UNIQUE)");
    const found = [...(await uniqueKeys()), ...(await foreignKeys())].filter(
      (line) => !leads(line) && line.startsWith("planted"),
    );
    await db.owner.query("DROP TABLE planted, planted_of_plain");
    expect(found.toSorted()).toEqual([
      "planted (kind, workspace_id, id)",
      "planted (person_id) REFERENCES person",
      "planted_of_plain (id)",
    ]);
  });

  it("partitioned tables are these", async () => {
    const strategies = await lines(
      "SELECT format('%s %s', partrelid::regclass, pg_get_partkeydef(partrelid)) AS line FROM pg_partitioned_table ORDER BY 1",
    );
    expect(strategies).toEqual([
      "chain_batch RANGE (recorded_at)",
      "delivery HASH (event_id)",
      "dispatch RANGE (occurred_at)",
      "session HASH (workspace_id)",
    ]);
  });
});

describe("in every statement of the server", () => {
  const server = fileURLToPath(new URL("..", import.meta.url));
  const files = readdirSync(server, { recursive: true, encoding: "utf8" }).filter(
    (file) => file.endsWith(".ts") && !file.endsWith(".test.ts"),
  );
  /** From one look at a table to the end of its statement or to the next one. */
  const looks = files.flatMap((file) =>
    readFileSync(`${server}${file}`, "utf8")
      .split(/(?=\b(?:FROM|JOIN|UPDATE) (?:dispatch|delivery|session)\b)/)
      .slice(1)
      .map((text) => ({ file, text: text.slice(0, /`|"\s*[,;)]/.exec(text)?.index ?? 600) })),
  );

  it("dispatches, deliveries and sessions are looked up in their workspace", () => {
    expect(looks.length).toBeGreaterThan(30);
    // A table with nothing behind its name is joined: the look at the next one says the workspace of both.
    const isJoined = (text: string) => /^\w+ \w+\s*$/.test(text);
    const without = looks.filter(
      ({ text }) => !isJoined(text) && !/workspace_id|\$\{(?:IN_BATCHES|OF_SESSION|where|WHERE)\b/.test(text),
    );
    expect(without.map(({ file, text }) => `${file}: ${text.replace(/\s+/g, " ").slice(0, 120)}`)).toEqual([]);
  });
});
