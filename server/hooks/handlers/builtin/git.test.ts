import { chmod, mkdir, mkdtemp, readdir, readFile, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { execa } from "execa";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { addGitDiff } from "./add-git-diff.ts";
import { addGitStatus } from "./add-git-status.ts";
import { addRecentCommits } from "./add-recent-commits.ts";
import { git } from "./git.ts";
import type { Builtin, BuiltinCall } from "./kind.ts";

let base: string;
let repo: string;
let env: Record<string, string>;
const logged: string[] = [];

beforeEach(async () => {
  base = await mkdtemp(join(await realpath(tmpdir()), "git-test-"));
  repo = join(base, "repo");
  await mkdir(repo);
  logged.length = 0;
  const person = { GIT_AUTHOR_NAME: "A", GIT_AUTHOR_EMAIL: "a@b", GIT_COMMITTER_NAME: "A", GIT_COMMITTER_EMAIL: "a@b" };
  const alone = { GIT_CONFIG_GLOBAL: "/dev/null", GIT_CONFIG_NOSYSTEM: "1" };
  env = { PATH: process.env.PATH ?? "", HOME: base, LC_ALL: "C", ...person, ...alone };
  await run("init", "-q", "-b", "main");
});
afterEach(() => rm(base, { recursive: true, force: true }));

const run = (...args: string[]) => execa("git", ["-C", repo, ...args], { env, extendEnv: false });
const write = (name: string, content: string) => writeFile(join(repo, name), content);
const callOf = (more: Partial<BuiltinCall> = {}): BuiltinCall => ({
  event: "turn_start",
  lane: "default",
  profile: "2026-07",
  input: { cwd: repo },
  args: [],
  env,
  signal: new AbortController().signal,
  log: (text) => logged.push(text),
  ...more,
});
const textOf = async (builtin: Builtin, more: Partial<BuiltinCall> = {}) =>
  (await builtin.run(callOf(more)))?.hook_specific_output?.additional_context ?? null;

describe("a repository's own configuration starts nothing", () => {
  /** A program that leaves a trace, and passes on what it is fed. */
  const trap = async (name: string, then = "exec cat") => {
    const path = join(base, name);
    await writeFile(path, `#!/bin/sh\ntouch ${path}.ran\n${then}\n`);
    await chmod(path, 0o755);
    return path;
  };
  const traces = async () => (await readdir(base)).filter((name) => name.endsWith(".ran"));

  it("no monitor, external diff, textconv, filter, pager, hook or signature check", async () => {
    await write(".gitattributes", "* diff=evil filter=evil\n");
    await write("a.txt", "one\n");
    await run("add", "-A");
    await run("commit", "-q", "-m", "first");
    await write("a.txt", "two and more\n");
    const at = {
      "core.fsmonitor": await trap("fsmonitor"),
      "core.pager": await trap("pager"),
      "core.hooksPath": join(base, "hooks"),
      "diff.external": await trap("external"),
      "diff.evil.command": await trap("driver"),
      "diff.evil.textconv": await trap("textconv"),
      "filter.evil.clean": await trap("clean"),
      "filter.evil.smudge": await trap("smudge"),
      "filter.evil.process": await trap("process"),
      "filter.evil.required": "true",
      "gpg.program": await trap("gpg"),
      "log.showSignature": "true",
      "core.sshCommand": await trap("ssh"),
      "color.ui": "always",
    };
    await mkdir(join(base, "hooks"));
    await writeFile(join(base, "hooks", "post-index-change"), `#!/bin/sh\ntouch ${join(base, "hook.ran")}\n`, {
      mode: 0o755,
    });
    for (const [key, value] of Object.entries(at)) await run("config", key, value);

    expect(await textOf(addGitStatus)).toBe("Current git status:\n\n## main\n M a.txt");
    expect(await textOf(addGitDiff)).toContain("a.txt | 2 +-");
    expect(await textOf(addGitDiff, { args: ["full"] })).toContain("+two and more");
    expect(await textOf(addRecentCommits)).toMatch(/^Recent commits:\n\n[0-9a-f]{7,} first$/);
    expect(await traces()).toEqual([]);
    // The traps would have caught it: plain git walks into them.
    const plain = { env, extendEnv: false, stdin: "ignore", reject: false } as const;
    await execa("git", ["-C", repo, "-c", "filter.evil.process=", "status"], plain);
    expect(await traces()).not.toEqual([]);
  });

  it("a partial clone fetches nothing, however its transport is configured", async () => {
    const ssh = await trap("transport", "exit 1");
    await write("a.txt", "one\n");
    await run("add", "-A");
    await run("commit", "-q", "-m", "first");
    const { stdout: blob } = await run("rev-parse", "HEAD:a.txt");
    await rm(join(repo, ".git", "objects", blob.slice(0, 2), blob.slice(2)));
    await write("a.txt", "two\n");
    await run("config", "core.repositoryFormatVersion", "1");
    await run("config", "extensions.partialClone", "origin");
    await run("config", "remote.origin.promisor", "true");
    await run("config", "remote.origin.url", `ext::${ssh} x`);
    await run("config", "protocol.ext.allow", "always");
    expect(await textOf(addGitDiff, { args: ["full"] })).toBeNull();
    expect(await traces()).toEqual([]);
    await execa("git", ["-C", repo, "diff"], { env, extendEnv: false, stdin: "ignore", reject: false });
    expect(await traces()).not.toEqual([]);
  });
});

it("the environment of the hook reaches git", async () => {
  await write("a.txt", "one\n");
  const other = join(base, "other.git");
  await execa("git", ["init", "-q", "--bare", other], { env, extendEnv: false });
  const call = { env: { ...env, GIT_DIR: other, GIT_WORK_TREE: repo } };
  expect(await textOf(addGitStatus, call)).toContain("?? a.txt");
});

it("an argument never becomes an option of git", async () => {
  for (let at = 0; at < 12; at++) await run("commit", "-q", "--allow-empty", "-m", `commit ${at}`);
  for (const args of [
    ["--all"],
    ["0"],
    ["-1"],
    ["2abc"],
    ["3.5"],
    ["1e1"],
    [" 3"],
    ["0x10"],
    [""],
    [`1${"0".repeat(400)}`],
  ]) {
    expect((await textOf(addRecentCommits, { args }))?.split("\n")).toHaveLength(12);
  }
  expect((await textOf(addRecentCommits, { args: ["+2"] }))?.split("\n")).toHaveLength(4);
  expect((await textOf(addRecentCommits, { args: ["9223372036854775807"] }))?.split("\n")).toHaveLength(14);
});

it("what git says is cut at 4096 bytes, between characters, and git is not read to its end", async () => {
  await write("a.txt", "x\n");
  await run("add", "-A");
  await write("a.txt", "é€😀\n".repeat(200_000));
  const text = (await textOf(addGitDiff, { args: ["full"] })) ?? "";
  const [, body = ""] = text.split("Current working-tree diff:\n\n");
  const kept = body.replace(/\n\.\.\. \(truncated\)$/, "");
  expect(body).not.toBe(kept);
  expect(Buffer.byteLength(kept)).toBeGreaterThan(4_092);
  expect(Buffer.byteLength(kept)).toBeLessThanOrEqual(4_096);
  expect(kept).not.toContain("�");
});

it("without git, outside a repository, and after the deadline there is nothing, and a line for the log", async () => {
  expect(await textOf(addGitStatus, { input: { cwd: base } })).toBeNull();
  expect(await textOf(addGitStatus, { env: { PATH: base } })).toBeNull();
  expect(await textOf(addGitStatus, { input: { cwd: join(base, "gone") } })).toBeNull();
  expect(await textOf(addGitStatus, { signal: AbortSignal.abort() })).toBeNull();
  expect(logged).toHaveLength(4);
  expect(await textOf(addGitStatus, { input: {} })).toBeNull();
  expect(logged).toHaveLength(4);
});

it("git ends with the signal, and with it what it started", async () => {
  const stop = new AbortController();
  const pidFile = join(base, "pid");
  await writeFile(
    join(base, "git"),
    `#!/bin/sh\nsleep 600 &\necho $! > ${pidFile}.new\nmv ${pidFile}.new ${pidFile}\nwait\n`,
    { mode: 0o755 },
  );
  const own = { ...env, PATH: `${base}:${env.PATH}` };
  const ran = git({ args: ["status"], cwd: repo, env: own, signal: stop.signal, stdoutBytesMax: 100 });
  const pid = await vi.waitFor(async () => Number(await readFile(pidFile, "utf8")), { timeout: 10_000 });
  stop.abort();
  expect(await ran).toEqual({ ok: false, why: "there was no time left" });
  await vi.waitFor(async () => expect(await isAlive(pid)).toBe(false), { timeout: 10_000 });
});

/** A zombie has ended; only nobody has asked how yet. */
async function isAlive(pid: number): Promise<boolean> {
  const state = await readFile(`/proc/${pid}/stat`, "utf8").catch(() => "");
  return state !== "" && !/\) Z /.test(state);
}
