/** Forged lines and heads of an evidence file: no verification ends in 0 and prints a forged fact. */
import { generateKeyPairSync } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type RecordingRig, recordingRig, recordOf } from "../../../e2e/fixtures/recording-rig.ts";
import type { Administrator } from "../../access/actor.ts";
import { canonicalJson, entryHashOf } from "../../audit/chain.ts";
import { parsePublicKey } from "../../audit/checkpoint.ts";
import { evidenceExitCode, evidenceReportText } from "../../audit/evidence-report.ts";
import { sealEvidence } from "../../audit/evidence-seal.ts";
import { contentDigest, dispatchLeafOf } from "../../audit/leaf.ts";
import { verifyEvidence } from "../../audit/verify-evidence.ts";
import { systemClock } from "../../platform/clock.ts";
import { uuidv7 } from "../../platform/ids.ts";
import { createLog } from "../../platform/log.ts";
import { openSecrets, type Secrets, sha256 } from "../../platform/secrets.ts";
import { NO_CASES, publishByName } from "../../policies/index.ts";
import { createCheckpointer } from "../checkpoints/checkpoints.ts";
import { createEvidenceFile } from "./evidence-file.ts";

/** A line of a file, as a forger sees it. */
type Line = Record<string, unknown> & { type: string };

const FORGED = "Mallory Inc.";
const SOURCE = "hooks:\n  stop:\n    - type: command\n      command: echo guard\n";
let rig: RecordingRig;
let dir: string;
let secrets: Secrets;
let file: string;
let other: string;

const hookOf = (policy: string) => ({
  ...{ policy, revision: 1, path: "stop[0]", name: "guard", type: "command", outcome: "refused", said: "no" },
  ...{ startedMs: 0, durationMs: 1, stdout: "", stderr: "" },
});

beforeAll(async () => {
  rig = await recordingRig();
  dir = await mkdtemp("/tmp/quarterdeck-forgeries-");
  secrets = await openSecrets(dir, { token: undefined, sessionSecret: undefined, signingKey: undefined });
  const options = { pool: rig.db.database.pool, secrets, dir: join(dir, "points"), log: createLog("silent") };
  const checkpointer = createCheckpointer({ ...options, clock: systemClock });
  const ada: Administrator = { kind: "person", role: "owner", workspaceId: rig.workspaceId, id: uuidv7(), name: "Ada" };
  for (const name of ["guard", "spare"])
    await publishByName(rig.db.database, rig.bus, ada, { name, source: SOURCE, note: "" }, NO_CASES);
  await checkpointer.tick(true);
  await rig.recorder.record(recordOf(rig, "stop", '{"said":"between"}'), false);
  const said = {
    verdict: "deny",
    reason: "too late",
    hooks: [hookOf("guard")],
    answer: { decision: "block" },
  } as const;
  await rig.recorder.record(recordOf(rig, "stop", '{"said":"a"}', said), false);
  await rig.recorder.record(recordOf(rig, "stop", '{"said":"b"}', said), false);
  await checkpointer.tick(true);
  const { rows } = await rig.db.owner.query<{ occurredAt: Date; id: string }>(
    `SELECT occurred_at AS "occurredAt", id FROM dispatch WHERE verdict = 'deny' ORDER BY occurred_at`,
  );
  const made = (keys: typeof rows) => {
    const about = { keys, calls: keys.length, asked: "all decisions", madeBy: "Ada" };
    return createEvidenceFile(rig.db.database, rig.workspaceId, about, secrets);
  };
  file = await made(rows.slice(0, 1));
  other = await made(rows.slice(1));
});
afterAll(async () => {
  await rig.close();
  await rm(dir, { recursive: true });
});

async function outcomeOf(text: string): Promise<{ readonly code: number; readonly says: readonly string[] }> {
  const key = parsePublicKey(secrets.signingPublicKey.export({ type: "spki", format: "pem" }).toString());
  async function* lines() {
    yield* text.split("\n");
  }
  try {
    const report = await verifyEvidence(lines(), { keys: key ? [key] : [] });
    return { code: evidenceExitCode(report), says: evidenceReportText(report) };
  } catch (error) {
    if (error instanceof Error && error.name === "NoExportError") return { code: 2, says: [error.message] };
    throw error;
  }
}

const linesOf = (text: string): Line[] =>
  text
    .trim()
    .split("\n")
    .map((one) => JSON.parse(one) as Line); // holds: the console wrote it
const textOf = (lines: readonly unknown[]): string => lines.map((one) => `${JSON.stringify(one)}\n`).join("");
/** A forgery of the first line of a type that fits. */
const changing =
  (type: string, change: (line: Line) => Line | Line[], at = 0) =>
  (lines: Line[]) => {
    const found = lines.filter((one) => one.type === type)[at];
    if (found === undefined) throw new Error(`no line ${type}`);
    return lines.flatMap((one) => (one === found ? change(one) : [one]));
  };
const setting = (type: string, fields: Record<string, unknown>, at = 0) =>
  changing(type, (one) => ({ ...one, ...fields }), at);
const lastOf = (lines: readonly Line[], type: string) => lines.findLastIndex((one) => one.type === type);

/** A decision that was never made, in entries added behind the last signature. */
function addDecision(lines: Line[]): Line[] {
  const entries = lines.filter(({ type }) => type === "entry");
  const last = entries.at(-1) as Line & { seq: number; hash: string; body: string; at: string };
  const row = lines.find(({ type }) => type === "dispatch") as Line & { content: Parameters<typeof contentDigest>[0] };
  const content = { ...row.content, input: '{"said":"forged"}' };
  const batch = uuidv7();
  const dispatch = { ...row, id: uuidv7(), batch, content, place: 0 };
  const leaf = dispatchLeafOf(dispatch as unknown as Parameters<typeof dispatchLeafOf>[0], contentDigest(content));
  const body = canonicalJson({ ...JSON.parse(last.body), batch, count: 1, leaves: leaf });
  const { type: _, hash: previous, ...rest } = { ...last, seq: last.seq + 1, body };
  const entry = { type: "entry", ...rest, hash: entryHashOf(rest as never, previous) };
  const end = lines[lastOf(lines, "end")];
  const head = lines[lastOf(lines, "export")];
  return lines
    .map((one) => (one === head ? { ...one, to: rest.seq } : one))
    .flatMap((one) =>
      one === end
        ? [entry, dispatch, { ...one, entries: Number(one.entries) + 1, seq: rest.seq, hash: entry.hash } as Line]
        : [one],
    )
    .map((one) => (one.type === "evidence" ? { ...one, dispatches: 2, calls: 2 } : one)) as Line[];
}

/** The stretches of another true file, in this one. */
function addStretches(lines: Line[]): Line[] {
  const of = linesOf(other);
  const added = of
    .slice(lastOf(of, "export"), lastOf(of, "end") + 1)
    .map((one) => (one.type === "export" ? { ...one, exportedAt: lines[0]?.madeAt } : one)) as Line[];
  const at = lastOf(lines, "end") + 1;
  const [head, ...rest] = [...lines.slice(0, at), ...added, ...lines.slice(at)];
  return [{ ...head, dispatches: 2, stretches: Number(head?.stretches) + 1 } as Line, ...rest];
}

const shaOf = (source: string) => sha256(source).toString("hex");
const otherText = SOURCE.replace("guard", FORGED);

/** Each forgery of the lines, or of the text where JSON cannot say it. */
const FORGERIES: readonly (readonly [string, (lines: Line[]) => Line[] | string])[] = [
  ["the workspace's name", setting("evidence", { name: FORGED })],
  ["the workspace's id", setting("evidence", { workspace: "019ab000-0000-7000-8000-00000000fade" })],
  ["the filter", setting("evidence", { asked: `all decisions of ${FORGED}` })],
  ["the person who made it", setting("evidence", { madeBy: FORGED })],
  ["the time it was made", setting("evidence", { madeAt: "2031-01-01T00:00:00.000Z" })],
  ["the number of calls", setting("evidence", { calls: 31337 })],
  ["the number of decisions that cannot be proven", setting("evidence", { unproven: 31337 })],
  ["the command that verifies", setting("evidence", { verify: FORGED })],
  ["a key added to the head", setting("evidence", { auditor: FORGED })],
  ["a key of the prototype added to the head", (lines) => textOf(lines).replace('"name":', '"__proto__":1,"name":')],
  ["a second name in the head", (lines) => textOf(lines).replace('"name":', `"name":"${FORGED}","name":`)],
  ["the text of a policy with its own hash", setting("revision", { source: otherText, sha256: shaOf(otherText) })],
  ["the text of a policy", setting("revision", { source: otherText })],
  ["the name of a policy", setting("revision", { policy: FORGED })],
  ["the number of a revision", setting("revision", { revision: 31337 })],
  ["a text left out", changing("revision", () => [])],
  ["a text of another policy", changing("revision", (one) => [one, { ...one, policy: FORGED }])],
  ["a text twice", changing("revision", (one) => [one, { ...one, source: otherText, sha256: shaOf(otherText) }])],
  ["a key added to a text", setting("revision", { approvedBy: FORGED })],
  [
    "the publication left out, and its text changed",
    (lines) => {
      const from = lines.findIndex(({ type }) => type === "export");
      const to = lines.findIndex(({ type }) => type === "end");
      const rest = [...lines.slice(0, from), ...lines.slice(to + 1)];
      const cut = setting("revision", { source: otherText, sha256: shaOf(otherText) })(rest);
      return setting("evidence", { stretches: 1 })(cut);
    },
  ],
  ["the age of a key", setting("key", { since: "2001-01-01T00:00:00.000Z" })],
  ["the id of a key", setting("key", { id: "0123456789abcdef" })],
  ["a key added to a public key", setting("key", { owner: FORGED })],
  ["a key added to a decision", setting("dispatch", { approvedBy: FORGED })],
  ["a key added to an entry", setting("entry", { approvedBy: FORGED })],
  ["a key added to a signature", setting("checkpoint", { approvedBy: FORGED })],
  ["a digest beside a decision's content", setting("dispatch", { contentSha256: "A".repeat(43) })],
  ["a second verdict", (lines) => textOf(lines).replace('"verdict":"deny"', '"verdict":"allow","verdict":"deny"')],
  [
    "a decision's content hidden as erased",
    changing("dispatch", (one) => ({
      ...one,
      content: null,
      contentSha256: contentDigest(one.content as Parameters<typeof contentDigest>[0]),
    })),
  ],
  [
    "a reason moved into the detail by a NUL",
    changing("dispatch", (one) => {
      const content = one.content as Parameters<typeof contentDigest>[0];
      return { ...one, content: { ...content, detail: `${content.detail ?? ""}\0${content.reason}`, reason: null } };
    }),
  ],
  [
    "a decision without its row",
    changing("dispatch", (one) => {
      const { id, batch, place } = one;
      const row = one as unknown as Parameters<typeof dispatchLeafOf>[0];
      const leaf = dispatchLeafOf(row, contentDigest(one.content as Parameters<typeof contentDigest>[0]));
      return { type: "held", id, batch, place, leaf, isErased: false };
    }),
  ],
  ["the names of people left out", changing("entry", ({ names: _, ...one }) => one as Line)],
  ["the name in a stretch", setting("export", { name: FORGED }, 1)],
  ["the time of a stretch", setting("export", { exportedAt: "2031-01-01T00:00:00.000Z" }, 1)],
  ["the workspace of a stretch", setting("export", { workspace: "019ab000-0000-7000-8000-00000000fade" }, 1)],
  ["a decision added behind the last signature", addDecision],
  ["the stretch of another file added", addStretches],
  ["a line of a new type", changing("revision", (one) => [one, { type: "note", text: FORGED }])],
  [
    "lines in another order",
    (lines) => {
      const text = lines.find(({ type }) => type === "revision");
      return [...lines.filter((one) => one !== text), ...(text ? [text] : [])];
    },
  ],
  [
    "lines behind the end",
    (lines) => [...lines, { type: "revision", policy: FORGED, revision: 1, sha256: shaOf("x"), source: "x" }],
  ],
];

const isFactPrinted = (says: readonly string[]) =>
  says.some((line) => /Mallory|31337|31,337|2031|fade/.test(line) && !/not proven|line \d|names another/i.test(line));

/** A forger can say that a file is of the version without a seal. */
function unsealed(lines: readonly Line[]): Line[] {
  return lines
    .filter(({ type }) => type !== "seal")
    .map((one) => (one.type === "evidence" ? { ...one, version: 1 } : one));
}

test("a file as the console makes it is proven, head and texts included", async () => {
  const { code, says } = await outcomeOf(file);
  expect(says.join("\n")).toMatch(/^test \([-0-9a-f]{36}\): all decisions; made by Ada at /);
  expect(says).toContain("The text of 1 revision is as published.");
  expect(says.join("\n")).not.toMatch(/not proven/i);
  expect(code).toBe(0);
});

test("a file of the version without a seal proves its decisions, and states its head", async () => {
  const { code, says } = await outcomeOf(textOf(unsealed(linesOf(file))));
  expect(says).toContain("1 of 1 dispatches are as they were recorded.");
  expect(says.at(-2)).toMatch(/^Stated by the maker of the file, not proven: "test", "all decisions", made by "Ada"/);
  expect(code).toBe(3);
});

describe("a sealed file", () => {
  test.each(FORGERIES)("%s", async (_, forge) => {
    const forged = forge(linesOf(file));
    const text = typeof forged === "string" ? forged : textOf(forged);
    expect(text).not.toBe(file);
    const { code, says } = await outcomeOf(text);
    expect([1, 2], says.join("\n")).toContain(code);
  });

  test("the seal cut off, of another file, or of another key", async () => {
    const lines = linesOf(file);
    const open = lines.slice(0, -1);
    expect((await outcomeOf(textOf(open))).code).toBe(1);
    expect((await outcomeOf(textOf([...open, linesOf(other).at(-1)]))).code).toBe(1);
    const { privateKey, publicKey } = generateKeyPairSync("ed25519");
    const strange = { signingKey: privateKey, signingPublicKey: publicKey, signingKeyId: "0123456789abcdef" };
    const head = setting("evidence", { name: FORGED })(open);
    const resealed = await outcomeOf(textOf([...head, sealEvidence(rig.workspaceId, textOf(head), strange)]));
    expect(isFactPrinted(resealed.says)).toBe(false);
    expect(resealed.code).toBe(1);
  });
});

describe("a file whose seal was taken away", () => {
  test.each(FORGERIES)("%s", async (_, forge) => {
    const before = unsealed(linesOf(file));
    const forged = forge(before);
    const { code, says } = await outcomeOf(typeof forged === "string" ? forged : textOf(forged));
    expect(code, says.join("\n")).not.toBe(0);
    expect(isFactPrinted(says), says.join("\n")).toBe(false);
  });
});
