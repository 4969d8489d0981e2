/**
 * `npm start` and `npm run dev`: prepares what is stale, then runs the server (server/main.ts) and ends as it ends.
 *
 * --dev    pages with hot reload, and the server again whenever its sources change
 * --demo   with demo data
 * --role   gateway, console or jobs alone, over the PostgreSQL of DATABASE_URL
 */
import { spawn } from "node:child_process";
import { accessSync, constants, mkdirSync, readdirSync, statSync } from "node:fs";
import { createServer } from "node:net";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { build, checkNode, prepare } from "./prepare.mjs";
import { program } from "./programs.mjs";
import { main, Refusal, ROOT, say } from "./project.mjs";

const flags = process.argv.slice(2);
const OPTIONS = /** @type {const} */ ({
  dev: { type: "boolean" },
  demo: { type: "boolean" },
  role: { type: "string" },
});
const ROLES = ["gateway", "console", "jobs"];
const development = flags.includes("--dev");

const FROM_SOURCES = ["--import", "tsx", "server/main.ts"];

let server;
let stopping = false;
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) {
  process.on(signal, () => {
    if (server === undefined) process.exitCode = 130;
    // The server runs in a session of its own, so it hears a Ctrl-C once: from us.
    else if (!stopping) server.kill("SIGTERM");
    stopping = true;
  });
}

// Whoever started us as a child with a channel is gone, even by kill -9: nobody is left to stop us.
process.on("disconnect", () => {
  stopping = true;
  server?.kill("SIGTERM");
});

/** The server checks its port itself; this is so that nobody waits for an installation to hear that it is taken. */
async function checkPort() {
  const port = Number(process.env.PORT || 3000);
  if (!Number.isInteger(port) || port < 0 || port > 65_535) {
    throw new Refusal(`PORT must be a port number from 0 to 65535; it is ${JSON.stringify(process.env.PORT)}.`);
  }
  const host = process.env.HOST || "127.0.0.1";
  const probe = createServer();
  await new Promise((done, failed) => {
    probe.once("error", (error) => {
      if (error.code !== "EADDRINUSE") done();
      else
        failed(
          new Refusal(`Port ${port} on ${host} is taken by another program. Stop it, or set PORT to another port.`),
        );
    });
    probe.listen(port, host, () => probe.close(done));
  });
}

function dataDirectory() {
  return process.env.QUARTERDECK_DATA_DIR ? resolve(process.env.QUARTERDECK_DATA_DIR) : join(ROOT, ".quarterdeck");
}

function checkDataDirectory() {
  const directory = dataDirectory();
  try {
    mkdirSync(directory, { recursive: true, mode: 0o700 });
    accessSync(directory, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch (error) {
    if (error.code === "ENOSPC") throw error;
    throw new Refusal(
      `The data directory ${directory} cannot be used (${error.code}). Make it writable, or set QUARTERDECK_DATA_DIR to another directory.`,
    );
  }
}

/** @param {readonly string[]} program of the server, for node */
function serve(program, pages) {
  server = spawn(process.execPath, [...program, ...flags], {
    cwd: ROOT,
    env: { ...process.env, QUARTERDECK_DATA_DIR: dataDirectory(), ...(pages && { QUARTERDECK_BUILD: pages }) },
    detached: true,
    stdio: ["ignore", "inherit", "inherit", "ipc"],
  });
  // Whoever listened may be gone, which is no reason to end the server.
  server.on("message", (message) => process.send?.(message, () => undefined));
  server.on("exit", (code, signal) => {
    if (stopping || !development) process.exit(code ?? (signal === "SIGKILL" ? 137 : 1));
    if (changed) serve(program, pages);
    else say("the server ended; it starts again when a source file changes");
    changed = false;
  });
}

let changed = false;

const LOOK_MS = 500;
const isWatched = (path) => /\.(ts|mjs|prisma|sql)$/.test(path) && !/\.test\.ts$|^prisma\/generated/.test(path);

/**
 * Development: the server again when something it is made of changes. The pages reload themselves.
 * Looks instead of listening: Node's recursive watcher fails on files that come and go while an editor saves.
 */
function watchSources() {
  let before = sourceTimes();
  const look = async () => {
    const now = sourceTimes();
    const path = [...new Set([...now.keys(), ...before.keys()])].find((name) => now.get(name) !== before.get(name));
    before = now;
    if (path === undefined || stopping) return;
    say(`${path} changed`);
    await prepare();
    if (server.exitCode !== null || server.signalCode !== null) serve(FROM_SOURCES);
    else {
      changed = true;
      server.kill("SIGTERM");
    }
  };
  const again = () =>
    setTimeout(
      () =>
        look()
          .catch((error) => console.error(error.message))
          .finally(again),
      LOOK_MS,
    );
  again();
}

function sourceTimes() {
  const times = new Map();
  for (const folder of ["server", "prisma"]) {
    for (const name of readdirSync(join(ROOT, folder), { recursive: true })) {
      const path = `${folder}/${name}`;
      if (isWatched(path)) times.set(path, statSync(join(ROOT, path), { throwIfNoEntry: false })?.mtimeMs);
    }
  }
  return times;
}

/** The duty that this start is for; undefined for all of them. */
function roleAsked() {
  try {
    const { role } = parseArgs({ args: flags, options: OPTIONS }).values;
    if (role === undefined || ROLES.includes(role)) return role;
  } catch {
    throw new Refusal(`npm start takes --dev, --demo and --role ${ROLES.join("|")}; it was given ${flags.join(" ")}.`);
  }
  throw new Refusal(`--role must be one of ${ROLES.join(", ")}.`);
}

await main(async () => {
  const role = roleAsked();
  checkNode();
  if (role !== "jobs") await checkPort();
  checkDataDirectory();
  await prepare();
  const hasPages = role === undefined || role === "console";
  const [entry, pages] = development ? [] : [await program("main"), hasPages ? await build() : undefined];
  if (stopping) process.exit(130);
  if (development) watchSources();
  serve(entry === undefined ? FROM_SOURCES : [entry], pages);
});
