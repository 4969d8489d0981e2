// @ts-check
/**
 * The spawner: a small process of its own, and the only one that starts hook commands. Plain JavaScript, so that it boots
 * without a compiler in a third of the time and half of the memory; its types are checked by spawner.test.ts.
 * It lives as long as its parent: when the channel closes it ends every group it started, and itself.
 */
import { mkdirSync, readdirSync, rmSync } from "node:fs";
import { mkdtemp, rm, stat } from "node:fs/promises";
import { join, resolve } from "node:path";
import { runProcess } from "./process-group.mjs";
import { bubblewrapArgs, workingBubblewrap } from "./sandbox.mjs";

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
  process.exit(0);
});

const scratchDir = settings.scratchDir === undefined ? undefined : emptied(settings.scratchDir);
const bubblewrap = await workingBubblewrap(settings);
process.on("message", (message) => receive(/** @type {ToSpawner} */ (message)));
say({ kind: "ready", sandbox: bubblewrap ? "bubblewrap" : "none" });

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
    if (request.scratch && scratchDir !== undefined) scratch = await mkdtemp(join(scratchDir, "run-"));
    say({ kind: "ended", id, reply: await runIn(id, request, scratch, stop.signal) });
  } catch (error) {
    say({
      kind: "ended",
      id,
      reply: { kind: "failed", message: error instanceof Error ? error.message : String(error) },
    });
  } finally {
    running.delete(id);
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
  const cwd = resolve(scratch ?? "/", request.cwd ?? "");
  const inside = bubblewrap !== undefined;
  if (!(await isDirectory(cwd))) return { kind: "failed", message: `chdir ${cwd}: no such directory` };
  const { shell, command } = request;
  /** @type {number | undefined} */
  let group;
  try {
    return await runProcess(
      {
        file: bubblewrap ?? shell,
        args: inside
          ? bubblewrapArgs({ hiddenDirs: settings.hiddenDirs, scratch, cwd, shell, command })
          : ["-c", command],
        cwd: inside ? "/" : cwd,
        env: scratch === undefined ? request.env : { HOME: scratch, TMPDIR: scratch, ...request.env },
        stdin: request.stdin,
        outputBytesMax: settings.outputBytesMax,
        backstopMs: request.backstopMs,
        reportsStatus: inside,
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
