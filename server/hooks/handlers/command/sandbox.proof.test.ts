/** The reach of a hook, in each way to contain it. A way this machine does not allow is a failure, never skipped. */
import { execFileSync } from "node:child_process";
import { once } from "node:events";
import { existsSync, readlinkSync } from "node:fs";
import { chmod, mkdir, mkdtemp, readFile, realpath, rm, writeFile } from "node:fs/promises";
import { type AddressInfo, createServer, type Server } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { commandLines } from "../../../../e2e/fixtures/processes.ts";
import type { HandlerReply } from "../../engine/ports.ts";
import { type Spawner, type SpawnerOptions, type SpawnRequest, startSpawner } from "./client.ts";
import { supervised } from "./spawner/inside.mjs";
import { ABSENT, FORBIDDEN, LIMITED } from "./spawner/syscalls.mjs";

const never = new AbortController().signal;
const isRoot = process.getuid?.() === 0;
/** Not below /tmp: a sandbox has a /tmp of its own, and that alone would hide the secrets. */
const BASE = existsSync("/var/tmp") ? "/var/tmp" : tmpdir();
const SERVER_SECRET = `postgres://secret-${process.pid}`;

function request(command: string, more: Partial<SpawnRequest> = {}): SpawnRequest {
  const env = { PATH: process.env.PATH ?? "/usr/bin:/bin" };
  return { shell: "/bin/sh", command, stdin: "", env, isolated: true, network: false, backstopMs: 60_000, ...more };
}

/** Tools that give up root before they do anything: as a server of another user has them. */
async function toolsOfAnotherUser(root: string): Promise<string> {
  const dir = join(root, "tools");
  await mkdir(dir);
  for (const tool of ["unshare", "nsenter"]) {
    const script = `#!/bin/sh
read -r inside outside _ < /proc/self/uid_map
[ "$inside $outside" = "0 0" ] || exec /usr/bin/${tool} "$@"
exec /usr/bin/setpriv --reuid 61000 --regid 61000 --clear-groups --bounding-set=-all --inh-caps=-all /usr/bin/${tool} "$@"
`;
    await writeFile(join(dir, tool), script);
    await chmod(join(dir, tool), 0o755);
  }
  return dir;
}

async function programIn(root: string, script: string): Promise<string> {
  const dir = await mkdtemp(join(root, "slirp-"));
  const file = join(dir, "slirp4netns");
  await writeFile(file, `#!/bin/sh\n${script}\n`);
  await chmod(file, 0o755);
  await chmod(dir, 0o755);
  return file;
}

const INSTALLED = ["/usr/bin/slirp4netns", "/usr/local/bin/slirp4netns"].find((file) => existsSync(file));
/** The program itself where it is installed, and one that joins the namespace to nothing. */
const SLIRPS: readonly (readonly [string, (root: string) => Promise<string>])[] = [
  ["joined to nothing", (root) => programIn(root, "echo 1 >&3; read -r _ <&4")],
  ...(INSTALLED === undefined ? [] : ([["slirp4netns", async () => INSTALLED]] as const)),
];

const home = process.env.HOME;
const WAYS = [
  ["bubblewrap", {}],
  ...(isRoot ? ([["root_namespaces", {}]] as const) : []),
  ["user_namespaces", { asAnotherUser: isRoot }],
] as const satisfies readonly (readonly [SpawnerOptions["sandbox"], { readonly asAnotherUser?: boolean }])[];

describe.each(WAYS)("in %s", (sandbox, { asAnotherUser = false }: { asAnotherUser?: boolean }) => {
  let root: string;
  let data: string;
  let spawner: Spawner;
  let server: Server;
  let socket: Server;
  let port: number;
  let options: SpawnerOptions;
  beforeAll(async () => {
    root = await realpath(await mkdtemp(join(BASE, "sandbox-")));
    await chmod(root, 0o755);
    data = join(root, "data");
    await mkdir(join(data, "run"), { recursive: true });
    await writeFile(join(data, "admin-token"), "secret", { mode: 0o666 });
    socket = createServer((connection) => connection.end("database"));
    await once(socket.listen(join(data, "run/.s.PGSQL.5432")), "listening");
    // Nothing but the sandbox keeps a hook out.
    for (const path of ["", "run", "run/.s.PGSQL.5432"]) await chmod(join(data, path), 0o777);
    await mkdir(join(root, "home"));
    await writeFile(join(root, "home/notes"), "of the server's user");
    process.env.HOME = join(root, "home");
    server = createServer((connection) => connection.end("hello"));
    await once(server.listen(0, "127.0.0.1"), "listening");
    ({ port } = server.address() as AddressInfo); // holds: it listens on TCP
    options = {
      sandbox,
      hiddenDirs: [data],
      env: { DATABASE_URL: SERVER_SECRET },
      ...(asAnotherUser && { toolDirs: [await toolsOfAnotherUser(root), "/usr/bin"] }),
    };
    spawner = await startSpawner({ ...options, hookNetwork: "host", scratchDir: join(data, "scratch") });
    expect(spawner.confinement).toMatchObject({ sandbox, reasons: [], network: "host" });
  }, 60_000);
  afterAll(async () => {
    process.env.HOME = home;
    await spawner?.close();
    server?.close();
    socket?.close();
    await rm(root, { recursive: true, force: true });
  });

  const inside = (command: string, more?: Partial<SpawnRequest>) => spawner.run(request(command, more), never);
  const said = (reply: HandlerReply) => (reply.kind === "exited" ? reply.stdout : JSON.stringify(reply));

  it("a hook writes to its own directory and its own /tmp, and to nothing else", async () => {
    await chmod(root, 0o777);
    const reply = await inside(`touch here /tmp/there && ! touch ${root}/outside 2>/dev/null && echo fine`);
    await chmod(root, 0o755);
    expect(reply).toMatchObject({ kind: "exited", exitCode: 0, stdout: "fine\n" });
    expect(existsSync("/tmp/there")).toBe(false);
    expect(existsSync(join(root, "outside"))).toBe(false);
  });

  it.each([
    ["without the network", false],
    ["with the network", true],
  ])("%s the data directory, the database's socket and other processes are out of reach", async (_title, network) => {
    const attack = `
      cat ${data}/admin-token; ls -A ${data}
      umount -l ${data}; umount -l /proc; mount -o remount,rw /; cat ${data}/admin-token
      cat /proc/*/environ | tr '\\0' '\\n' | grep DATABASE_URL
      for pid in 1 ${process.pid} ${spawner.pid}; do
        nsenter -t $pid -m cat ${data}/admin-token; nsenter -t $pid -a cat ${data}/admin-token
        cat /proc/$pid/root${data}/admin-token; tr '\\0' '\\n' < /proc/$pid/environ | grep DATABASE_URL
      done
      unshare --user --map-root-user --mount --pid --fork sh -c 'umount -l ${data}; umount -l /proc; cat ${data}/admin-token'
      node -e 'require("net").connect("${data}/run/.s.PGSQL.5432").on("error", () => {}).pipe(process.stdout)'
      [ ! -e ${data}/run/.s.PGSQL.5432 ] || echo socket
      [ ! -e ${data}/run ] || echo directory`;
    const reply = await inside(`exec 2>/dev/null; ${attack}\nexit 0`, { network });
    expect(reply).toEqual({ kind: "exited", exitCode: 0, stdout: "", stderr: "" });
    expect(await readFile(join(data, "admin-token"), "utf8")).toBe("secret");
  });

  it("a hook finds the homes of people empty, that of the server's user too", async () => {
    const look = `cat ${root}/home/notes; ls -A ${root}/home /home /root | grep -v : | grep .`;
    expect(await inside(`exec 2>/dev/null; ${look}\nexit 0`)).toMatchObject({ exitCode: 0, stdout: "" });
  });

  it("a hook holds no capability, whoever runs the server, and cannot make itself a world to write to", async () => {
    const reply = await inside(
      "grep -E 'Cap(Prm|Eff|Amb)' /proc/self/status | cut -f2 | sort -u; grep NoNewPrivs /proc/self/status; mount -o remount,rw / 2>/dev/null && echo remounted; true",
    );
    expect(reply).toMatchObject({ kind: "exited", stdout: "0000000000000000\nNoNewPrivs:\t1\n" });
  });

  it("no call that opens the kernel's rare parts or leaves the sandbox answers a hook", async () => {
    const at = process.arch === "arm64" ? 1 : 0;
    const plain = [ABSENT, FORBIDDEN].flatMap((calls) =>
      Object.entries(calls).map(([name, numbers]): [string, string] => [name, `${numbers[at]},-1,-1,-1,-1`]),
    );
    const tried = new Map([
      ...plain.filter(([, call]) => !call.startsWith("null")),
      ["unshare a user namespace", `${LIMITED.unshare[at]},${0x10000000}`],
      ["clone a user namespace", `${LIMITED.clone[at]},${0x10000011},0,0,0,0`],
      ["personality", `${LIMITED.personality[at]},${0x0400000}`],
      ["a socket of the kernel's ciphers", `${LIMITED.socket[at]},38,5,0`],
      ["typing into the terminal", `${LIMITED.ioctl[at]},0,${0x5412},0`],
    ]);
    const attempt = `my $own = $$; for (@ARGV) { my ($call, @args) = map { $_ + 0 } split /,/; $! = 0;
      my $answer = syscall($call, @args); exit if $$ != $own; print $answer == -1 ? $! + 0 : "answered", "\\n" }`;
    const reply = await inside(`perl -e '${attempt}' ${[...tried.values()].join(" ")}`);
    const answers = said(reply).trim().split("\n");
    const REFUSALS = ["1", "38", "97"];
    const open = [...tried.keys()].filter((_, index) => !REFUSALS.includes(answers[index] ?? ""));
    expect(open).toEqual([]);
    expect(answers).toHaveLength(tried.size);
    expect(spawner.confinement.features).toContain("seccomp");
  });

  it.each([
    ["sh", "f() { echo $((1 + 2)); }; f | cat", "3\n"],
    ["grep", "printf 'a\\nb\\n' | grep -c b", "1\n"],
    ["jq", "echo '{\"a\":[1,2]}' | jq -c .a", "[1,2]\n"],
    [
      "python3",
      '/usr/bin/env python3 -c \'import subprocess, threading, json; t = threading.Thread(target=print, args=(1,)); t.start(); t.join(); print(subprocess.check_output(["echo", "x"]))\'',
      "1\nb'x\\n'\n",
    ],
    [
      "node",
      'node -e \'const { Worker } = require("worker_threads"); new Worker("require(`worker_threads`).parentPort.postMessage(1)", { eval: true }).on("message", (n) => console.log(require("child_process").execFileSync("echo", ["x"]).toString().trim(), n))\'',
      "x 1\n",
    ],
    [
      "git",
      "git init -q r && cd r && git -c user.name=a -c user.email=a@b commit -q --allow-empty -m m && git log --format=%s",
      "m\n",
    ],
    ["curl", "echo whole > f && curl -s file://$PWD/f", "whole\n"],
  ])("%s works as ever", async (_program, command, stdout) => {
    expect(await inside(command)).toMatchObject({ kind: "exited", exitCode: 0, stdout });
  });

  it("a hook has descriptors 0 to 2 and no others", async () => {
    const reply = await inside("cd /proc/self/fd && for fd in *; do [ -e $fd ] && echo $fd; done");
    expect(reply).toMatchObject({ stdout: "0\n1\n2\n" });
  });

  it.each(SLIRPS)(
    "a hook with a network of its own reaches no service of this machine's loopback (%s)",
    async (_name, slirp) => {
      const name = `quarterdeck-test-${process.pid}-${sandbox}`;
      const hidden = createServer((connection) => connection.end("abstract"));
      await once(hidden.listen(`\0${name}`), "listening");
      const connected = await startSpawner({
        ...options,
        scratchDir: join(data, "connected"),
        slirpPaths: [await slirp(root)],
      });
      try {
        expect(connected.confinement).toMatchObject({ sandbox, network: "own" });
        const reach = (address: string) =>
          `node -e 'require("net").connect(${address}).on("error",()=>console.log("cut")).pipe(process.stdout)'`;
        const command = [
          reach(`${port},"127.0.0.1"`),
          reach(`${port},"::1"`),
          reach(`${port},"10.0.2.2"`),
          reach(`{path:"\\0${name}"}`),
          "cat /etc/resolv.conf",
          `touch /etc/resolv.conf 2>/dev/null || echo closed`,
        ].join("; ");
        const [first, second] = await Promise.all([
          connected.run(request(command, { network: true }), never),
          connected.run(request("readlink /proc/self/ns/net", { network: true }), never),
        ]);
        expect(said(first)).toBe("cut\ncut\ncut\ncut\nnameserver 10.0.2.3\nclosed\n");
        expect(said(second)).toMatch(/^net:/);
        expect(said(second).trim()).not.toBe(readlinkSync("/proc/self/ns/net"));
      } finally {
        await connected.close();
        hidden.close();
      }
      await until(
        () => !commandLines().some((line) => line.includes("--disable-host-loopback") && line.includes(root)),
      );
    },
  );

  it("without one, a hook that asks for the network is refused, and the others run", async () => {
    const cut = await startSpawner({ ...options, scratchDir: join(data, "cut"), slirpPaths: ["/nowhere/slirp4netns"] });
    try {
      expect(cut.confinement).toMatchObject({ network: "refused", networkReason: "slirp4netns is not installed" });
      expect(await cut.run(request("echo ran", { network: true }), never)).toMatchObject({
        kind: "not_started",
        cause: "no_sandbox",
        message: expect.stringContaining("QUARTERDECK_HOOK_NETWORK=host"),
      });
      expect(await cut.run(request("echo ran"), never)).toMatchObject({ exitCode: 0, stdout: "ran\n" });
    } finally {
      await cut.close();
    }
  });

  it.each([
    ["ends at once", "exit 3"],
    ["says why", "echo no tun device >&2; exit 1"],
  ])("a network that %s is not taken for one of its own", async (_how, script) => {
    const bad = await startSpawner({
      ...options,
      scratchDir: join(data, "bad"),
      slirpPaths: [await programIn(root, script)],
    });
    try {
      expect(bad.confinement.network).toBe("refused");
      expect(await bad.run(request("echo ran", { network: true }), never)).toMatchObject({ kind: "not_started" });
    } finally {
      await bad.close();
    }
  });

  it("a hook reaches nobody over the network, this machine included, unless it may", async () => {
    const call = `node -e 'require("net").connect(${port},"127.0.0.1").on("error",()=>console.log("cut")).pipe(process.stdout)'`;
    expect(await inside(call)).toMatchObject({ stdout: "cut\n" });
    expect(await inside(call, { network: true })).toMatchObject({ stdout: "hello" });
  });

  it("two hooks at once see nothing of each other, and none of them is the server's root", async () => {
    const command = "id -u; touch /tmp/mine; ls /tmp | grep -v mine | grep -v hook; ps -eo pid= | wc -l";
    const [first, second] = await Promise.all([inside(command), inside(command)]);
    for (const reply of [first, second]) {
      const [uid, processes, ...more] = said(reply).trim().split("\n");
      expect([uid, more]).not.toEqual(["0", []]);
      expect(more).toEqual([]);
      expect(Number(processes)).toBeLessThan(9);
    }
    if (spawner.confinement.features.includes("own_user"))
      expect(said(first).split("\n")[0]).not.toBe(said(second).split("\n")[0]);
  });

  it("what is below /run, the sockets of other services, is not there", async () => {
    const reply = await inside("find /run ! -type d | wc -l; touch /run/x 2>/dev/null || echo closed");
    const [files, closed] = said(reply).split("\n");
    expect(Number(files)).toBeLessThanOrEqual(2);
    expect(closed).toBe("closed");
  });

  it("exit codes, stderr and input come through", async () => {
    const reply = await inside("cat; echo no >&2; exit 2", { stdin: "in" });
    expect(reply).toEqual({ kind: "exited", exitCode: 2, stdout: "in", stderr: "no\n" });
  });

  it("a hook's own variables come through, and mean nothing to what starts it", async () => {
    const log = join(root, "ld");
    const env = {
      PATH: "/usr/bin:/bin",
      LINES_OF: "one\ntwo 'three' $HOME",
      EMPTY: "",
      LD_DEBUG: "libs",
      LD_DEBUG_OUTPUT: log,
    };
    const reply = await inside('printf "%s|%s|%s" "$LINES_OF" "$EMPTY" "$LD_DEBUG"', { env });
    expect(said(reply).endsWith("one\ntwo 'three' $HOME||libs")).toBe(true);
    expect(execFileSync("ls", [root], { encoding: "utf8" })).not.toContain("ld.");
  });

  it("a shell that is not there is a failure and not a quiet exit 1", async () => {
    const reply = await inside("true", { shell: "/bin/no-such-shell" });
    expect(reply).toMatchObject({ kind: "failed", message: expect.stringContaining("did not start") });
  });

  it("words that a hook prints decide nothing: exit 1 is exit 1", async () => {
    for (const words of [
      "no space left on device",
      "Too many open files",
      "prlimit: failed",
      "setpriv: failed",
      "mount: failed",
    ])
      expect(await inside(`echo '${words}' >&2; exit 1`)).toMatchObject({ kind: "exited", exitCode: 1 });
    expect(await inside("echo exited 0; echo '{\"exit-code\": 0}'; echo exited 0 >&3; exit 5")).toMatchObject({
      exitCode: 5,
    });
  });

  it.each([
    ["that left its group", "setsid sleep SECONDS &"],
    [
      "that left its group and wiped its environment",
      "env -i setsid /bin/sh -c 'sleep SECONDS & wait' > /dev/null 2>&1 < /dev/null &",
    ],
  ])("a process %s is gone when the hook is", async (_title, daemon) => {
    for (const [at, last] of [
      ["1", "sleep 0.3"],
      ["2", "exit 1"],
    ] as const) {
      const seconds = `6${at}.${process.pid}${sandbox.length}${daemon.length}`;
      const isThere = () => commandLines().some((line) => line.includes(`sleep ${seconds}`));
      const running = inside(`${daemon.replace("SECONDS", seconds)} ${last}`);
      await running;
      await until(() => !isThere());
    }
    const stop = new AbortController();
    const seconds = `63.${process.pid}${sandbox.length}${daemon.length}`;
    const isThere = () => commandLines().some((line) => line.includes(`sleep ${seconds}`));
    const running = spawner.run(request(`${daemon.replace("SECONDS", seconds)} sleep 60`), stop.signal);
    await until(isThere);
    stop.abort();
    expect(await running).toMatchObject({ kind: "exited", exitCode: -1 });
    await until(() => !isThere());
  });
});

it.each([".full", "hook", ".hook-full"])(
  "what waits for a hook writes through no link that the hook left at /tmp/%s",
  (name) => {
    const hook = supervised("/", ["/bin/sh", "-c", `ln -s /tmp/target /tmp/${name}; exit 5`]);
    const script = `mount -t tmpfs tmpfs /tmp; echo kept > /tmp/target; "$@" 3>/tmp/report; cat /tmp/target /tmp/report`;
    const args = ["--user", "--map-root-user", "--mount", "--", "/bin/sh", "-c", script, "sh", ...hook];
    expect(execFileSync("/usr/bin/unshare", args, { encoding: "utf8" })).toBe("kept\nexited 5\n");
  },
);

describe("where no sandbox works", () => {
  const options = {
    scratchDir: join(BASE, `refused-${process.pid}`),
    bubblewrapPaths: ["/nowhere/bwrap", "/bin/true", "/bin/false"],
    toolDirs: ["/nowhere"],
  };
  afterAll(() => rm(options.scratchDir, { recursive: true, force: true }));

  it("a hook is refused, and told what to install", async () => {
    const spawner = await startSpawner({ ...options, sandbox: "auto" });
    expect(spawner.confinement).toMatchObject({ sandbox: "missing", features: [] });
    expect(spawner.confinement.reasons.join(" ")).toContain("bubblewrap");
    expect(await spawner.run(request("echo ran"), never)).toMatchObject({
      kind: "not_started",
      cause: "no_sandbox",
      message: expect.stringContaining("apt install bubblewrap"),
    });
    await spawner.close();
  });

  it("it runs only where the operator says so", async () => {
    const spawner = await startSpawner({ ...options, sandbox: "auto_or_none" });
    expect(spawner.confinement).toMatchObject({ sandbox: "none", features: [] });
    expect(await spawner.run(request("echo ran"), never)).toMatchObject({ kind: "exited", stdout: "ran\n" });
    await spawner.close();
  });

  it("a way that lets a hook out is not taken", async () => {
    // A bubblewrap that contains nothing: it only drops its own arguments.
    const dir = await mkdtemp(join(BASE, "fake-"));
    await writeFile(join(dir, "bwrap"), '#!/bin/sh\nwhile [ "$1" != -- ]; do shift; done\nshift\nexec "$@"\n');
    await chmod(join(dir, "bwrap"), 0o755);
    const spawner = await startSpawner({
      ...options,
      sandbox: "bubblewrap",
      bubblewrapPaths: [join(dir, "bwrap")],
      toolDirs: ["/usr/bin"],
    });
    expect(spawner.confinement.sandbox).toBe("missing");
    await spawner.close();
    await rm(dir, { recursive: true });
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
