import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { mkdir, mkdtemp, readdir, readFile, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import type { HandlerReply } from "../../engine/ports.ts";
import { type Spawner, type SpawnRequest, startSpawner } from "./client.ts";
import { runProcess } from "./spawner/process-group.mjs";

const never = new AbortController().signal;
let root: string;
const opened: Spawner[] = [];

beforeAll(async () => {
  root = await realpath(await mkdtemp(join(tmpdir(), "spawner-")));
});
afterEach(() => Promise.all(opened.splice(0).map((spawner) => spawner.close())));
afterAll(() => rm(root, { recursive: true, force: true }));

async function open(options: Partial<Parameters<typeof startSpawner>[0]> = {}): Promise<Spawner> {
  const spawner = await startSpawner({ sandbox: "none", ...options });
  opened.push(spawner);
  return spawner;
}

function request(command: string, more: Partial<SpawnRequest> = {}): SpawnRequest {
  const env = { PATH: process.env.PATH ?? "/usr/bin:/bin" };
  return {
    shell: "/bin/sh",
    command,
    stdin: "{}",
    env,
    cwd: root,
    isolated: false,
    network: false,
    backstopMs: 60_000,
    ...more,
  };
}

/** Until a condition holds; polls, because another process makes it true. */
async function until(holds: () => Promise<boolean> | boolean): Promise<void> {
  const deadline = Date.now() + 20_000;
  while (!(await holds())) {
    if (Date.now() > deadline) throw new Error("waited twenty seconds in vain");
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

/** A zombie has ended; only its new parent has not asked how yet, which takes long on a busy machine. */
const isAlive = (pid: number) => {
  try {
    process.kill(pid, 0);
    return !/\) Z /.test(readFileSync(`/proc/${pid}/stat`, "utf8"));
  } catch {
    return false;
  }
};
const textOf = (reply: HandlerReply) => (reply.kind === "exited" ? reply.stdout : JSON.stringify(reply));
const read = (path: string) => readFile(path, "utf8").catch(() => "");

describe("a hook's process", () => {
  it("reads the whole input and its end, and is captured byte for byte", async () => {
    const spawner = await open();
    const stdin = JSON.stringify({ long: "ü".repeat(200_000) });
    expect(await spawner.run(request("cat; printf '  err\\n' >&2; exit 3", { stdin }), never)).toEqual({
      kind: "exited",
      exitCode: 3,
      stdout: stdin,
      stderr: "  err\n",
    });
  });

  it("may ignore its input", async () => {
    const spawner = await open();
    const stdin = "x".repeat(3_000_000);
    expect(await spawner.run(request("printf ok", { stdin }), never)).toMatchObject({ exitCode: 0, stdout: "ok" });
  });

  it("that dies by a signal has exit code -1", async () => {
    const spawner = await open();
    expect(await spawner.run(request("kill -9 $$"), never)).toMatchObject({ kind: "exited", exitCode: -1 });
  });

  it("that cannot start is a failure and no exit code", async () => {
    const spawner = await open();
    expect(await spawner.run(request("true", { cwd: "/nowhere/at/all" }), never)).toMatchObject({ kind: "failed" });
    expect(await spawner.run(request("true", { shell: "/bin/no-such-shell" }), never)).toMatchObject({
      kind: "failed",
    });
    expect(await spawner.run(request("true\0"), never)).toMatchObject({ kind: "failed" });
    expect(await spawner.run(request("printf still here"), never)).toMatchObject({ exitCode: 0 });
  });

  it("that prints more than it may fails, and is not cut", async () => {
    const spawner = await open();
    const fill = (bytes: number) => `head -c ${bytes} /dev/zero | tr '\\0' x`;
    const fits = await spawner.run(request(fill(1024 * 1024)), never);
    expect(textOf(fits)).toHaveLength(1024 * 1024);
    for (const stream of ["", " >&2"]) {
      const tooMuch = await spawner.run(request(`{ ${fill(1024 * 1024 + 1)}; }${stream}; sleep 60`), never);
      expect(tooMuch).toMatchObject({ kind: "failed", message: "hook output exceeded capture limit" });
    }
  });

  it("takes its children with it when it is ended, also those that do not want to go", async () => {
    const spawner = await open();
    const pids = join(root, "ended");
    const stop = new AbortController();
    const command = `sh -c 'trap "" TERM; echo $$ >> ${pids}; while :; do sleep 1; done' & sleep 60 & echo $! >> ${pids}; echo begun >&2; wait`;
    const running = spawner.run(request(command), stop.signal);
    await until(async () => (await read(pids)).trim().split("\n").length === 2);
    const beganMs = performance.now();
    stop.abort();
    expect(await running).toMatchObject({ kind: "exited", exitCode: -1, stderr: "begun\n" });
    expect(performance.now() - beganMs).toBeLessThan(2_000);
    for (const pid of (await read(pids)).trim().split("\n")) await until(() => !isAlive(Number(pid)));
  });

  it("that does not want to go is made to", async () => {
    const spawner = await open();
    const begun = join(root, "stubborn");
    const stop = new AbortController();
    const running = spawner.run(request(`trap "" TERM; touch ${begun}; while :; do sleep 0.1; done`), stop.signal);
    await until(async () => (await readdir(root)).includes("stubborn"));
    stop.abort();
    expect(await running).toMatchObject({ kind: "exited", exitCode: -1 });
  });

  it("that is ended before its sandbox began it has no exit code of its sandbox's", async () => {
    const begun = join(root, "preparing");
    const stop = new AbortController();
    const prepares = `trap 'echo exited 1 >&3; exit 1' TERM; touch ${begun}; while :; do sleep 0.1; done`;
    const { shell, env, ...more } = request(prepares);
    const process = { ...more, file: shell, args: ["-c", prepares], env, cwd: root, outputBytesMax: 4_096 };
    const running = runProcess({ ...process, reports: "ending" }, stop.signal, () => {});
    await until(async () => (await readdir(root)).includes("preparing"));
    stop.abort();
    expect(await running).toMatchObject({ kind: "exited", exitCode: -1 });
  });

  it("is not waited for long when something it left behind holds its pipes, and that is ended", async () => {
    const spawner = await open();
    const beganMs = performance.now();
    const reply = await spawner.run(request("sleep 60 & echo $!"), never);
    expect(performance.now() - beganMs).toBeLessThan(5_000);
    expect(reply).toMatchObject({ kind: "exited", exitCode: 0 });
    await until(() => !isAlive(Number(textOf(reply))));
  });

  it("gets a directory of its own that is gone afterwards, and no environment but its own", async () => {
    const scratchDir = join(root, "scratch");
    await mkdir(join(scratchDir, "run-left-by-a-crash"), { recursive: true });
    const spawner = await open({ scratchDir });
    expect(await readdir(scratchDir)).toEqual([]);
    const env = { PATH: process.env.PATH ?? "", MINE: "1" };
    const { cwd: _cwd, ...rest } = request(
      'touch left; pwd; echo "$HOME $TMPDIR"; env | cut -d= -f1 | sort | tr "\\n" " "',
      { env },
    );
    const [pwd = "", own = "", names = ""] = textOf(await spawner.run({ ...rest, isolated: true }, never)).split("\n");
    expect(pwd.startsWith(`${scratchDir}/run-`)).toBe(true);
    expect(own).toBe(`${pwd} ${pwd}`);
    expect(names.split(" ").filter((name) => !["", "_", "OLDPWD", "PWD", "SHLVL"].includes(name))).toEqual([
      "HOME",
      "MINE",
      "PATH",
      "QUARTERDECK_HOOK_RUN",
      "TMPDIR",
    ]);
    await until(async () => (await readdir(scratchDir)).length === 0);
  });

  it("is ended by the spawner itself should nobody else do it", async () => {
    const spawner = await open();
    expect(await spawner.run(request("sleep 60", { backstopMs: 100 }), never)).toMatchObject({
      kind: "failed",
      message: "the hook did not end in time and was ended",
    });
  });
});

describe("many hooks", () => {
  it("run so many at once, wait so many, and fail beyond that", async () => {
    const spawner = await open({ concurrencyMax: 1, queueMax: 1 });
    const gate = join(root, "gate");
    const first = spawner.run(request(`while [ ! -e ${gate} ]; do sleep 0.05; done; echo first`), never);
    const second = spawner.run(request("echo second"), never);
    expect(spawner.load).toEqual({ running: 1, waiting: 1 });
    expect(await spawner.run(request("echo third"), never)).toMatchObject({
      kind: "not_started",
      cause: "busy",
      message: "too many hooks are waiting to run (1)",
    });
    await writeFile(gate, "");
    expect([textOf(await first), textOf(await second)]).toEqual(["first\n", "second\n"]);
  });

  it("leave the queue when nobody waits for them any more", async () => {
    const spawner = await open({ concurrencyMax: 1 });
    const stop = new AbortController();
    const first = spawner.run(request("sleep 60"), stop.signal);
    const second = spawner.run(request(`touch ${join(root, "must-not-exist")}`), stop.signal);
    stop.abort();
    expect(await second).toMatchObject({ kind: "failed" });
    await first;
    expect(await readdir(root)).not.toContain("must-not-exist");
  });
});

describe("when the spawner is lost", () => {
  it("one that is frozen is noticed and replaced, and what it ran has failed and is ended", async () => {
    const reasons: string[] = [];
    const spawner = await open({ onRestart: (reason) => reasons.push(reason) });
    const pids = join(root, "frozen");
    const running = spawner.run(request(`echo $$ > ${pids}; sleep 60`, { isolated: true }), never);
    await until(async () => (await read(pids)).endsWith("\n"));
    const before = spawner.pid ?? 0;
    process.kill(before, "SIGSTOP");
    await until(() => spawner.pid !== before);
    expect(await running).toMatchObject({
      kind: "failed",
      message: expect.stringContaining("did not answer any more"),
    });
    await until(async () => !isAlive(Number(await read(pids))));
    expect(await spawner.run(request("echo again"), never)).toMatchObject({ exitCode: 0, stdout: "again\n" });
    expect(reasons).toHaveLength(1);
  });

  it("what it ran has failed and is ended, and the next hook runs in a new one", async () => {
    const reasons: string[] = [];
    const spawner = await open({ onRestart: (reason) => reasons.push(reason) });
    const pids = join(root, "orphan");
    const running = spawner.run(request(`echo $$ > ${pids}; sleep 60`, { isolated: true }), never);
    await until(async () => (await read(pids)).endsWith("\n"));
    const before = spawner.pid ?? 0;
    process.kill(before, "SIGKILL");
    expect(await running).toMatchObject({ kind: "failed", message: expect.stringContaining("the hook was lost") });
    await until(async () => !isAlive(Number(await read(pids))));
    expect(await spawner.run(request("echo again"), never)).toMatchObject({ exitCode: 0, stdout: "again\n" });
    expect(spawner.pid).not.toBe(before);
    expect(reasons).toEqual(["the process that starts hooks ended (SIGKILL)"]);
  });

  it("ends with everything it runs when its parent disappears", async () => {
    const pids = join(root, "parent-gone");
    const parent = join(root, "parent.ts");
    const client = fileURLToPath(new URL("./client.ts", import.meta.url));
    await writeFile(
      parent,
      `import { startSpawner } from ${JSON.stringify(client)};
       void startSpawner({ sandbox: "none" }).then((spawner) => {
         console.log(spawner.pid);
         const command = "trap '' TERM; echo $$ > ${pids}; sleep 60";
         void spawner.run(${JSON.stringify({ ...request(""), command: "" })} && { ...${JSON.stringify(request(""))}, command }, new AbortController().signal);
       });`,
    );
    const child = execFile(process.execPath, ["--import", import.meta.resolve?.("tsx") ?? "tsx", parent]);
    let printed = "";
    child.stdout?.on("data", (chunk: string) => {
      printed += chunk;
    });
    await until(async () => (await read(pids)).endsWith("\n"));
    child.kill("SIGKILL");
    await until(async () => !isAlive(Number(printed)) && !isAlive(Number(await read(pids))));
  });

  it("starts nothing any more once it is closed", async () => {
    const spawner = await open();
    const running = spawner.run(request("sleep 60"), never);
    const { pid } = spawner;
    await spawner.close();
    const stopping = { kind: "not_started", cause: "stopping" };
    expect(await running).toMatchObject(stopping);
    expect(isAlive(pid ?? 0)).toBe(false);
    expect(await spawner.run(request("true"), never)).toMatchObject(stopping);
  });
});

it("is plain JavaScript whose types hold", async () => {
  const main = fileURLToPath(new URL("./spawner/main.mjs", import.meta.url));
  const tsc = fileURLToPath(new URL("../../../../node_modules/typescript-native/bin/tsc", import.meta.url));
  const flags =
    "--ignoreConfig --noEmit --strict --allowJs --checkJs --target es2023 --module esnext --moduleResolution bundler";
  const more = "--allowImportingTsExtensions --skipLibCheck --types node";
  const { stdout } = await promisify(execFile)(process.execPath, [tsc, ...flags.split(" "), ...more.split(" "), main]);
  expect(stdout).toBe("");
}, 60_000);
