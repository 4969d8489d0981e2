/** Hooks that take what they can get: each fails alone and leaves nothing behind, with and without a sandbox. */
import { existsSync } from "node:fs";
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { commandLines } from "../../../../e2e/fixtures/processes.ts";
import { type Spawner, type SpawnerOptions, type SpawnRequest, startSpawner } from "./client.ts";

const MIB = 1024 * 1024;
const LIMITS = {
  memoryBytesMax: 64 * MIB,
  cpuSecondsMax: 1,
  processesMax: 24,
  fileBytesMax: 4 * MIB,
  storageBytesMax: 4 * MIB,
};
const never = new AbortController().signal;

describe.each([
  ["with bubblewrap", { sandbox: "bubblewrap" }],
  ["with namespaces alone", { sandbox: process.getuid?.() === 0 ? "root_namespaces" : "user_namespaces" }],
  ["without a sandbox", { sandbox: "none" }],
  ["with nothing but a shell", { sandbox: "none", prlimitPaths: [] }],
] satisfies [string, SpawnerOptions][])("%s", (_title, options) => {
  let root: string;
  let spawner: Spawner;
  beforeAll(async () => {
    root = await mkdtemp(join(existsSync("/var/tmp") ? "/var/tmp" : tmpdir(), "misbehaviour-"));
    spawner = await startSpawner({ scratchDir: join(root, "scratch"), limits: LIMITS, ...options });
  });
  afterAll(async () => {
    await spawner.close();
    await rm(root, { recursive: true, force: true });
  });

  const request = (command: string): SpawnRequest => ({
    shell: "/bin/sh",
    command,
    stdin: "{}",
    env: { PATH: process.env.PATH ?? "/usr/bin:/bin" },
    isolated: true,
    network: false,
    backstopMs: 20_000,
  });
  const run = (command: string, signal = never) => spawner.run(request(command), signal);
  const failed = (words: string) => ({ kind: "failed", message: expect.stringContaining(words) });
  const calm = async () => {
    expect(await run("echo calm")).toMatchObject({ kind: "exited", exitCode: 0, stdout: "calm\n" });
    expect(spawner.load).toEqual({ running: 0, waiting: 0 });
    await expect.poll(() => readdir(join(root, "scratch")), { timeout: 10_000 }).toEqual([]);
  };

  it("limits are really set", async () => {
    expect(spawner.confinement.limits).toBe("prlimitPaths" in options ? "ulimit" : "prlimit");
    expect(await run("ulimit -n; ulimit -f; ulimit -c; ulimit -t")).toMatchObject({ stdout: "256\n8192\n0\n1\n" });
  });

  // Bounded on purpose: where a limit does not hold, a bomb without an end takes the whole machine down. It stays below what
  // the kernel counts (eight tasks for each process), where a shell that may not fork would end in its own words first.
  it("a hook that starts too many processes is ended", async () => {
    expect(await run("i=0; while [ $i -lt 150 ]; do sleep 20 & i=$((i+1)); done; wait")).toMatchObject(
      failed("the hook was ended by its limits"),
    );
    await calm();
  });

  it("a hook that eats memory little by little is ended", async () => {
    const eat = "a=x; while :; do a=$a$a; done";
    expect(await run(`${eat.replace("a=$a$a", `a=$a$(head -c ${MIB} /dev/zero | tr '\\0' x)`)}`)).toMatchObject(
      failed("the hook was ended by its limits"),
    );
    await calm();
  });

  it("a hook that asks for more memory than there may be has failed, whatever its exit code says", async () => {
    const reply = await run(`node -e 'Buffer.alloc(4e9).fill(1)' || exit 1`);
    expect(reply).toMatchObject(failed("the hook was ended by its limits"));
    await calm();
  });

  it("a hook that spins is ended by its share of the processor", async () => {
    expect(await run("while :; do :; done")).toMatchObject(failed("more CPU time than it may"));
    expect(await run("(while :; do :; done); exit $?")).toMatchObject(failed("more CPU time than it may"));
    await calm();
  });

  it("a hook that fills its directory is ended, and its directory is gone", async () => {
    // Without a sandbox nobody sees that it was the directory: the hook's own word stands.
    const ended = options.sandbox === "none" ? { kind: "exited", exitCode: 1 } : failed("it filled the directory");
    expect(await run("cat /dev/zero > big; exit 1")).toMatchObject(ended);
    await calm();
  });

  it("a child that left the process group does not outlive the hook", async () => {
    const seconds = `63.${process.pid}${Math.floor(Math.random() * 1e6)}`;
    await run(`setsid sleep ${seconds} > /dev/null 2>&1 < /dev/null & sleep 0.2; echo left`);
    const isThere = () => commandLines().some((line) => line.includes(`sleep ${seconds}`));
    await expect.poll(isThere, { timeout: 10_000 }).toBe(false);
    await calm();
  });

  it("a hook that never stops printing is ended", async () => {
    for (const stream of ["", " >&2"])
      expect(await run(`yes${stream}`)).toMatchObject(failed("exceeded capture limit"));
    await calm();
  });

  it("a hook that closes its output and stays is ended when it is told to", async () => {
    const stop = new AbortController();
    const running = run("exec >&- 2>&-; sleep 60", stop.signal);
    await expect.poll(() => spawner.load.running, { timeout: 10_000 }).toBe(1);
    stop.abort();
    expect(await running).toMatchObject({ exitCode: -1 });
    await calm();
  });

  it("a hook killed from outside has failed and did not merely end", async () => {
    expect(await run("kill -9 $$")).toMatchObject(failed("the machine may be out of memory"));
  });
});
