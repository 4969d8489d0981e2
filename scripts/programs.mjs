/**
 * The server and the command line as JavaScript: our own modules put together, packages left where they are. A process that
 * reads them starts in half the time of one that reads the TypeScript. A step of `npm start`; `npm run dev` reads the sources.
 */
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join, relative } from "node:path";
import { BUILDS, markUsed, removeOldBuilds } from "./builds.mjs";
import { hashOf, ROOT } from "./project.mjs";

/** Each is a process or a thread of its own. Another program names it by `new URL("./its.ts", import.meta.url)`. */
const PROGRAMS = {
  main: "server/main.ts",
  gateway: "server/gateway-process.ts",
  console: "server/console-process.ts",
  jobs: "server/jobs-process.ts",
  scans: "server/scans-process.ts",
  "command-line": "server/cli/main.ts",
  conformance: "server/hooks/conformance/main.ts",
  "case-file": "server/playground/case-file.ts",
  "replay-tasks": "server/backtest/replay-tasks.ts",
  "input-tasks": "server/dispatches/input-tasks.ts",
  "text-tasks": "server/policies/text/text-tasks.ts",
  "telemetry-tasks": "server/client-telemetry/telemetry-tasks.ts",
};
const SOURCES = ["server", "packages", "prisma/schema.prisma", "package-lock.json", "scripts/programs.mjs"];
const PREFIX = "programs-";
/** The processes that tests and benches start. */
const TEST_PROGRAMS = {
  "lock-process": "e2e/fixtures/lock-process.ts",
  "measured-server": "e2e/fixtures/measured-server.ts",
  "node-process": "e2e/fixtures/node-process.ts",
  "postgres-process": "e2e/fixtures/postgres-process.ts",
  "project-until-killed": "e2e/fixtures/project-until-killed.ts",
  "claim-until-killed": "e2e/fixtures/claim-until-killed.ts",
  "record-until-killed": "e2e/fixtures/record-until-killed.ts",
  "backtest-until-killed": "e2e/fixtures/backtest-until-killed.ts",
  "live-test-until-killed": "e2e/fixtures/live-test-until-killed.ts",
  "stream-until-killed": "e2e/fixtures/stream-until-killed.ts",
  "canary-watch-until-killed": "e2e/fixtures/canary-watch-until-killed.ts",
  "known-calls-until-killed": "e2e/fixtures/known-calls-until-killed.ts",
  "rules-in-process": "bench/fixtures/rules-in-process.ts",
};
const TEST_SOURCES = [...SOURCES, "e2e/fixtures", "bench/fixtures"];
const TEST_PREFIX = "test-programs-";
const isTest = (path) => path.endsWith(".test.ts");
const ours = createRequire(join(ROOT, "package.json"));

/**
 * The path of a program as its sources are now. The first call after a change takes a second.
 *
 * @param {keyof typeof PROGRAMS} name
 */
export function program(name) {
  return made(name, PREFIX, hashOf(SOURCES, isTest), PROGRAMS);
}

/**
 * The path of a process of tests, with the programs that its own modules start beside it.
 *
 * @param {keyof typeof TEST_PROGRAMS} name
 */
export function testProgram(name) {
  return made(name, TEST_PREFIX, hashOf(TEST_SOURCES, isTest), { ...PROGRAMS, ...TEST_PROGRAMS });
}

async function made(name, prefix, hash, entryPoints) {
  const folder = `${BUILDS}/${prefix}${hash.slice(0, 16)}`;
  if (!existsSync(join(ROOT, folder))) await make(folder, entryPoints);
  markUsed(folder);
  removeOldBuilds(folder, prefix);
  return join(ROOT, folder, `${name}.mjs`);
}

async function make(folder, entryPoints) {
  // Not before the packages are installed.
  const { build } = await import("esbuild");
  const draft = `${folder}.${process.pid}.new`;
  mkdirSync(join(ROOT, draft), { recursive: true });
  await build({
    absWorkingDir: ROOT,
    entryPoints,
    outdir: draft,
    outExtension: { ".js": ".mjs" },
    bundle: true,
    splitting: true,
    format: "esm",
    platform: "node",
    target: "node20.19",
    packages: "external",
    logLevel: "warning",
    plugins: [{ name: "places", setup: keepPlaces }],
  });
  try {
    renameSync(join(ROOT, draft), join(ROOT, folder));
  } catch (error) {
    // Another process may have been first.
    rmSync(join(ROOT, draft), { recursive: true, force: true });
    if (!existsSync(join(ROOT, folder))) throw error;
  }
}

/** A module finds files by its own place, which stays that of its source; another program is found beside this one. */
function keepPlaces({ onLoad, onResolve }) {
  // Packages stay outside, but for our own, whose doors are TypeScript.
  onResolve({ filter: /^@quarterdeck\// }, ({ path }) => ({ path: ours.resolve(path) }));
  onLoad({ filter: /\/(server|prisma|e2e)\/.*\.ts$/ }, ({ path }) => {
    const text = readFileSync(path, "utf8");
    if (!text.includes("import.meta.url")) return undefined;
    const source = JSON.stringify(relative(join(ROOT, BUILDS, PREFIX), path));
    const contents = text
      .replaceAll(/new URL\("(\.{1,2}\/[^"]+\.ts)", import\.meta\.url\)/g, (written, to) => {
        const found = Object.keys(PROGRAMS).find((name) => join(ROOT, PROGRAMS[name]) === join(dirname(path), to));
        return found === undefined ? written : `new URL("./${found}.mjs", import.meta.url /* beside */)`;
      })
      .replaceAll(/import\.meta\.url(?! \/\* beside \*\/)/g, `new URL(${source}, import.meta.url).href`);
    return { loader: "ts", contents };
  });
}
