/** A cover says what its file holds, executes nothing, and is refused next to another file. */
import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { strFromU8, unzipSync } from "fflate";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type RecordingRig, recordingRig, recordOf } from "../../../e2e/fixtures/recording-rig.ts";
import type { Administrator } from "../../access/actor.ts";
import { parsePublicKey } from "../../audit/checkpoint.ts";
import { checkCover, fileDigest, sealCover } from "../../audit/cover-seal.ts";
import { systemClock } from "../../platform/clock.ts";
import { uuidv7 } from "../../platform/ids.ts";
import { createLog } from "../../platform/log.ts";
import { openSecrets, type Secrets } from "../../platform/secrets.ts";
import { NO_CASES, publishByName } from "../../policies/index.ts";
import { createCheckpointer } from "../checkpoints/checkpoints.ts";
import { createEvidenceFile } from "../export/evidence-file.ts";
import { createEvidenceArchive } from "./cover-archive.ts";
import type { CoverDocument } from "./cover-document.ts";
import { coverHtml } from "./cover-html.ts";
import { coverPdf } from "./cover-pdf.ts";

const run = promisify(execFile);
const SOURCE = "hooks:\n  stop:\n    - type: command\n      command: echo guard # <b>bold</b>\n";
const HOSTILE = `</dd><script>alert(1)</script><img src=x onerror="alert(2)">`;
let rig: RecordingRig;
let dir: string;
let secrets: Secrets;
let files: Record<string, Uint8Array>;

beforeAll(async () => {
  rig = await recordingRig();
  dir = await mkdtemp("/tmp/quarterdeck-cover-");
  secrets = await openSecrets(dir, { token: undefined, sessionSecret: undefined, signingKey: undefined });
  const options = { pool: rig.db.database.pool, secrets, dir: join(dir, "points"), log: createLog("silent") };
  const checkpointer = createCheckpointer({ ...options, clock: systemClock });
  const ada: Administrator = { kind: "person", role: "owner", workspaceId: rig.workspaceId, id: uuidv7(), name: "Ada" };
  await publishByName(rig.db.database, rig.bus, ada, { name: "no shredding", source: SOURCE, note: "" }, NO_CASES);
  const hook = {
    ...{ policy: "no shredding", revision: 1, path: "pre_tool_use[0]", name: "guard", type: "command" },
    ...{ outcome: "refused", said: `not here ${HOSTILE}`, startedMs: 0, durationMs: 1, stdout: "", stderr: "" },
  };
  const input = JSON.stringify({ said: HOSTILE, path: "/srv/файл/文件", flip: "\u202e" });
  const denied = { verdict: "deny", reason: `shredding ${HOSTILE}`, hooks: [hook] } as const;
  await rig.recorder.record(recordOf(rig, "pre_tool_use", input, denied), false);
  await checkpointer.tick(true);
  const { rows } = await rig.db.owner.query<{ occurredAt: Date; id: string }>(
    `SELECT occurred_at AS "occurredAt", id FROM dispatch`,
  );
  const about = { keys: rows, calls: 1, asked: `decisions with ${HOSTILE}`, madeBy: "Ada" };
  const text = await createEvidenceFile(rig.db.database, rig.workspaceId, about, secrets);
  files = unzipSync(await createEvidenceArchive(rig.workspaceId, text, [secrets.signingKeyId], secrets));
});
afterAll(async () => {
  await rig.close();
  await rm(dir, { recursive: true });
});

const bytesOf = (name: string): Buffer => Buffer.from(files[name] ?? new Uint8Array());
const trusted = () => {
  const key = parsePublicKey(secrets.signingPublicKey.export({ type: "spki", format: "pem" }).toString());
  return key ? [key] : [];
};

describe("the HTML cover", () => {
  test("says who, what, the rule, the reason, the proof and how to verify it", () => {
    const html = strFromU8(files["cover.html"] ?? new Uint8Array());
    expect(html).toContain("everything in it is proven");
    for (const fact of ["Made by Ada", "no shredding, revision 1", "Chain proof 1 of 1", "Hash at the end", "Denied"])
      expect(html).toContain(fact);
    expect(html).toContain(fileDigest(bytesOf("evidence.jsonl")));
    expect(html).toContain(`node quarterdeck-verify.mjs --trust ${secrets.signingKeyId}`);
    expect(html).toContain("echo guard # &lt;b&gt;bold&lt;/b&gt;");
  });

  test("executes nothing that an author typed, asks for nothing, and shows marks of direction", () => {
    const html = strFromU8(files["cover.html"] ?? new Uint8Array());
    expect(html).not.toMatch(/<script|<img|<iframe|javascript:|https?:\/\//i);
    expect(html).toMatch(/http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'sha256-/);
    expect(html).toContain("&lt;script&gt;alert(1)&lt;/script&gt;");
    expect(html).toContain("файл/文件");
    expect(html).toContain("[U+202E]");
    expect(html).not.toContain("\u202e");
  });
});

test("the PDF embeds its fonts, names the file, and marks the characters that the fonts lack", async () => {
  const pdf = bytesOf("cover.pdf");
  expect(pdf.subarray(0, 5).toString()).toBe("%PDF-");
  const text = pdf.toString("latin1");
  expect(text).toContain(fileDigest(bytesOf("evidence.jsonl")));
  expect(text).toMatch(/FontFile2/);
  expect(text).not.toMatch(/\/JavaScript|\/JS |\/OpenAction|\/URI/);
  const about: Omit<CoverDocument, "title"> = {
    ...{ subtitle: "", result: { tone: "good", text: "" }, sections: [], madeAt: new Date(0) },
    file: { name: "f", sha256: "0".repeat(64) },
  };
  const [plain, replaced] = await Promise.all([
    coverPdf({ ...about, title: "Ärger с кириллицей" }),
    coverPdf({ ...about, title: "文件" }),
  ]);
  // The note about replaced characters is a block of its own.
  expect(replaced.length).toBeGreaterThan(plain.length);
});

test("the HTML of a document keeps long values whole", () => {
  const long = "a1".repeat(4_000);
  const html = coverHtml({
    ...{ title: "t", subtitle: "s", result: { tone: "open", text: "r" }, madeAt: new Date(0) },
    sections: [{ heading: "h", blocks: [{ kind: "facts", facts: [{ label: "Hash", value: long, isMono: true }] }] }],
    file: { name: "f", sha256: "0".repeat(64) },
  });
  expect(html).toContain(long);
});

describe("the seal of a cover", () => {
  test.each(["cover.html", "cover.pdf"])("%s belongs to its file, and to no other", (name) => {
    const file = fileDigest(bytesOf("evidence.jsonl"));
    expect(checkCover(bytesOf(name), file, trusted())).toBe("sealed");
    expect(checkCover(bytesOf(name), fileDigest("another"), trusted())).toBe("other");
    expect(checkCover(bytesOf(name), file, [])).toBe("unknown");
    const changed = Buffer.from(bytesOf(name));
    changed[200] = (changed[200] ?? 0) ^ 1;
    expect(checkCover(changed, file, trusted())).toBe("false");
    expect(checkCover(bytesOf(name).subarray(0, -120), file, trusted())).toBe("none");
  });

  test("a forger's own key is not trusted, and its text does not borrow the console's seal", async () => {
    const forger = await openSecrets(await mkdtemp(join(dir, "forger-")), {
      ...{ token: undefined, sessionSecret: undefined, signingKey: undefined },
    });
    const file = fileDigest(bytesOf("evidence.jsonl"));
    const forged = sealCover("html", Buffer.from("<p>All is well"), { workspace: rig.workspaceId, file }, forger);
    expect(checkCover(forged, file, trusted())).toBe("unknown");
    const genuine = bytesOf("cover.html");
    const seal = genuine.subarray(genuine.lastIndexOf("<!-- quarterdeck-cover "));
    expect(checkCover(Buffer.concat([Buffer.from("<p>All is well"), seal]), file, trusted())).toBe("false");
  });
});

test("the verifier checks the file and its covers, offline", async () => {
  for (const [name, bytes] of Object.entries(files)) await writeFile(join(dir, name), bytes);
  const program = new URL("../../cli/verify-file.ts", import.meta.url).pathname;
  const verify = async (...covers: string[]) => {
    const args = ["--import", "tsx", program, "--trust", secrets.signingKeyId];
    const all = [...args, ...covers.flatMap((cover) => ["--cover", join(dir, cover)]), join(dir, "evidence.jsonl")];
    return run("node", all, { cwd: process.cwd() }).then(
      ({ stdout }) => ({ code: 0, stdout }),
      (error: { code: number; stdout: string }) => error,
    );
  };
  const proven = await verify("cover.html", "cover.pdf");
  expect(proven).toMatchObject({ code: 0, stdout: expect.stringContaining("cover.pdf belongs to this file") });
  await writeFile(join(dir, "cover.html"), Buffer.concat([Buffer.from("<!-- -->"), bytesOf("cover.html")]));
  const changed = await verify("cover.html");
  expect(changed).toMatchObject({ code: 1, stdout: expect.stringContaining("was changed") });
});
