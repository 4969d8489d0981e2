/** `npm run -s quarterdeck -- VERB ...`: the command line (server/cli), whose exit code is ours. */
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { program } from "./programs.mjs";
import { ROOT } from "./project.mjs";

if (!existsSync(join(ROOT, "node_modules/esbuild"))) {
  console.error("quarterdeck: the packages are not installed yet; run npm start once, or npm ci.");
  process.exit(process.argv[2] === "hook" ? 2 : 1);
}
const { status, signal } = spawnSync(process.execPath, [await program("command-line"), ...process.argv.slice(2)], {
  stdio: "inherit",
});
// A hook that ends otherwise than with 0 or 2 has no opinion for some agents; a gate that crashed must not.
if (process.argv[2] === "hook" && status !== 0) process.exit(2);
process.exit(status ?? (signal === "SIGINT" ? 130 : 1));
