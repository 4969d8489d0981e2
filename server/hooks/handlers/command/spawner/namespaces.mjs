// @ts-check
/** Sandboxes of util-linux alone: namespaces by unshare, entered by nsenter, privileges given up by setpriv. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { housed, MEMORY_HOME } from "./inside.mjs";
import { filteringCommand } from "./seccomp.mjs";
import { makeTemplate } from "./template.mjs";

/** @import { SandboxFeature, SpawnerSettings } from "../protocol.ts" */
/** @import { Sandbox, WeaknessOf } from "./sandbox.mjs" */
/** @import { Template } from "./template.mjs" */

/** System users nobody else has: systemd gives them away for one run at a time, and so do we. */
const FIRST_OWN_UID = 61_184;
const OWN_UIDS = 4_096;
/** Spawners of one machine begin at different users. */
const UID_OFFSET = (process.pid * 61) % OWN_UIDS;
const NOBODY = "65534";

/** @type {readonly SandboxFeature[]} */
const FEATURES = ["net", "memory_storage", "ipc", "uts", "own_user"];
const NO_NEW_PRIVILEGES = ["--no-new-privs", "--inh-caps=-all", "--ambient-caps=-all"];

/** The user of one run. @param {number} runId */
export function ownUserId(runId) {
  return String(FIRST_OWN_UID + ((UID_OFFSET + runId) % OWN_UIDS));
}

/**
 * The first of the sandboxes that is proven to hold: with a filter of system calls, or else without. Throws when none does.
 * @param {SpawnerSettings} settings
 * @param {Template} template
 * @param {{ readonly features: readonly SandboxFeature[], readonly weaknessOf: WeaknessOf, readonly proven: readonly SandboxFeature[] | undefined }} about
 * @param {(features: readonly SandboxFeature[], filtered: (command: readonly string[]) => readonly string[]) => Sandbox} sandboxOf
 * @returns {Promise<Sandbox>}
 */
async function provenOf(settings, template, { features, weaknessOf, proven }, sandboxOf) {
  const filtered = filteringCommand(settings.toolDirs);
  const plain = (/** @type {readonly string[]} */ command) => command;
  const candidates = [
    ...(filtered === undefined ? [] : [sandboxOf([...features, "seccomp"], filtered)]),
    sandboxOf(features, plain),
  ].filter((one) => proven === undefined || one.features.length === proven.length);
  let weakness = "the sandbox that held before cannot be made again";
  for (const sandbox of candidates) {
    const found = await weaknessOf(sandbox);
    if (found === undefined) return sandbox;
    weakness = found;
  }
  template.close();
  throw new Error(weakness);
}

/**
 * As root: each hook is a user of its own, in namespaces of its own.
 * @param {SpawnerSettings} settings
 * @param {WeaknessOf} weaknessOf
 * @param {readonly SandboxFeature[]} [proven] what it can do here, where that is known
 * @returns {Promise<Sandbox>}
 */
export async function rootNamespaces(settings, weaknessOf, proven) {
  const { unshare, nsenter, setpriv } = toolsIn(settings.toolDirs);
  const template = await makeTemplate([unshare, "--mount", "--"], settings.hiddenDirs);
  return provenOf(settings, template, { features: FEATURES, weaknessOf, proven }, (features, filtered) => ({
    kind: "root_namespaces",
    features,
    home: MEMORY_HOME,
    hasOwnTasks: true,
    filter: undefined,
    network: { hold: [unshare, "--net", "--"], userNamespace: () => undefined },
    close: template.close,
    wrap: ({ cwd, network, networkPid, runId }, command) => {
      const id = ownUserId(runId);
      const become = [setpriv, "--reuid", id, "--regid", id, "--clear-groups", ...NO_NEW_PRIVILEGES];
      return [
        ...[nsenter, `--mount=/proc/${template.pid}/ns/mnt`, ...networkOf(networkPid), "--"],
        ...apart(unshare, network),
        ...housed({ cwd, ...settings.limits, hasOwnNetwork: networkPid !== undefined }, [
          ...become,
          "--bounding-set=-all",
          "--",
          ...filtered(command),
        ]),
      ];
    },
  }));
}

/**
 * As any user who may make user namespaces: the outer one hides and makes read-only, and what it mounted is locked to the
 * inner one, in which the hook runs without a capability.
 * @param {SpawnerSettings} settings
 * @param {WeaknessOf} weaknessOf
 * @param {readonly SandboxFeature[]} [proven] what it can do here, where that is known
 * @returns {Promise<Sandbox>}
 */
export async function userNamespaces(settings, weaknessOf, proven) {
  const { unshare, nsenter, setpriv } = toolsIn(settings.toolDirs);
  const template = await makeTemplate([unshare, "--user", "--map-root-user", "--mount", "--"], settings.hiddenDirs);
  const inner = [unshare, "--user", `--map-user=${NOBODY}`, `--map-group=${NOBODY}`, "--"];
  const place = `/proc/${template.pid}/ns`;
  const own = FEATURES.filter((feature) => feature !== "own_user");
  return provenOf(settings, template, { features: own, weaknessOf, proven }, (features, filtered) => ({
    kind: "user_namespaces",
    features,
    home: MEMORY_HOME,
    hasOwnTasks: true,
    filter: undefined,
    network: {
      hold: [nsenter, `--user=${place}/user`, "--preserve-credentials", "--", unshare, "--net", "--"],
      userNamespace: () => `${place}/user`,
    },
    close: template.close,
    wrap: ({ cwd, network, networkPid }, command) => [
      ...[nsenter, `--user=${place}/user`, `--mount=${place}/mnt`, ...networkOf(networkPid)],
      ...["--preserve-credentials", "--"],
      ...apart(unshare, network),
      ...housed({ cwd, ...settings.limits, hasOwnNetwork: networkPid !== undefined }, [
        ...[...inner, setpriv, ...NO_NEW_PRIVILEGES, "--"],
        ...filtered(command),
      ]),
    ],
  }));
}

/** @param {number | undefined} pid */
const networkOf = (pid) => (pid === undefined ? [] : [`--net=/proc/${pid}/ns/net`]);

/** Processes, mounts and names of its own, and no network; all of it ends with the first process. */
function apart(/** @type {string} */ unshare, /** @type {boolean} */ network) {
  const namespaces = ["--mount", "--pid", "--ipc", "--uts", ...(network ? [] : ["--net"])];
  return [unshare, ...namespaces, "--fork", "--kill-child=SIGKILL", "--"];
}

/** The programs of util-linux. Throws when one is missing. @param {readonly string[]} dirs */
function toolsIn(dirs) {
  const find = (/** @type {string} */ name) => {
    const found = dirs.map((dir) => join(dir, name)).find((file) => existsSync(file));
    if (found === undefined) throw new Error(`${name} is not installed (util-linux)`);
    return found;
  };
  return { unshare: find("unshare"), nsenter: find("nsenter"), setpriv: find("setpriv") };
}
