/**
 * `npm run bundle`, and a step of `npm start`: the local executor as one file without dependencies, and its shell shim, in
 * dist/. An agent's machine fetches them from the console.
 */
import { copyFileSync, existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { hashOf, main, ROOT } from "./project.mjs";

const DIST = join(ROOT, "dist");
const PROGRAM = "quarterdeck-hook.mjs";
const SHIM = "quarterdeck-hook.sh";
const SOURCES = ["server/local", "server/hooks", "scripts/bundle.mjs", `scripts/${SHIM}`, "package-lock.json"];
const isNoSource = (path) => /\.test\.ts$|^server\/hooks\/conformance/.test(path);

/** Makes both files when they are not of these sources. */
export async function bundle() {
  const hash = hashOf(SOURCES, isNoSource);
  const marker = join(DIST, ".made-from");
  const isThere = [PROGRAM, SHIM].every((name) => existsSync(join(DIST, name)));
  if (isThere && existsSync(marker) && readFileSync(marker, "utf8") === hash) return;
  mkdirSync(DIST, { recursive: true });
  const draft = join(DIST, `${PROGRAM}.${process.pid}.new`);
  const { build } = await import("esbuild");
  await build({
    absWorkingDir: ROOT,
    entryPoints: ["server/local/main.ts"],
    outfile: draft,
    bundle: true,
    platform: "node",
    format: "esm",
    target: "node20.19",
    minify: true,
    legalComments: "none",
    logLevel: "warning",
    // Some packages are CommonJS inside and ask for node's own modules.
    banner: { js: BANNER },
    plugins: [{ name: "unused-is-left-out", setup: leaveOutUnused }],
  });
  renameSync(draft, join(DIST, PROGRAM));
  copyFileSync(join(ROOT, "scripts", SHIM), join(DIST, SHIM));
  writeFileSync(marker, hash);
}

const BANNER = `#!/usr/bin/env node
import { createRequire as __createRequire } from "node:module";
const require = __createRequire(import.meta.url);`;

/** Our own modules do nothing by being loaded, so one that is not used need not be there. */
function leaveOutUnused(build) {
  build.onResolve({ filter: /\.ts$/ }, async ({ path, pluginData, ...from }) => {
    if (pluginData === "seen" || from.kind === "entry-point") return undefined;
    const found = await build.resolve(path, { ...from, pluginData: "seen" });
    return found.errors.length > 0 ? found : { ...found, sideEffects: false };
  });
}

if (process.argv[1] === join(ROOT, "scripts/bundle.mjs")) await main(bundle);
