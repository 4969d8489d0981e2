import { spawn } from "node:child_process";
import { once } from "node:events";
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { afterEach, beforeEach, expect, test } from "vitest";
import { added, browserTestsOf, countReport, summary } from "./check.mjs";
import { exclusively, hashOf, ROOT } from "./project.mjs";

const FOLDER = ".quarterdeck-scripts-test";
beforeEach(() => void mkdirSync(join(ROOT, FOLDER), { recursive: true }));
afterEach(() => rmSync(join(ROOT, FOLDER), { recursive: true }));

async function start(environment: Record<string, string>, ...flags: string[]) {
  const child = spawn(process.execPath, [join(ROOT, "scripts/start.mjs"), ...flags], {
    env: { ...process.env, ...environment },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const [said, errors, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, "close")]);
  return { said, errors, code };
}

test("both runners' reports count alike, and the last line has one form", () => {
  const unit = countReport({ numPassedTests: 7, numFailedTests: 1, numPendingTests: 2, numTodoTests: 0 });
  const browser = countReport({ stats: { expected: 7, flaky: 0, unexpected: 1, skipped: 2 } });
  expect(unit).toEqual(browser);
  expect(summary(unit)).toBe("7 passed, 1 failed, 2 skipped");
  expect(summary({ passed: 7, failed: 0, skipped: 0, failures: [] })).toBe("7 passed, 0 failed");
});

test("before the last line stands what failed and why, tests and files that fail without one", () => {
  const passed = { status: "passed", fullName: "ledger adds", failureMessages: [] };
  const failed = {
    status: "failed",
    fullName: "ledger sums",
    failureMessages: ["Error: expected 1 to be 2\n    at a.test.ts:3"],
  };
  const counts = countReport({
    numPassedTests: 1,
    numFailedTests: 1,
    numPendingTests: 0,
    testResults: [
      { name: join(ROOT, "server/a.test.ts"), status: "failed", message: "", assertionResults: [passed, failed] },
      {
        name: join(ROOT, "server/b.test.ts"),
        status: "failed",
        message: "Error: no such module",
        assertionResults: [],
      },
      { name: join(ROOT, "server/c.test.ts"), status: "passed", message: "", assertionResults: [passed] },
    ],
  });
  const step = { passed: 0, failed: 1, skipped: 0, failures: ["types"] };
  expect(summary(added([counts, step])).split("\n")).toEqual([
    "failed: server/a.test.ts > ledger sums: Error: expected 1 to be 2",
    "failed: server/b.test.ts: Error: no such module",
    "failed: types",
    "1 passed, 2 failed",
  ]);
});

test("a failed journey is named with the first line of its error, in a group too", () => {
  const spec = (title: string, ok: boolean, message?: string) => ({
    ...{ ok, title, file: "costs.spec.ts" },
    tests: [{ results: [{ error: message === undefined ? undefined : { message } }] }],
  });
  const counts = countReport({
    stats: { expected: 1, flaky: 0, unexpected: 2, skipped: 0 },
    suites: [
      {
        specs: [
          spec("a total is exact", false, "Error: \u001b[31mnot visible\u001b[39m\n  at line 3"),
          spec("another", true),
        ],
        suites: [{ specs: [spec("in a group", false)] }],
      },
    ],
  });
  expect(summary(counts).split("\n")).toEqual([
    "failed: e2e/costs.spec.ts > a total is exact: Error: not visible",
    "failed: e2e/costs.spec.ts > in a group: ",
    "1 passed, 2 failed",
  ]);
});

test("a journey is in a lane by its file's name and its tags", () => {
  const lanesOf = (journey: string) => {
    const [, isInverted = "", outside = ""] = browserTestsOf("test");
    const [, isPicked = "", inside = ""] = browserTestsOf("proof");
    expect([isInverted, isPicked]).toEqual(["--grep-invert", "--grep"]);
    return [
      ...(new RegExp(outside).test(journey) ? [] : ["test"]),
      ...(new RegExp(inside).test(journey) ? ["proof"] : []),
    ];
  };
  expect(lanesOf("desktop costs.spec.ts a total is exact")).toEqual(["test"]);
  expect(lanesOf("desktop costs.spec.ts a total is exact @proof")).toEqual(["proof"]);
  expect(lanesOf("desktop crash.proof.spec.ts kill -9 loses nothing")).toEqual(["proof"]);
});

test("a hash follows names and contents, and nothing it was told to skip", () => {
  const hash = () => hashOf([FOLDER], (path: string) => path.endsWith(".test.ts"));
  writeFileSync(join(ROOT, FOLDER, "a.ts"), "1");
  const before = hash();
  writeFileSync(join(ROOT, FOLDER, "a.test.ts"), "1");
  expect(hash()).toBe(before);
  writeFileSync(join(ROOT, FOLDER, "a.ts"), "2");
  expect(hash()).not.toBe(before);
  expect(() => hashOf([`${FOLDER}/moved`])).toThrow("is named as a source and is not there");
});

test("two of one name never work at once", async () => {
  let working = 0;
  let most = 0;
  const work = async () => {
    working += 1;
    most = Math.max(most, working);
    await new Promise(setImmediate);
    working -= 1;
  };
  await Promise.all([
    exclusively("test", work),
    exclusively("test", work),
    exclusively("other", async () => undefined),
  ]);
  expect(most).toBe(1);
});

test("a taken port is one sentence, said before anything slow", async () => {
  const squatter = createServer().listen(0, "127.0.0.1");
  await once(squatter, "listening");
  const address = squatter.address();
  const port = String(typeof address === "object" ? address?.port : 0);
  const { said, errors, code } = await start({ PORT: port });
  expect({ said, errors, code }).toEqual({
    said: "",
    errors: `quarterdeck: Port ${port} on 127.0.0.1 is taken by another program. Stop it, or set PORT to another port.\n`,
    code: 1,
  });
  squatter.close();
});

test.each([
  [
    "a port that is none",
    { PORT: "eighty" },
    [],
    /^quarterdeck: PORT must be a port number from 0 to 65535; it is "eighty"\.\n$/,
  ],
  [
    "an option that is none",
    {},
    ["--demos"],
    /^quarterdeck: npm start takes --dev, --demo and --role gateway\|console\|jobs; it was given --demos\.\n$/,
  ],
  [
    "a data directory that is a file",
    { PORT: "0", QUARTERDECK_DATA_DIR: join(ROOT, "package.json") },
    [],
    /^quarterdeck: The data directory .*package\.json cannot be used .*QUARTERDECK_DATA_DIR to another directory\.\n$/,
  ],
])("%s is one sentence and exit 1", async (_case, environment, flags, sentence) => {
  const { errors, code } = await start(environment, ...flags);
  expect(errors).toMatch(sentence);
  expect(code).toBe(1);
});

/** A checkout in which `npm ci` was the last command: sources and packages, and nothing that a start makes. */
function freshCheckout(): string {
  const folder = mkdtempSync(join(tmpdir(), "quarterdeck-fresh-"));
  const sources = ["scripts", "server", "packages", "prisma"];
  for (const path of [...sources, "prisma.config.ts", "package.json", "package-lock.json", "tsconfig.json"])
    cpSync(join(ROOT, path), join(folder, path), { recursive: true, filter: (from) => !from.endsWith("/generated") });
  symlinkSync(join(ROOT, "node_modules"), join(folder, "node_modules"));
  return folder;
}

async function commandLine(folder: string, ...args: string[]) {
  const child = spawn(process.execPath, [join(folder, "scripts/quarterdeck.mjs"), ...args], { cwd: folder });
  child.stdin.end();
  const [said, errors, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, "close")]);
  return { said, errors, code };
}

test("a verb that needs no server works after npm ci alone, and prints nothing but its answer", async () => {
  const folder = freshCheckout();
  writeFileSync(join(folder, "policy.yaml"), "hooks:\n  pre_tool_use:\n    - matcher: shell\n      hooks: 7\n");
  const lint = await commandLine(folder, "policy", "lint", join(folder, "policy.yaml"));
  expect(lint).toEqual({
    said: `${join(folder, "policy.yaml")}:4:7: hooks.pre_tool_use[0].hooks: must be a list of hooks\n`,
    errors: "quarterdeck: The policy has errors.\n",
    code: 1,
  });
  const hook = await commandLine(folder, "hook", "pre_tool_use");
  expect(hook).toMatchObject({ said: "", errors: expect.stringContaining("This is blocked."), code: 2 });
  rmSync(folder, { recursive: true });
});

test("a command line that cannot be built says so in a sentence, and a hook of it blocks", async () => {
  const folder = freshCheckout();
  writeFileSync(join(folder, "prisma/schema.prisma"), "model {");
  const hook = await commandLine(folder, "hook", "pre_tool_use");
  expect(hook).toMatchObject({ said: "", code: 2 });
  expect(hook.errors).toContain("quarterdeck: the command line could not be built: prisma generate failed");
  rmSync(folder, { recursive: true });
});
