/** The npm package on a machine that has only Node and npm: packed, installed into an empty home, started, signed in to, stopped. */
import { type ChildProcess, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { homedir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { freePort } from "../e2e/fixtures/free-port.ts";
import { forgetSettings } from "./check.mjs";
import { makePackage } from "./package.mjs";

const SETUP_MS = 600_000;
const PER_REQUEST_MS = 60_000;
/** Variables that npm and the test runner set for their own programs. */
const OF_THE_RUNNER = /^(npm_(?!config_)|npm_config_(local_prefix|package)$|NODE_|VITEST|INIT_CWD)/;

let home: string;
let tarball: string;
let environment: NodeJS.ProcessEnv;
let url: string;
let server: ChildProcess | undefined;

beforeAll(async () => {
  forgetSettings();
  tarball = await makePackage();
  // Short, whatever TMPDIR says: a unix socket's path has 107 bytes.
  home = await mkdtemp("/tmp/quarterdeck-home-");
  const port = String(await freePort());
  url = `http://127.0.0.1:${port}`;
  const npmSettings = process.env.npm_config_userconfig ?? join(homedir(), ".npmrc");
  const own = Object.entries(process.env).filter(([name]) => !OF_THE_RUNNER.test(name));
  environment = {
    ...Object.fromEntries(own),
    ...{
      NODE_ENV: "production",
      HOME: home,
      PORT: port,
      npm_config_userconfig: npmSettings,
      npm_config_cache: join(home, ".npm"),
    },
  };
}, SETUP_MS);

afterAll(async () => {
  await stop();
  await rm(home, { recursive: true, force: true });
});

const npxArguments = (...args: readonly string[]) => ["--yes", "--package", tarball, "quarterdeck", ...args];

/** Resolves to the sign-in link that the server prints when it is ready. */
async function start(): Promise<string> {
  const child = spawn("npx", npxArguments(), { cwd: home, env: environment, detached: true, stdio: "pipe" });
  server = child;
  let printed = "";
  return new Promise((resolve, reject) => {
    const read = (chunk: Buffer) => {
      printed += chunk.toString();
      const link = /sign in once at (\S+)\s/.exec(printed)?.[1];
      if (link !== undefined) resolve(link);
    };
    child.stdout.on("data", read);
    child.stderr.on("data", read);
    child.on("error", reject);
    child.on("close", (code) => reject(new Error(`the package ended with ${code}: ${printed.slice(-2_000)}`)));
  });
}

/** Ends the server as Ctrl-C does: every process of its group gets the signal. */
async function stop(): Promise<void> {
  if (server?.pid === undefined || server.exitCode !== null || server.signalCode !== null) return;
  const ended = once(server, "close");
  process.kill(-server.pid, "SIGTERM");
  await ended;
}

const get = (path: string) => fetch(url + path, { signal: AbortSignal.timeout(PER_REQUEST_MS), redirect: "manual" });

test("the package starts in an empty home, names its own command and ends", { timeout: SETUP_MS }, async () => {
  const link = await start();
  expect(link).toMatch(new RegExp(`^${url}/sign-in\\?token=\\S+$`));
  expect((await get("/readyz")).status).toBe(200);
  expect(existsSync(join(home, ".quarterdeck/admin-token"))).toBe(true);

  const page = await (await get("/sign-in")).text();
  expect(page).toContain(`npx --package ${tarball} quarterdeck`);
  expect(page).not.toContain("npm run -s quarterdeck");

  const printed = await promisify(execFile)("npx", npxArguments("sign-in"), { cwd: home, env: environment });
  expect(printed.stdout).toMatch(new RegExp(`^${url}/sign-in\\?token=\\S+\\n$`));

  await stop();
  await expect(get("/readyz")).rejects.toThrow();
});
