// @ts-check
/** The choice of the sandbox that hooks run in: the first that is proven to hold on this machine, or none at all. */
import { bubblewrap } from "./bubblewrap.mjs";
import { rootNamespaces, userNamespaces } from "./namespaces.mjs";
import { weaknessOf } from "./probe.mjs";

/** @import { NetworkWay } from "./network.mjs" */
/** @import { Try } from "./probe.mjs" */
/** @import { SandboxFeature, SandboxKind, SpawnerSettings } from "../protocol.ts" */

/**
 * @typedef {object} SandboxRun
 * @property {string} cwd
 * @property {boolean} network
 * @property {number | undefined} networkPid the process that holds the hook's own network; undefined: the machine's own
 * @property {number} runId
 * @property {string | undefined} scratch a directory on disk that the hook may write to
 */

/**
 * One way to contain a hook.
 * @typedef {object} Sandbox
 * @property {SandboxKind} kind
 * @property {readonly SandboxFeature[]} features
 * @property {string | undefined} home the hook's own directory, where the sandbox makes it
 * @property {boolean} hasOwnTasks the kernel counts its tasks apart from everybody else's
 * @property {Uint8Array | undefined} filter what the command reads from FILTER_FD
 * @property {NetworkWay} network the way to a network of a hook's own
 * @property {() => void} close
 * @property {(run: SandboxRun, command: readonly string[]) => readonly string[]} wrap the command, contained
 */

/** @typedef {(sandbox: Sandbox) => Promise<string | undefined>} WeaknessOf */

/** Their names for people. @type {Readonly<Record<SandboxKind, string>>} */
const NAMES = {
  bubblewrap: "bubblewrap",
  root_namespaces: "a user and namespaces for each hook, as root",
  user_namespaces: "user namespaces",
};

/** In this order; each is proven, or throws the reason why it does not hold. @type {Readonly<Record<SandboxKind, (settings: SpawnerSettings, weakness: WeaknessOf, proven?: readonly SandboxFeature[]) => Promise<Sandbox>>>} */
const WAYS = {
  bubblewrap,
  root_namespaces: rootNamespaces,
  user_namespaces: userNamespaces,
};

/**
 * The sandbox of this machine; where none holds, why each of them does not.
 * @param {SpawnerSettings} settings
 * @param {(sandbox: Sandbox) => Try} runner
 * @returns {Promise<{ sandbox: Sandbox } | { sandbox?: undefined, reasons: readonly string[] }>}
 */
export async function findSandbox(settings, runner) {
  const { proven } = settings;
  const believed = async () => undefined;
  if (proven !== undefined && proven.sandbox !== "none" && proven.sandbox !== "missing") {
    return { sandbox: await WAYS[proven.sandbox](settings, believed, proven.features) };
  }
  /** @type {string[]} */
  const reasons = [];
  const weakness = (/** @type {Sandbox} */ sandbox) => weaknessOf(sandbox, settings, runner(sandbox));
  for (const kind of kindsToTry(settings)) {
    try {
      return { sandbox: await WAYS[kind](settings, weakness) };
    } catch (error) {
      reasons.push(`${NAMES[kind]}: ${error instanceof Error ? error.message : String(error)}`);
    }
  }
  return { reasons };
}

/** @param {SpawnerSettings} settings @returns {readonly SandboxKind[]} */
function kindsToTry({ sandbox }) {
  if (sandbox === "none") return [];
  if (sandbox !== "auto" && sandbox !== "auto_or_none") return [sandbox];
  if (process.platform !== "linux") return [];
  return ["bubblewrap", process.getuid?.() === 0 ? "root_namespaces" : "user_namespaces"];
}
