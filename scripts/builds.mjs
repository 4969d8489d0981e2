/** Keeps builds: a folder for each state of the sources, until newer ones have replaced it and no process uses it. */
import { mkdirSync, readdirSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { ROOT } from "./project.mjs";

/** Relative to the project, as every folder here. */
export const BUILDS = ".quarterdeck-build";
const KEPT = 3;

/** One empty file per process that uses the build. */
export function markUsed(folder) {
  const users = join(ROOT, folder, "users");
  mkdirSync(users, { recursive: true });
  for (const pid of readdirSync(users)) if (!isAlive(Number(pid))) rmSync(join(users, pid), { force: true });
  writeFileSync(join(users, String(process.pid)), "");
  utimesSync(join(ROOT, folder), new Date(), new Date());
}

/** Of the builds whose names begin with `prefix` and go on with a hash, as `current` does. */
export function removeOldBuilds(current, prefix) {
  const name = new RegExp(`^${prefix}[0-9a-f]+$`);
  const all = readdirSync(join(ROOT, BUILDS)).filter((one) => name.test(one));
  const newestFirst = all.map((one) => join(ROOT, BUILDS, one)).sort((a, b) => modifiedMs(b) - modifiedMs(a));
  for (const folder of newestFirst.slice(KEPT)) {
    if (folder !== join(ROOT, current) && !isUsed(folder)) rmSync(folder, { recursive: true, force: true });
  }
}

/** Another process may have removed it meanwhile. */
const modifiedMs = (folder) => statSync(folder, { throwIfNoEntry: false })?.mtimeMs ?? 0;

function isUsed(folder) {
  try {
    return readdirSync(join(folder, "users")).some((pid) => isAlive(Number(pid)));
  } catch {
    return false;
  }
}

function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === "EPERM";
  }
}
