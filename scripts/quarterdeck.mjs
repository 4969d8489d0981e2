/** `npm run -s quarterdeck -- VERB ...`: the command line (server/cli), whose exit code is ours. */
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { ensureDatabaseClient } from "./prepare.mjs";
import { program } from "./programs.mjs";
import { ROOT } from "./project.mjs";

// A hook that ends otherwise than with 0 or 2 has no opinion for some agents; a gate that crashed must not.
const FAILED = process.argv[2] === "hook" ? 2 : 1;

if (!existsSync(join(ROOT, "node_modules/esbuild"))) {
  console.error("quarterdeck: the packages are not installed yet; run npm start once, or npm ci.");
  process.exit(FAILED);
}
const commandLine = await findCommandLine().catch((error) => {
  console.error(`quarterdeck: the command line could not be built: ${error.message}`);
  process.exit(FAILED);
});
const { status, signal } = spawnSync(process.execPath, [commandLine, ...process.argv.slice(2)], { stdio: "inherit" });
if (FAILED === 2 && status !== 0) process.exit(FAILED);
process.exit(status ?? (signal === "SIGINT" ? 130 : 1));

/** After `npm ci` alone the Prisma client is missing, and most verbs need neither a server nor `npm start`. */
async function findCommandLine() {
  await ensureDatabaseClient();
  return program("command-line");
}
