/** Whoever holds the database may change whatever they like in it; here every such change is named. */
import { mkdtemp, rm } from "node:fs/promises";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { repetitions } from "../../../e2e/fixtures/long-run.ts";
import { type RecordingRig, recordingRig, recordOf } from "../../../e2e/fixtures/recording-rig.ts";
import { entryHashOf, FIRST_HASH } from "../../audit/chain.ts";
import { parsePublicKey } from "../../audit/checkpoint.ts";
import { recordAudit } from "../../audit/record-audit.ts";
import { STORED_ENTRY_COLUMNS, type StoredRow, toChainedEntry } from "../../audit/stored-entries.ts";
import { verificationReportText } from "../../audit/verification-report.ts";
import { systemClock } from "../../platform/clock.ts";
import type { PoolClient } from "../../platform/db.ts";
import { createLog } from "../../platform/log.ts";
import { openSecrets, type Secrets } from "../../platform/secrets.ts";
import { checkpointFile, readCheckpoints } from "../checkpoints/checkpoint-file.ts";
import { createCheckpointer } from "../checkpoints/checkpoints.ts";
import { verifyStored } from "./verify-stored.ts";

let rig: RecordingRig;
let dir: string;
let secrets: Secrets;
const CHECKPOINT = 12;

beforeAll(async () => {
  rig = await recordingRig();
  dir = await mkdtemp("/tmp/quarterdeck-tampering-");
  secrets = await openSecrets(dir, { token: undefined, sessionSecret: undefined, signingKey: undefined });
  const ada = {
    kind: "script",
    id: "1",
    name: "ada",
    workspaceId: rig.workspaceId,
    from: { ip: "10.0.0.1", userAgent: "curl" },
  } as const;
  const act = (index: number) =>
    rig.db.database.prisma.$transaction((tx) =>
      recordAudit(
        tx,
        index % 3 === 0 ? rig.workspaceId : ada,
        { kind: "policy_deleted", version: 1, by: "ada", policy: `p${index}`, name: `policy ${index}` },
        index % 2 === 0 ? { cap: { before: index, after: index + 1 } } : undefined,
      ),
    );
  const record = (count: number) =>
    Promise.all(
      Array.from({ length: count }, (_, index) =>
        rig.recorder.record(recordOf(rig, "stop", JSON.stringify({ session_id: `s${index}` })), false),
      ),
    );
  for (let index = 0; index < 4; index += 1) {
    await act(index);
    await record(3);
    await act(index + 10);
  }
  // The first of a group commit goes alone; whatever came out is brought to a known number.
  while ((await lastSeq()) < CHECKPOINT) await act(20);
  const log = createLog("silent");
  const { pool } = rig.db.database;
  await createCheckpointer({ pool, secrets, dir: join(dir, "checkpoints"), log, clock: systemClock }).tick(true);
  for (let index = 0; index < 3; index += 1) await act(30 + index);
});
afterAll(async () => {
  await rig.close();
  await rm(dir, { recursive: true });
});

async function lastSeq(): Promise<number> {
  const found = await rig.db.database.pool.query<{ seq: number }>(
    "SELECT seq::int FROM audit_head WHERE workspace_id = $1",
    [rig.workspaceId],
  );
  return found.rows[0]?.seq ?? 0;
}

const outside = () => readCheckpoints(checkpointFile(join(dir, "checkpoints"), rig.workspaceId));
const key = () => {
  const found = parsePublicKey(secrets.signingPublicKey.export({ type: "spki", format: "pem" }).toString());
  if (!found) throw new Error("no key");
  return found;
};

/** In one range and in ranges of a few rows, which must come to the same. */
async function verified() {
  const options = { keys: [key()], outside: await outside() };
  const report = await verifyStored(rig.db.database, rig.workspaceId, options);
  const limits = { entries: 2, rows: 3, bytes: 1_000_000, window: 3 };
  expect(await verifyStored(rig.db.database, rig.workspaceId, { ...options, limits })).toEqual(report);
  return report;
}

let undo: (() => Promise<void>)[] = [];
beforeEach(async () => {
  for (const back of undo.reverse()) await back();
  undo = [];
});

/** Does `harm` to the stored record until the next test. */
async function tamper(harm: (client: PoolClient) => Promise<unknown>): Promise<void> {
  const pool = rig.db.owner;
  const client = await pool.connect();
  const tables = ["audit_entry", "chain_batch", "audit_head", "audit_checkpoint", "dispatch"];
  try {
    for (const table of tables) await client.query(`CREATE TABLE kept_${table} AS SELECT * FROM ${table}`);
    undo.push(async () => {
      for (const table of tables) {
        await pool.query(`DELETE FROM ${table}`);
        await pool.query(`INSERT INTO ${table} SELECT * FROM kept_${table}`);
        await pool.query(`DROP TABLE kept_${table}`);
      }
    });
    await harm(client);
  } finally {
    client.release();
  }
}

async function told() {
  const report = await verified();
  return { report, ...verificationReportText(report) };
}

const where = "WHERE workspace_id = $1";

/** Runs `sql` on both tables that hold entries; `ENTRIES` stands for each. */
async function onEntries(client: PoolClient, sql: string, values: readonly unknown[] = []): Promise<void> {
  for (const table of ["audit_entry", "chain_batch"])
    await client.query(sql.replaceAll("ENTRIES", table), [rig.workspaceId, ...values]);
}

test("a record that nobody touched is whole, and says which entries no checkpoint vouches for yet", async () => {
  const { report, altered, missing } = await told();
  expect(altered).toEqual([
    expect.stringMatching(/^Nothing was altered: \d+ entries hold together, 12 dispatches as recorded\.$/),
  ]);
  expect(missing[0]).toMatch(/^Nothing is missing/);
  expect(missing[1]).toMatch(/^3 entries after the last checkpoint \(entry \d+, .*\) cannot be vouched for\.$/);
  expect(report.missing.state).toBe("nothing");
});

describe("one byte of a chained row", () => {
  const columns: [string, string][] = [
    ["at", "at + interval '1 microsecond'"],
    ["kind", "kind || 'x'"],
    ["body", "overlay(body placing 'X' from length(body) - 3 for 1)"],
    ["body", "body || ' '"],
    ["hash", "set_byte(hash, 5, (get_byte(hash, 5) + 1) % 256)"],
    ["chain_version", "1"],
    ["chain_version", "3"],
    ["actor_kind", "'person'"],
    ["actor_id", "coalesce(actor_id, '') || 'x'"],
    ["actor_name", "coalesce(actor_name, '') || 'x'"],
    ["ip", "coalesce(ip, '') || '1'"],
    ["user_agent", "NULL"],
    ["target", "coalesce(target, '') || 'x'"],
    ["changes", "coalesce(changes, '') || '1'"],
    ["workspace_id", "'00000000-0000-7000-8000-00000000dead'"],
  ];
  test.each(columns)("in %s (%s) is named by its entry", async (column, value) => {
    const { rows } = await rig.db.database.pool.query<{ seq: number; kind: string }>(
      `SELECT seq::int, kind FROM audit_entry ${where} AND actor_kind IS NOT NULL AND seq > 2 ORDER BY seq LIMIT 1`,
      [rig.workspaceId],
    );
    const seq = rows[0]?.seq ?? 0;
    await tamper((client) =>
      client.query(`UPDATE audit_entry SET ${column} = ${value} ${where} AND seq = $2`, [rig.workspaceId, seq]),
    );
    const { report } = await told();
    if (column === "workspace_id") {
      expect(report.missing.findings[0]).toMatchObject({ seq, says: `entry ${seq} is missing` });
      return;
    }
    expect(report.altered.findings[0]?.seq).toBe(seq);
    expect(report.altered.count).toBe(1);
    const names = {
      hash: "its hash was changed",
      kind: "its kind was changed",
      target: "what it is about",
      actor_name: "the name of who did it",
    };
    const says = report.altered.findings[0]?.says ?? "";
    if (column in names)
      expect(says).toContain(names[column as keyof typeof names]); // asked just before
    else expect(says).not.toBe("");
  });

  test("in the number leaves a gap where it was", async () => {
    await tamper((client) => client.query(`UPDATE audit_entry SET seq = 4000 ${where} AND seq = 5`, [rig.workspaceId]));
    const { report } = await told();
    expect(report.missing.findings[0]).toMatchObject({ seq: 5, says: "entry 5 is missing" });
    expect(report.altered.count).toBeGreaterThan(0);
  });
});

test("an entry that is gone is named, and so is a run of them", async () => {
  await tamper((client) => onEntries(client, `DELETE FROM ENTRIES ${where} AND seq IN (4, 7, 8)`));
  const { missing, report } = await told();
  expect(missing.slice(0, 3)).toEqual([
    "2 things are missing:",
    "  entry 4 is missing",
    "  entries 7 to 8 are missing",
  ]);
  expect(report.altered.count).toBe(report.altered.findings.filter(({ says }) => says.startsWith("dispatch")).length);
});

test.each([
  [4, 5],
  [3, 9],
  [1, 2],
])("entries %i and %i that changed places are named as that", async (a, b) => {
  await tamper(async (client) => {
    const move = (from: number, to: number) =>
      onEntries(client, `UPDATE ENTRIES SET seq = $3 ${where} AND seq = $2`, [from, to]);
    await move(a, -1);
    await move(b, a);
    await move(-1, b);
  });
  const { report } = await told();
  const chain = report.altered.findings.filter(({ says }) => !says.startsWith("dispatch"));
  expect(chain).toHaveLength(1);
  expect(chain[0]).toMatchObject({
    seq: a,
    says: expect.stringMatching(new RegExp(`and entry ${b} .* have changed places`)),
  });
});

/** Makes the chain whole again from `from` on, as whoever may write everything would. */
async function rechain(client: PoolClient, from: number): Promise<void> {
  const { rows } = await client.query<StoredRow>(
    `SELECT ${STORED_ENTRY_COLUMNS} FROM chain_entry ${where} AND chain_entry.seq >= $2 ORDER BY chain_entry.seq`,
    [rig.workspaceId, from - 1],
  );
  let previous = FIRST_HASH;
  for (const row of rows) {
    const entry = toChainedEntry(row);
    const hash = entry.seq < from ? entry.hash : (entryHashOf(entry, previous) ?? "");
    if (hash !== entry.hash)
      await onEntries(client, `UPDATE ENTRIES SET hash = decode($3, 'hex') ${where} AND seq = $2`, [entry.seq, hash]);
    previous = hash;
  }
  await client.query(
    `UPDATE audit_head SET hash = decode($2, 'hex'), seq = (SELECT max(seq) FROM chain_entry ${where}) ${where}`,
    [rig.workspaceId, previous],
  );
}

test("a tail cut off, head and copies of checkpoints included, shows against the checkpoint outside", async () => {
  const [last] = await outside();
  const seq = last?.seq ?? 0;
  await tamper(async (client) => {
    await onEntries(client, `DELETE FROM ENTRIES ${where} AND seq > $2`, [seq - 5]);
    await client.query(`DELETE FROM audit_checkpoint ${where}`, [rig.workspaceId]);
    await rechain(client, seq - 5);
    await client.query(
      `DELETE FROM dispatch ${where} AND batch::text NOT IN (SELECT substring(body FROM '"batch":"([^"]*)"') FROM chain_entry WHERE kind = 'dispatches_recorded')`,
      [rig.workspaceId],
    );
  });
  const { altered, missing } = await told();
  expect(altered[0]).toMatch(/^Nothing was altered/);
  expect(missing[1]).toContain(`the chain ends at entry ${seq - 5}, before checkpoint ${seq}`);
  expect(missing[1]).toContain("5 entries are cut off");
});

test("a chain replaced wholesale, every hash made anew, contradicts its checkpoint; without one it passes unknown", async () => {
  await tamper(async (client) => {
    await client.query(
      `UPDATE audit_entry SET actor_name = 'mallory' ${where} AND seq >= 3 AND actor_name IS NOT NULL`,
      [rig.workspaceId],
    );
    await client.query(`DELETE FROM audit_checkpoint ${where}`, [rig.workspaceId]);
    await rechain(client, 3);
  });
  const { report } = await told();
  const [last] = await outside();
  expect(report.altered.findings).toEqual([
    expect.objectContaining({
      seq: last?.seq,
      says: expect.stringContaining("the chain was replaced between entry 1 and here"),
    }),
  ]);
  const alone = await verifyStored(rig.db.database, rig.workspaceId, { keys: [key()], outside: null });
  expect(alone.altered.count).toBe(0);
  expect(alone.missing.state).toBe("unknown");
});

test("the last entries too: the head knows how far the chain went", async () => {
  await tamper((client) =>
    client.query(`DELETE FROM audit_entry ${where} AND seq = (SELECT max(seq) FROM audit_entry)`, [rig.workspaceId]),
  );
  const { report } = await told();
  expect(report.missing.findings[0]?.says).toMatch(/^entry \d+ is missing$/);
});

describe("a dispatch", () => {
  const columns: [string, string][] = [
    ["input", "input || ' '"],
    ["answer", `'{"decision":"allow"}'`],
    ["hooks", `'[ ]'`],
    ["verdict", "'allow'"],
    ["agent_name", "agent_name || 'x'"],
    ["received_at", "received_at + interval '1 millisecond'"],
    ["salt", "gen_random_uuid()"],
    ["place", "place + 5"],
    ["erased_at", "now()"],
  ];
  test.each(columns)("changed in its %s is named", async (column, value) => {
    const { rows } = await rig.db.database.pool.query<{ id: string }>("SELECT id FROM dispatch ORDER BY id LIMIT 1");
    const id = rows[0]?.id ?? "";
    await tamper((client) => client.query(`UPDATE dispatch SET ${column} = ${value} WHERE id = $1`, [id]));
    const { report } = await told();
    expect(report.altered.findings.map(({ says }) => says).join()).toContain(`dispatch ${id}`);
  });

  test("whose content was blanked with its digest kept is named: no entry says that it was erased", async () => {
    const { rows } = await rig.db.database.pool.query<{ id: string }>("SELECT id FROM dispatch ORDER BY id LIMIT 1");
    const id = rows[0]?.id ?? "";
    const { CONTENT_SQL } = await import("../../audit/leaf.ts");
    await tamper((client) =>
      client.query(
        `UPDATE dispatch SET content_sha256 = ${CONTENT_SQL}, erased_at = now(), salt = NULL, input = '{}', answer = '{}',
           hooks = '[]', detail = NULL WHERE id = $1`,
        [id],
      ),
    );
    const { report } = await told();
    expect(report.altered.findings.map(({ says }) => says)).toEqual([
      `dispatch ${id.replaceAll("-", "")} lost its content, and no entry says that it was erased`,
    ]);
  });

  test("that is gone is missed in its batch", async () => {
    await tamper((client) =>
      client.query("DELETE FROM dispatch WHERE id = (SELECT min(id::text)::uuid FROM dispatch)"),
    );
    const { report } = await told();
    expect(report.altered.count).toBe(0);
    expect(report.missing.findings).toEqual([
      expect.objectContaining({
        kind: "dispatches_recorded",
        says: expect.stringMatching(/^1 of its \d+ dispatches is missing$/),
      }),
    ]);
  });

  test("slipped in beside the others is named, in a batch or in none", async () => {
    const columns =
      "workspace_id, occurred_at, agent_id, agent_name, session_id, received_at, event, lane, origin, verdict, revision, duration_us, input, answer, hooks, salt";
    const slip = (batch: string, place: string) =>
      `INSERT INTO dispatch (${columns}, id, batch, place) SELECT ${columns}, gen_random_uuid(), ${batch}, ${place} FROM dispatch LIMIT 1`;
    await tamper(async (client) => {
      await client.query(slip("batch", "place + 600"));
      await client.query(slip("gen_random_uuid()", "0"));
      await client.query(slip("NULL", "NULL"));
    });
    const { report } = await told();
    const says = report.altered.findings.map((finding) => finding.says);
    expect(says.filter((text) => text.includes("one more than was recorded"))).toHaveLength(1);
    expect(says.filter((text) => text.includes("belongs to no batch"))).toHaveLength(2);
  });
});

test("any change to any column of any entry is found, and never called nothing", async () => {
  const { pool } = rig.db.database;
  const stored = await pool.query<StoredRow>(
    `SELECT ${STORED_ENTRY_COLUMNS} FROM chain_entry ${where} ORDER BY chain_entry.seq`,
    [rig.workspaceId],
  );
  const entries = stored.rows.map(toChainedEntry);
  const { createVerifier } = await import("../../audit/verify.ts");
  const known = await outside();
  const last = entries.at(-1);
  const check = (told: typeof entries) => {
    const verifier = createVerifier({
      workspace: rig.workspaceId,
      from: 1,
      previous: null,
      keys: [key()],
      outside: known,
      dispatches: "none",
    });
    for (const entry of told) verifier.entry(entry);
    verifier.head(last?.seq ?? 0, last?.hash ?? "");
    return verifier.end();
  };
  expect(check(entries).altered.count + check(entries).missing.count).toBe(0);
  const flip = (text: string, at: number) => {
    const index = at % Math.max(1, text.length);
    const other = text[index] === "7" ? "8" : "7";
    return `${text.slice(0, index)}${other}${text.slice(index + 1)}`;
  };
  const field = fc.constantFrom("at", "kind", "body", "hash", "target", "changes", "actor", "from" as const);
  const place = fc.nat(entries.length - 1);
  const harm = fc.oneof(
    fc.record({ how: fc.constant("change" as const), at: place, field, byte: fc.nat(400) }),
    fc.record({ how: fc.constant("delete" as const), at: place }),
    fc.record({ how: fc.constant("repeat" as const), at: place }),
    fc.record({ how: fc.constant("swap" as const), at: place, with: place }),
    fc.record({ how: fc.constant("cut" as const), at: place }),
  );
  fc.assert(
    fc.property(fc.array(harm, { minLength: 1, maxLength: 4 }), (harms) => {
      let harmed = [...entries];
      for (const one of harms) {
        const entry = harmed[one.at % Math.max(1, harmed.length)];
        if (!entry) continue;
        const at = harmed.indexOf(entry);
        if (one.how === "delete") harmed.splice(at, 1);
        else if (one.how === "cut") harmed = harmed.slice(0, at);
        else if (one.how === "repeat") harmed.splice(at, 0, entry);
        else if (one.how === "swap") {
          const other = harmed[one.with % harmed.length];
          if (other) {
            harmed[harmed.indexOf(other)] = entry;
            harmed[at] = other;
          }
        } else if (one.field === "actor")
          harmed[at] = {
            ...entry,
            actor: entry.actor ? { ...entry.actor, id: `${entry.actor.id}x` } : { id: "", kind: "", name: "" },
          };
        else if (one.field === "from")
          harmed[at] = { ...entry, from: entry.from ? null : { ip: null, userAgent: "x" } };
        else harmed[at] = { ...entry, [one.field]: flip(entry[one.field] ?? "", one.byte) };
      }
      const same = JSON.stringify(harmed) === JSON.stringify(entries);
      const report = check(harmed);
      expect(report.altered.count + report.missing.count > 0).toBe(!same);
    }),
    { numRuns: repetitions(75, 1_500) },
  );
});
