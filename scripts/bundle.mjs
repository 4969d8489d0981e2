/**
 * `npm run bundle`, and a step of `npm start`: the local executor, the verifier, the MCP server and the programs that enrol, drill and inventory clients, each
 * one file without dependencies, and the executor's shell shim, in dist/. Whoever needs them fetches them from the console.
 */
import { copyFileSync, existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { hashOf, main, ROOT } from "./project.mjs";

const DIST = join(ROOT, "dist");
const PROGRAM = "quarterdeck-hook.mjs";
const SHIM = "quarterdeck-hook.sh";
const VERIFIER = "quarterdeck-verify.mjs";
const ENROLLER = "quarterdeck-enrol.mjs";
const DRILL = "quarterdeck-drill.mjs";
const INVENTORY = "quarterdeck-inventory.mjs";
const MCP = "quarterdeck-mcp.mjs";
const SOURCES = [
  ...["server/local-executor", "server/dialects", "server/hooks", "server/audit", "server/cli/verify-file.ts"],
  ...[
    "server/cli/enrol",
    "server/cli/drill",
    "server/cli/inventory",
    "server/cli/agent-request.ts",
    "server/cli/refusal.ts",
    "server/cli/program.ts",
    "server/cli/exchange.ts",
    "server/cli/mcp",
    ...["server/cli/join.ts", "server/cli/join-command.ts", "server/agents/enrolment-token-schema.ts"],
    ...["server/cli/login", "server/cli/own-key.ts", "server/device-login/schema.ts"],
    ...["server/cli/connect.ts", "server/cli/connect-command.ts"],
    "server/drills/schema.ts",
    "server/extensions/schema.ts",
    "server/approvals/question-schema.ts",
    "server/decisions/denial-schema.ts",
    "packages/client",
  ],
  ...["scripts/bundle.mjs", `scripts/${SHIM}`, "package-lock.json"],
];
const isNoSource = (path) => /\.test\.ts$|^server\/(hooks\/conformance|dialects\/vectors|audit\/evidence)/.test(path);

/** Makes the files when they are not of these sources. */
export async function bundle() {
  const hash = hashOf(SOURCES, isNoSource);
  const marker = join(DIST, ".made-from");
  const isThere = [PROGRAM, SHIM, VERIFIER, ENROLLER, DRILL, INVENTORY, MCP].every((name) =>
    existsSync(join(DIST, name)),
  );
  if (isThere && existsSync(marker) && readFileSync(marker, "utf8") === hash) return;
  mkdirSync(DIST, { recursive: true });
  // Not before the packages are installed.
  const { build } = await import("esbuild");
  const draft = join(DIST, `${PROGRAM}.${process.pid}.new`);
  await build({
    ...COMMON,
    entryPoints: ["server/local-executor/main.ts"],
    outfile: draft,
    format: "esm",
    banner: { js: BANNER },
    plugins: [{ name: "engine-in-words", setup: keepEngineInWords(build) }, ...COMMON.plugins],
  });
  renameSync(draft, join(DIST, PROGRAM));
  await buildAlone(build, "server/cli/verify-file.ts", VERIFIER, BANNER);
  await buildAlone(build, "server/cli/enrol/main.ts", ENROLLER, BANNER_WITH_REQUIRE);
  await buildAlone(build, "server/cli/drill/main.ts", DRILL, BANNER_WITH_REQUIRE);
  await buildAlone(build, "server/cli/inventory/main.ts", INVENTORY, BANNER_WITH_REQUIRE);
  await buildAlone(build, "server/cli/mcp/main.ts", MCP, BANNER_WITH_REQUIRE);
  copyFileSync(join(ROOT, "scripts", SHIM), join(DIST, SHIM));
  writeFileSync(marker, hash);
}

async function buildAlone(build, source, name, banner) {
  const outfile = join(DIST, `${name}.${process.pid}.new`);
  // Where a package has a form with imports, only what is used of it comes along.
  const mainFields = ["module", "main"];
  await build({ ...COMMON, entryPoints: [source], outfile, format: "esm", mainFields, banner: { js: banner } });
  renameSync(outfile, join(DIST, name));
}

const COMMON = {
  absWorkingDir: ROOT,
  bundle: true,
  platform: "node",
  target: "node20.19",
  minify: true,
  legalComments: "none",
  logLevel: "warning",
  // The path of the spawner, which nobody starts here.
  logOverride: { "empty-import-meta": "silent" },
  plugins: [{ name: "unused-is-left-out", setup: leaveOutUnused }],
};

const BANNER = "#!/usr/bin/env node";
/** The package of the command line asks for Node's own modules by `require`. */
const BANNER_WITH_REQUIRE = `${BANNER}
import { createRequire } from "node:module";
const require = createRequire(import.meta.url);`;

/** The modules that need the engine, with the names that others ask them for. */
const ENGINE = {
  dispatch: ["dispatchLocally", "isConsoleConcerned", "withoutSecrets"],
  "rules-hook": ["rulesHook"],
  "check-programs": ["checkPrograms"],
};
const ENGINE_ENTRY = Object.entries(ENGINE)
  .map(([file, names]) => `export { ${names.join(", ")} } from "./server/local-executor/${file}.ts";`)
  .join("\n");

/**
 * Most calls need no engine, and reading its code takes longer than everything else they do. So it is a text in the
 * program, and becomes code when a call asks for it.
 */
const keepEngineInWords =
  (build) =>
  ({ onResolve, onLoad }) => {
    onResolve({ filter: new RegExp(`/(?:${Object.keys(ENGINE).join("|")})\\.ts$`) }, ({ kind }) =>
      kind === "dynamic-import" ? { path: "engine", namespace: "engine" } : undefined,
    );
    onLoad({ filter: /.*/, namespace: "engine" }, async () => {
      const stdin = { contents: ENGINE_ENTRY, resolveDir: ROOT, loader: "ts" };
      const { outputFiles } = await build({ ...COMMON, stdin, format: "cjs", write: false });
      return { resolveDir: ROOT, contents: engineModule(outputFiles[0].text) };
    });
  };

const engineModule = (code) => `
import { createRequire } from "node:module";
import { compileFunction } from "node:vm";
const engine = { exports: {} };
const names = ["module", "exports", "require"];
const load = compileFunction(${JSON.stringify(code)}, names, { filename: "quarterdeck-hook-engine.cjs" });
load(engine, engine.exports, createRequire(import.meta.url));
export const { ${Object.values(ENGINE).flat().join(", ")} } = engine.exports;
`;

/** Our own modules do nothing by being loaded, so one that is not used need not be there; nor need other languages. */
function leaveOutUnused(build) {
  build.onResolve({ filter: /\.ts$/ }, async ({ path, pluginData, ...from }) => {
    if (pluginData === "seen" || from.kind === "entry-point") return undefined;
    const found = await build.resolve(path, { ...from, pluginData: "seen" });
    return found.errors.length > 0 ? found : { ...found, sideEffects: false };
  });
  build.onResolve({ filter: /locales\/index\.js$/ }, () => ({ path: "none", namespace: "none" }));
  build.onLoad({ filter: /.*/, namespace: "none" }, () => ({ contents: "" }));
}

if (process.argv[1] === join(ROOT, "scripts/bundle.mjs")) await main(bundle);
