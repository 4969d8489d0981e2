// @ts-check
/**
 * The spawner: a small process of its own, and the only one that starts hook commands. Plain JavaScript, so that it boots
 * without a compiler in a third of the time and half of the memory; its types are checked by spawner.test.ts.
 * It lives as long as its parent: when the channel closes it ends every group it started, and itself.
 */
import { closeSync, mkdirSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { mkdtemp, rm, stat } from "node:fs/promises";
import { join, resolve } from "node:path";
import { leftovers } from "./leftovers.mjs";
import { limited, workingLimiter } from "./limits.mjs";
import { runProcess } from "./process-group.mjs";
import { bubblewrapArgs, MEMORY_HOME, workingBubblewrap } from "./sandbox.mjs";

/** @import { HandlerReply } from "../../../engine/ports.ts" */
/** @import { FromSpawner, SpawnerSettings, SpawnRequest, ToSpawner } from "../protocol.ts" */

/** @type {SpawnerSettings} */
const settings = JSON.parse(process.argv[2] ?? "{}");
/** @type {Map<number, AbortController>} */
const running = new Map();
/** @type {Set<number>} */
const groups = new Set();

process.on("SIGINT", stayUntilTheChannelCloses);
process.on("SIGTERM", stayUntilTheChannelCloses);
process.on("disconnect", () => {
  for (const pid of groups) killGroup(pid);
  running.clear();
  left.sweep();
  process.exit(0);
});

closeInherited();
const left = leftovers((id) => running.has(id));
const scratchDir = settings.scratchDir === undefined ? undefined : emptied(settings.scratchDir);
const [bubblewrap, limiter] = await Promise.all([workingBubblewrap(settings), workingLimiter(settings)]);
/** The kernel counts tasks by user and user namespace; elsewhere a limit would count everybody's. */
const ownTasks = ["own_user", "no_userns"].some((feature) => bubblewrap?.features.some((has) => has === feature));
const inMemory = bubblewrap?.features.includes("memory_storage") === true;
process.on("message", (message) => receive(/** @type {ToSpawner} */ (message)));
say({
  kind: "ready",
  confinement: {
    sandbox: bubblewrap ? "bubblewrap" : "none",
    features: bubblewrap?.features ?? [],
    limits: limiter.kind,
  },
});

/** @param {ToSpawner} message */
function receive(message) {
  if (message.kind === "stop") running.get(message.id)?.abort();
  else void serve(message.id, message.request);
}

/** @param {number} id @param {SpawnRequest} request */
async function serve(id, request) {
  const stop = new AbortController();
  running.set(id, stop);
  /** @type {string | undefined} */
  let scratch;
  try {
    if (request.isolated && scratchDir !== undefined && !inMemory) scratch = await mkdtemp(join(scratchDir, "run-"));
    say({ kind: "ended", id, reply: await runIn(id, request, scratch, stop.signal) });
  } catch (error) {
    say({
      kind: "ended",
      id,
      reply: { kind: "failed", message: error instanceof Error ? error.message : String(error) },
    });
  } finally {
    running.delete(id);
    if (request.isolated && !bubblewrap) left.sweepSoon();
    if (scratch !== undefined) await rm(scratch, { recursive: true, force: true, maxRetries: 2 }).catch(() => {});
  }
}

/**
 * @param {number} id
 * @param {SpawnRequest} request
 * @param {string | undefined} scratch
 * @param {AbortSignal} stop
 * @returns {Promise<HandlerReply>}
 */
async function runIn(id, request, scratch, stop) {
  const { shell, isolated, network } = request;
  const home = isolated && inMemory ? MEMORY_HOME : scratch;
  const cwd = resolve(home ?? "/", request.cwd ?? "");
  if (cwd !== MEMORY_HOME && !(await isDirectory(cwd))) {
    return { kind: "failed", message: `chdir ${cwd}: no such directory` };
  }
  const plain = [shell, "-c", request.command];
  const command = isolated ? limited(limiter, settings.limits, { ownTasks }, plain) : plain;
  const { hiddenDirs, limits } = settings;
  const { storageBytesMax } = limits;
  const run = { hiddenDirs, scratch, cwd, network, storageBytesMax, runId: id };
  const [file = "", ...args] = bubblewrap ? [bubblewrap.file, ...bubblewrapArgs(bubblewrap, run, command)] : command;
  /** @type {number | undefined} */
  let group;
  try {
    return await runProcess(
      {
        file,
        args,
        cwd: bubblewrap ? "/" : cwd,
        env: {
          ...(home !== undefined && { HOME: home, TMPDIR: home }),
          ...request.env,
          ...(isolated && !bubblewrap && left.mark(id)),
        },
        stdin: request.stdin,
        outputBytesMax: settings.outputBytesMax,
        backstopMs: request.backstopMs,
        reportsStatus: bubblewrap !== undefined,
        ...(isolated && { limits }),
      },
      stop,
      (pid) => {
        group = pid;
        groups.add(pid);
        say({ kind: "started", id, pid });
      },
    );
  } finally {
    if (group !== undefined) groups.delete(group);
  }
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
  if (process.connected) process.send?.(message);
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

/** The scratch directory without what a crash may have left in it. @param {string} dir */
function emptied(dir) {
  mkdirSync(dir, { recursive: true, mode: 0o700 });
  for (const name of readdirSync(dir))
    if (name.startsWith("run-")) rmSync(join(dir, name), { recursive: true, force: true });
  return dir;
}
