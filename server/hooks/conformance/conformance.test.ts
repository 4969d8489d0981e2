import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { builtProgram } from "../../../e2e/fixtures/built-program.ts";
import { type Spawner, startSpawner } from "../index.ts";
import { ourTarget } from "./our-target.ts";
import { readCases, runCases } from "./runner.ts";

const here = (name: string) => fileURLToPath(new URL(name, import.meta.url));

describe("every case, in each profile it names", () => {
  let spawner: Spawner;
  beforeAll(async () => {
    spawner = await startSpawner({ sandbox: "none" });
  });
  afterAll(() => spawner.close());

  it.each(["executor-cases.json", "matcher-cases.json", "template-cases.json"])(
    "%s",
    async (name) => {
      const cases = readCases(JSON.parse(await readFile(here(name), "utf8")), name);
      const env = { PATH: process.env.PATH ?? "", HOME: process.env.HOME ?? "" };
      const runs = await runCases(cases, ourTarget(spawner, env));
      expect(runs.filter(({ verdict }) => verdict !== "passed")).toEqual([]);
      expect(runs.length).toBeGreaterThan(cases.cases.length);
    },
    120_000,
  );
});

describe("the command", () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "cases-"));
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  const run = async (...args: string[]) =>
    promisify(execFile)(process.execPath, [await builtProgram("conformance"), ...args]).then(
      ({ stdout, stderr }) => ({ code: 0, stdout, stderr }),
      (error: { code: number; stdout: string; stderr: string }) => error,
    );
  const file = async (name: string, content: unknown) => {
    const path = join(folder, name);
    await writeFile(path, typeof content === "string" ? content : JSON.stringify(content));
    return path;
  };
  const header = { format: 1, visibility: "developers" };

  it("counts a case once for each profile it ran in, and runs one without profiles in the first two", async () => {
    const one = { about: "a", source: "s", event: "stop", config: {}, input: {}, expect: { allowed: true } };
    const model = { stop: [{ type: "model", model: "a/b", prompt: "p" }] };
    const path = await file("ok.json", {
      ...header,
      suite: "hooks-executor",
      cases: [
        { ...one, id: "A" },
        { ...one, id: "B", profiles: ["2026-08"] },
        { ...one, id: "C", config: model },
      ],
    });
    expect(await run(path)).toMatchObject({ code: 0, stdout: "conformance: 5 passed, 0 failed, 0 skipped\n" });
    expect((await run(path, "--profile", "2026-07")).stdout).toBe("conformance: 2 passed, 0 failed, 0 skipped\n");
  });

  it("prints what it expected and what it got, and exits 1", async () => {
    const cases = [{ id: "M", about: "wrong on purpose", pattern: "a", compiles: true, names: { b: true } }];
    const path = await file("bad.json", { ...header, suite: "matcher", cases });
    const { code, stdout } = await run(path, "--profile=2026-08");
    expect(code).toBe(1);
    expect(stdout).toContain("FAILED M (2026-08) wrong on purpose");
    expect(stdout).toContain('"b": expected true, got false');
    expect(stdout.trimEnd().split("\n").at(-1)).toBe("conformance: 0 passed, 1 failed, 0 skipped");
  });

  it("says in a sentence what it cannot run", async () => {
    const strange = await file("strange.json", { ...header, suite: "weather", cases: [] });
    const broken = await file("broken.json", "{");
    expect(await run(strange)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('holds the suite "weather"'),
    });
    expect(await run(broken)).toMatchObject({ code: 1, stderr: expect.stringContaining("is not JSON.") });
    expect(await run("/nowhere.json")).toMatchObject({ code: 1, stderr: expect.stringContaining("cannot be read.") });
    expect(await run(strange, "--profile", "2025")).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("--profile"),
    });
  });
});
