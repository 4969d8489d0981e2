import { execFileSync } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readFile, realpath, rm, writeFile } from "node:fs/promises";
import { type AddressInfo, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { HandlerReply } from "../../engine/ports.ts";
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
  return { shell: "/bin/sh", command, stdin: "", env, isolated: true, network: false, backstopMs: 60_000 };
}

it("says that there is no sandbox where bubblewrap does not really work", async () => {
  const without = await startSpawner({
    sandbox: "auto",
    bubblewrapPaths: ["/nowhere/bwrap", "/bin/true", "/bin/false"],
  });
  expect(without.sandbox).toBe("none");
  expect(without.confinement.features).toEqual([]);
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
    expect(reply).toMatchObject({ stdout: "unseen\n" });
    expect(await readFile(join(secrets, "key"), "utf8")).toBe("secret");
  });

  it("a hook holds no capability, whoever runs the server, and cannot make itself a world to write to", async () => {
    const reply = await inside(
      "grep -E 'Cap(Prm|Eff|Amb)' /proc/self/status | cut -f2 | sort -u; mount -o remount,rw / 2>/dev/null && echo remounted; true",
    );
    expect(reply).toMatchObject({ kind: "exited", stdout: "0000000000000000\n" });
  });

  it("a hook has descriptors 0 to 2 and no others", async () => {
    const reply = await inside("cd /proc/self/fd && for fd in *; do [ -e $fd ] && echo $fd; done");
    expect(reply).toMatchObject({ stdout: "0\n1\n2\n" });
  });

  it("a hook reaches nobody over the network, this machine included, unless it may", async () => {
    const server = createServer((socket) => socket.end("hello"));
    await once(server.listen(0, "127.0.0.1"), "listening");
    const { port } = server.address() as AddressInfo; // holds: it listens on TCP
    const call = `node -e 'require("net").connect(${port},"127.0.0.1").on("error",()=>console.log("cut")).pipe(process.stdout)'`;
    const asked = { ...request(call), env: { PATH: process.env.PATH ?? "" } };
    const [without, withIt] = [await spawner.run(asked, never), await spawner.run({ ...asked, network: true }, never)];
    server.close();
    expect(without).toMatchObject({ stdout: spawner.confinement.features.includes("net") ? "cut\n" : "hello" });
    expect(withIt).toMatchObject({ stdout: "hello" });
  });

  it("a hook of a server that runs as root is not root, and two at once are not the same user", async () => {
    const [first, second] = await Promise.all([inside("id -u"), inside("id -u")]);
    const uid = (reply: HandlerReply) => (reply.kind === "exited" ? reply.stdout.trim() : "");
    if (!spawner.confinement.features.includes("own_user")) expect(uid(first)).toBe(String(process.getuid?.()));
    else {
      expect([uid(first), uid(second)]).not.toContain("0");
      expect(uid(first)).not.toBe(uid(second));
    }
  });

  it("what is below /run, the sockets of other services, is not there", async () => {
    expect(await inside("ls -A /run | wc -l; touch /run/x 2>/dev/null || echo closed")).toMatchObject({
      stdout: "0\nclosed\n",
    });
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
