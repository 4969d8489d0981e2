/** Texts that are mistaken, enormous or meant to harm, at every door: a sentence that says where and what to do, and nothing half stored. */
import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type TestDatabase, testDatabase } from "../../../e2e/fixtures/database.ts";
import type { Administrator } from "../../access/actor.ts";
import { AppError } from "../../errors/app-error.ts";
import { type Bus, createBus } from "../../events/index.ts";
import { uuidv7 } from "../../platform/ids.ts";
import { log } from "../../platform/log.ts";
import { NO_CASES } from "../publishing/case-gate.ts";
import * as publish from "../publishing/publish.ts";
import { importFile, publishByName, saveDraft } from "../schema.ts";
import * as policies from "../service.ts";
import * as views from "../views.ts";
import * as draft from "./draft.ts";
import { previewImport } from "./read-in-worker.ts";
import { checkPolicy } from "./source.ts";

const hook = (command: string) => `hooks:\n  stop:\n    - type: command\n      command: ${command}\n`;
const matcher = (pattern: string) =>
  `hooks:\n  pre_tool_use:\n    - hooks: [{type: command, command: x}]\n      matcher: '${pattern}'\n`;
const laughs = ["a: &a [x, x, x, x, x, x, x, x, x]"];
for (const [at, name] of [..."bcdefghij"].entries())
  laughs.push(`${name}: &${name} [${Array(9).fill(`*${"abcdefghi"[at]}`).join(", ")}]`);

interface Hostile {
  readonly what: string;
  readonly text: string;
  /** "line: sentence" of the first problem. */
  readonly says: RegExp;
  /** The message of a save that takes no such text at all; it takes the others, for they can be put right. */
  readonly refusesDraft?: RegExp;
}

const HOSTILE: readonly Hostile[] = [
  {
    what: "5 MB",
    text: `${hook("x")}${"# filler\n".repeat(600_000)}`,
    says: /^1: A policy has at most 512 KiB; this text has \d+\. Split it into several policies\.$/,
    refusesDraft: /at most 512 KiB\. Split it/,
  },
  {
    what: "10,000 hooks",
    text: `hooks:\n  stop:\n${"    - {type: command, command: x}\n".repeat(10_000)}`,
    says: /^1: a policy holds at most 2000 hooks; this one has 10000$/,
  },
  {
    what: "a billion laughs",
    text: `${laughs.join("\n")}\nhooks: *j\n`,
    says: /^2: Aliases .* Write the value out\.$/,
  },
  { what: "tabs", text: "hooks:\n\tstop: []\n", says: /^2: A tab stands where blanks belong\. Indent with blanks\.$/ },
  { what: "a key twice", text: "hooks:\n  stop: []\n  stop: []\n", says: /^3: The key "stop" is written twice\.$/ },
  {
    what: "an unknown event",
    text: "hooks:\n  stopp: []\n",
    says: /^2: unknown event "stopp" \(did you mean "stop"\?\)$/,
  },
  {
    what: "an unknown key of a hook",
    text: `${hook("x")}      timout: 3\n`,
    says: /^5: unknown key \(did you mean "timeout"\?\)$/,
  },
  {
    what: "an unknown key of an entry",
    text: "hooks:\n  pre_tool_use:\n    - macher: shell\n      hooks: [{type: command, command: x}]\n",
    says: /^3: unknown key \(did you mean "matcher"\?\)$/,
  },
  {
    what: "lookahead",
    text: matcher("ab(?=c)"),
    says: /^4: invalid matcher: .*`\(\?=` at character 3 of the pattern$/,
  },
  {
    what: "a backreference",
    text: matcher("(a)\\1"),
    says: /^4: invalid matcher: .*`\\1` at character 4 of the pattern$/,
  },
  {
    what: "a template that does not parse",
    text: "hooks:\n  turn_start:\n    - type: model\n      model: a/b\n      prompt: |\n        Of this:\n        {{ .ToolName }} and {{ if }}\n",
    says: /^5: the prompt is not a template: line 2, column \d+: /,
  },
  { what: "a NUL", text: hook('"a\0b"'), says: /^4: A NUL .* Remove it\.$/, refusesDraft: /NUL.*Remove it/ },
  { what: "a NUL as an escape", text: hook('"a\\0b"'), says: /^4: A NUL .* Remove it\.$/ },
  {
    what: "half a character",
    text: hook('"a\ud800b"'),
    says: /^4: Half of .* Remove it\.$/,
    refusesDraft: /cut in two/,
  },
  { what: "half a character as an escape", text: hook('"\\udc00"'), says: /^4: Half of .* Remove it\.$/ },
  {
    what: "10,000 levels of brackets",
    text: `hooks: ${"[".repeat(10_000)}${"]".repeat(10_000)}`,
    says: /^1: Nested deeper than 64 levels\.$/,
  },
  {
    what: "1,000 levels of lists",
    text: `hooks:\n  ${"- ".repeat(1_000)}x\n`,
    says: /^2: Nested deeper than 64 levels\.$/,
  },
];

let at: TestDatabase;
let bus: Bus;
let admin: Administrator;
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "quarterdeck-hostile-"));
  at = await testDatabase();
  bus = createBus(at.url, log());
  const workspaceId = uuidv7();
  await at.database.prisma.workspace.create({ data: { id: workspaceId, name: "hostile" } });
  await at.database.pool.query("INSERT INTO audit_head (workspace_id) VALUES ($1)", [workspaceId]);
  admin = { kind: "person", role: "owner", workspaceId, id: uuidv7(), name: "Ada" };
});
afterAll(async () => {
  await bus.close();
  await at.drop();
  await rm(folder, { recursive: true, force: true });
});

const stored = async () =>
  (
    await at.database.pool.query<{ policies: string; revisions: string; drafts: string; entries: string }>(
      `SELECT (SELECT count(*) FROM policy) AS policies, (SELECT count(*) FROM policy_revision) AS revisions,
              (SELECT count(*) FROM policy_draft) AS drafts, (SELECT count(*) FROM audit_entry) AS entries`,
    )
  ).rows[0];

describe.each(HOSTILE.map((one) => [one.what, one] as const))("%s", (_what, { text, says, refusesDraft }) => {
  it("is told where it is and what to do", () => {
    const [problem] = checkPolicy(text).problems;
    expect(`${problem?.line}: ${problem?.message}`).toMatch(says);
  });

  it("is not published, and leaves nothing behind", async () => {
    const before = await stored();
    const input = { name: "hostile", source: text, note: "" };
    if (publishByName.safeParse(input).success) {
      const refused = await publish.publishByName(at.database, bus, admin, input, NO_CASES).catch((error) => error);
      expect(refused).toBeInstanceOf(AppError);
      expect(refused).toMatchObject({ code: "policy_invalid" });
    } else expect(refusesDraft).toBeDefined();
    expect(await stored()).toEqual(before);
  });

  it("is kept as a draft byte for byte, or refused in words", async () => {
    const { policyId } = await policies.create(at.database, bus, admin, { name: `draft ${uuidv7()}`.slice(0, 60) });
    const { latestRevision, draftVersion } = await views.get(at.database, admin.workspaceId, policyId);
    const input = { policyId, source: text, baseVersion: draftVersion, baseRevision: latestRevision };
    const parsed = saveDraft.safeParse(input);
    if (refusesDraft) {
      expect(parsed.error?.issues.map(({ message }) => message).join(" ")).toMatch(refusesDraft);
      return;
    }
    expect(parsed.error).toBeUndefined();
    await draft.saveDraft(at.database, bus, admin, input);
    expect((await views.get(at.database, admin.workspaceId, policyId)).source).toBe(text);
  });

  it("is no import that anybody could take for a good one", async () => {
    const parsed = importFile.safeParse({ source: text });
    if (!parsed.success) {
      expect(parsed.error.issues[0]?.message).toMatch(/1 MiB\. .*split|Remove it\.$/);
      return;
    }
    try {
      expect((await previewImport("hostile", parsed.data)).check.problems).not.toEqual([]);
    } catch (error) {
      expect(error).toBeInstanceOf(AppError);
      expect(error instanceof AppError && error.message).toMatch(/^(The file|There are no hooks)/);
    }
  });
});

describe("the command line", () => {
  const lint = (file: string) =>
    new Promise<{ code: number; said: string }>((resolve) => {
      const script = join(import.meta.dirname, "../../../scripts/quarterdeck.mjs");
      execFile(process.execPath, [script, "policy", "lint", file], (error, stdout, stderr) =>
        resolve({ code: error ? Number(error.code) : 0, said: stdout + stderr }),
      );
    });

  it.each([
    ["5 MB", Buffer.from("# filler\n".repeat(600_000)), /:1:1: A policy has at most 512 KiB; .* Split it/],
    [
      "what is no UTF-8",
      Buffer.from("hooks:\n  stop: []\n# caf\xe9\n", "latin1"),
      /Line 3 is not UTF-8\. Save the file as UTF-8/,
    ],
    ["a billion laughs", Buffer.from(`${laughs.join("\n")}\nhooks: *j\n`), /:2:\d+: Aliases /],
  ])("says of %s where and what to do", async (name, bytes, says) => {
    const file = join(folder, `${name}.yaml`);
    await writeFile(file, bytes);
    const { code, said } = await lint(file);
    expect(code).toBe(1);
    expect(said).toMatch(says);
    expect(said).not.toMatch(/\n\s+at /);
  });
});
