/** The way back from what an agent changed, as its person takes it on the command line: real git, real files. */
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { agentBuiltins } from "@quarterdeck/hooks";
import { execa } from "execa";
import { afterAll, beforeAll, expect, it } from "vitest";
import { readArguments } from "./arguments.ts";
import type { World } from "./call.ts";
import { readSettings } from "./settings.ts";
import { printSnapshots, undo } from "./snapshots.ts";

let folder: string;
let project: string;
let world: World;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "quarterdeck-undo-"));
  project = join(folder, "project");
  await mkdir(project);
  await execa("git", ["init", "--quiet"], { cwd: project });
  const env = {
    PATH: process.env.PATH,
    HOME: folder,
    QUARTERDECK_KEY: "qd_x",
    QUARTERDECK_HOOK_DIR: join(folder, "state"),
  };
  const nothing = { stdin: process.stdin, now: Date.now, runningMs: () => 0, flushCommand: [] };
  world = { env, workingDir: project, signal: new AbortController().signal, ...nothing };
});
afterAll(() => rm(folder, { recursive: true }));

/** One turn of an agent that writes a file. */
async function turn(session_id: string, file: string, text: string): Promise<void> {
  const env = { PATH: process.env.PATH ?? "", HOME: folder };
  const { state } = readSettings(world.env, { url: undefined, keyFile: undefined, trustKeyFile: undefined });
  const { builtins } = agentBuiltins({ env, tempDir: tmpdir(), homeDir: folder, dataDir: state.dir });
  const snapshot = builtins.find(({ name }) => name === "snapshot");
  const input = { session_id, cwd: project };
  const about = {
    lane: "default",
    profile: "2026-08",
    input,
    env,
    asker: undefined,
    args: [],
    signal: world.signal,
  } as const;
  await snapshot?.run({ event: "turn_start", ...about });
  await writeFile(join(project, file), text);
  await snapshot?.run({ event: "turn_end", ...about });
}

const run = (...argv: string[]) => {
  const asked = readArguments(argv);
  if (asked.kind === "undo") return undo(asked, world);
  if (asked.kind === "snapshots") return printSnapshots(asked, world);
  throw new Error("another verb");
};
const content = (file: string) => readFile(join(project, file), "utf8");

it("snapshots are listed by session and by turn, and taken back one by one or down to a count", async () => {
  expect((await run("--snapshots")).stdout).toBe(
    "There are no snapshots. A policy keeps them with the builtin snapshot.\n",
  );
  await writeFile(join(project, "plan.md"), "first");
  for (const text of ["second", "third", "fourth"]) await turn("s1", "plan.md", text);
  await turn("s2", "a\u001b[2J.md", "x");

  const sessions = (await run("--snapshots")).stdout;
  expect(sessions).toMatch(/^s2 .*1 snapshot .*\ns1 .*3 snapshots .*project\n$/);
  expect((await run("--snapshots", "s1")).stdout).toBe([1, 2, 3].map((at) => `${at}. ${project}: plan.md\n`).join(""));
  expect((await run("--snapshots", "s2")).stdout).not.toContain("\u001b");

  expect((await run("--undo", "s1")).stdout).toBe("1 file is as before. 2 snapshots left.\n");
  expect(await content("plan.md")).toBe("third");
  expect((await run("--undo", "s1", "--keep", "0")).stdout).toBe("1 file is as before. 0 snapshots left.\n");
  expect(await content("plan.md")).toBe("first");
  await expect(run("--undo", "s1")).rejects.toThrow('There is nothing to take back in session "s1".');
});

it.each([
  [["--undo"], "Say which session"],
  [["--undo", "s1", "s2"], "One session at a time"],
  [["--undo", "s1", "--keep", "-1"], "ambiguous"],
  [["--undo", "s1", "--keep", "two"], "--keep is a count of snapshots"],
])("%j is refused", (argv, says) => expect(() => readArguments(argv)).toThrow(says));

it("a session that nobody knows is named", async () => {
  await expect(run("--snapshots", "unknown")).rejects.toThrow('session "unknown"');
});
