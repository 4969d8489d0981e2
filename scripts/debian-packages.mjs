/** Debian's packages that tests and drills need: one that is not installed is a failed test, not a skipped one. */
import { accessSync, closeSync, constants, existsSync, openSync, rmSync, writeSync } from "node:fs";
import { delimiter, join } from "node:path";
import { run, say } from "./project.mjs";

/** The program that proves that a package is there, by package. */
const PROGRAMS = {
  bubblewrap: "bwrap",
  "etcd-server": "etcd",
  haproxy: "haproxy",
  patroni: "patroni",
  pgbouncer: "pgbouncer",
  "postgresql-15": "/usr/lib/postgresql/15/bin/postgres",
};
/** Packages that only come along, by the one that needs them. */
const COMPANIONS = { patroni: ["python3-etcd"] };
const FOLDERS = ["/usr/bin", "/usr/sbin", "/usr/local/bin", "/usr/local/sbin", "/bin", "/sbin"];

/** For `npm run check` and `npm test`: a sandbox for the tests of hooks, a pooler for those of the database. */
export const TEST_PACKAGES = /** @type {const} */ (["bubblewrap", "pgbouncer"]);

/**
 * Installs what is missing where that takes nothing but Debian and root; elsewhere says what is missing. No service of a package
 * is started.
 *
 * @param {readonly (keyof PROGRAMS)[]} packages
 * @returns {Promise<boolean>} true when all of them are there
 */
export async function ensurePackages(packages) {
  if (process.platform !== "linux") return false;
  const missing = packages.filter((name) => findProgram(PROGRAMS[name]) === null);
  if (missing.length === 0) return true;
  const names = missing.join(" ");
  if (process.getuid?.() !== 0 || !existsSync("/usr/bin/apt-get")) {
    say(`not installed, so what needs it fails: ${names}. As root: apt install ${names}`);
    return false;
  }
  say(`installing Debian's ${names}`);
  const all = missing.flatMap((name) => [name, ...(COMPANIONS[name] ?? [])]);
  const isInstalled = await withoutServices(() => install(all));
  if (!isInstalled) say(`could not be installed, so what needs it fails: ${names}`);
  return isInstalled;
}

/** The path of a program that a package brings; null when it is not there. */
export function findProgram(name) {
  if (name.startsWith("/")) return isProgram(name) ? name : null;
  const folders = [...(process.env.PATH ?? "").split(delimiter), ...FOLDERS].filter((folder) => folder !== "");
  return folders.map((folder) => join(folder, name)).find(isProgram) ?? null;
}

function isProgram(path) {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

async function install(packages) {
  const env = { DEBIAN_FRONTEND: "noninteractive" };
  // One that is there already stays as it is.
  const args = ["install", "-y", "--no-install-recommends", "--no-upgrade", ...packages];
  if ((await run("apt-get", args, { env })).code === 0) return true;
  await run("apt-get", ["update"]);
  return (await run("apt-get", args, { env })).code === 0;
}

/** Debian asks this file before it starts a service; 101 forbids it. */
const POLICY = "/usr/sbin/policy-rc.d";

/** Does `work` while no package may start its service. A policy that exists is the machine's own, and stays as it is. */
async function withoutServices(work) {
  let file;
  try {
    file = openSync(POLICY, "wx", 0o755);
  } catch (error) {
    if (error.code !== "EEXIST") throw error;
    return work();
  }
  const remove = () => rmSync(POLICY, { force: true });
  process.once("exit", remove);
  try {
    writeSync(file, "#!/bin/sh\nexit 101\n");
    closeSync(file);
    return await work();
  } finally {
    remove();
    process.off("exit", remove);
  }
}
