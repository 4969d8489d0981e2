// @ts-check
/**
 * The spawner: a small process of its own, and the only one that starts hook commands. Plain JavaScript, so that it boots
 * without a compiler in a third of the time and half of the memory; its types are checked by spawner.test.ts.
 * It lives as long as its parent: when the channel closes it ends every group it started, and itself.
 */
import {
  chmodSync,
  closeSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { chmod, mkdtemp, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { carriedEnvironment, started } from "./inside.mjs";
import { leftovers } from "./leftovers.mjs";
import { limited, workingLimiter } from "./limits.mjs";
import { NAME_SERVER, openNetwork } from "./network.mjs";
import { networkWeaknessOf } from "./probe.mjs";
import { runProcess } from "./process-group.mjs";
import { findSandbox } from "./sandbox.mjs";

/** @import { HandlerReply } from "../../../engine/ports.ts" */
/** @import { FromSpawner, SpawnerSettings, SpawnRequest, ToSpawner } from "../protocol.ts" */
/** @import { Network } from "./network.mjs" */
/** @import { Try } from "./probe.mjs" */
/** @import { Sandbox } from "./sandbox.mjs" */

const settings = readSettings();
const HOOK_PATH = "/usr/local/bin:/usr/bin:/bin";
const PROBE_MS = 10_000;
const NO_SANDBOX =
  "Command hooks do not run on this server: no sandbox works here that keeps them from its data. Install bubblewrap (apt install bubblewrap) and start the server again; docs/operations.md has the other ways.";
const NO_NETWORK =
  "Hooks with network: true do not run on this server: it has no network for them that is apart from its own. Install slirp4netns (apt install slirp4netns) and start the server again, or set QUARTERDECK_HOOK_NETWORK=host: then such hooks reach every service on this machine's loopback. docs/operations.md says more.";
/** @type {Map<number, AbortController>} */
const running = new Map();
/** @type {Set<number>} */
const groups = new Set();

process.on("SIGINT", stayUntilTheChannelCloses);
process.on("SIGTERM", stayUntilTheChannelCloses);
process.on("disconnect", () => {
  for (const pid of groups) killGroup(pid);
  running.clear();
  found.sandbox?.close();
  left.sweep();
  process.exit(0);
});

closeInherited();
const left = leftovers((id) => running.has(id));
const { scratchDir, after } = settings;
if (after !== undefined) left.sweepAfter(after);
if (scratchDir !== undefined) empty(scratchDir);
const withNames = { ...settings, resolverFile: resolverFileOf() };
let probes = 0;
const limiter = await workingLimiter(settings);
const found = await findSandbox(withNames, tryIn);
const isWithout = settings.sandbox === "none" || (settings.sandbox === "auto_or_none" && found.sandbox === undefined);
const network = await findNetwork();
process.on("message", (message) => receive(/** @type {ToSpawner} */ (message)));
say({
  kind: "ready",
  confinement: {
    sandbox: found.sandbox?.kind ?? (isWithout ? "none" : "missing"),
    features: found.sandbox?.features ?? [],
    reasons: found.sandbox || isWithout ? [] : found.reasons,
    network: network.kind,
    ...(network.kind === "refused" && { networkReason: network.reason }),
    limits: limiter.kind,
  },
});

/** Runs a text in a sandbox that is not proven yet. @param {Sandbox} sandbox @returns {Try} */
function tryIn(sandbox) {
  return async (command, kind, env) => {
    const id = ++probes;
    const stop = new AbortController().signal;
    const plain = { shell: "/bin/sh", command, stdin: "in", env: { PATH: HOOK_PATH, ...env }, isolated: true };
    const request = { ...plain, network: kind !== "none", backstopMs: PROBE_MS };
    const scratch = await scratchOf(sandbox);
    const slirp = kind === "own" ? slirpPath() : undefined;
    try {
      const opened = slirp === undefined ? undefined : await openNetwork(slirp, sandbox.network);
      try {
        return await runIn({ sandbox, id, networkPid: opened?.pid }, request, scratch, stop);
      } finally {
        opened?.close();
      }
    } catch (error) {
      return { kind: "failed", message: error instanceof Error ? error.message : String(error) };
    } finally {
      if (scratch !== undefined) await rm(scratch, { recursive: true, force: true });
    }
  };
}

/**
 * The network of hooks that ask for one.
 * @returns {Promise<{ readonly kind: "own", readonly slirp: string } | { readonly kind: "host" } | { readonly kind: "refused", readonly reason: string }>}
 */
async function findNetwork() {
  const { sandbox } = found;
  if (sandbox === undefined) return isWithout ? { kind: "host" } : { kind: "refused", reason: "no sandbox works" };
  if (settings.hookNetwork === "host") return { kind: "host" };
  const slirp = slirpPath();
  if (slirp === undefined) return { kind: "refused", reason: "slirp4netns is not installed" };
  if (settings.proven?.network === "own") return { kind: "own", slirp };
  const weakness = await networkWeaknessOf(sandbox, settings, tryIn(sandbox));
  return weakness === undefined ? { kind: "own", slirp } : { kind: "refused", reason: weakness };
}

function slirpPath() {
  return settings.slirpPaths.find((file) => existsSync(file));
}

/** @param {ToSpawner} message */
function receive(message) {
  if (message.kind === "ping") say({ kind: "pong" });
  else if (message.kind === "stop") running.get(message.id)?.abort();
  else void serve(message.id, message.request);
}

/** @param {number} id @param {SpawnRequest} request */
async function serve(id, request) {
  const stop = new AbortController();
  running.set(id, stop);
  /** @type {string | undefined} */
  let scratch;
  /** @type {Network | undefined} */
  let opened;
  try {
    const { sandbox } = found;
    const isConnected = request.isolated && request.network && sandbox !== undefined;
    if (isConnected && network.kind === "refused") {
      say({ kind: "ended", id, reply: withoutNetwork(network.reason) });
      return;
    }
    if (isConnected && network.kind === "own") opened = await openNetwork(network.slirp, sandbox.network);
    if (request.isolated) scratch = await scratchOf(sandbox);
    const within = { sandbox, id, networkPid: opened?.pid };
    say({ kind: "ended", id, reply: await runIn(within, request, scratch, stop.signal) });
  } catch (error) {
    say({
      kind: "ended",
      id,
      reply: { kind: "failed", message: error instanceof Error ? error.message : String(error) },
    });
  } finally {
    opened?.close();
    running.delete(id);
    if (request.isolated && !found.sandbox) left.sweepSoon();
    if (scratch !== undefined) await rm(scratch, { recursive: true, force: true, maxRetries: 2 }).catch(() => {});
  }
}

/**
 * One run, in a sandbox or, where there may be none, without.
 * @param {{ readonly sandbox: Sandbox | undefined, readonly id: number, readonly networkPid: number | undefined }} within
 * @param {SpawnRequest} request
 * @param {string | undefined} scratch
 * @param {AbortSignal} stop
 * @returns {Promise<HandlerReply>}
 */
async function runIn({ sandbox: ours, id, networkPid }, request, scratch, stop) {
  const { shell, isolated, network } = request;
  const sandbox = isolated ? ours : undefined;
  const { limits, outputBytesMax } = settings;
  if (isolated && sandbox === undefined && !isWithout) return refused();
  const home = sandbox?.home ?? scratch;
  const cwd = resolve(home ?? "/", request.cwd ?? "");
  if (cwd !== sandbox?.home && !(await isDirectory(cwd))) {
    return { kind: "failed", message: `chdir ${cwd}: no such directory` };
  }
  const plain = [shell, "-c", request.command];
  const ownTasks = sandbox?.hasOwnTasks === true;
  const command = isolated ? limited(limiter, limits, { ownTasks }, started(plain)) : plain;
  const env = { ...(home !== undefined && { HOME: home, TMPDIR: home }), ...request.env };
  const [file = "", ...args] = sandbox?.wrap({ cwd, network, networkPid, runId: id, scratch }, command) ?? command;
  /** @type {number | undefined} */
  let group;
  try {
    return await runProcess(
      {
        file,
        args,
        cwd: sandbox ? "/" : cwd,
        env: sandbox ? carriedEnvironment(env) : { ...env, ...(isolated && left.mark(id)) },
        stdin: request.stdin,
        outputBytesMax,
        backstopMs: request.backstopMs,
        reports: sandbox ? "ending" : isolated ? "start" : "nothing",
        ...(sandbox?.filter && { filter: sandbox.filter }),
        ...(isolated && { limits }),
      },
      stop,
      (pid) => {
        group = pid;
        groups.add(pid);
        if (running.has(id)) say({ kind: "started", id, pid });
      },
    );
  } finally {
    if (group !== undefined) groups.delete(group);
  }
}

/** A directory on disk for one run, where its sandbox makes none in memory. @param {Sandbox | undefined} sandbox */
async function scratchOf(sandbox) {
  if (scratchDir === undefined || sandbox?.home !== undefined) return undefined;
  const dir = await mkdtemp(join(scratchDir, "run-"));
  // The hook may be another user; nobody gets past the directory above it.
  if (sandbox?.features.includes("own_user")) await chmod(dir, 0o777);
  return dir;
}

/** @param {string} reason @returns {HandlerReply} */
function withoutNetwork(reason) {
  return { kind: "not_started", cause: "no_sandbox", message: `${NO_NETWORK} (${reason})` };
}

/** @returns {HandlerReply} */
function refused() {
  const reasons = found.sandbox ? [] : found.reasons;
  return { kind: "not_started", cause: "no_sandbox", message: `${NO_SANDBOX} (${reasons.join("; ")})` };
}

/** @returns {SpawnerSettings} */
function readSettings() {
  /** @type {SpawnerSettings} */
  const given = JSON.parse(process.argv[2] ?? "{}");
  const { scratchDir: own, hiddenDirs } = given;
  const all = [...new Set([...hiddenDirs, ...(own === undefined ? [] : [own])])];
  // A directory within a hidden one is hidden already.
  return {
    ...given,
    hiddenDirs: all.filter((dir) => !all.some((other) => dir.startsWith(`${other}/`))),
  };
}

/** A file for hooks with a network of their own, in a directory that no other user can make first. */
function resolverFileOf() {
  if (settings.hookNetwork === "host" || slirpPath() === undefined) return undefined;
  const dir = mkdtempSync(join(tmpdir(), "quarterdeck-resolver-"));
  chmodSync(dir, 0o755);
  const file = join(dir, "resolv.conf");
  writeFileSync(file, `nameserver ${NAME_SERVER}\n`, { mode: 0o644, flag: "wx" });
  process.once("exit", () => rmSync(dir, { recursive: true, force: true }));
  return file;
}

/** Whoever started the server may have left files open for its children; no hook gets those. Linux only. */
function closeInherited() {
  if (process.platform !== "linux") return;
  for (const fd of readdirSync("/proc/self/fdinfo")
    .map(Number)
    .filter((one) => one > 2)) {
    try {
      const flags = /^flags:\s*([0-7]+)$/m.exec(readFileSync(`/proc/self/fdinfo/${fd}`, "latin1"))?.[1] ?? "0";
      const closesOnExec = (Number.parseInt(flags, 8) & 0o2_000_000) !== 0;
      if (!closesOnExec) closeSync(fd);
    } catch {
      // The descriptor that read the directory.
    }
  }
}

/** @param {FromSpawner} message */
function say(message) {
  // The parent may be gone already, and then nobody is told.
  if (process.connected) process.send?.(message, undefined, {}, () => {});
}

/** @param {number} pid */
function killGroup(pid) {
  try {
    process.kill(-pid, "SIGKILL");
  } catch {
    // Nobody is left in the group.
  }
}

/** A terminal's Ctrl-C reaches this process too, while the parent still drains; the closed channel is what ends it. */
function stayUntilTheChannelCloses() {}

/** @param {string} dir */
async function isDirectory(dir) {
  return (await stat(dir).catch(() => undefined))?.isDirectory() === true;
}

/** Makes a directory, or removes what a crash may have left in it. @param {string} dir */
function empty(dir) {
  mkdirSync(dir, { recursive: true, mode: 0o700 });
  for (const name of readdirSync(dir))
    if (name.startsWith("run-")) rmSync(join(dir, name), { recursive: true, force: true });
}
