import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readFile, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type Spawner, type SpawnRequest, startSpawner } from "./client.ts";

const never = new AbortController().signal;
let root: string;
let spawner: Spawner;
let secrets: string;

beforeAll(async () => {
  // Not below /tmp: the sandbox has a /tmp of its own, and that alone would hide the secrets.
  root = await realpath(await mkdtemp(join(existsSync("/var/tmp") ? "/var/tmp" : tmpdir(), "sandbox-")));
  secrets = join(root, "data");
  await mkdir(secrets);
  await writeFile(join(secrets, "key"), "secret");
  spawner = await startSpawner({ sandbox: "auto", scratchDir: join(secrets, "scratch"), hiddenDirs: [secrets] });
});
afterAll(async () => {
  await spawner.close();
  await rm(root, { recursive: true, force: true });
});

function request(command: string): SpawnRequest {
  const env = { PATH: process.env.PATH ?? "/usr/bin:/bin" };
  return { shell: "/bin/sh", command, stdin: "", env, scratch: true, backstopMs: 60_000 };
}

it("says that there is no sandbox where bubblewrap does not really work", async () => {
  const without = await startSpawner({
    sandbox: "auto",
    bubblewrapPaths: ["/nowhere/bwrap", "/bin/true", "/bin/false"],
  });
  expect(without.sandbox).toBe("none");
  await without.close();
});

describe("inside bubblewrap", () => {
  beforeEach((context) => context.skip(spawner.sandbox === "none", "bubblewrap does not work on this machine"));
  const inside = (command: string) => spawner.run(request(command), never);

  it("a hook writes to its own directory and its own /tmp, and to nothing else", async () => {
    const reply = await inside(`touch here /tmp/there && ! touch ${root}/outside 2>/dev/null && echo fine`);
    expect(reply).toMatchObject({ kind: "exited", exitCode: 0, stdout: "fine\n" });
    expect(existsSync("/tmp/there")).toBe(false);
    expect(existsSync(join(root, "outside"))).toBe(false);
  });

  it("a hook does not see what is hidden, nor other processes", async () => {
    const unseen = `[ -e /proc/${process.pid}/environ ] || echo unseen`;
    const reply = await inside(`cat ${secrets}/key 2>/dev/null; ls ${secrets}; ${unseen}`);
    expect(reply).toMatchObject({ stdout: "scratch\nunseen\n" });
    expect(await readFile(join(secrets, "key"), "utf8")).toBe("secret");
  });

  it("exit codes, stderr and input come through", async () => {
    const reply = await spawner.run({ ...request("cat; echo no >&2; exit 2"), stdin: "in" }, never);
    expect(reply).toEqual({ kind: "exited", exitCode: 2, stdout: "in", stderr: "no\n" });
  });

  it("a shell that is not there is a failure and not a quiet exit 1", async () => {
    const reply = await spawner.run({ ...request("true"), shell: "/bin/no-such-shell" }, never);
    expect(reply).toMatchObject({ kind: "failed", message: expect.stringContaining("did not start") });
  });

  it("even a process that left its group is gone when the hook is ended", async () => {
    const stop = new AbortController();
    const seconds = `61.${process.pid}`;
    const isThere = () => execFileSync("ps", ["-eo", "args"], { encoding: "utf8" }).includes(`sleep ${seconds}`);
    const running = spawner.run(request(`setsid sleep ${seconds} & wait`), stop.signal);
    await until(isThere);
    stop.abort();
    await running;
    await until(() => !isThere());
  });
});

/** Until a condition holds; polls, because another process makes it true. */
async function until(holds: () => boolean): Promise<void> {
  const deadline = Date.now() + 10_000;
  while (!holds()) {
    if (Date.now() > deadline) throw new Error("waited ten seconds in vain");
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
