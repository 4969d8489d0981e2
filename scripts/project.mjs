/** Shared by scripts: where the project is, talking to people, running programs, and one at a time. No dependencies. */
import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, lstatSync, readdirSync, readFileSync } from "node:fs";
import { createServer } from "node:net";
import { constants, setPriority } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

export const ROOT = fileURLToPath(new URL("..", import.meta.url)).replace(/\/$/, "");

/** A line of progress for a person. */
export function say(sentence) {
  console.log(`quarterdeck: ${sentence}`);
}

/** Something the person must put right: one sentence, printed without a stack. */
export class Refusal extends Error {}

/** Runs a script's body and turns what it throws into one sentence and a non-zero exit. */
export async function main(body) {
  try {
    await body();
  } catch (error) {
    if (!(error instanceof Refusal) && !isFullDisk(String(error))) console.error(error);
    console.error(`quarterdeck: ${isFullDisk(String(error)) ? FULL_DISK : error.message}`);
    process.exit(1);
  }
}

export const FULL_DISK = "The disk is full. Free some space and start again.";
const isFullDisk = (text) => /ENOSPC|EDQUOT|No space left on device|os error 28/.test(text);

const running = new Set();
let interrupted = false;
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) {
  process.on(signal, () => {
    if (running.size === 0) return;
    interrupted = true;
    for (const child of running) stopGroup(child, "SIGTERM");
  });
}

function stopGroup(child, signal) {
  try {
    process.kill(-child.pid, signal);
  } catch {
    // The whole group is gone already.
  }
}

/**
 * Runs a program to its end, in a process group of its own so that Ctrl-C ends its grandchildren too.
 * Quiet: its output is returned, and shown only to explain a failure.
 *
 * @param {{ env?: Record<string, string>, inherit?: boolean, cwd?: string, isBackground?: boolean }} [options] in the
 *   background it takes what time of the processors others leave
 * @returns {Promise<{ code: number, output: string }>}
 */
export async function run(file, args, options = {}) {
  const child = spawn(file, args, {
    cwd: options.cwd ?? ROOT,
    env: { ...process.env, ...options.env },
    detached: true,
    stdio: options.inherit ? ["ignore", "inherit", "inherit"] : ["ignore", "pipe", "pipe"],
  });
  running.add(child);
  if (options.isBackground && child.pid !== undefined) setPriority(child.pid, constants.priority.PRIORITY_BELOW_NORMAL);
  let output = "";
  const keep = (chunk) => {
    output = (output + chunk).slice(-64 * 1024);
  };
  child.stdout?.on("data", keep);
  child.stderr?.on("data", keep);
  const code = await new Promise((resolve) => {
    child.on("error", (error) => {
      keep(String(error));
      resolve(127);
    });
    child.on("close", (exitCode) => resolve(exitCode ?? 1));
  });
  running.delete(child);
  if (interrupted) process.exit(130);
  return { code, output };
}

/** Like `run`, for a step that must succeed. */
export async function must(what, file, args, options) {
  const { code, output } = await run(file, args, options);
  if (code === 0) return;
  if (isFullDisk(output)) throw new Refusal(FULL_DISK);
  console.error(output.trim().split("\n").slice(-40).join("\n"));
  throw new Refusal(`${what} failed; the reason is above.`);
}

/** npm itself, as the npm that runs us or the one in PATH. */
export function npm(args) {
  const cli = process.env.npm_execpath ?? "";
  return cli.endsWith(".js") ? [process.execPath, [cli, ...args]] : ["npm", args];
}

/**
 * One hash over the names and contents of files and folders below the project. A folder that moved is an error: what is made of
 * it would be called current for ever.
 *
 * @param {string[]} paths
 * @param {(path: string) => boolean} [skip]
 */
export function hashOf(paths, skip = () => false) {
  const hash = createHash("sha256");
  const visit = (path) => {
    const found = lstatSync(join(ROOT, path), { throwIfNoEntry: false });
    if (found?.isDirectory()) {
      for (const name of readdirSync(join(ROOT, path)).sort()) if (!skip(`${path}/${name}`)) visit(`${path}/${name}`);
    } else if (found?.isFile()) {
      hash.update(`${path}\0${found.size}\0`).update(readFileSync(join(ROOT, path)));
    }
  };
  for (const path of paths) {
    if (!existsSync(join(ROOT, path))) throw new Error(`${path} is named as a source and is not there`);
    visit(path);
  }
  return hash.digest("hex");
}

/**
 * Does `work` while no other process works on `name` in this checkout. The lock is a name in Linux's abstract socket
 * space, so it vanishes with its holder; elsewhere there is none.
 */
export async function exclusively(name, work, report = say) {
  if (process.platform !== "linux") return work();
  const { dev, ino } = lstatSync(ROOT);
  const path = `\0quarterdeck-${name}-${dev}-${ino}`;
  for (let told = false; ; ) {
    const server = createServer((socket) => socket.end());
    const held = await new Promise((resolve, reject) => {
      server.once("error", (error) => (error.code === "EADDRINUSE" ? resolve(false) : reject(error)));
      server.listen(path, () => resolve(true));
    });
    if (held) {
      try {
        return await work();
      } finally {
        server.close();
      }
    }
    if (!told) report("waiting for another start or test run in this checkout to finish preparing");
    told = true;
    await new Promise((resolve) => setTimeout(resolve, 300));
  }
}
