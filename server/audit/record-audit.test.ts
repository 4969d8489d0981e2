import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { newWorkspace } from "../../e2e/fixtures/browser.ts";
import { type TestDatabase, testDatabase } from "../../e2e/fixtures/database.ts";
import { sha256 } from "../platform/secrets.ts";
import { canonicalJson, entryHashOf, FIRST_HASH } from "./chain.ts";
import { diffFields } from "./diff-fields.ts";
import type { AuditEntry } from "./entries.ts";
import { auditStatement, recordAudit } from "./record-audit.ts";

let at: TestDatabase;
let workspaceId: string;

beforeAll(async () => {
  at = await testDatabase();
});
beforeEach(async () => {
  workspaceId = await newWorkspace(at.database, "test");
});
afterAll(() => at.drop());

const entry = (name: string): AuditEntry => ({ kind: "workspace_created", version: 1, by: "test", name });
const ada = (name: string) =>
  ({
    kind: "script",
    id: "42",
    name,
    workspaceId,
    from: { ip: "::1", userAgent: 'Mozilla/5.0 "é" 😀' },
  }) as const;

interface Row {
  seq: string;
  at: string;
  body: string;
  hash: string;
  changes: string | null;
  target: string | null;
}

test("what the database hashes is the RFC 8785 text of the whole entry, linked to the one before", async () => {
  const changes = diffFields({ cap: 1, gone: "x" }, { cap: 2n, same: null });
  await at.database.prisma.$transaction(async (tx) => {
    await recordAudit(tx, workspaceId, entry("by nobody"));
    await recordAudit(tx, ada('A"da \u0007'), entry('quotes " and \u0001 and 😀'), changes);
  });
  const { rows } = await at.database.pool.query<Row>(
    `SELECT seq, to_char(at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') AS at, body, changes, target,
       encode(hash, 'hex') AS hash FROM audit_entry WHERE workspace_id = $1 ORDER BY seq`,
    [workspaceId],
  );
  const [first, second] = rows;
  const whole = (row: Row | undefined, previous: string, more: object) =>
    sha256(
      canonicalJson({
        workspace: workspaceId,
        seq: Number(row?.seq),
        at: row?.at,
        chain: 2,
        kind: "workspace_created",
        previous,
        body: JSON.parse(row?.body ?? ""),
        target: null,
        ...more,
      }),
    ).toString("hex");
  expect(first?.hash).toBe(whole(first, FIRST_HASH, { actor: null, from: null, changes: null }));
  const who = { actor: { kind: "script", id: "42", name: 'A"da \u0007' }, from: ada("").from };
  expect(second?.hash).toBe(whole(second, first?.hash ?? "", { ...who, changes: JSON.parse(second?.changes ?? "") }));
  expect(JSON.parse(second?.changes ?? "")).toEqual({
    cap: { before: 1, after: "2" },
    gone: { before: "x", after: null },
  });
});

test("entries of transactions that race are numbered, dated and linked in one order", async () => {
  await at.database.prisma.$transaction((tx) => recordAudit(tx, workspaceId, entry("the first")));
  await Promise.all(
    Array.from({ length: 40 }, (_, index) =>
      at.database.prisma.$transaction((tx) => recordAudit(tx, workspaceId, entry(`racer ${index}`)), {
        maxWait: 20_000,
        timeout: 20_000,
      }),
    ),
  );
  const { rows } = await at.database.pool.query<{ at: string; seq: number; body: string; hash: string }>(
    `SELECT seq::int, to_char(at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') AS at, body,
       encode(hash, 'hex') AS hash FROM audit_entry WHERE workspace_id = $1 ORDER BY seq`,
    [workspaceId],
  );
  let [previous] = rows;
  expect(rows).toHaveLength(41);
  for (const row of rows.slice(1)) {
    const rest = { workspace: workspaceId, chain: 2, actor: null, from: null, target: null, changes: null };
    expect(entryHashOf({ ...rest, ...row, kind: "workspace_created" }, previous?.hash ?? "")).toBe(row.hash);
    expect(row.at >= (previous?.at ?? "")).toBe(true);
    previous = row;
  }
});

test("an entry says what it is about, and one of an unknown shape is not written", () => {
  const removed: AuditEntry = { kind: "policy_deleted", version: 1, by: "ada", policy: "p1", name: "guard" };
  expect(auditStatement(workspaceId, removed).values).toContain("policy/p1");
  const wrong = { ...removed, more: 1 };
  expect(() => auditStatement(workspaceId, wrong)).toThrow();
});
