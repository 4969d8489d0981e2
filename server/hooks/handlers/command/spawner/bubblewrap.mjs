// @ts-check
/** The sandbox of bubblewrap: its arguments, and how much of it really works on this machine. */
import { existsSync, realpathSync } from "node:fs";
import { join } from "node:path";
import { FILTER_FD, MEMORY_HOME, supervised } from "./inside.mjs";
import { ownUserId } from "./namespaces.mjs";
import { filterBytes } from "./seccomp.mjs";

/** @import { SandboxFeature, SpawnerSettings } from "../protocol.ts" */
/** @import { Sandbox, SandboxRun, WeaknessOf } from "./sandbox.mjs" */

/** Most valuable first: each is kept when it works together with those before it. Without the first there is no sandbox. */
const FEATURES = /** @type {const} */ ([
  "net",
  "own_user",
  "no_userns",
  "seccomp",
  "memory_storage",
  "ipc",
  "uts",
  "cgroup",
]);

/**
 * The first bubblewrap that works, with all it can do. Throws when none does.
 * @param {SpawnerSettings} settings
 * @param {WeaknessOf} weaknessOf
 * @param {readonly SandboxFeature[]} [proven] what it can do here, where that is known
 * @returns {Promise<Sandbox>}
 */
export async function bubblewrap(settings, weaknessOf, proven) {
  const found = settings.bubblewrapPaths.filter((file) => existsSync(file));
  if (found.length === 0) throw new Error("bubblewrap is not installed");
  const toolAt = (/** @type {string} */ name) =>
    settings.toolDirs.map((dir) => join(dir, name)).find((file) => existsSync(file));
  const setpriv = toolAt("setpriv");
  const isRoot = process.getuid?.() === 0;
  if (isRoot && setpriv === undefined) throw new Error("setpriv is not installed (util-linux)");
  // As root a hook gets another user id, and holds no capability to make user namespaces worse with.
  const wanted =
    proven ??
    FEATURES.filter((feature) => feature !== (isRoot ? "no_userns" : "own_user")).filter(
      (feature) => feature !== "seccomp" || filterBytes() !== undefined,
    );
  /** @type {string | undefined} */
  let weakness;
  const works = async (/** @type {Sandbox} */ sandbox) => {
    const found = await weaknessOf(sandbox);
    weakness ??= found;
    return found === undefined;
  };
  for (const file of found) {
    const sandboxOf = (/** @type {readonly SandboxFeature[]} */ features) =>
      bubblewrapSandbox({ file, features, setpriv: setpriv ?? "setpriv", isRoot, toolAt }, settings);
    if (await works(sandboxOf(wanted))) return sandboxOf(wanted);
    /** @type {SandboxFeature[]} */
    const features = ["net", ...(isRoot ? /** @type {const} */ (["own_user"]) : [])];
    if (!(await works(sandboxOf(features)))) continue;
    for (const feature of wanted.filter((one) => !features.includes(one))) {
      if (await works(sandboxOf([...features, feature]))) features.push(feature);
    }
    return sandboxOf(features);
  }
  throw new Error(weakness);
}

/**
 * @param {{ readonly file: string, readonly features: readonly SandboxFeature[], readonly setpriv: string, readonly isRoot: boolean, readonly toolAt: (name: string) => string | undefined }} found
 * @param {SpawnerSettings} settings
 * @returns {Sandbox}
 */
function bubblewrapSandbox(
  { file, features, setpriv, isRoot, toolAt },
  { hiddenDirs, resolverFile, limits: { storageBytesMax } },
) {
  const has = new Set(features);
  return {
    kind: "bubblewrap",
    features,
    home: has.has("memory_storage") ? MEMORY_HOME : undefined,
    hasOwnTasks: has.has("own_user") || has.has("no_userns"),
    filter: has.has("seccomp") ? filterBytes() : undefined,
    network: {
      hold: [toolAt("unshare") ?? "unshare", ...(isRoot ? [] : ["--user", "--map-root-user"]), "--net", "--"],
      userNamespace: (pid) => (isRoot ? undefined : `/proc/${pid}/ns/user`),
    },
    close: () => {},
    wrap: (run, command) => {
      const id = ownUserId(run.runId);
      const become = [
        setpriv,
        "--reuid",
        id,
        "--regid",
        id,
        "--clear-groups",
        "--inh-caps=-all",
        "--bounding-set=-all",
      ];
      const inner = [...(has.has("own_user") ? [...become, "--"] : []), ...command];
      const { networkPid } = run;
      const entered =
        networkPid === undefined
          ? []
          : [
              ...[toolAt("nsenter") ?? "nsenter", `--net=/proc/${networkPid}/ns/net`],
              ...(isRoot ? [] : [`--user=/proc/${networkPid}/ns/user`, "--preserve-credentials"]),
              "--",
            ];
      return [
        ...entered,
        file,
        ...bubblewrapArgs(has, { hiddenDirs, storageBytesMax, resolverFile }, run),
        "--",
        ...supervised(run.cwd, inner),
      ];
    },
  };
}

/**
 * A world that can be read and not written, with its own processes and its own /tmp; what is hidden is empty.
 * @param {ReadonlySet<SandboxFeature>} has
 * @param {{ readonly hiddenDirs: readonly string[], readonly storageBytesMax: number, readonly resolverFile: string | undefined }} settings
 * @param {SandboxRun} run
 */
function bubblewrapArgs(has, { hiddenDirs, storageBytesMax, resolverFile }, { scratch, network, networkPid }) {
  const size = has.has("memory_storage") ? ["--size", String(storageBytesMax)] : [];
  const open = ["--perms", "1777"];
  const hidden = ["/run", ...hiddenDirs].filter((dir) => existsSync(dir));
  return [
    // No --new-session: the process group is already one of its own, without a terminal, and must remain one group, so that
    // what is ended before it has fully started ends too.
    ...["--unshare-pid", "--die-with-parent"],
    // A server that runs as root would otherwise hand every hook all that root can do, remounting included.
    ...["--cap-drop", "ALL"],
    ...(has.has("own_user") ? ["--cap-add", "CAP_SETUID", "--cap-add", "CAP_SETGID"] : []),
    ...(has.has("ipc") ? ["--unshare-ipc"] : []),
    ...(has.has("uts") ? ["--unshare-uts"] : []),
    ...(has.has("cgroup") ? ["--unshare-cgroup"] : []),
    ...(has.has("net") && !network ? ["--unshare-net"] : []),
    ...(has.has("no_userns") ? ["--unshare-user", "--disable-userns"] : []),
    ...(has.has("seccomp") ? ["--seccomp", String(FILTER_FD)] : []),
    ...["--ro-bind", "/", "/", "--dev", "/dev", "--proc", "/proc", ...open, ...size, "--tmpfs", "/tmp"],
    ...(has.has("memory_storage") ? ["--perms", "0777", "--dir", MEMORY_HOME] : []),
    ...(has.has("memory_storage") ? [...open, ...size, "--tmpfs", "/dev/shm", "--remount-ro", "/dev"] : []),
    ...hidden.flatMap((dir) => ["--tmpfs", dir]),
    ...(network ? namesOfHosts() : []),
    ...(networkPid === undefined ? [] : nameServer(resolverFile)),
    ...(scratch === undefined ? [] : ["--bind", scratch, scratch]),
    ...hidden.flatMap((dir) => ["--remount-ro", dir]),
  ];
}

/** /run is hidden for the sockets in it (a container engine, a database); these of its directories are data. */
function namesOfHosts() {
  const dirs = ["/run/systemd/resolve", "/run/resolvconf", "/run/NetworkManager"];
  return dirs.filter((dir) => existsSync(dir)).flatMap((dir) => ["--ro-bind", dir, dir]);
}

/** Names are asked of slirp4netns: the machine's own resolver may be on its loopback. @param {string | undefined} file */
function nameServer(file) {
  if (file === undefined || !existsSync("/etc/resolv.conf")) return [];
  return ["--ro-bind", file, realpathSync("/etc/resolv.conf")];
}
