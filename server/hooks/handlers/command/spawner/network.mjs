// @ts-check
/**
 * A network for one hook that may use it: a namespace of its own, joined to the machine's network by slirp4netns, which reaches what
 * this machine reaches and nothing on its loopback.
 */
import { spawn } from "node:child_process";

/** @typedef {readonly string[]} Command */

/**
 * The commands that make and enter a network in one sandbox.
 * @typedef {object} NetworkWay
 * @property {Command} hold makes the namespaces, and runs what follows in them
 * @property {(pid: number) => string | undefined} userNamespace the user namespace that owns the network; undefined as root
 */

/**
 * An open network, by the process that holds it.
 * @typedef {{ readonly pid: number, readonly close: () => void }} Network
 */

const OPEN_MS = 5_000;
/** Where slirp4netns answers questions for names. */
export const NAME_SERVER = "10.0.2.3";
/** Where slirp4netns would lead to the machine's loopback, did we not tell it otherwise. */
export const GATEWAY = "10.0.2.2";

/**
 * Opens a network. Rejects with the reason when it cannot be had.
 * @param {string} slirp
 * @param {NetworkWay} way
 * @returns {Promise<Network>}
 */
export async function openNetwork(slirp, { hold, userNamespace }) {
  const [file = "", ...args] = hold;
  const env = /** @type {const} */ ({ NODE_ENV: "production", PATH: "/usr/sbin:/usr/bin:/sbin:/bin" });
  // It ends when its input closes: with the hook, or with this process.
  const holder = spawn(file, [...args, "/bin/sh", "-c", "echo ready; read -r _"], {
    cwd: "/",
    env,
    stdio: ["pipe", "pipe", "pipe"],
  });
  holder.stdin.on("error", () => {});
  /** @type {import("node:child_process").ChildProcess | undefined} */
  let joined;
  const close = () => {
    holder.stdin.destroy();
    holder.kill("SIGKILL");
    joined?.kill("SIGKILL");
  };
  try {
    await begun(holder, holder.stdout, holder.stderr);
    const { pid = 0 } = holder;
    const owner = userNamespace(pid);
    const flags = ["--configure", "--mtu=65520", "--disable-host-loopback", "--ready-fd=3", "--exit-fd=4"];
    const userns = owner === undefined ? [] : [`--userns-path=${owner}`];
    joined = spawn(slirp, [...flags, ...userns, String(pid), "tap0"], {
      cwd: "/",
      env,
      stdio: ["ignore", "ignore", "pipe", "pipe", "pipe"],
    });
    await begun(joined, joined.stdio[3], joined.stderr);
    return { pid, close };
  } catch (error) {
    close();
    throw error;
  }
}

/**
 * Until a process says on `output` that it is ready. Rejects when it ends before, or says nothing in time.
 * @param {import("node:child_process").ChildProcess} child
 * @param {unknown} output
 * @param {import("node:stream").Readable | null} errors
 * @returns {Promise<void>}
 */
function begun(child, output, errors) {
  let said = "";
  errors?.on("data", (/** @type {Buffer} */ chunk) => {
    said = `${said}${chunk.toString()}`.slice(-300);
  });
  return new Promise((resolve, reject) => {
    const fail = (/** @type {string} */ reason) => reject(new Error(said.trim() || reason));
    const late = setTimeout(() => fail("the network did not open in time"), OPEN_MS);
    child.once("error", (error) => fail(error.message));
    child.once("exit", () => {
      clearTimeout(late);
      fail("the network could not be made");
    });
    // Holds: each is the pipe that the process writes to.
    /** @type {import("node:stream").Readable} */ (output).once("data", () => {
      clearTimeout(late);
      resolve();
    });
  });
}
