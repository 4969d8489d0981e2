// @ts-check
/** The sandbox: bubblewrap's arguments, and how much of it really works on this machine. */
import { existsSync } from "node:fs";
import { runProcess } from "./process-group.mjs";

/** @import { SandboxFeature, SpawnerSettings } from "../protocol.ts" */

/**
 * A bubblewrap that demonstrably runs commands here, and what it can do.
 * @typedef {{ readonly file: string, readonly features: readonly SandboxFeature[] }} Bubblewrap
 */

/** Most valuable first: each is kept when it works together with those before it. */
const FEATURES = /** @type {const} */ (["net", "memory_storage", "ipc", "uts", "cgroup", "no_userns", "own_user"]);

/** Where a hook's own directory is when it is in memory. */
export const MEMORY_HOME = "/tmp/hook";

/** System users nobody else has: systemd gives them away for one run at a time, and so do we. */
const FIRST_OWN_UID = 61_184;
const OWN_UIDS = 4_096;
const SETPRIV = ["/usr/bin/setpriv", "/bin/setpriv"].find((file) => existsSync(file));

/**
 * The first bubblewrap that works here, with all it can do; nothing when none does.
 * @param {SpawnerSettings} settings
 * @returns {Promise<Bubblewrap | undefined>}
 */
export async function workingBubblewrap(settings) {
  if (settings.sandbox === "none") return undefined;
  for (const file of settings.bubblewrapPaths) {
    if (!existsSync(file)) continue;
    const wanted = FEATURES.filter(isSensible);
    if (await works({ file, features: wanted }, settings)) return { file, features: wanted };
    if (!(await works({ file, features: [] }, settings))) continue;
    /** @type {SandboxFeature[]} */
    const features = [];
    for (const feature of wanted) {
      if (await works({ file, features: [...features, feature] }, settings)) features.push(feature);
    }
    return { file, features };
  }
  return undefined;
}

/** @param {SandboxFeature} feature */
function isSensible(feature) {
  const isRoot = process.getuid?.() === 0;
  if (feature === "own_user") return isRoot && SETPRIV !== undefined;
  // Where hooks get another user id they hold no capability to make user namespaces worse with.
  return feature !== "no_userns" || !isRoot;
}

/** @param {Bubblewrap} bubblewrap @param {SpawnerSettings} settings */
async function works(bubblewrap, { hiddenDirs, limits: { storageBytesMax } }) {
  const inMemory = bubblewrap.features.includes("memory_storage");
  const command = inMemory ? `[ "$(cat)" = in ] && touch ${MEMORY_HOME}/a /tmp/b && exit 7` : "exit 7";
  const run = { hiddenDirs, cwd: "/", network: false, storageBytesMax, runId: 0 };
  const probe = await runProcess(
    {
      file: bubblewrap.file,
      args: bubblewrapArgs(bubblewrap, run, ["/bin/sh", "-c", command]),
      cwd: "/",
      env: { PATH: "/usr/bin:/bin" },
      stdin: "in",
      outputBytesMax: 65_536,
      backstopMs: 5_000,
      reportsStatus: true,
    },
    new AbortController().signal,
    () => {},
  );
  return probe.kind === "exited" && probe.exitCode === 7;
}

/**
 * A world that can be read and not written, with its own processes and its own /tmp; what is hidden is empty.
 * @param {Bubblewrap} bubblewrap
 * @param {{ hiddenDirs: readonly string[], scratch?: string | undefined, cwd: string, network: boolean,
 *   storageBytesMax: number, runId: number }} run
 * @param {readonly string[]} command
 */
export function bubblewrapArgs({ features }, run, command) {
  const has = new Set(features);
  const { hiddenDirs, scratch, cwd, network, storageBytesMax, runId } = run;
  const size = has.has("memory_storage") ? ["--perms", "1777", "--size", String(storageBytesMax)] : [];
  const hidden = ["/run", ...hiddenDirs].filter((dir) => existsSync(dir));
  return [
    // No --new-session: the process group is already one of its own, without a terminal, and must remain one group, so that
    // what is ended before it has fully started ends too.
    ...["--unshare-pid", "--die-with-parent", "--json-status-fd", "3"],
    // A server that runs as root would otherwise hand every hook all that root can do, remounting included.
    ...["--cap-drop", "ALL", ...(has.has("own_user") ? ["--cap-add", "CAP_SETUID", "--cap-add", "CAP_SETGID"] : [])],
    ...(has.has("ipc") ? ["--unshare-ipc"] : []),
    ...(has.has("uts") ? ["--unshare-uts"] : []),
    ...(has.has("cgroup") ? ["--unshare-cgroup"] : []),
    ...(has.has("net") && !network ? ["--unshare-net"] : []),
    ...(has.has("no_userns") ? ["--unshare-user", "--disable-userns"] : []),
    ...["--ro-bind", "/", "/", "--dev", "/dev", "--proc", "/proc", ...size, "--tmpfs", "/tmp"],
    ...(has.has("memory_storage") ? ["--perms", "0777", "--dir", MEMORY_HOME] : []),
    ...(has.has("memory_storage") ? [...size, "--tmpfs", "/dev/shm", "--remount-ro", "/dev"] : []),
    ...hidden.flatMap((dir) => ["--tmpfs", dir]),
    ...(network ? namesOfHosts() : []),
    ...(scratch === undefined ? [] : ["--bind", scratch, scratch]),
    ...hidden.flatMap((dir) => ["--remount-ro", dir]),
    ...["--chdir", cwd, "--", ...(has.has("own_user") ? ownUser(runId) : []), ...command],
  ];
}

/** /run is hidden for the sockets in it (a container engine, a database); these of its directories are data. */
function namesOfHosts() {
  const dirs = ["/run/systemd/resolve", "/run/resolvconf", "/run/NetworkManager"];
  return dirs.filter((dir) => existsSync(dir)).flatMap((dir) => ["--ro-bind", dir, dir]);
}

/** @param {number} runId */
function ownUser(runId) {
  const id = String(FIRST_OWN_UID + (runId % OWN_UIDS));
  return [
    SETPRIV ?? "setpriv",
    "--reuid",
    id,
    "--regid",
    id,
    "--clear-groups",
    "--inh-caps=-all",
    "--bounding-set=-all",
  ];
}
