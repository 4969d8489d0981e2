/** Exports of one workspace among others: a page and its cursor speak of that workspace's rows and of nobody else's. */
import { randomUUID } from "node:crypto";
import { Readable } from "node:stream";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Owner, type RecordingRig, recordingRig, recordOf } from "../../../e2e/fixtures/recording-rig.ts";
import { verifyExport } from "../../audit/verify-export.ts";
import { inWorkspace } from "../../platform/scope.ts";
import type { ExportPage } from "../schema.ts";
import { exportPage, startExport } from "./export.ts";

const START = Date.parse("2026-09-30T23:59:50Z");
const ROUNDS = 20;
const WINDOW_ROWS = 3;

let rig: RecordingRig;
let mine: Owner;
let theirs: Owner;

/** Both record in turn, a second apart and over a month's end. */
beforeAll(async () => {
  rig = await recordingRig();
  mine = await rig.addOwner();
  theirs = await rig.addOwner();
  for (let index = 0; index < ROUNDS; index += 1)
    for (const [turn, owner] of [theirs, mine].entries()) {
      const occurredAt = new Date(START + index * 1_000 + turn * 500);
      await rig.recorder.record(recordOf(owner, "stop", `{"session_id":"s${index}"}`, { occurredAt }), false);
    }
});
afterAll(() => rig?.close());

const COLUMNS =
  "workspace_id, agent_id, agent_name, session_id, received_at, event, lane, origin, verdict, revision, duration_us, input, answer, hooks, salt";

/** A copy of the workspace's first row at another time, under a batch or none. */
async function slipIn({ workspaceId }: Owner, afterMs: number, batch: string | null): Promise<string> {
  const id = randomUUID();
  await rig.db.owner.query(
    `INSERT INTO dispatch (${COLUMNS}, id, occurred_at, batch, place) SELECT ${COLUMNS}, $2, $3, $4, 0 FROM dispatch
     WHERE workspace_id = $1 ORDER BY occurred_at, id LIMIT 1`,
    [workspaceId, id, new Date(START + afterMs), batch],
  );
  return id;
}

/** Every page of a whole export, asked for as a procedure does. */
async function pagesOf({ workspaceId }: Owner): Promise<ExportPage[]> {
  const { database } = rig.db;
  const pages = [await inWorkspace(workspaceId, () => startExport(database, workspaceId, { dispatches: "leaves" }))];
  for (let next = pages[0]?.next ?? null; next !== null; next = pages.at(-1)?.next ?? null) {
    const asked = { ...next, dispatches: "leaves" as const, isWhole: true };
    pages.push(await inWorkspace(workspaceId, () => exportPage(database, workspaceId, asked, WINDOW_ROWS)));
  }
  return pages;
}

const keysOf = async ({ workspaceId }: Owner) => {
  const { rows } = await rig.db.owner.query<{ id: string; at: string }>(
    `SELECT id, to_char(occurred_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') AS at FROM dispatch
     WHERE workspace_id = $1`,
    [workspaceId],
  );
  return rows;
};
const cursorsOf = (pages: readonly ExportPage[]) =>
  pages.flatMap(({ next }) => (next?.strays && next.strays.at !== "-infinity" ? [next.strays] : []));

interface Line {
  readonly type: string;
  readonly id?: string;
  readonly entries?: number;
}
const linesOf = (pages: readonly ExportPage[]): Line[] =>
  pages.flatMap(({ text }) => text.split("\n").filter((line) => line !== "")).map((line) => JSON.parse(line));

test("no page and no cursor names a row of another workspace, and each window is of own rows", async () => {
  for (const [own, other] of [
    [mine, theirs],
    [theirs, mine],
  ] as const) {
    const pages = await pagesOf(own);
    const cursors = cursorsOf(pages);
    const ownKeys = await keysOf(own);
    expect(cursors.length).toBe(Math.floor(ownKeys.length / WINDOW_ROWS));
    for (const cursor of cursors) expect(ownKeys).toContainEqual({ id: cursor.id, at: cursor.at });
    const everything = JSON.stringify(pages);
    const isOwnInstant = new Set(ownKeys.map(({ at }) => at));
    for (const { id, at } of await keysOf(other)) {
      expect(everything).not.toContain(id);
      if (!isOwnInstant.has(at)) expect(everything).not.toContain(at);
    }
  }
});

test("what no batch names is found once each, before, between and after the batches, and the count is exact", async () => {
  const strays = [
    await slipIn(mine, -3_600_000, null),
    await slipIn(mine, -1_000, randomUUID()),
    await slipIn(mine, 4_250, randomUUID()),
    await slipIn(mine, 10_500, null),
    await slipIn(mine, 10_500, randomUUID()),
    await slipIn(mine, 20 * 86_400_000, randomUUID()),
  ];
  // Theirs lie between, and under the same instants.
  await slipIn(theirs, -3_600_000, randomUUID());
  await slipIn(theirs, 10_500, null);
  const pages = await pagesOf(mine);
  const lines = linesOf(pages);
  const held = lines.flatMap(({ type, id }) => (type === "held" && id !== undefined ? [id] : []));
  expect(held.filter((id) => strays.includes(id)).toSorted()).toEqual(strays.toSorted());
  expect(held).toHaveLength(ROUNDS + strays.length);
  expect(new Set(held).size).toBe(held.length);
  expect(lines.filter(({ type }) => type === "entry")).toHaveLength(ROUNDS);
  expect(lines.at(-1)).toMatchObject({ type: "end", entries: ROUNDS });
  const ownKeys = await keysOf(mine);
  for (const cursor of cursorsOf(pages)) expect(ownKeys).toContainEqual({ id: cursor.id, at: cursor.at });
  const text = pages.map((page) => page.text).join("");
  const report = await verifyExport(Readable.from(text.split("\n")), { keys: [], outside: null });
  expect(report.altered.findings.filter(({ says }) => says.includes("belongs to no batch"))).toHaveLength(
    strays.length,
  );
});

test("rows from before batches are no strays in a record that began under that rule", async () => {
  const early = await rig.addOwner();
  const { workspaceId } = early;
  await rig.recorder.record(recordOf(early, "stop", "{}", { occurredAt: new Date(START) }), false);
  const without = await slipIn(early, 100, null);
  const named = await slipIn(early, 200, randomUUID());
  const held = async () => linesOf(await pagesOf(early)).flatMap(({ type, id }) => (type === "held" ? [id] : []));
  expect(await held()).toEqual(expect.arrayContaining([without, named]));
  const old = { kind: "dispatches_recorded", version: 1, count: 1 } as const;
  await rig.db.owner.query("UPDATE chain_batch SET seq = seq + 1 WHERE workspace_id = $1", [workspaceId]);
  await rig.db.owner.query(
    `INSERT INTO audit_entry (workspace_id, seq, kind, body, hash, chain_version)
     VALUES ($1, 1, 'dispatches_recorded', $2, '\\x00', 1)`,
    [workspaceId, JSON.stringify(old)],
  );
  await rig.db.owner.query("UPDATE audit_head SET seq = seq + 1 WHERE workspace_id = $1", [workspaceId]);
  expect(await held()).not.toContain(without);
  expect(await held()).toContain(named);
});
