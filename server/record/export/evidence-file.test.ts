/** An evidence file proves what was chosen, names whatever was changed in it, and needs no server for that. */
import { mkdtemp, rm } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type RecordingRig, recordingRig, recordOf } from "../../../e2e/fixtures/recording-rig.ts";
import { parsePublicKey } from "../../audit/checkpoint.ts";
import { evidenceReportText } from "../../audit/evidence-report.ts";
import { isEvidenceHeader, verifyEvidence } from "../../audit/verify-evidence.ts";
import { systemClock } from "../../platform/clock.ts";
import { createLog } from "../../platform/log.ts";
import { openSecrets, type Secrets } from "../../platform/secrets.ts";
import { createCheckpointer } from "../checkpoints/checkpoints.ts";
import { createEvidenceFile } from "./evidence-file.ts";
import type { DispatchKey } from "./evidence-repository.ts";

let rig: RecordingRig;
let dir: string;
let secrets: Secrets;
let file: string;
let chosen: DispatchKey[];

const keysOf = async (said: readonly string[]) => {
  const { rows } = await rig.db.owner.query<{ occurredAt: Date; id: string }>(
    `SELECT occurred_at AS "occurredAt", id FROM dispatch WHERE workspace_id = $1
     AND input::json->>'said' = ANY ($2::text[])`,
    [rig.workspaceId, said],
  );
  return rows;
};
const made = (keys: readonly DispatchKey[]) =>
  createEvidenceFile(rig.db.database, rig.workspaceId, { keys, calls: 2, asked: "all", madeBy: "ada" }, secrets);
const trusted = () => {
  const key = parsePublicKey(secrets.signingPublicKey.export({ type: "spki", format: "pem" }).toString());
  return { keys: key ? [key] : [] };
};
async function* linesOf(text: string): AsyncGenerator<string> {
  yield* text.split("\n");
}

beforeAll(async () => {
  rig = await recordingRig();
  dir = await mkdtemp("/tmp/quarterdeck-evidence-");
  secrets = await openSecrets(dir, { token: undefined, sessionSecret: undefined, signingKey: undefined });
  const options = { pool: rig.db.database.pool, secrets, dir: join(dir, "points"), log: createLog("silent") };
  const checkpointer = createCheckpointer({ ...options, clock: systemClock });
  const record = (said: string) => rig.recorder.record(recordOf(rig, "stop", JSON.stringify({ said })), false);
  await record("first");
  // The first of them begins a commit; the others share the next one.
  await Promise.all(["before", "a", "beside a"].map(record));
  await checkpointer.tick(true);
  await record("between");
  await record("b");
  await checkpointer.tick(true);
  await record("later");
  chosen = await keysOf(["a", "b"]);
  file = await made(chosen);
});
afterAll(async () => {
  await rig.close();
  await rm(dir, { recursive: true });
});

test("holds the chosen dispatches and the chain to the next signature, and nothing else of the log", async () => {
  expect(isEvidenceHeader(file)).toBe(true);
  const types = file
    .trim()
    .split("\n")
    .map((line) => (JSON.parse(line) as { type: string }).type);
  const stretch = ["export", "entry", "checkpoint", "dispatch", "end"];
  expect(types).toEqual(["evidence", "key", ...stretch, ...stretch, "seal"]);
  expect(file).not.toMatch(/beside a|before|between|first|later/);
  const report = await verifyEvidence(linesOf(file), trusted());
  expect(report).toMatchObject({ proven: 2, erased: 0, unsigned: 0, unknownKeys: [], findings: [] });
  expect(report.isSealed).toBe(true);
  expect(evidenceReportText(report)[1]).toBe("2 of 2 dispatches over 2 calls are as they were recorded.");
});

test("says what no trusted key signed", async () => {
  const strange = await verifyEvidence(linesOf(file), {});
  expect(strange).toMatchObject({ proven: 2, unsigned: 2, findings: [] });
  expect(strange.unknownKeys).toHaveLength(1);
  const named = await verifyEvidence(linesOf(file), { ids: strange.unknownKeys });
  expect(named).toMatchObject({ proven: 2, unsigned: 0, findings: [] });
  const unsigned = await verifyEvidence(linesOf(await made(await keysOf(["later"]))), trusted());
  expect(unsigned).toMatchObject({ proven: 1, unsigned: 1, findings: [] });
});

test.each([
  [
    "an input that was changed",
    (text: string) => text.replace('{\\"said\\":\\"a\\"}', '{\\"said\\":\\"z\\"}'),
    /is not what was recorded/,
  ],
  [
    "a verdict that was changed",
    (text: string) => text.replace(/"verdict":"[a-z]*"/, '"verdict":"canceled"'),
    /is not what was recorded/,
  ],
  [
    "a dispatch taken out",
    (text: string) => text.replace(/\{"type":"dispatch".*\n/, ""),
    /not the one that the console sealed/,
  ],
  [
    "a stretch taken out",
    (text: string) => text.slice(0, text.lastIndexOf('{"type":"export"')),
    /seal at the end is missing[\s\S]*1 of 2 stretches are missing/,
  ],
  ["an entry taken out", (text: string) => text.replace(/\{"type":"entry".*\n/, ""), /belongs to no batch|is missing/],
  [
    "a signature of another entry",
    (text: string) => text.replace(/("type":"checkpoint".*"signature":")./, "$1_"),
    /no valid signature/,
  ],
])("%s is named", async (_, change, says) => {
  const changed = change(file);
  expect(changed).not.toBe(file);
  const { findings } = await verifyEvidence(linesOf(changed), trusted());
  expect(findings.join("\n")).toMatch(says);
});

test("an erased dispatch is proven without its words", async () => {
  const [first] = chosen;
  await rig.db.owner.query("CREATE TABLE kept AS SELECT * FROM dispatch WHERE id = $1", [first?.id]);
  const { CONTENT_SQL } = await import("../../audit/leaf.ts");
  await rig.db.owner.query(
    `UPDATE dispatch SET content_sha256 = ${CONTENT_SQL}, erased_at = now(), salt = NULL, input = '{}', answer = '', hooks = '[]',
       detail = NULL, reason = NULL WHERE id = $1`,
    [first?.id],
  );
  const report = await verifyEvidence(linesOf(await made(chosen)), trusted());
  expect(report).toMatchObject({ proven: 2, erased: 1, findings: [] });
  await rig.db.owner.query("DELETE FROM dispatch WHERE id = $1", [first?.id]);
  await rig.db.owner.query("INSERT INTO dispatch SELECT * FROM kept");
});

test("is refused when nothing chosen can be proven", async () => {
  await expect(made([{ occurredAt: new Date(), id: "00000000-0000-7000-8000-000000000000" }])).rejects.toThrow(
    /can be proven one by one|invalid_input/,
  );
});
